CREATE TABLE IF NOT EXISTS ods_chatbot.ods_bot_event_di (
    event_id         BIGINT                          COMMENT 'primary key',
    session_id       STRING                          COMMENT 'conversation',
    parent_session_id STRING                         COMMENT 'conversation before, of the same visitor',
    visitor_id       STRING                          COMMENT 'visitor',
    event_type       STRING                          COMMENT 'MESSAGE / INTENT / HANDOVER / CLOSE',
    payload          STRING                          COMMENT 'json with intent, score, lang',
    event_time       STRING                          COMMENT 'yyyy-MM-dd HH:mm:ss',
    server_time      STRING                          COMMENT 'arrival'
) COMMENT 'events of the chat bot'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_chatbot.ods_visitor_df (
    visitor_id       STRING                          COMMENT 'visitor',
    customer_no      STRING                          COMMENT 'customer, empty for guests',
    segment_codes    ARRAY<STRING>                   COMMENT 'segments, most important first',
    is_internal      BOOLEAN                         COMMENT 'colleague, mostly empty',
    first_visit      STRING                          COMMENT 'first visit',
    last_visit       STRING                          COMMENT 'last visit'
) COMMENT 'visitors'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_chatbot.dim_intent_df (
    intent_code      STRING                          COMMENT 'intent',
    parent_intent    STRING                          COMMENT 'intent above',
    topic_name       STRING                          COMMENT 'topic',
    is_sensitive     BOOLEAN                         COMMENT 'goes to people at once',
    owner_desk       STRING                          COMMENT 'desk that takes over',
    review_desk      STRING                          COMMENT 'desk that reviews'
) COMMENT 'intents of the bot'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_chatbot.dwd_desk_pickup_di (
    pickup_id        BIGINT                          COMMENT 'primary key',
    session_id       STRING                          COMMENT 'conversation',
    agent_id         STRING                          COMMENT 'agent who took it',
    desk_code        STRING                          COMMENT 'desk',
    pickup_state     STRING                          COMMENT 'TAKEN / MISSED / RETURNED',
    pickup_time      STRING                          COMMENT 'taken at',
    close_time       STRING                          COMMENT 'closed at'
) COMMENT 'conversations taken by people'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_chatbot.dwd_bot_rating_di (
    rating_id        BIGINT                          COMMENT 'primary key',
    session_id       STRING                          COMMENT 'conversation',
    stars            STRING                          COMMENT '1 to 5 as text',
    channel_code     STRING                          COMMENT 'where it was given',
    rating_time      STRING                          COMMENT 'given at'
) COMMENT 'ratings of conversations'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tmp_chatbot.tmp_bot_session (
    session_id       STRING                          COMMENT 'conversation',
    visitor_id       STRING                          COMMENT 'visitor',
    segment_code     STRING                          COMMENT 'first segment',
    start_time       STRING                          COMMENT 'first event',
    turn_cnt         BIGINT                          COMMENT 'messages',
    longest_gap_sec  BIGINT                          COMMENT 'longest pause in seconds',
    last_intent      STRING                          COMMENT 'last intent',
    intent_path      STRING                          COMMENT 'intents by name',
    handover_flag    INT                             COMMENT 'asked for a person',
    part_of_day      STRING                          COMMENT 'NIGHT / OFFICE / EVENING'
) COMMENT 'conversations of the day'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_chatbot.ads_bot_funnel_1d (
    topic_name       STRING                          COMMENT 'topic',
    segment_code     STRING                          COMMENT 'segment',
    session_cnt      BIGINT                          COMMENT 'conversations',
    visitor_cnt      BIGINT                          COMMENT 'visitors',
    handover_cnt     BIGINT                          COMMENT 'asked for a person',
    taken_cnt        BIGINT                          COMMENT 'taken by a person',
    lost_cnt         BIGINT                          COMMENT 'asked, but nobody came',
    avg_wait_sec     DOUBLE                          COMMENT 'mean wait',
    avg_stars        DOUBLE                          COMMENT 'mean stars',
    night_share      DOUBLE                          COMMENT 'share at night',
    topic_rank       INT                             COMMENT 'rank of the topic in the segment'
) COMMENT 'funnel of the chat bot'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
