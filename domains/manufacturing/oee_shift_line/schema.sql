CREATE TABLE IF NOT EXISTS mfg_dim.dim_shift_calendar_df (
    plant_code    STRING  COMMENT 'plant',
    shift_code    STRING  COMMENT 'shift',
    work_date     STRING  COMMENT 'day the shift belongs to',
    start_time    STRING  COMMENT 'start yyyy-MM-dd HH:mm:ss',
    end_time      STRING  COMMENT 'end yyyy-MM-dd HH:mm:ss',
    break_minutes INT     COMMENT 'breaks',
    crew_code     STRING  COMMENT 'crew',
    is_holiday    BOOLEAN COMMENT 'no production'
) COMMENT 'shift calendar'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_dim.dim_machine_df (
    machine_id      STRING  COMMENT 'machine',
    machine_name    STRING  COMMENT 'name',
    plant_code      STRING  COMMENT 'plant',
    line_code       STRING  COMMENT 'line',
    ideal_cycle_sec INT     COMMENT 'ideal seconds per piece',
    real_cycle_sec  INT     COMMENT 'measured seconds per piece',
    is_bottleneck   BOOLEAN COMMENT 'bottleneck of the line',
    install_date    STRING  COMMENT 'installed on',
    retire_date     STRING  COMMENT 'retired on, null while in use'
) COMMENT 'machines'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_dim.dim_plant_df (
    plant_code     STRING  COMMENT 'plant, unique',
    plant_name     STRING  COMMENT 'name',
    country_code   STRING  COMMENT 'country',
    is_oee_enabled BOOLEAN COMMENT 'takes part in the OEE program',
    is_active      BOOLEAN COMMENT 'in operation',
    open_date      STRING  COMMENT 'opened on'
) COMMENT 'plants'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_ods.ods_oee_target_df (
    target_id     BIGINT       COMMENT 'primary key',
    line_code     STRING       COMMENT 'line',
    target_oee    DECIMAL(6,4) COMMENT 'target 0 to 1',
    stretch_oee   DECIMAL(6,4) COMMENT 'stretch target',
    target_status STRING       COMMENT 'DRAFT / RELEASED',
    release_date  STRING       COMMENT 'released on'
) COMMENT 'targets per line'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_dwd.dwd_machine_state_di (
    log_id      BIGINT COMMENT 'primary key',
    machine_id  STRING COMMENT 'machine',
    state_code  STRING COMMENT 'RUN / DOWN / SETUP / IDLE / UNKNOWN',
    reason_code STRING COMMENT 'reason of a stop',
    operator_id STRING COMMENT 'operator',
    start_time  STRING COMMENT 'start yyyy-MM-dd HH:mm:ss',
    end_time    STRING COMMENT 'end, null while it lasts'
) COMMENT 'machine states'
PARTITIONED BY (dt STRING COMMENT 'day of the start')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_ods.ods_maintenance_plan_df (
    plan_id      STRING COMMENT 'maintenance plan',
    machine_id   STRING COMMENT 'machine',
    shift_code   STRING COMMENT 'shift',
    plan_date    STRING COMMENT 'planned for',
    request_date STRING COMMENT 'requested on',
    plan_minutes INT    COMMENT 'planned minutes',
    real_minutes INT    COMMENT 'minutes it took',
    plan_status  STRING COMMENT 'OPEN / APPROVED / DONE'
) COMMENT 'planned maintenance'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_ods.ods_no_order_notice_df (
    notice_id    STRING  COMMENT 'notice',
    machine_id   STRING  COMMENT 'machine',
    shift_code   STRING  COMMENT 'shift',
    idle_minutes INT     COMMENT 'minutes without an order',
    is_confirmed BOOLEAN COMMENT 'confirmed by planning',
    notice_time  STRING  COMMENT 'written at'
) COMMENT 'shifts without orders, of the day'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_dwd.dwd_production_report_di (
    report_id     BIGINT COMMENT 'primary key',
    work_order_no STRING COMMENT 'work order',
    machine_id    STRING COMMENT 'machine',
    shift_code    STRING COMMENT 'shift',
    good_qty      INT    COMMENT 'good pieces',
    scrap_qty     INT    COMMENT 'scrapped pieces',
    rework_qty    INT    COMMENT 'pieces to rework',
    plan_qty      INT    COMMENT 'planned pieces',
    report_time   STRING COMMENT 'reported at'
) COMMENT 'production reports'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS mfg_ads.ads_oee_shift_di (
    plant_code   STRING COMMENT 'plant',
    line_code    STRING COMMENT 'line or ALL',
    machine_id   STRING COMMENT 'machine or ALL',
    machine_cnt  BIGINT COMMENT 'machines',
    state_cnt    BIGINT COMMENT 'state changes',
    availability DOUBLE COMMENT 'run time over load time',
    performance  DOUBLE COMMENT 'ideal time over run time',
    quality      DOUBLE COMMENT 'good over all pieces',
    down_minutes DOUBLE COMMENT 'minutes down',
    target_state STRING COMMENT 'REACHED / MISSED / NO_OUTPUT / NOT_PLANNED',
    loss_rank    INT    COMMENT 'rank of down time in the plant'
) COMMENT 'overall equipment effectiveness'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
