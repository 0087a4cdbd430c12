CREATE TABLE IF NOT EXISTS rtl_dwd.dwd_store_stock_df (
    count_id     BIGINT COMMENT 'primary key',
    store_id     STRING COMMENT 'store',
    sku_id       STRING COMMENT 'sku',
    on_hand_qty  INT    COMMENT 'units in the store',
    reserved_qty INT    COMMENT 'reserved for click and collect',
    damaged_qty  INT    COMMENT 'damaged units',
    count_date   STRING COMMENT 'last physical count',
    update_time  STRING COMMENT 'booked at'
) COMMENT 'store stock'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dim.dim_sku_df (
    sku_id          STRING COMMENT 'sku',
    sku_name        STRING COMMENT 'name',
    category_id     STRING COMMENT 'category',
    supplier_id     STRING COMMENT 'supplier',
    pack_size       INT    COMMENT 'units of a pack',
    shelf_life_days INT    COMMENT 'shelf life',
    sku_status      STRING COMMENT 'ACTIVE / SEASONAL / DELISTED',
    list_date       STRING COMMENT 'listed on',
    delist_date     STRING COMMENT 'delisted on'
) COMMENT 'skus'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dim.dim_store_df (
    store_id    STRING COMMENT 'store',
    store_name  STRING COMMENT 'name',
    store_type  STRING COMMENT 'OWN / CITY / OUTLET / FRANCHISE',
    region_code STRING COMMENT 'region',
    lead_days   INT    COMMENT 'days from order to shelf',
    open_date   STRING COMMENT 'opened on',
    close_date  STRING COMMENT 'closed on'
) COMMENT 'stores'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_dws.dws_store_sku_sale_di (
    store_id       STRING        COMMENT 'store',
    sku_id         STRING        COMMENT 'sku',
    sale_qty       INT           COMMENT 'units sold',
    return_qty     INT           COMMENT 'units returned',
    promo_qty      INT           COMMENT 'units sold on promotion',
    sale_amount    DECIMAL(18,2) COMMENT 'sales',
    return_amount  DECIMAL(18,2) COMMENT 'returns',
    last_sale_time STRING        COMMENT 'last sale of the day'
) COMMENT 'sales per store, sku and day, one row each'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_ods.ods_promo_plan_df (
    promo_id      STRING       COMMENT 'promotion',
    sku_id        STRING       COMMENT 'sku',
    demand_factor DECIMAL(6,2) COMMENT 'expected demand multiple',
    price_factor  DECIMAL(6,2) COMMENT 'price multiple',
    plan_date     STRING       COMMENT 'planned on',
    start_date    STRING       COMMENT 'first day',
    end_date      STRING       COMMENT 'last day'
) COMMENT 'promotion plan'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_ods.ods_purchase_order_df (
    po_id       STRING COMMENT 'purchase order line',
    supplier_id STRING COMMENT 'supplier',
    store_id    STRING COMMENT 'receiving store',
    sku_id      STRING COMMENT 'sku',
    order_qty   INT    COMMENT 'ordered units',
    receive_qty INT    COMMENT 'received units',
    po_status   STRING COMMENT 'DRAFT / CONFIRMED / SHIPPED / CLOSED',
    order_date  STRING COMMENT 'ordered on',
    expect_date STRING COMMENT 'expected on'
) COMMENT 'purchase orders'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS rtl_ods.ods_transfer_order_df (
    transfer_id     STRING COMMENT 'transfer line',
    from_store      STRING COMMENT 'sending store',
    to_store        STRING COMMENT 'receiving store',
    sku_id          STRING COMMENT 'sku',
    ship_qty        INT    COMMENT 'shipped units',
    receive_qty     INT    COMMENT 'received units',
    transfer_status STRING COMMENT 'DRAFT / CONFIRMED / SHIPPED / CLOSED',
    ship_date       STRING COMMENT 'shipped on'
) COMMENT 'transfers between stores'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;
