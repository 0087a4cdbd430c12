CREATE TABLE IF NOT EXISTS dwd_agri.dwd_soil_probe_di (
    reading_id STRING COMMENT 'reading',
    probe_id STRING COMMENT 'probe',
    field_id STRING COMMENT 'field',
    farm_id STRING COMMENT 'farm',
    moisture_pct DECIMAL(18,2) COMMENT 'soil moisture, percent',
    soil_temp DECIMAL(18,2) COMMENT 'soil temperature',
    salinity DECIMAL(18,2) COMMENT 'salinity',
    is_faulty BOOLEAN COMMENT 'flagged by the crew, may be empty',
    read_time TIMESTAMP COMMENT 'read at',
    upload_time TIMESTAMP COMMENT 'uploaded at'
) COMMENT 'own soil probes' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_agri.ods_station_obs_di (
    obs_id STRING COMMENT 'observation',
    station_id STRING COMMENT 'station',
    field_id STRING COMMENT 'nearest field',
    soil_moisture DECIMAL(18,2) COMMENT 'soil moisture, percent',
    soil_temp DECIMAL(18,2) COMMENT 'soil temperature',
    air_temp DECIMAL(18,2) COMMENT 'air temperature',
    quality_code STRING COMMENT 'GOOD, FAIR, BAD',
    obs_time TIMESTAMP COMMENT 'observed at',
    load_time TIMESTAMP COMMENT 'loaded at'
) COMMENT 'partner weather stations' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_agri.ods_rain_forecast_di (
    field_id STRING COMMENT 'field, one row a day',
    grid_id STRING COMMENT 'forecast grid cell',
    rain_hours ARRAY<DECIMAL(18,2)> COMMENT 'mm of rain per coming hour',
    temp_hours ARRAY<DECIMAL(18,2)> COMMENT 'temperature per coming hour',
    model_name STRING COMMENT 'weather model',
    issue_time TIMESTAMP COMMENT 'issued at'
) COMMENT 'rain forecast' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_agri.dim_well_df (
    well_id STRING COMMENT 'well',
    farm_id STRING COMMENT 'farm',
    pump_id STRING COMMENT 'pump',
    well_state STRING COMMENT 'OPEN, CLOSED',
    depth_m INT COMMENT 'depth',
    yield_m3 DECIMAL(18,2) COMMENT 'yield per hour',
    permit_date DATE COMMENT 'permit'
) COMMENT 'wells' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_agri.dim_reservoir_df (
    reservoir_id STRING COMMENT 'reservoir',
    farm_id STRING COMMENT 'farm',
    pump_id STRING COMMENT 'pump',
    level_m INT COMMENT 'water level, metres',
    capacity_m3 DECIMAL(18,2) COMMENT 'capacity',
    owner_name STRING COMMENT 'owner'
) COMMENT 'reservoirs' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_agri.ods_pump_alarm_di (
    alarm_id STRING COMMENT 'alarm',
    pump_id STRING COMMENT 'pump, empty for the control room',
    farm_id STRING COMMENT 'farm',
    alarm_type STRING COMMENT 'REPAIR, NITRATE, PRESSURE',
    alarm_level INT COMMENT 'level',
    alarm_time TIMESTAMP COMMENT 'raised at'
) COMMENT 'pump alarms' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_agri.dim_field_df (
    field_id STRING COMMENT 'field, unique',
    farm_id STRING COMMENT 'farm',
    field_name STRING COMMENT 'name',
    area_ha DECIMAL(18,2) COMMENT 'hectares',
    lease_ha DECIMAL(18,2) COMMENT 'leased hectares',
    crop_codes STRING COMMENT 'crops sown, separated by comma',
    soil_type STRING COMMENT 'soil',
    sow_date DATE COMMENT 'sown on'
) COMMENT 'fields' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_agri.dim_farm_contract_df (
    contract_id STRING COMMENT 'contract',
    farm_id STRING COMMENT 'farm',
    contract_state STRING COMMENT 'RUNNING, ENDED',
    contract_type STRING COMMENT 'type',
    start_date DATE COMMENT 'from',
    end_date DATE COMMENT 'until'
) COMMENT 'advice contracts' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_agri.dim_crop_target_df (
    crop_code STRING COMMENT 'crop, unique',
    crop_name STRING COMMENT 'name',
    target_pct DECIMAL(18,2) COMMENT 'wanted soil moisture',
    stress_pct DECIMAL(18,2) COMMENT 'below this the crop suffers',
    mm_per_pct DECIMAL(18,2) COMMENT 'mm of water per percent',
    valid_from DATE COMMENT 'valid from'
) COMMENT 'moisture targets per crop' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_agri.ads_irrigation_advice_1d (
    farm_id STRING COMMENT 'farm',
    field_id STRING COMMENT 'field',
    field_name STRING COMMENT 'name',
    crop_code STRING COMMENT 'crop or FALLOW',
    source_cnt BIGINT COMMENT 'probes and stations',
    moisture_pct DECIMAL(18,2) COMMENT 'mean moisture',
    last_read_date DATE COMMENT 'newest reading',
    rain_12h_mm DECIMAL(18,2) COMMENT 'rain of 12 hours',
    need_m3 DECIMAL(18,2) COMMENT 'water need',
    advice STRING COMMENT 'advice',
    pump_cnt BIGINT COMMENT 'pumps',
    pump_list STRING COMMENT 'pump ids'
) COMMENT 'irrigation advice' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;
