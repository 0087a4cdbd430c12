CREATE TABLE IF NOT EXISTS ods_loyal.ods_app_event_di (
    event_id         BIGINT             COMMENT 'primary key',
    member_id        STRING             COMMENT 'member',
    device_id        STRING             COMMENT 'phone',
    event_name       STRING             COMMENT 'COUPON_SHOWN / COUPON_TAKEN / COUPON_USED',
    payload          STRING             COMMENT 'json: code, face, shop',
    event_time       STRING             COMMENT 'yyyy-MM-dd HH:mm:ss',
    upload_time      STRING             COMMENT 'arrival'
) COMMENT 'events of the shopping app'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_loyal.ods_till_coupon_di (
    receipt_no       STRING             COMMENT 'receipt',
    line_no          INT                COMMENT 'line',
    member_id        STRING             COMMENT 'member',
    coupon_code      STRING             COMMENT 'coupon',
    coupon_face      DECIMAL(10,2)      COMMENT 'value',
    shop_id          STRING             COMMENT 'shop',
    return_shop_id   STRING             COMMENT 'shop of a return',
    line_state       STRING             COMMENT 'OK / VOID',
    sale_time        STRING             COMMENT 'sold at'
) COMMENT 'coupons taken at the till'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_loyal.dim_member_df (
    member_id        STRING             COMMENT 'member',
    member_tier      STRING             COMMENT 'GOLD / SILVER / BASE',
    last_tier        STRING             COMMENT 'tier of the last year',
    home_shop_id     STRING             COMMENT 'home shop',
    join_shop_id     STRING             COMMENT 'shop of joining',
    is_staff         BOOLEAN            COMMENT 'staff, mostly empty',
    join_date        STRING             COMMENT 'joined',
    version_no       BIGINT             COMMENT 'version'
) COMMENT 'members, one row a change'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_loyal.dim_shop_df (
    shop_id          STRING             COMMENT 'shop',
    region_code      STRING             COMMENT 'region',
    old_region_code  STRING             COMMENT 'region before the reform',
    shop_name        STRING             COMMENT 'name',
    open_date        STRING             COMMENT 'opened',
    close_date       STRING             COMMENT 'closed'
) COMMENT 'shops'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_loyal.ads_shop_coupon_1d (
    shop_id          STRING             COMMENT 'shop',
    region_code      STRING             COMMENT 'region',
    taken_cnt        BIGINT             COMMENT 'coupons taken',
    used_cnt         BIGINT             COMMENT 'coupons used',
    member_cnt       BIGINT             COMMENT 'members',
    face_amt         DECIMAL(20,2)      COMMENT 'value used',
    gold_amt         DECIMAL(20,2)      COMMENT 'value used by gold members',
    away_cnt         BIGINT             COMMENT 'used away from the home shop',
    codes            STRING             COMMENT 'coupons',
    use_rate         DOUBLE             COMMENT 'used of taken'
) COMMENT 'coupons per shop, the largest'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
