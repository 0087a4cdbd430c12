CREATE TABLE IF NOT EXISTS dwd_food.dwd_meal_order_di (
    version_id       BIGINT         COMMENT 'version of the order row',
    order_id         BIGINT         COMMENT 'order id',
    merchant_id      BIGINT         COMMENT 'restaurant',
    customer_id      BIGINT         COMMENT 'customer',
    city_id          INT            COMMENT 'city',
    item_skus        STRING         COMMENT 'dishes, comma separated',
    pay_amt          DECIMAL(18,2)  COMMENT 'paid',
    list_amt         DECIMAL(18,2)  COMMENT 'before discount',
    order_status     STRING         COMMENT 'PLACED/DONE/CANCELLED/TEST',
    promise_minutes  INT            COMMENT 'promised delivery minutes',
    place_time       STRING         COMMENT 'placed at',
    update_time      STRING         COMMENT 'row changed at'
) COMMENT 'meal orders, appended on each change'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_food.ods_courier_event_di (
    event_id     BIGINT  COMMENT 'event id',
    order_id     BIGINT  COMMENT 'order id',
    courier_id   BIGINT  COMMENT 'courier',
    event_type   STRING  COMMENT 'ARRIVE_SHOP/PICKED_UP/DELIVERED',
    event_time   STRING  COMMENT 'event at',
    upload_time  STRING  COMMENT 'uploaded at'
) COMMENT 'courier app events'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_food.dwd_app_refund_di (
    refund_id      BIGINT         COMMENT 'refund id',
    order_id       BIGINT         COMMENT 'order id',
    refund_amt     DECIMAL(18,2)  COMMENT 'refunded',
    apply_amt      DECIMAL(18,2)  COMMENT 'asked for',
    reason_code    STRING         COMMENT 'reason',
    refund_status  STRING         COMMENT 'DONE/OPEN/REFUSED',
    apply_time     STRING         COMMENT 'asked at'
) COMMENT 'refunds of the app'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_food.dwd_desk_refund_di (
    ticket_id     BIGINT         COMMENT 'ticket id',
    order_id      BIGINT         COMMENT 'order id',
    agent_id      BIGINT         COMMENT 'agent',
    grant_amt     DECIMAL(18,2)  COMMENT 'granted',
    reason_code   STRING         COMMENT 'reason',
    grant_status  STRING         COMMENT 'DONE/OPEN/REFUSED',
    grant_time    STRING         COMMENT 'granted at'
) COMMENT 'refunds of the phone desk'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_food.dim_merchant_df (
    merchant_id    BIGINT  COMMENT 'restaurant',
    merchant_name  STRING  COMMENT 'name',
    brand_id       BIGINT  COMMENT 'brand',
    city_id        INT     COMMENT 'city',
    open_date      STRING  COMMENT 'opened',
    close_date     STRING  COMMENT 'closed, null while open'
) COMMENT 'restaurant snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_food.ads_merchant_lateness_1d (
    merchant_id       BIGINT         COMMENT 'restaurant',
    merchant_name     STRING         COMMENT 'name',
    city_id           INT            COMMENT 'city',
    meal_period       STRING         COMMENT 'BREAKFAST/LUNCH/DINNER/NIGHT',
    order_cnt         BIGINT         COMMENT 'orders',
    pay_amt           DECIMAL(18,2)  COMMENT 'paid',
    late_cnt          BIGINT         COMMENT 'late orders',
    kitchen_late_cnt  BIGINT         COMMENT 'late by the kitchen',
    undelivered_cnt   BIGINT         COMMENT 'without a delivery event',
    max_late_minutes  BIGINT         COMMENT 'worst lateness',
    refund_cnt        BIGINT         COMMENT 'refunds',
    refund_amt        DECIMAL(18,2)  COMMENT 'refunded',
    reason_list       STRING         COMMENT 'refund reasons of one order',
    sku_cnt           BIGINT         COMMENT 'distinct dishes of the day',
    call_rank         INT            COMMENT 'rank on the call list'
) COMMENT 'restaurant lateness per meal period'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
