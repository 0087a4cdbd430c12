CREATE TABLE IF NOT EXISTS rtl_dwd.dwd_receipt_line_di (
    receipt_id   STRING        COMMENT 'receipt',
    line_no      INT           COMMENT 'line',
    store_id     STRING        COMMENT 'store',
    cashier_id   STRING        COMMENT 'cashier',
    member_id    STRING        COMMENT 'member, null for walk-in customers',
    sku_id       STRING        COMMENT 'sku',
    qty          INT           COMMENT 'units',
    net_amount   DECIMAL(18,2) COMMENT 'amount after discount',
    gross_amount DECIMAL(18,2) COMMENT 'amount before discount',
    is_void      BOOLEAN       COMMENT 'line was voided',
    receipt_time STRING        COMMENT 'printed at',
    upload_time  STRING        COMMENT 'uploaded at',
    upload_id    BIGINT        COMMENT 'unique upload number'
) COMMENT 'receipt lines'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dim.dim_sku_df (
    sku_id      STRING COMMENT 'sku',
    sku_name    STRING COMMENT 'name',
    category_id STRING COMMENT 'category',
    brand_id    STRING COMMENT 'brand',
    item_type   STRING COMMENT 'GOODS / BAG / DEPOSIT / GIFT_CARD',
    list_date   STRING COMMENT 'listed on'
) COMMENT 'skus'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dim.dim_category_df (
    category_id   STRING COMMENT 'category',
    category_name STRING COMMENT 'name',
    parent_id     STRING COMMENT 'parent category',
    department    STRING COMMENT 'department',
    manager_id    STRING COMMENT 'category manager',
    valid_from    STRING COMMENT 'valid from'
) COMMENT 'categories'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dim.dim_store_df (
    store_id    STRING COMMENT 'store',
    store_name  STRING COMMENT 'name',
    region_code STRING COMMENT 'sales region',
    city_code   STRING COMMENT 'city',
    area_sqm    INT    COMMENT 'sales area',
    open_date   STRING COMMENT 'opened on'
) COMMENT 'stores'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_ods.ods_promo_df (
    promo_id     STRING COMMENT 'promotion',
    promo_name   STRING COMMENT 'name',
    category_ids STRING COMMENT 'comma separated categories',
    promo_type   STRING COMMENT 'PRICE / POINTS',
    start_date   STRING COMMENT 'first day',
    end_date     STRING COMMENT 'last day'
) COMMENT 'promotions'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_ods.ods_bundle_df (
    bundle_id     STRING        COMMENT 'bundle',
    bundle_name   STRING        COMMENT 'name',
    category_list ARRAY<STRING> COMMENT 'categories of the bundle',
    bundle_status STRING        COMMENT 'ON / OFF',
    bundle_price  DECIMAL(18,2) COMMENT 'price',
    create_date   STRING        COMMENT 'created on'
) COMMENT 'bundles'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;
