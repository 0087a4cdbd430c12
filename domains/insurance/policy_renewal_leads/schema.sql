CREATE TABLE IF NOT EXISTS pol_dwd.dwd_policy_df (
    policy_no     STRING        COMMENT 'policy',
    holder_id     STRING        COMMENT 'policy holder',
    insured_id    STRING        COMMENT 'insured person',
    product_code  STRING        COMMENT 'product',
    rider_codes   STRING        COMMENT 'comma separated riders, may be null',
    agent         STRUCT<agent_id:STRING,branch_code:STRING,grade:INT> COMMENT 'servicing agent',
    premium       DECIMAL(18,2) COMMENT 'annual premium',
    sum_insured   DECIMAL(18,2) COMMENT 'sum insured',
    policy_status STRING        COMMENT 'IN_FORCE / LAPSED / CANCELLED',
    auto_renew    BOOLEAN       COMMENT 'renews by itself',
    start_date    STRING        COMMENT 'start of the insurance year',
    expire_date   STRING        COMMENT 'end of the insurance year'
) COMMENT 'policies'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_dim.dim_product_df (
    product_code  STRING  COMMENT 'product',
    product_name  STRING  COMMENT 'name',
    product_class STRING  COMMENT 'MOTOR / HOME / HEALTH',
    is_renewable  BOOLEAN COMMENT 'can be renewed',
    is_on_sale    BOOLEAN COMMENT 'can be sold',
    launch_date   STRING  COMMENT 'launched on'
) COMMENT 'products'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_dim.dim_holder_df (
    holder_id     STRING             COMMENT 'policy holder',
    holder_name   STRING             COMMENT 'name',
    mobile        STRING             COMMENT 'mobile number',
    email         STRING             COMMENT 'mail address',
    consents      MAP<STRING,STRING> COMMENT 'consent per channel (phone, mail), Y or N',
    birth_date    STRING             COMMENT 'born on',
    register_date STRING             COMMENT 'registered on'
) COMMENT 'policy holders'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_ods.ods_renewal_quote_di (
    quote_id    BIGINT COMMENT 'primary key',
    policy_no   STRING COMMENT 'policy to renew',
    quote_json  STRING COMMENT 'json with premium, state, currency',
    quote_time  STRING COMMENT 'quoted at',
    valid_until STRING COMMENT 'valid until',
    channel     STRING COMMENT 'WEB / AGENT'
) COMMENT 'renewal quotes'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_dwd.dwd_claim_df (
    claim_id       STRING        COMMENT 'claim',
    policy_no      STRING        COMMENT 'policy',
    holder_id      STRING        COMMENT 'policy holder',
    claim_status   STRING        COMMENT 'PAID / PARTLY_PAID / OPEN / REFUSED',
    paid_amount    DECIMAL(18,2) COMMENT 'paid',
    reserve_amount DECIMAL(18,2) COMMENT 'reserved',
    loss_date      STRING        COMMENT 'damage date',
    report_date    STRING        COMMENT 'reported on'
) COMMENT 'claims of the current insurance year'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_dwd.dwd_assistance_case_df (
    case_id         BIGINT        COMMENT 'primary key',
    policy_no       STRING        COMMENT 'policy',
    case_type       STRING        COMMENT 'TOWING / RENTAL / LOCKSMITH',
    case_status     STRING        COMMENT 'OPEN / INVOICED / CANCELLED',
    invoice_amount  DECIMAL(18,2) COMMENT 'invoiced by the partner',
    estimate_amount DECIMAL(18,2) COMMENT 'estimated cost',
    case_date       STRING        COMMENT 'happened on'
) COMMENT 'assistance cases of the current insurance year'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_ods.ods_rider_change_df (
    policy_no    STRING COMMENT 'policy',
    rider_code   STRING COMMENT 'rider, one open change per policy and rider',
    change_type  STRING COMMENT 'ADD / DROP',
    request_date STRING COMMENT 'requested on',
    start_date   STRING COMMENT 'starts on',
    requested_by STRING COMMENT 'HOLDER / AGENT'
) COMMENT 'open rider changes'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_ods.ods_contact_log_di (
    log_id      BIGINT COMMENT 'primary key',
    policy_no   STRING COMMENT 'policy',
    agent_id    STRING COMMENT 'calling agent',
    call_result STRING COMMENT 'no_answer / interested / refused / renewed',
    call_time   STRING COMMENT 'called at',
    callback_at STRING COMMENT 'agreed next call'
) COMMENT 'calls to holders'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pol_ads.ads_renewal_lead_di (
    branch_code    STRING        COMMENT 'branch',
    agent_id       STRING        COMMENT 'agent',
    policy_no      STRING        COMMENT 'policy',
    holder_id      STRING        COMMENT 'holder',
    days_left      INT           COMMENT 'days until expiry',
    premium        DECIMAL(18,2) COMMENT 'premium of this year',
    quote_premium  DECIMAL(18,2) COMMENT 'quoted premium',
    premium_change DOUBLE        COMMENT 'relative change',
    claim_cnt      BIGINT        COMMENT 'claims paid this year',
    riders         STRING        COMMENT 'riders',
    last_result    STRING        COMMENT 'result of the last call',
    lead_class     STRING        COMMENT 'class of the lead',
    call_order     INT           COMMENT 'order in the call list of the agent'
) COMMENT 'renewal call list'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
