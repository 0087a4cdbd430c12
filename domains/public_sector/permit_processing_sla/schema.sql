CREATE TABLE IF NOT EXISTS dwd_gov.dwd_permit_application_df (
    application_id  BIGINT  COMMENT 'application id',
    applicant_id    BIGINT  COMMENT 'citizen or company',
    agent_id        BIGINT  COMMENT 'authorised agent',
    permit_type     STRING  COMMENT 'permit type',
    office_id       BIGINT  COMMENT 'office in charge',
    filing_office   BIGINT  COMMENT 'office where filed',
    form_payload    STRING  COMMENT 'json: channel, priority, purpose',
    attachments     ARRAY<STRUCT<doc_type:STRING,check_result:STRING,pages:INT>> COMMENT 'documents filed',
    app_status      STRING  COMMENT 'DRAFT/FILED/IN_REVIEW/GRANTED/REJECTED/WITHDRAWN',
    submit_time     STRING  COMMENT 'filed at',
    accept_time     STRING  COMMENT 'accepted at',
    decide_time     STRING  COMMENT 'decided at'
) COMMENT 'permit applications, daily snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_gov.ods_application_step_di (
    event_id        BIGINT   COMMENT 'event id',
    application_id  BIGINT   COMMENT 'application id',
    step_code       STRING   COMMENT 'ACCEPT/WAIT_APPLICANT/EXPERT/DECIDE',
    officer_id      BIGINT   COMMENT 'officer',
    deputy_id       BIGINT   COMMENT 'deputy',
    step_time       STRING   COMMENT 'step began at',
    record_time     STRING   COMMENT 'recorded at',
    is_cancelled    BOOLEAN  COMMENT 'entered by mistake'
) COMMENT 'steps of the procedure'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_gov.dim_calendar_df (
    cal_date      DATE     COMMENT 'day',
    is_workday    BOOLEAN  COMMENT 'administration works',
    is_holiday    BOOLEAN  COMMENT 'public holiday',
    week_of_year  INT      COMMENT 'week',
    prev_workday  DATE     COMMENT 'working day before',
    next_workday  DATE     COMMENT 'working day after'
) COMMENT 'calendar of the administration'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_gov.dim_office_df (
    office_id    BIGINT   COMMENT 'office id',
    office_name  STRING   COMMENT 'office name',
    district     STRING   COMMENT 'district',
    head_id      BIGINT   COMMENT 'head of office',
    is_pilot     BOOLEAN  COMMENT 'pilot of the digital counter',
    is_closed    BOOLEAN  COMMENT 'closed'
) COMMENT 'office dimension'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_gov.dim_permit_type_df (
    permit_type    STRING         COMMENT 'permit type',
    type_name      STRING         COMMENT 'name',
    limit_days     INT            COMMENT 'legal limit in working days',
    appeal_days    INT            COMMENT 'days for an appeal',
    required_docs  STRING         COMMENT 'comma separated document types',
    fee_amt        DECIMAL(18,2)  COMMENT 'fee'
) COMMENT 'permit types'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
