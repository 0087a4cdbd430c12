CREATE TABLE IF NOT EXISTS ods_amr.ods_meter_curve_di (
    meter_id      BIGINT  COMMENT 'meter id',
    terminal_id   BIGINT  COMMENT 'concentrator id',
    curve_type    STRING  COMMENT 'KWH_H hourly energy, VOLT_H, AMP_H',
    readings      STRING  COMMENT 'hour values 0..23, comma separated',
    frame_no      BIGINT  COMMENT 'frame counter of the terminal',
    freeze_time   STRING  COMMENT 'freeze time in the meter',
    collect_time  STRING  COMMENT 'time of arrival',
    retry_cnt     INT     COMMENT 'read retries'
) COMMENT 'meter curves as collected'
PARTITIONED BY (dt STRING COMMENT 'energy day yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_amr.dim_meter_df (
    meter_id      BIGINT         COMMENT 'meter id',
    cust_id       BIGINT         COMMENT 'customer id',
    area_id       STRING         COMMENT 'transformer area id',
    station_id    STRING         COMMENT 'substation id',
    tariff_code   STRING         COMMENT 'tariff code',
    ratio         DECIMAL(18,2)  COMMENT 'CT x PT ratio',
    rated_amp     DECIMAL(18,2)  COMMENT 'rated current',
    meter_status  STRING         COMMENT 'status',
    install_date  STRING         COMMENT 'installed on',
    check_date    STRING         COMMENT 'last verification',
    remove_date   STRING         COMMENT 'removed on, null while in use'
) COMMENT 'meter archive'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_amr.dim_tou_period_df (
    tariff_code  STRING         COMMENT 'tariff code',
    hour_no      INT            COMMENT 'hour 0..23',
    period_type  STRING         COMMENT 'PEAK/FLAT/VALLEY',
    price        DECIMAL(18,4)  COMMENT 'price per kWh',
    net_price    DECIMAL(18,4)  COMMENT 'grid part of the price',
    season       STRING         COMMENT 'season'
) COMMENT 'time-of-use price per tariff and hour'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_amr.dim_tariff_df (
    tariff_code  STRING         COMMENT 'tariff code',
    tariff_name  STRING         COMMENT 'tariff name',
    user_class   STRING         COMMENT 'household/industry/farm',
    base_price   DECIMAL(18,4)  COMMENT 'price without time-of-use',
    fund_price   DECIMAL(18,4)  COMMENT 'surcharges',
    valid_from   STRING         COMMENT 'valid from',
    publish_date STRING         COMMENT 'published on'
) COMMENT 'tariffs'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_amr.ods_meter_event_di (
    event_id     BIGINT         COMMENT 'event record',
    meter_id     BIGINT         COMMENT 'meter id',
    terminal_id  BIGINT         COMMENT 'concentrator id',
    event_codes  ARRAY<STRING>  COMMENT 'codes reported together',
    begin_time   STRING         COMMENT 'event begin',
    end_time     STRING         COMMENT 'event end'
) COMMENT 'meter events'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_amr.dwd_meter_hour_di (
    meter_id      BIGINT         COMMENT 'meter id',
    cust_id       BIGINT         COMMENT 'customer id',
    area_id       STRING         COMMENT 'transformer area id',
    tariff_code   STRING         COMMENT 'tariff code',
    hour_no       INT            COMMENT 'hour 0..23',
    kwh           DECIMAL(18,3)  COMMENT 'energy of the hour',
    quality_flag  STRING         COMMENT 'M measured E estimated Z zero'
) COMMENT 'validated hourly energy'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_amr.dws_meter_tou_1d (
    meter_id         BIGINT         COMMENT 'meter id',
    cust_id          BIGINT         COMMENT 'customer id',
    area_id          STRING         COMMENT 'transformer area id',
    tariff_code      STRING         COMMENT 'tariff code',
    total_kwh        DECIMAL(18,3)  COMMENT 'energy of the day',
    peak_kwh         DECIMAL(18,3)  COMMENT 'peak energy',
    valley_kwh       DECIMAL(18,3)  COMMENT 'valley energy',
    flat_kwh         DECIMAL(18,3)  COMMENT 'flat energy',
    fee_amt          DECIMAL(18,2)  COMMENT 'energy fee',
    estimated_hours  BIGINT         COMMENT 'hours not measured',
    event_list       STRING         COMMENT 'meter events of the day'
) COMMENT 'time-of-use energy per meter and day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_amr.ads_area_tou_1d (
    area_id          STRING         COMMENT 'transformer area or ALL',
    tariff_code      STRING         COMMENT 'tariff or ALL',
    meter_cnt        BIGINT         COMMENT 'meters',
    cust_cnt         BIGINT         COMMENT 'customers',
    total_kwh        DECIMAL(18,3)  COMMENT 'energy',
    peak_kwh         DECIMAL(18,3)  COMMENT 'peak energy',
    peak_pct         DOUBLE         COMMENT 'peak share in percent',
    fee_amt          DECIMAL(18,2)  COMMENT 'fee',
    event_meter_cnt  BIGINT         COMMENT 'meters with events'
) COMMENT 'area summary with sub-totals'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
