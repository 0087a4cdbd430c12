CREATE TABLE IF NOT EXISTS cs_dwd.dwd_ticket_di (
    ticket_id        STRING             COMMENT 'ticket',
    parent_ticket_id STRING             COMMENT 'merged into',
    agent_id         STRING             COMMENT 'assigned agent',
    creator_id       STRING             COMMENT 'created by',
    customer_id      STRING             COMMENT 'customer',
    priority         STRING             COMMENT 'P1 / P2 / P3',
    ticket_status    STRING             COMMENT 'OPEN / PENDING / CLOSED',
    is_spam          BOOLEAN            COMMENT 'spam, mostly empty',
    reopen_cnt       INT                COMMENT 'times reopened',
    transfer_cnt     INT                COMMENT 'times transferred',
    version_no       BIGINT             COMMENT 'version',
    create_time      STRING             COMMENT 'created',
    close_time       STRING             COMMENT 'closed',
    update_time      STRING             COMMENT 'last update'
) COMMENT 'ticket versions'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_dim.dim_agent_df (
    agent_id         STRING             COMMENT 'agent',
    team_code        STRING             COMMENT 'team',
    site_code        STRING             COMMENT 'site',
    leader_id        STRING             COMMENT 'team lead',
    agent_status     STRING             COMMENT 'ACTIVE / LEAVE / LEFT',
    hire_date        STRING             COMMENT 'hired'
) COMMENT 'agents'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ods.ods_email_message_di (
    message_id       BIGINT             COMMENT 'primary key',
    ticket_id        STRING             COMMENT 'ticket',
    sender_id        STRING             COMMENT 'sender',
    direction        STRING             COMMENT 'IN / OUT',
    handle_minutes   INT                COMMENT 'minutes of work',
    wait_minutes     INT                COMMENT 'minutes of waiting',
    send_time        STRING             COMMENT 'sent at'
) COMMENT 'e-mail messages'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ods.ods_chat_message_di (
    message_id       BIGINT             COMMENT 'primary key',
    ticket_id        STRING             COMMENT 'ticket',
    sender_id        STRING             COMMENT 'sender',
    direction        STRING             COMMENT 'IN / OUT',
    handle_minutes   INT                COMMENT 'minutes of work',
    wait_minutes     INT                COMMENT 'minutes of waiting',
    send_time        STRING             COMMENT 'sent at'
) COMMENT 'chat messages'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ods.ods_goodwill_refund_di (
    refund_id        BIGINT             COMMENT 'primary key',
    ticket_id        STRING             COMMENT 'ticket',
    order_id         STRING             COMMENT 'order',
    amount           DECIMAL(18,2)      COMMENT 'amount',
    tax_amount       DECIMAL(18,2)      COMMENT 'tax',
    refund_status    STRING             COMMENT 'ASKED / APPROVED / PAID',
    approve_time     STRING             COMMENT 'approved'
) COMMENT 'goodwill refunds'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_dwd.dwd_ticket_label_di (
    ticket_id        STRING             COMMENT 'ticket',
    manual_labels    STRING             COMMENT 'comma separated labels',
    old_labels       STRING             COMMENT 'labels before',
    model_labels     MAP<STRING,STRING> COMMENT 'label to confidence',
    model_version    STRING             COMMENT 'classifier',
    label_time       STRING             COMMENT 'labelled'
) COMMENT 'ticket labels'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ods.ods_survey_di (
    survey_id        BIGINT             COMMENT 'primary key',
    ticket_id        STRING             COMMENT 'ticket',
    customer_id      STRING             COMMENT 'customer',
    score            INT                COMMENT '1 to 5',
    effort_score     INT                COMMENT '1 to 5',
    answer_time      STRING             COMMENT 'answered'
) COMMENT 'satisfaction survey'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ads.ads_agent_ticket_di (
    agent_id         STRING             COMMENT 'agent',
    team_code        STRING             COMMENT 'team',
    ticket_cnt       BIGINT             COMMENT 'tickets',
    customer_cnt     BIGINT             COMMENT 'customers',
    closed_cnt       BIGINT             COMMENT 'closed',
    late_cnt         BIGINT             COMMENT 'late',
    msg_cnt          BIGINT             COMMENT 'answers',
    minutes          BIGINT             COMMENT 'minutes',
    refund_amount    DECIMAL(28,2)      COMMENT 'refunds',
    avg_score        DOUBLE             COMMENT 'mean score',
    last_close_date  DATE               COMMENT 'last closing'
) COMMENT 'agent workload'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS cs_ads.ads_reopen_ticket_di (
    ticket_id        STRING             COMMENT 'ticket',
    agent_id         STRING             COMMENT 'agent',
    customer_id      STRING             COMMENT 'customer',
    priority         STRING             COMMENT 'priority',
    labels           STRING             COMMENT 'labels',
    reopen_cnt       INT                COMMENT 'times reopened',
    refund_amount    DECIMAL(28,2)      COMMENT 'refunds',
    mood             STRING             COMMENT 'UNRATED / UNHAPPY / FINE'
) COMMENT 'reopened tickets'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
