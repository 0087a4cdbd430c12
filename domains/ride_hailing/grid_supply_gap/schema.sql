CREATE TABLE IF NOT EXISTS dwd_disp.dwd_ride_request_hi (
    request_id   STRING COMMENT 'request',
    rider_id     STRING COMMENT 'rider',
    city_id      STRING COMMENT 'city',
    grid_id      STRING COMMENT 'grid of the start',
    end_grid_id  STRING COMMENT 'grid of the destination',
    service_type STRING COMMENT 'ECONOMY / POOL / PREMIUM',
    source       STRING COMMENT 'APP / MINI / TEST / ROBOT',
    eta_seconds  INT    COMMENT 'estimated seconds until pickup, null = unknown',
    request_time STRING COMMENT 'requested at, yyyy-MM-dd HH:mm:ss',
    answer_time  STRING COMMENT 'answered at, null = not answered'
) COMMENT 'ride requests'
PARTITIONED BY (dt STRING COMMENT 'business date', hh STRING COMMENT 'hour')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_disp.dwd_driver_last_beat_hi (
    driver_id    STRING COMMENT 'driver, one row per hour',
    city_id      STRING COMMENT 'city',
    grid_id      STRING COMMENT 'grid of the last heartbeat',
    home_grid_id STRING COMMENT 'grid of the home',
    service_type STRING COMMENT 'service offered',
    driver_state STRING COMMENT 'IDLE / ON_TRIP / FINISHING / PAUSED',
    beat_time    STRING COMMENT 'last heartbeat'
) COMMENT 'last heartbeat of the hour per driver'
PARTITIONED BY (dt STRING COMMENT 'business date', hh STRING COMMENT 'hour')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_disp.dim_grid_df (
    grid_id     STRING COMMENT 'grid, one row each',
    city_id     STRING COMMENT 'city',
    area_name   STRING COMMENT 'name',
    neighbours  STRING COMMENT 'comma separated neighbouring grids',
    grid_level  INT    COMMENT 'size class',
    create_date STRING COMMENT 'created on'
) COMMENT 'grids'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_disp.ods_rider_cancel_hi (
    cancel_id   STRING COMMENT 'cancellation',
    request_id  STRING COMMENT 'request',
    rider_id    STRING COMMENT 'rider',
    grid_id     STRING COMMENT 'grid of the start',
    detail      STRING COMMENT 'json with reason, fee, waited',
    cancel_time STRING COMMENT 'cancelled at'
) COMMENT 'cancellations of riders'
PARTITIONED BY (dt STRING COMMENT 'business date', hh STRING COMMENT 'hour')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_disp.ods_driver_cancel_hi (
    cancel_id   STRING        COMMENT 'cancellation',
    request_id  STRING        COMMENT 'request',
    driver_id   STRING        COMMENT 'driver',
    grid_id     STRING        COMMENT 'grid of the start',
    reasons     ARRAY<STRING> COMMENT 'reasons ticked, may be empty',
    cancel_time STRING        COMMENT 'cancelled at'
) COMMENT 'cancellations of drivers'
PARTITIONED BY (dt STRING COMMENT 'business date', hh STRING COMMENT 'hour')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_disp.dwd_surge_setting_di (
    set_id       BIGINT       COMMENT 'primary key',
    grid_id      STRING       COMMENT 'grid',
    service_type STRING       COMMENT 'service',
    factor       DECIMAL(4,1) COMMENT 'multiple of the fare',
    floor_factor DECIMAL(4,1) COMMENT 'lowest allowed multiple',
    set_by       STRING       COMMENT 'MODEL / CITY_TEAM',
    set_time     STRING       COMMENT 'set at'
) COMMENT 'surge settings'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_disp.dim_city_surge_df (
    city_id      STRING       COMMENT 'city',
    service_type STRING       COMMENT 'service, one row per city and service',
    max_factor   DECIMAL(4,1) COMMENT 'highest allowed multiple',
    warn_factor  DECIMAL(4,1) COMMENT 'warning from this multiple on',
    freeze_until STRING       COMMENT 'no surge until this day, null = free',
    review_date  STRING       COMMENT 'next review'
) COMMENT 'surge limits'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_disp.ads_grid_supply_gap_1h (
    city_id      STRING        COMMENT 'city',
    grid_id      STRING        COMMENT 'grid',
    service_type STRING        COMMENT 'service',
    req_cnt      BIGINT        COMMENT 'requests',
    answer_cnt   BIGINT        COMMENT 'answered requests',
    answer_pct   DECIMAL(18,1) COMMENT 'answered, percent',
    rider_cnt    BIGINT        COMMENT 'riders',
    avg_eta      DOUBLE        COMMENT 'mean estimated seconds until pickup',
    idle_cnt     BIGINT        COMMENT 'idle drivers in the grid',
    near_cnt     BIGINT        COMMENT 'idle or finishing drivers in neighbouring grids',
    gap_cnt      BIGINT        COMMENT 'missing drivers',
    reason_list  STRING        COMMENT 'reasons of cancellations',
    last_factor  DECIMAL(4,1)  COMMENT 'multiple in force',
    next_factor  DECIMAL(4,1)  COMMENT 'proposed multiple',
    gap_no       INT           COMMENT 'order of the gaps within city and service'
) COMMENT 'supply gap per grid and hour'
PARTITIONED BY (dt STRING COMMENT 'business date', hh STRING COMMENT 'hour')
STORED AS ORC;
