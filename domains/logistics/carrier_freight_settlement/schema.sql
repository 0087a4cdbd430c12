CREATE TABLE IF NOT EXISTS tms_dwd.dwd_trip_di (
    event_id     BIGINT        COMMENT 'primary key of the event',
    trip_id      STRING        COMMENT 'trip',
    carrier_id   STRING        COMMENT 'carrier',
    lane_code    STRING        COMMENT 'lane',
    vehicle_type STRING        COMMENT 'vehicle type',
    driver_id    STRING        COMMENT 'driver',
    distance_km  DECIMAL(18,2) COMMENT 'driven kilometers',
    plan_km      DECIMAL(18,2) COMMENT 'planned kilometers',
    trip_status  STRING        COMMENT 'PLANNED / RUNNING / FINISHED',
    start_time   STRING        COMMENT 'started at',
    finish_time  STRING        COMMENT 'finished at yyyy-MM-dd HH:mm:ss',
    stops        ARRAY<STRUCT<stop_code:STRING,wait_minutes:INT>> COMMENT 'stops in order',
    shipment_ids STRING        COMMENT 'comma separated shipments'
) COMMENT 'trips'
PARTITIONED BY (dt STRING COMMENT 'event date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tms_dwd.dwd_settlement_history_df (
    settle_id     STRING        COMMENT 'settlement line',
    trip_id       STRING        COMMENT 'trip',
    carrier_id    STRING        COMMENT 'carrier',
    payable       DECIMAL(18,2) COMMENT 'payable',
    settle_status STRING        COMMENT 'PAID / OPEN / VOID',
    settle_date   STRING        COMMENT 'settled on',
    pay_date      STRING        COMMENT 'paid on'
) COMMENT 'settlement history'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tms_dim.dim_carrier_contract_df (
    contract_no  STRING             COMMENT 'contract line, unique',
    carrier_id   STRING             COMMENT 'carrier',
    lane_code    STRING             COMMENT 'lane',
    base_price   DECIMAL(18,2)      COMMENT 'price per trip',
    min_price    DECIMAL(18,2)      COMMENT 'minimum price',
    weight_tiers ARRAY<STRUCT<lower_kg:INT,upper_kg:INT,unit_price:DOUBLE>> COMMENT 'weight tiers',
    surcharges   MAP<STRING,STRING> COMMENT 'surcharge -> rate (fuel, night)',
    sign_date    STRING             COMMENT 'signed on',
    start_date   STRING             COMMENT 'valid from',
    end_date     STRING             COMMENT 'valid to, null when open'
) COMMENT 'carrier contracts'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tms_dwd.dwd_shipment_df (
    shipment_id STRING        COMMENT 'shipment, unique',
    customer_id STRING        COMMENT 'customer',
    goods_type  STRING        COMMENT 'goods type',
    weight_kg   DECIMAL(18,2) COMMENT 'actual weight',
    volume_m3   DECIMAL(18,2) COMMENT 'volume',
    goods_value DECIMAL(18,2) COMMENT 'declared value',
    create_date STRING        COMMENT 'created on'
) COMMENT 'shipments'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tms_ods.ods_cargo_claim_df (
    claim_id     BIGINT        COMMENT 'primary key',
    trip_id      STRING        COMMENT 'trip',
    shipment_id  STRING        COMMENT 'shipment',
    claim_amount DECIMAL(18,2) COMMENT 'amount to deduct',
    goods_amount DECIMAL(18,2) COMMENT 'value of the goods',
    claim_status STRING        COMMENT 'OPEN / CONFIRMED / DEDUCTED / REFUSED',
    evidence     STRING        COMMENT 'json with type, photos',
    report_date  STRING        COMMENT 'reported on'
) COMMENT 'cargo claims'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tms_ads.ads_carrier_settlement_di (
    trip_id      STRING        COMMENT 'trip',
    carrier_id   STRING        COMMENT 'carrier',
    contract_no  STRING        COMMENT 'contract',
    finish_date  STRING        COMMENT 'finished on',
    shipment_cnt BIGINT        COMMENT 'shipments',
    freight      DOUBLE        COMMENT 'freight',
    surcharge    DOUBLE        COMMENT 'fuel, night and detention',
    deduction    DECIMAL(28,2) COMMENT 'cargo claims',
    payable      DOUBLE        COMMENT 'amount to pay',
    claim_types  STRING        COMMENT 'types of claims'
) COMMENT 'settlement lines of carriers'
PARTITIONED BY (dt STRING COMMENT 'business date', settle_mode STRING COMMENT 'AUTO / NO_CONTRACT')
STORED AS ORC;
