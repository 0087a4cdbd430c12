CREATE TABLE IF NOT EXISTS qms_dwd.dwd_inspection_result_di (
    inspect_id     BIGINT             COMMENT 'primary key',
    lot_no         STRING             COMMENT 'finished lot',
    product_code   STRING             COMMENT 'product',
    piece_no       INT                COMMENT 'piece inside the lot',
    station_code   STRING             COMMENT 'test station',
    retest_no      INT                COMMENT '0 for the first test',
    measures       MAP<STRING,STRING> COMMENT 'measure -> value as text',
    is_calibration BOOLEAN            COMMENT 'calibration piece',
    inspector_id   STRING             COMMENT 'inspector',
    inspect_time   STRING             COMMENT 'tested at'
) COMMENT 'inspection results'
PARTITIONED BY (dt STRING COMMENT 'test date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS qms_dim.dim_measure_spec_df (
    product_code STRING  COMMENT 'product',
    measure_code STRING  COMMENT 'measure',
    lower_limit  STRING  COMMENT 'lower limit as text',
    upper_limit  STRING  COMMENT 'upper limit as text',
    nominal      STRING  COMMENT 'nominal value as text',
    unit         STRING  COMMENT 'unit',
    is_critical  BOOLEAN COMMENT 'critical characteristic'
) COMMENT 'specification limits, one row per product and measure'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS qms_ods.ods_complaint_df (
    complaint_id   STRING COMMENT 'complaint',
    customer_id    STRING COMMENT 'customer',
    lot_nos        STRING COMMENT 'comma separated lots',
    first_lot_no   STRING COMMENT 'lot named first',
    defect_code    STRING COMMENT 'defect',
    complaint_type STRING COMMENT 'FUNCTION / DIMENSION / SURFACE / PACKING',
    severity       INT    COMMENT '1 to 10',
    complaint_date STRING COMMENT 'received on',
    close_date     STRING COMMENT 'closed on, null while open'
) COMMENT 'customer complaints'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS qms_dim.dim_lot_df (
    lot_no       STRING COMMENT 'finished lot, unique',
    product_code STRING COMMENT 'product',
    line_code    STRING COMMENT 'line',
    lot_qty      INT    COMMENT 'pieces',
    lot_status   STRING COMMENT 'STOCK / SHIPPED / SCRAPPED',
    produce_date STRING COMMENT 'produced on',
    ship_date    STRING COMMENT 'shipped on'
) COMMENT 'finished lots'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS qms_dwd.dwd_lot_genealogy_df (
    finished_lot   STRING        COMMENT 'finished lot',
    component_lot  STRING        COMMENT 'consumed component lot',
    component_code STRING        COMMENT 'component',
    work_order_no  STRING        COMMENT 'work order',
    consume_qty    DECIMAL(18,2) COMMENT 'consumed quantity',
    return_qty     DECIMAL(18,2) COMMENT 'returned quantity',
    consume_time   STRING        COMMENT 'consumed at'
) COMMENT 'which component lot went into which finished lot'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS erp_ods.ods_component_receipt_df (
    receipt_id     STRING        COMMENT 'goods receipt',
    component_lot  STRING        COMMENT 'component lot',
    component_code STRING        COMMENT 'component',
    supplier_id    STRING        COMMENT 'supplier',
    carrier_id     STRING        COMMENT 'carrier',
    receive_qty    DECIMAL(18,2) COMMENT 'received quantity',
    receive_date   STRING        COMMENT 'received on',
    certificate_no STRING        COMMENT 'certificate'
) COMMENT 'goods receipts of components'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS qms_tmp.tmp_lot_traceback_20240315 (
    lot_role      STRING COMMENT 'SUSPECT / SIBLING',
    lot_no        STRING COMMENT 'finished lot',
    product_code  STRING COMMENT 'product',
    line_code     STRING COMMENT 'line',
    source_type   STRING COMMENT 'PLANT / CUSTOMER / BOTH / GENEALOGY',
    ng_cnt        BIGINT COMMENT 'measures out of limits',
    critical_cnt  BIGINT COMMENT 'critical ones',
    measures      STRING COMMENT 'measures',
    complaint_cnt BIGINT COMMENT 'open complaints',
    defect_codes  STRING COMMENT 'defects',
    component_cnt BIGINT COMMENT 'component lots',
    suppliers     STRING COMMENT 'suppliers, or shared component lots for siblings',
    containment   STRING COMMENT 'containment action'
) COMMENT 'traceback of defective lots'
STORED AS ORC;
