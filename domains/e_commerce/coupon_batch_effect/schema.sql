CREATE TABLE IF NOT EXISTS ecom_dwd.dwd_coupon_receive_di (
    log_id       BIGINT             COMMENT 'primary key',
    coupon_id    STRING             COMMENT 'coupon instance',
    user_id      STRING             COMMENT 'user',
    batch_id     STRING             COMMENT 'coupon batch',
    channel      STRING             COMMENT 'push / sms / live_room / page',
    receive_time STRING             COMMENT 'received at yyyy-MM-dd HH:mm:ss',
    expire_time  STRING             COMMENT 'valid until yyyy-MM-dd HH:mm:ss',
    ext          MAP<STRING,STRING> COMMENT 'tracking fields (scene, task)'
) COMMENT 'coupons received'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_dwd.dwd_order_detail_di (
    order_id        STRING        COMMENT 'order',
    sub_order_id    STRING        COMMENT 'order line',
    user_id         STRING        COMMENT 'buyer',
    shop_id         STRING        COMMENT 'shop',
    sku_id          STRING        COMMENT 'sku',
    order_status    STRING        COMMENT 'PAID / SHIPPED / DONE / CLOSED / CANCELLED',
    pay_amount      DECIMAL(18,2) COMMENT 'paid amount of the line',
    discount_amount DECIMAL(18,2) COMMENT 'coupon discount of the line',
    freight_amount  DECIMAL(18,2) COMMENT 'freight',
    coupon_ids      STRING        COMMENT 'coupons used, comma separated',
    create_time     STRING        COMMENT 'created at',
    pay_time        STRING        COMMENT 'paid at'
) COMMENT 'order lines paid on the day'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_ods.ods_refund_di (
    refund_id     STRING        COMMENT 'refund',
    order_id      STRING        COMMENT 'order',
    sub_order_id  STRING        COMMENT 'order line',
    refund_amount DECIMAL(18,2) COMMENT 'refunded amount',
    apply_amount  DECIMAL(18,2) COMMENT 'requested amount',
    refund_status STRING        COMMENT 'SUCCESS / PENDING / REJECTED',
    finish_time   STRING        COMMENT 'finished at'
) COMMENT 'refunds'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_ods.ods_risk_user_df (
    user_id      STRING COMMENT 'user',
    risk_tag     STRING COMMENT 'BONUS_HUNTER / FAKE_ORDER',
    risk_score   INT    COMMENT 'score',
    tag_date     STRING COMMENT 'tagged on',
    release_date STRING COMMENT 'released on, null while tagged'
) COMMENT 'users tagged by risk control'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_dim.dim_coupon_batch_df (
    batch_id      STRING             COMMENT 'coupon batch, unique',
    batch_name    STRING             COMMENT 'name',
    coupon_type   STRING             COMMENT 'FULL_CUT / DISCOUNT',
    budget_amount DECIMAL(18,2)      COMMENT 'budget',
    issue_limit   INT                COMMENT 'coupons to issue',
    sku_whitelist ARRAY<STRING>      COMMENT 'skus in scope, empty for all',
    rule_json     STRING             COMMENT 'json with valid_days, threshold',
    cost_share    MAP<STRING,STRING> COMMENT 'bearer of the cost -> share',
    start_date    STRING             COMMENT 'starts on',
    end_date      STRING             COMMENT 'ends on',
    is_test       BOOLEAN            COMMENT 'test batch'
) COMMENT 'coupon batches'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_tmp.tmp_coupon_touch (
    coupon_id    STRING COMMENT 'coupon instance',
    user_id      STRING COMMENT 'user',
    batch_id     STRING COMMENT 'coupon batch',
    receive_time STRING COMMENT 'received at',
    expire_time  STRING COMMENT 'valid until',
    channel      STRING COMMENT 'grouped channel',
    push_scene   STRING COMMENT 'scene'
) COMMENT 'intermediate: coupons received'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ecom_ads.ads_coupon_effect_di (
    batch_id        STRING        COMMENT 'coupon batch',
    batch_name      STRING        COMMENT 'name',
    channel         STRING        COMMENT 'channel or ALL',
    received_cnt    BIGINT        COMMENT 'coupons received',
    used_cnt        BIGINT        COMMENT 'coupons used in scope',
    use_rate        DOUBLE        COMMENT 'used / received',
    order_cnt       BIGINT        COMMENT 'orders',
    net_amount      DECIMAL(28,2) COMMENT 'paid minus refunded',
    discount_amount DECIMAL(28,2) COMMENT 'discount given',
    roi             DOUBLE        COMMENT 'net amount per discount',
    expired_cnt     BIGINT        COMMENT 'coupons expired unused',
    scenes          STRING        COMMENT 'scenes',
    batch_state     STRING        COMMENT 'state',
    cost_bearers    STRING        COMMENT 'who pays'
) COMMENT 'effect of coupon batches'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
