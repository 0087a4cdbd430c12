CREATE TABLE IF NOT EXISTS dwd_cold.dwd_logger_upload_di (
    upload_id      BIGINT   COMMENT 'upload id',
    logger_id      STRING   COMMENT 'data logger',
    shipment_id    BIGINT   COMMENT 'shipment',
    box_no         STRING   COMMENT 'insulated box',
    readings       ARRAY<STRUCT<rt:STRING,temp:DOUBLE,hum:DOUBLE>> COMMENT 'buffer: time, temperature, humidity',
    is_calibrated  BOOLEAN  COMMENT 'calibration valid',
    firmware       STRING   COMMENT 'firmware',
    upload_time    STRING   COMMENT 'received at',
    boot_time      STRING   COMMENT 'logger switched on at'
) COMMENT 'uploads of temperature loggers'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_cold.dim_shipment_df (
    shipment_id   BIGINT  COMMENT 'shipment',
    product_code  STRING  COMMENT 'product',
    pack_type     STRING  COMMENT 'packaging type',
    batch_no      STRING  COMMENT 'batch',
    carrier       STRUCT<code:STRING,name:STRING> COMMENT 'carrier',
    from_wh       STRING  COMMENT 'warehouse',
    to_site       STRING  COMMENT 'receiving site',
    ship_status   STRING  COMMENT 'PLANNED/IN_TRANSIT/DELIVERED/CANCELLED',
    pick_time     STRING  COMMENT 'picked at',
    depart_time   STRING  COMMENT 'departed at',
    arrive_time   STRING  COMMENT 'arrived at'
) COMMENT 'temperature controlled shipments'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_cold.dim_product_range_df (
    product_code      STRING   COMMENT 'product',
    pack_type         STRING   COMMENT 'packaging type',
    temp_min          DOUBLE   COMMENT 'lower limit',
    temp_max          DOUBLE   COMMENT 'upper limit',
    max_minutes       INT      COMMENT 'stability budget outside the range',
    alarm_minutes     INT      COMMENT 'alarm delay',
    freeze_sensitive  BOOLEAN  COMMENT 'must never freeze'
) COMMENT 'temperature ranges'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_cold.dwd_door_open_di (
    open_id      BIGINT  COMMENT 'id',
    shipment_id  BIGINT  COMMENT 'shipment',
    dock_no      STRING  COMMENT 'dock',
    reason       STRING  COMMENT 'LOADING/CUSTOMS/RELABEL/OTHER',
    open_time    STRING  COMMENT 'opened at',
    close_time   STRING  COMMENT 'closed at',
    sign_by      STRING  COMMENT 'signed by'
) COMMENT 'documented door openings'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_cold.dws_excursion_di (
    shipment_id  BIGINT  COMMENT 'shipment',
    box_no       STRING  COMMENT 'insulated box',
    episode_no   BIGINT  COMMENT 'running number of the side change',
    side         STRING  COMMENT 'LOW/HIGH',
    begin_time   STRING  COMMENT 'first reading outside',
    end_time     STRING  COMMENT 'first reading after the episode',
    minutes      DOUBLE  COMMENT 'duration in minutes',
    worst_temp   DOUBLE  COMMENT 'worst temperature'
) COMMENT 'temperature episodes'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_cold.ads_batch_disposition_di (
    batch_no           STRING  COMMENT 'batch',
    product_code       STRING  COMMENT 'product',
    carrier_code       STRING  COMMENT 'carrier',
    shipment_cnt       BIGINT  COMMENT 'shipments',
    bad_box_cnt        BIGINT  COMMENT 'boxes with an episode',
    low_minutes        DOUBLE  COMMENT 'minutes below the range',
    unexcused_minutes  DOUBLE  COMMENT 'minutes of episodes without documented door opening',
    dropout_cnt        BIGINT  COMMENT 'readings without value',
    firmware_list      STRING  COMMENT 'latest logger firmware of the shipments',
    disposition        STRING  COMMENT 'REJECT/QA_HOLD/NO_DATA/RELEASE'
) COMMENT 'proposed disposition per batch and carrier'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
