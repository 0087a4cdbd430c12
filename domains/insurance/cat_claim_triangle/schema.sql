CREATE TABLE IF NOT EXISTS ins_dim.dim_cat_event_df (
    event_code    STRING  COMMENT 'catastrophe event',
    event_name    STRING  COMMENT 'name',
    peril         STRING  COMMENT 'STORM / FLOOD / HAIL',
    region_codes  STRING  COMMENT 'comma separated regions',
    start_date    STRING  COMMENT 'first day',
    end_date      STRING  COMMENT 'last day, null while it lasts',
    announce_date STRING  COMMENT 'announced on',
    is_declared   BOOLEAN COMMENT 'declared by the catastrophe committee'
) COMMENT 'catastrophe events'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ins_dwd.dwd_claim_df (
    claim_id          STRING        COMMENT 'claim',
    version_no        INT           COMMENT 'version of the claim, unique per claim',
    policy_no         STRING        COMMENT 'policy',
    endorse_no        STRING        COMMENT 'endorsement in force',
    event_code        STRING        COMMENT 'catastrophe event, null otherwise',
    loss_time         TIMESTAMP     COMMENT 'time of the damage',
    report_date       STRING        COMMENT 'reported on',
    close_date        STRING        COMMENT 'closed on',
    claim_status      STRING        COMMENT 'OPEN / PAID / WITHDRAWN / DUPLICATE',
    reserve_amount    DECIMAL(18,2) COMMENT 'open case reserve',
    deductible_amount DECIMAL(18,2) COMMENT 'deductible',
    cause_codes       ARRAY<STRING> COMMENT 'causes, main cause first',
    payments          ARRAY<STRUCT<pay_date:STRING,amount:DOUBLE,pay_type:STRING>> COMMENT 'payments in order'
) COMMENT 'claims'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ins_dwd.dwd_policy_df (
    policy_no      STRING        COMMENT 'policy',
    endorse_no     STRING        COMMENT 'endorsement',
    product_code   STRING        COMMENT 'product',
    region_code    STRING        COMMENT 'region of the insured object',
    holder_region  STRING        COMMENT 'region of the holder',
    sum_insured    DECIMAL(18,2) COMMENT 'sum insured',
    premium        DECIMAL(18,2) COMMENT 'annual premium',
    effective_date STRING        COMMENT 'valid from',
    expire_date    STRING        COMMENT 'valid to'
) COMMENT 'policies per endorsement'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ins_ods.ods_treaty_df (
    treaty_id     STRING COMMENT 'reinsurance treaty',
    treaty_type   STRING COMMENT 'CAT_XL / CAT_QS / FACULTATIVE',
    product_code  STRING COMMENT 'covered product',
    reinsurer_id  STRING COMMENT 'reinsurer',
    cession_rate  STRING COMMENT 'ceded share as text, 0 to 1',
    valid_from    STRING COMMENT 'valid from',
    valid_to      STRING COMMENT 'valid to'
) COMMENT 'reinsurance treaties'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ins_ads.ads_cat_claim_triangle_di (
    row_type     STRING        COMMENT 'CELL / POSITION',
    event_code   STRING        COMMENT 'event',
    product_code STRING        COMMENT 'product or ALL',
    region_code  STRING        COMMENT 'region or ALL',
    dev_week     INT           COMMENT 'development week, null in POSITION rows',
    reported_cnt BIGINT        COMMENT 'claims reported',
    paid_amount  DOUBLE        COMMENT 'paid',
    cum_paid     DOUBLE        COMMENT 'paid to date',
    net_paid     DOUBLE        COMMENT 'paid after reinsurance',
    open_reserve DECIMAL(28,2) COMMENT 'open reserve',
    causes       STRING        COMMENT 'main causes'
) COMMENT 'weekly triangle of catastrophe claims'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
