CREATE TABLE IF NOT EXISTS ods_oss.ods_pm_lte_hour_di (
    cell_id       STRING         COMMENT 'LTE cell id (ECGI)',
    site_id       STRING         COMMENT 'site id',
    stat_hour     INT            COMMENT 'hour of the day 0-23',
    rrc_att       BIGINT         COMMENT 'RRC connection attempts',
    rrc_succ      BIGINT         COMMENT 'RRC connection successes',
    bearer_setup  BIGINT         COMMENT 'E-RAB setups',
    bearer_drop   BIGINT         COMMENT 'E-RAB abnormal releases',
    total_bytes   BIGINT         COMMENT 'down- and uplink bytes',
    ul_bytes      BIGINT         COMMENT 'uplink bytes',
    prb_used_pct  DECIMAL(18,2)  COMMENT 'downlink PRB utilisation percent',
    max_users     INT            COMMENT 'max connected users',
    batch_id      BIGINT         COMMENT 'OSS export batch',
    load_time     STRING         COMMENT 'load time yyyy-MM-dd HH:mm:ss'
) COMMENT 'LTE cell counters per hour'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_oss.ods_pm_nr_hour_di (
    nr_cell_id    STRING         COMMENT 'NR cell id (NCGI)',
    site_id       STRING         COMMENT 'site id',
    stat_hour     INT            COMMENT 'hour of the day 0-23',
    rrc_att       BIGINT         COMMENT 'RRC connection attempts',
    rrc_succ      BIGINT         COMMENT 'RRC connection successes',
    bearer_setup  BIGINT         COMMENT 'DRB setups',
    bearer_drop   BIGINT         COMMENT 'DRB abnormal releases',
    total_bytes   BIGINT         COMMENT 'down- and uplink bytes',
    ul_bytes      BIGINT         COMMENT 'uplink bytes',
    prb_used_pct  DECIMAL(18,2)  COMMENT 'downlink PRB utilisation percent',
    max_users     INT            COMMENT 'max connected users',
    batch_id      BIGINT         COMMENT 'OSS export batch',
    load_time     STRING         COMMENT 'load time yyyy-MM-dd HH:mm:ss'
) COMMENT 'NR cell counters per hour'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_net.dim_planned_work_df (
    work_id       BIGINT  COMMENT 'work order id',
    cell_id       STRING  COMMENT 'cell id',
    work_date     STRING  COMMENT 'date of the work yyyy-MM-dd',
    work_hour     INT     COMMENT 'hour touched by the work',
    status        STRING  COMMENT 'DRAFT/APPROVED/CANCELLED',
    approve_date  STRING  COMMENT 'approval date',
    applicant     STRING  COMMENT 'engineer'
) COMMENT 'planned works, one row per cell and hour'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_net.dim_cell_df (
    cell_id      STRING  COMMENT 'cell id',
    rat          STRING  COMMENT '4G/5G',
    site_id      STRING  COMMENT 'site id',
    cell_name    STRING  COMMENT 'cell name',
    city_id      BIGINT  COMMENT 'city id',
    district_id  BIGINT  COMMENT 'district id',
    vendor       STRING  COMMENT 'equipment vendor',
    band         STRING  COMMENT 'frequency band',
    scene_tags   STRING  COMMENT 'scene tags, comma separated',
    onair_date   STRING  COMMENT 'on-air date',
    retire_date  STRING  COMMENT 'date taken out of service'
) COMMENT 'cell dimension, full snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_net.dwd_cell_alarm_di (
    alarm_id    BIGINT  COMMENT 'alarm id',
    cell_id     STRING  COMMENT 'cell id',
    site_id     STRING  COMMENT 'site id',
    alarm_code  STRING  COMMENT 'alarm code',
    severity    STRING  COMMENT 'CRITICAL/MAJOR/MINOR/WARNING',
    raise_time  STRING  COMMENT 'raise time',
    ack_time    STRING  COMMENT 'acknowledge time',
    clear_time  STRING  COMMENT 'clear time, null while open'
) COMMENT 'cell alarms seen on the day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_net.dws_cell_busy_hour_1d (
    rat            STRING         COMMENT '4G/5G',
    cell_id        STRING         COMMENT 'cell id',
    cell_name      STRING         COMMENT 'cell name',
    city_id        BIGINT         COMMENT 'city id, -1 unknown',
    busy_hour      INT            COMMENT 'hour with the most traffic',
    busy_prb       DECIMAL(18,2)  COMMENT 'PRB utilisation in the busy hour',
    hot_hours      BIGINT         COMMENT 'hours with smoothed PRB >= 70',
    day_gb         DOUBLE         COMMENT 'traffic of the day in GB',
    access_pct     DOUBLE         COMMENT 'RRC success percent',
    drop_pct       DOUBLE         COMMENT 'bearer drop percent',
    drop_pct_diff  DOUBLE         COMMENT 'drop percent minus the day before',
    scene_list     STRING         COMMENT 'scene tags',
    alarm_cnt      BIGINT         COMMENT 'alarms open on the day',
    cell_state     STRING         COMMENT 'FAULT/CONGESTED/DEGRADED/INCOMPLETE/NORMAL',
    is_key_scene   INT            COMMENT '1 vip or hospital scene'
) COMMENT 'cell busy hour KPI per day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
