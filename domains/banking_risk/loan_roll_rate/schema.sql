CREATE TABLE IF NOT EXISTS risk_dwd.dwd_loan_snapshot_df (
    contract_id       STRING        COMMENT 'loan contract',
    customer_id       STRING        COMMENT 'borrower',
    product_code      STRING        COMMENT 'product',
    branch_code       STRING        COMMENT 'booking branch',
    principal_balance DECIMAL(18,2) COMMENT 'outstanding principal',
    interest_balance  DECIMAL(18,2) COMMENT 'outstanding interest',
    penalty_balance   DECIMAL(18,2) COMMENT 'outstanding penalty',
    dpd               INT           COMMENT 'days past due, null before the first due date',
    loan_status       STRING        COMMENT 'ACTIVE / OVERDUE / SETTLED',
    restructured_flag BOOLEAN       COMMENT 'terms were changed',
    open_date         STRING        COMMENT 'drawdown date',
    maturity_date     STRING        COMMENT 'contractual end',
    update_time       STRING        COMMENT 'core system update time',
    batch_no          BIGINT        COMMENT 'unique delivery batch'
) COMMENT 'loan contracts, daily snapshot'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS risk_ods.ods_write_off_df (
    write_off_id     BIGINT        COMMENT 'primary key',
    contract_id      STRING        COMMENT 'loan contract',
    write_off_amount DECIMAL(18,2) COMMENT 'amount written off',
    recovered_amount DECIMAL(18,2) COMMENT 'recovered later',
    write_off_date   STRING        COMMENT 'booking date yyyy-MM-dd',
    request_date     STRING        COMMENT 'requested on',
    approve_status   STRING        COMMENT 'APPROVED / PENDING / REJECTED'
) COMMENT 'write-offs, full history'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS risk_ods.ods_collateral_df (
    collateral_id   STRING        COMMENT 'collateral',
    contract_id     STRING        COMMENT 'secured contract',
    type_codes      STRING        COMMENT 'comma separated types',
    appraised_value DECIMAL(18,2) COMMENT 'appraised value',
    forced_value    DECIMAL(18,2) COMMENT 'forced sale value',
    pledge_date     STRING        COMMENT 'pledged on',
    release_date    STRING        COMMENT 'released on, null while pledged'
) COMMENT 'collateral register'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS risk_dim.dim_loan_product_df (
    product_code  STRING        COMMENT 'product',
    product_name  STRING        COMMENT 'name',
    product_line  STRING        COMMENT 'MORTGAGE / SME / CONSUMER',
    rate_type     STRING        COMMENT 'FIXED / FLOATING',
    min_amount    DECIMAL(18,2) COMMENT 'smallest loan',
    max_amount    DECIMAL(18,2) COMMENT 'largest loan',
    launch_date   STRING        COMMENT 'launched on'
) COMMENT 'loan products'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS risk_ads.ads_loan_roll_rate_mi (
    from_bucket      STRING        COMMENT 'bucket at the start',
    to_bucket        STRING        COMMENT 'bucket at the end, null in totals',
    contract_cnt     BIGINT        COMMENT 'contracts',
    customer_cnt     BIGINT        COMMENT 'borrowers',
    from_amount      DECIMAL(38,2) COMMENT 'exposure at the start',
    to_amount        DECIMAL(38,2) COMMENT 'exposure at the end',
    loss_amount      DECIMAL(38,2) COMMENT 'written off',
    roll_rate        DOUBLE        COMMENT 'share of the opening bucket',
    property_cnt     BIGINT        COMMENT 'contracts secured by property',
    restructured_cnt BIGINT        COMMENT 'newly restructured contracts',
    direction        STRING        COMMENT 'BETTER / STABLE / WORSE / EXIT / TOTAL'
) COMMENT 'roll rates between delinquency buckets'
PARTITIONED BY (dt STRING COMMENT 'month end', product_line STRING COMMENT 'product line or ALL')
STORED AS ORC;
