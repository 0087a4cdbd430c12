CREATE TABLE IF NOT EXISTS aml_dwd.dwd_cash_txn_di (
    txn_id        STRING        COMMENT 'transaction',
    orig_txn_id   STRING        COMMENT 'reversed transaction, else null',
    account_no    STRING        COMMENT 'account',
    customer_id   STRING        COMMENT 'customer',
    branch_code   STRING        COMMENT 'branch of the counter or machine',
    txn_type      STRING        COMMENT 'CASH_DEP / ATM_DEP / CASH_WDR / REVERSAL',
    amount        DECIMAL(18,2) COMMENT 'amount in local currency',
    fee_amount    DECIMAL(18,2) COMMENT 'fee',
    txn_time      STRING        COMMENT 'time yyyy-MM-dd HH:mm:ss',
    value_date    STRING        COMMENT 'value date',
    teller_id     STRING        COMMENT 'teller',
    memo          STRING        COMMENT 'memo text'
) COMMENT 'cash transactions'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_dwd.dwd_transfer_di (
    transfer_id     STRING        COMMENT 'transfer',
    customer_id     STRING        COMMENT 'ordering customer',
    counterparty_id STRING        COMMENT 'receiving customer when in-house',
    account_no      STRING        COMMENT 'debited account',
    amount          DECIMAL(18,2) COMMENT 'amount',
    transfer_time   STRING        COMMENT 'time'
) COMMENT 'transfers'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_dim.dim_customer_df (
    customer_id     STRING  COMMENT 'customer',
    customer_name   STRING  COMMENT 'name',
    cust_type       STRING  COMMENT 'PERSON / COMPANY',
    cust_status     STRING  COMMENT 'ACTIVE / DORMANT / CLOSED',
    risk_grade      STRING  COMMENT 'LOW / MEDIUM / HIGH',
    occupation_code STRING  COMMENT 'occupation',
    is_pep          BOOLEAN COMMENT 'politically exposed person',
    kyc_date        STRING  COMMENT 'last kyc review',
    open_date       STRING  COMMENT 'customer since'
) COMMENT 'customers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_dim.dim_account_df (
    account_no      STRING COMMENT 'account',
    customer_id     STRING COMMENT 'main owner',
    joint_owner_ids STRING COMMENT 'comma separated customers',
    account_status  STRING COMMENT 'OPEN / CLOSED',
    open_branch     STRING COMMENT 'opening branch',
    open_date       STRING COMMENT 'opened on'
) COMMENT 'accounts'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_ods.ods_watchlist_df (
    list_id        BIGINT COMMENT 'primary key',
    customer_id    STRING COMMENT 'matched customer',
    entity_name    STRING COMMENT 'listed name',
    list_type      STRING COMMENT 'SANCTION / INTERNAL / MEDIA',
    effective_date STRING COMMENT 'valid from',
    expire_date    STRING COMMENT 'valid until, null when open',
    review_date    STRING COMMENT 'last review'
) COMMENT 'watch list hits'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_ods.ods_suspicion_report_df (
    report_id     BIGINT COMMENT 'primary key',
    customer_id   STRING COMMENT 'reported customer',
    reporter_id   STRING COMMENT 'reporting officer',
    report_status STRING COMMENT 'DRAFT / FILED / DROPPED',
    report_date   STRING COMMENT 'reported on',
    file_date     STRING COMMENT 'filed with the authority on'
) COMMENT 'suspicious activity reports'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_ods.ods_exemption_df (
    exempt_id    BIGINT COMMENT 'primary key',
    customer_id  STRING COMMENT 'customer',
    detail_json  STRING COMMENT 'json with type and reason',
    approve_date STRING COMMENT 'approved on',
    apply_date   STRING COMMENT 'requested on',
    valid_until  STRING COMMENT 'last valid time yyyy-MM-dd HH:mm:ss'
) COMMENT 'exemptions of cash intensive businesses'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_ads.ads_structuring_alert_di (
    alert_id    STRING        COMMENT 'alert key',
    customer_id STRING        COMMENT 'customer',
    risk_grade  STRING        COMMENT 'kyc grade',
    cash_cnt    BIGINT        COMMENT 'deposits in seven days',
    cash_amount DECIMAL(28,2) COMMENT 'amount in seven days',
    branches    STRING        COMMENT 'branches used',
    party_cnt   BIGINT        COMMENT 'related parties',
    list_types  STRING        COMMENT 'watch lists',
    score       INT           COMMENT 'rule score',
    priority    STRING        COMMENT 'P1 / P2 / P3'
) COMMENT 'structuring alerts'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS aml_ads.ads_alert_suppressed_di (
    customer_id   STRING        COMMENT 'customer',
    exempt_type   STRING        COMMENT 'exemption',
    cash_cnt      BIGINT        COMMENT 'deposits',
    cash_amount   DECIMAL(28,2) COMMENT 'amount',
    score         INT           COMMENT 'rule score',
    last_txn_date STRING        COMMENT 'last deposit'
) COMMENT 'alerts suppressed by an exemption'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
