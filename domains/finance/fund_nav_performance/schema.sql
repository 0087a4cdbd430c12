CREATE TABLE IF NOT EXISTS inv_ods.ods_fund_position_di (
    fund_code      STRING        COMMENT 'fund',
    security_id    STRING        COMMENT 'security',
    position_type  STRING        COMMENT 'LONG / CASH / SHORT',
    quantity       DECIMAL(18,4) COMMENT 'units held',
    cost_amount    DECIMAL(18,2) COMMENT 'book cost, fund currency',
    accrued_amount DECIMAL(18,2) COMMENT 'accrued interest',
    custodian      STRING        COMMENT 'custodian bank',
    trade_date     STRING        COMMENT 'last trade date',
    settle_date    STRING        COMMENT 'last settlement date'
) COMMENT 'end of day positions'
PARTITIONED BY (dt STRING COMMENT 'position date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_dim.dim_security_df (
    security_id    STRING  COMMENT 'security',
    security_name  STRING  COMMENT 'name',
    asset_class    STRING  COMMENT 'EQUITY / BOND / FUND / CASH',
    currency_code  STRING  COMMENT 'quotation currency',
    sector_tags    STRING  COMMENT 'comma separated sectors',
    issuer_id      STRING  COMMENT 'issuer',
    is_suspended   BOOLEAN COMMENT 'trading suspended',
    issue_date     STRING  COMMENT 'issue date',
    maturity_date  STRING  COMMENT 'maturity date'
) COMMENT 'security master'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_ods.ods_security_price_di (
    price_id       BIGINT        COMMENT 'primary key',
    security_id    STRING        COMMENT 'security',
    price_source   STRING        COMMENT 'EXCHANGE / VENDOR / MANUAL',
    close_price    DECIMAL(18,4) COMMENT 'closing price',
    bid_price      DECIMAL(18,4) COMMENT 'bid',
    ask_price      DECIMAL(18,4) COMMENT 'ask',
    price_time     STRING        COMMENT 'quotation time'
) COMMENT 'prices of all sources'
PARTITIONED BY (dt STRING COMMENT 'price date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_dim.dim_fx_rate_di (
    currency_code  STRING        COMMENT 'currency',
    base_currency  STRING        COMMENT 'base currency',
    mid_rate       DECIMAL(18,6) COMMENT 'units of currency for one base unit',
    bid_rate       DECIMAL(18,6) COMMENT 'bid rate',
    ask_rate       DECIMAL(18,6) COMMENT 'ask rate',
    provider       STRING        COMMENT 'provider'
) COMMENT 'exchange rates'
PARTITIONED BY (dt STRING COMMENT 'rate date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_dim.dim_fund_df (
    fund_code      STRING COMMENT 'fund',
    fund_name      STRING COMMENT 'name',
    fund_type      STRING COMMENT 'EQUITY / BOND / MIXED',
    manager_id     STRING COMMENT 'portfolio manager',
    fee_tiers      ARRAY<STRUCT<lower_amount:DOUBLE,fee_rate:DOUBLE>> COMMENT 'management fee tiers, ascending',
    inception_date STRING COMMENT 'start of the fund',
    close_date     STRING COMMENT 'liquidated on, null when alive'
) COMMENT 'fund master'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_dwd.dwd_fund_share_di (
    fund_code      STRING        COMMENT 'fund',
    share_cnt      DECIMAL(18,4) COMMENT 'shares outstanding',
    subs_amount    DECIMAL(18,2) COMMENT 'subscriptions of the day',
    redm_amount    DECIMAL(18,2) COMMENT 'redemptions of the day',
    holder_cnt     BIGINT        COMMENT 'share holders',
    registrar      STRING        COMMENT 'transfer agent'
) COMMENT 'shares outstanding per fund and day'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS inv_ads.ads_fund_nav_perf_di (
    fund_code      STRING        COMMENT 'fund',
    fund_name      STRING        COMMENT 'name',
    gross_value    DECIMAL(38,2) COMMENT 'gross asset value',
    nav_per_share  DECIMAL(38,6) COMMENT 'nav per share',
    day_return     DOUBLE        COMMENT 'return against the previous nav',
    nav_ma5        DOUBLE        COMMENT 'five day mean',
    net_flow       DECIMAL(38,2) COMMENT 'subscriptions minus redemptions',
    fee_accrual    DOUBLE        COMMENT 'management fee of the day',
    sectors        STRING        COMMENT 'sectors held',
    quality_flag   STRING        COMMENT 'quality of the valuation'
) COMMENT 'fund nav and performance'
PARTITIONED BY (dt STRING COMMENT 'valuation date')
STORED AS ORC;
