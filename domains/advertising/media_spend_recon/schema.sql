CREATE TABLE IF NOT EXISTS dwd_ad.dwd_media_bill_di (
    bill_id      BIGINT         COMMENT 'bill line id',
    media_id     BIGINT         COMMENT 'media',
    campaign_id  BIGINT         COMMENT 'campaign',
    slot_id      BIGINT         COMMENT 'ad slot, null run-of-network',
    hour_no      INT            COMMENT 'hour 0..23',
    bill_mode    STRING         COMMENT 'CPC/CPM/CPA',
    imp_cnt      BIGINT         COMMENT 'billed impressions',
    click_cnt    BIGINT         COMMENT 'billed clicks',
    spend        DECIMAL(18,2)  COMMENT 'amount in bill currency',
    rebate       DECIMAL(18,2)  COMMENT 'rebate in bill currency',
    currency     STRING         COMMENT 'CNY/USD/...',
    version_no   INT            COMMENT 'correction version'
) COMMENT 'hourly bills of the media'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_ad.dwd_monitor_log_di (
    log_id         STRING              COMMENT 'log id',
    campaign_id    BIGINT              COMMENT 'campaign',
    campaign_code  STRING              COMMENT 'campaign code, DEMO_ for demos',
    slot_id        BIGINT              COMMENT 'ad slot, null run-of-network',
    creative_id    BIGINT              COMMENT 'creative',
    event_type     STRING              COMMENT 'imp/click',
    anti_flags     MAP<STRING,STRING>  COMMENT 'anti-fraud rule -> 1 hit 0 passed',
    event_time     STRING              COMMENT 'event time',
    server_time    STRING              COMMENT 'server time',
    ip             STRING              COMMENT 'ip'
) COMMENT 'own monitoring log'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ad.dim_fx_rate_df (
    currency    STRING         COMMENT 'currency',
    rate        DECIMAL(18,4)  COMMENT 'CNY per unit',
    mid_rate    DECIMAL(18,4)  COMMENT 'central bank mid rate',
    source      STRING         COMMENT 'source bank',
    quote_time  STRING         COMMENT 'quote time',
    quote_date  STRING         COMMENT 'quote date'
) COMMENT 'exchange rates'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ad.dim_media_df (
    media_id       BIGINT         COMMENT 'media',
    media_name     STRING         COMMENT 'name',
    group_name     STRING         COMMENT 'media group',
    tolerance_pct  DECIMAL(18,2)  COMMENT 'accepted difference percent',
    rebate_pct     DECIMAL(18,2)  COMMENT 'rebate percent',
    is_settled     INT            COMMENT '1 contract settled on monitoring',
    sign_date      STRING         COMMENT 'contract date'
) COMMENT 'media'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tmp_ad.tmp_spend_recon_20240315 (
    campaign_id    BIGINT         COMMENT 'campaign',
    slot_id        BIGINT         COMMENT 'ad slot',
    media_id       BIGINT         COMMENT 'media',
    media_name     STRING         COMMENT 'media name',
    bill_mode      STRING         COMMENT 'mode, NONE when not billed',
    bill_click     BIGINT         COMMENT 'billed clicks',
    mon_click      BIGINT         COMMENT 'monitored clicks',
    bad_click      BIGINT         COMMENT 'invalid clicks',
    spend_cny      DECIMAL(18,2)  COMMENT 'spend in CNY',
    rule_list      STRING         COMMENT 'anti-fraud rules hit',
    tolerance_pct  DECIMAL(18,2)  COMMENT 'accepted difference percent'
) COMMENT 'bill and monitoring side by side, one day'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_ad.ads_spend_diff_1d (
    campaign_id  BIGINT         COMMENT 'campaign',
    slot_id      BIGINT         COMMENT 'ad slot',
    media_name   STRING         COMMENT 'media name',
    bill_mode    STRING         COMMENT 'mode',
    bill_click   BIGINT         COMMENT 'billed clicks',
    valid_click  BIGINT         COMMENT 'monitored clicks without invalid ones',
    diff_click   BIGINT         COMMENT 'absolute difference',
    spend_cny    DECIMAL(18,2)  COMMENT 'spend in CNY',
    diff_reason  STRING         COMMENT 'reason',
    rule_list    STRING         COMMENT 'anti-fraud rules hit'
) COMMENT 'bill lines out of tolerance'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_ad.ads_spend_recon_sum_1d (
    media_name    STRING         COMMENT 'media or ALL',
    bill_mode     STRING         COMMENT 'mode or ALL',
    line_cnt      BIGINT         COMMENT 'lines',
    campaign_cnt  BIGINT         COMMENT 'campaigns',
    bill_click    BIGINT         COMMENT 'billed clicks',
    mon_click     BIGINT         COMMENT 'monitored clicks',
    bad_click     BIGINT         COMMENT 'invalid clicks',
    spend_cny     DECIMAL(18,2)  COMMENT 'spend in CNY',
    bad_pct       DOUBLE         COMMENT 'invalid share percent',
    unbilled_cnt  BIGINT         COMMENT 'lines without bill'
) COMMENT 'reconciliation totals'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;
