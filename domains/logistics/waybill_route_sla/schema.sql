CREATE TABLE IF NOT EXISTS exp_dwd.dwd_waybill_di (
    waybill_no     STRING COMMENT 'waybill',
    version_no     INT    COMMENT 'version, unique per waybill',
    product_type   STRING COMMENT 'EXPRESS / SAMEDAY / COLD / ECONOMY',
    waybill_status STRING COMMENT 'PICKED / MOVING / SIGNED / CANCEL / RETURNED',
    origin_code    STRING COMMENT 'origin branch',
    dest_code      STRING COMMENT 'destination branch',
    customer_id    STRING COMMENT 'sender',
    receiver       STRUCT<city_code:STRING,district_code:STRING,floor_no:INT> COMMENT 'receiver address',
    weight_kg      DECIMAL(18,2) COMMENT 'weight',
    create_time    STRING COMMENT 'created at',
    pickup_time    STRING COMMENT 'picked up at',
    promise_time   STRING COMMENT 'promised delivery yyyy-MM-dd HH:mm:ss'
) COMMENT 'waybills'
PARTITIONED BY (dt STRING COMMENT 'pick-up date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_ods.ods_site_scan_di (
    scan_id     STRING COMMENT 'primary key, prefix S',
    waybill_no  STRING COMMENT 'waybill',
    op_code     STRING COMMENT 'ARRIVE / DEPART / SIGN / CHECK',
    site_code   STRING COMMENT 'site',
    device_id   STRING COMMENT 'scanner',
    operator_id STRING COMMENT 'operator',
    scan_time   STRING COMMENT 'scanned at yyyy-MM-dd HH:mm:ss',
    upload_time STRING COMMENT 'uploaded at'
) COMMENT 'scans of own sites'
PARTITIONED BY (dt STRING COMMENT 'scan date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_ods.ods_partner_scan_di (
    scan_id      STRING COMMENT 'primary key, prefix P',
    waybill_no   STRING COMMENT 'waybill',
    partner_code STRING COMMENT 'partner',
    partner_op   STRING COMMENT 'IN / OUT / POD / OTHER',
    site_code    STRING COMMENT 'site',
    scan_time    STRING COMMENT 'scanned at yyyy-MM-dd HH:mm:ss',
    receive_time STRING COMMENT 'received by the interface'
) COMMENT 'scans of partners'
PARTITIONED BY (dt STRING COMMENT 'scan date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_dwd.dwd_route_plan_di (
    plan_id     STRING  COMMENT 'primary key',
    waybill_no  STRING  COMMENT 'waybill, one valid plan each',
    line_code   STRING  COMMENT 'main line',
    plan_nodes  ARRAY<STRUCT<site_code:STRING,plan_time:STRING>> COMMENT 'planned sites in order',
    is_valid    BOOLEAN COMMENT 'valid plan',
    create_time STRING  COMMENT 'planned at'
) COMMENT 'planned routes'
PARTITIONED BY (dt STRING COMMENT 'pick-up date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_ods.ods_exception_di (
    exception_id BIGINT COMMENT 'primary key',
    waybill_no   STRING COMMENT 'waybill',
    reason_codes STRING COMMENT 'reasons separated by |',
    report_site  STRING COMMENT 'reporting site',
    report_time  STRING COMMENT 'reported at',
    close_time   STRING COMMENT 'closed at, null while open'
) COMMENT 'exceptions'
PARTITIONED BY (dt STRING COMMENT 'report date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_dim.dim_branch_df (
    branch_code   STRING COMMENT 'branch',
    branch_name   STRING COMMENT 'name',
    branch_status STRING COMMENT 'OPEN / CLOSED',
    city_code     STRING COMMENT 'city',
    hub_code      STRING COMMENT 'hub',
    open_date     STRING COMMENT 'opened on'
) COMMENT 'branches'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_dim.dim_product_df (
    product_type STRING  COMMENT 'product, unique',
    product_name STRING  COMMENT 'name',
    has_promise  BOOLEAN COMMENT 'delivery time is promised',
    is_cold      BOOLEAN COMMENT 'cold chain',
    price_group  STRING  COMMENT 'price group',
    launch_date  STRING  COMMENT 'launched on'
) COMMENT 'products'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS exp_ads.ads_waybill_route_sla_di (
    waybill_no        STRING COMMENT 'waybill',
    product_type      STRING COMMENT 'product',
    origin_code       STRING COMMENT 'origin',
    dest_code         STRING COMMENT 'destination',
    pickup_time       STRING COMMENT 'picked up at',
    last_scan_time    STRING COMMENT 'last scan',
    node_cnt          BIGINT COMMENT 'scans',
    missed_cnt        BIGINT COMMENT 'planned sites without a scan',
    first_missed_pos  INT    COMMENT 'position of the first missed site',
    dwell_cnt         BIGINT COMMENT 'dwells over eight hours',
    max_dwell_hour    DOUBLE COMMENT 'longest dwell in hours',
    route_text        STRING COMMENT 'actual route',
    sla_status        STRING COMMENT 'status',
    exception_reasons STRING COMMENT 'open exceptions',
    receiver_city     STRING COMMENT 'receiver city',
    is_redirected     INT    COMMENT 'city differs from the destination branch',
    is_key_branch     INT    COMMENT 'origin is one of the twenty largest'
) COMMENT 'service level per waybill'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
