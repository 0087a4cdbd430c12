CREATE TABLE IF NOT EXISTS dim_crm.dim_subscriber_df (
    sub_id             BIGINT   COMMENT 'subscriber id',
    cust_id            BIGINT   COMMENT 'customer id',
    acct_id            BIGINT   COMMENT 'account id',
    plan_id            BIGINT   COMMENT 'current plan',
    city_id            BIGINT   COMMENT 'home city',
    brand              STRING   COMMENT 'brand, STAFF for own employees',
    sub_status         STRING   COMMENT 'ACTIVE/HALF_STOP/STOP/CLOSED',
    open_date          STRING   COMMENT 'network entry date',
    contract_begin_date STRING  COMMENT 'contract begin',
    contract_end_date  STRING   COMMENT 'contract end, null without contract',
    is_test            BOOLEAN  COMMENT 'test card'
) COMMENT 'subscriber snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_crm.dim_plan_df (
    plan_id      BIGINT         COMMENT 'plan id',
    plan_name    STRING         COMMENT 'plan name',
    plan_family  STRING         COMMENT 'plan family',
    month_fee    DECIMAL(18,2)  COMMENT 'monthly fee',
    flow_quota   BIGINT         COMMENT 'flow quota MB',
    voice_quota  BIGINT         COMMENT 'voice quota minutes',
    online_date  STRING         COMMENT 'sales start',
    offline_date STRING         COMMENT 'sales end'
) COMMENT 'tariff plan snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_crm.ads_retain_blacklist_df (
    sub_id       BIGINT  COMMENT 'subscriber not to be contacted',
    reason       STRING  COMMENT 'reason',
    create_date  STRING  COMMENT 'entry date',
    expire_date  STRING  COMMENT 'entry valid until',
    operator_id  BIGINT  COMMENT 'operator',
    remark       STRING  COMMENT 'remark'
) COMMENT 'do-not-contact list of the retention desk'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_voice.dwd_voice_cdr_di (
    cdr_id         BIGINT  COMMENT 'record id',
    sub_id         BIGINT  COMMENT 'subscriber id',
    call_type      STRING  COMMENT 'MO/MT/FW',
    peer_no        STRING  COMMENT 'other party number',
    peer_operator  STRING  COMMENT 'HOME/UNICOM/TELECOM/OTHER',
    service_code   STRING  COMMENT 'service or ussd code',
    start_time     STRING  COMMENT 'call start',
    end_time       STRING  COMMENT 'call end',
    duration_sec   INT     COMMENT 'duration in seconds',
    cell_id        STRING  COMMENT 'first cell'
) COMMENT 'voice call detail records'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_data.dwd_data_session_di (
    record_id   BIGINT         COMMENT 'record id',
    session_id  STRING         COMMENT 'charging session id',
    sub_id      BIGINT         COMMENT 'subscriber id',
    apn         STRING         COMMENT 'access point',
    rat_type    STRING         COMMENT '4G/5G',
    up_mb       DECIMAL(18,2)  COMMENT 'uplink MB',
    down_mb     DECIMAL(18,2)  COMMENT 'downlink MB',
    free_mb     DECIMAL(18,2)  COMMENT 'zero rated MB',
    start_time  STRING         COMMENT 'session start',
    end_time    STRING         COMMENT 'session end'
) COMMENT 'mobile data sessions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_crm.dwd_complaint_di (
    ticket_id      BIGINT  COMMENT 'ticket id',
    sub_id         BIGINT  COMMENT 'subscriber id',
    cust_id        BIGINT  COMMENT 'customer id',
    ticket_level   INT     COMMENT '1 most severe .. 5',
    ticket_status  STRING  COMMENT 'OPEN/CLOSED/WITHDRAWN',
    topic_codes    STRING  COMMENT 'topics separated by semicolon',
    create_time    STRING  COMMENT 'created',
    close_time     STRING  COMMENT 'closed'
) COMMENT 'complaint tickets'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_crm.ads_churn_warning_1d (
    sub_id              BIGINT         COMMENT 'subscriber id',
    cust_id             BIGINT         COMMENT 'customer id',
    city_id             BIGINT         COMMENT 'home city',
    plan_name           STRING         COMMENT 'plan name',
    call_min_7d         BIGINT         COMMENT 'call minutes, last 7 days',
    call_min_prev_7d    BIGINT         COMMENT 'call minutes, 7 days before',
    flow_mb_7d          DECIMAL(18,2)  COMMENT 'flow MB, last 7 days',
    flow_mb_prev_7d     DECIMAL(18,2)  COMMENT 'flow MB, 7 days before',
    rival_call_cnt      BIGINT         COMMENT 'calls to rival hotlines',
    complaint_cnt       BIGINT         COMMENT 'tickets in 14 days',
    topic_list          STRING         COMMENT 'complaint topics',
    is_portout_query    INT            COMMENT '1 asked about porting out',
    contract_left_days  INT            COMMENT 'days of contract left, -1 none',
    risk_level          STRING         COMMENT 'A/B/C/D',
    fall_score          DOUBLE         COMMENT 'fall of usage in percent'
) COMMENT 'churn warning list'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
