CREATE TABLE IF NOT EXISTS log_ods.ods_search_log_di (
    log_id      BIGINT COMMENT 'primary key',
    user_id     STRING COMMENT 'user, null before login',
    device_id   STRING COMMENT 'device',
    `platform`  STRING COMMENT 'ios / android / web / mini',
    event_type  STRING COMMENT 'search / suggest / expose',
    body        STRING COMMENT 'json with keyword, result_cnt, scene',
    user_agent  STRING COMMENT 'user agent',
    event_time  STRING COMMENT 'client time yyyy-MM-dd HH:mm:ss',
    server_time STRING COMMENT 'server time'
) COMMENT 'search log'
PARTITIONED BY (dt STRING COMMENT 'log date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS log_ods.ods_search_click_di (
    click_id      BIGINT        COMMENT 'primary key',
    search_log_id BIGINT        COMMENT 'search the click belongs to',
    user_id       STRING        COMMENT 'user',
    clicked_sku   STRING        COMMENT 'clicked sku',
    shown_skus    ARRAY<STRING> COMMENT 'skus of the page in display order',
    page_no       INT           COMMENT 'page',
    click_time    STRING        COMMENT 'clicked at'
) COMMENT 'clicks on search results'
PARTITIONED BY (dt STRING COMMENT 'log date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS trade_dim.dim_keyword_df (
    keyword      STRING  COMMENT 'normalised keyword, unique',
    cate_id      STRING  COMMENT 'predicted category',
    is_brand     BOOLEAN COMMENT 'names a brand',
    is_sensitive BOOLEAN COMMENT 'blocked word',
    audit_status STRING  COMMENT 'PASSED / REJECTED / NEW',
    create_date  STRING  COMMENT 'created on'
) COMMENT 'known keywords'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS trade_dwd.dwd_order_source_di (
    order_id      STRING        COMMENT 'order',
    sub_order_id  STRING        COMMENT 'order line',
    search_log_id BIGINT        COMMENT 'last search before the order',
    user_id       STRING        COMMENT 'buyer',
    sku_id        STRING        COMMENT 'sku',
    source_type   STRING        COMMENT 'search / search_card / feed / live',
    order_amount  DECIMAL(18,2) COMMENT 'list amount',
    pay_amount    DECIMAL(18,2) COMMENT 'paid amount',
    order_time    STRING        COMMENT 'ordered at',
    pay_time      STRING        COMMENT 'paid at, null when unpaid'
) COMMENT 'order lines with their source'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS trade_dws.dws_search_session_di (
    session_id  STRING        COMMENT 'session',
    user_id     STRING        COMMENT 'user',
    platform    STRING        COMMENT 'platform',
    start_time  STRING        COMMENT 'first search',
    search_cnt  BIGINT        COMMENT 'searches',
    click_cnt   BIGINT        COMMENT 'clicks',
    order_cnt   BIGINT        COMMENT 'orders',
    pay_amount  DECIMAL(28,2) COMMENT 'paid amount',
    intents     STRING        COMMENT 'intents of the session',
    outcome     STRING        COMMENT 'PAID / CLICKED / NO_RESULT / ABANDONED'
) COMMENT 'search sessions'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS trade_dws.dws_keyword_funnel_di (
    keyword        STRING        COMMENT 'keyword',
    intent         STRING        COMMENT 'intent',
    search_cnt     BIGINT        COMMENT 'searches',
    user_cnt       BIGINT        COMMENT 'users',
    clicked_cnt    BIGINT        COMMENT 'searches with a click',
    top_click_rate DOUBLE        COMMENT 'share of clicks above the fold',
    paid_cnt       BIGINT        COMMENT 'searches with an order',
    pay_amount     DECIMAL(28,2) COMMENT 'paid amount',
    empty_cnt      BIGINT        COMMENT 'searches without result'
) COMMENT 'funnel per keyword'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
