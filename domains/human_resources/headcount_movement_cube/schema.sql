CREATE TABLE IF NOT EXISTS dwd_people.dwd_staff_snapshot_df (
    staff_id       BIGINT         COMMENT 'staff id',
    unit_code      STRING         COMMENT 'organisational unit',
    cost_unit      STRING         COMMENT 'unit that pays',
    job_family     STRING         COMMENT 'job family',
    grade          STRING         COMMENT 'grade as text number',
    manager_id     BIGINT         COMMENT 'manager',
    mentor_id      BIGINT         COMMENT 'mentor',
    contract_type  STRING         COMMENT 'PERMANENT/FIXED/INTERN/AGENCY/BOARD',
    staff_status   STRING         COMMENT 'ACTIVE/LEAVE/EXITED',
    fte            DOUBLE         COMMENT 'full time equivalent',
    hire_date      STRING         COMMENT 'hired on',
    probation_end  STRING         COMMENT 'end of probation'
) COMMENT 'staff master data, daily snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_people.ods_exit_form_di (
    form_id      BIGINT  COMMENT 'exit form',
    staff_id     BIGINT  COMMENT 'staff id',
    reason_code  STRING  COMMENT 'RESIGN/NO_SHOW/DISMISS/RETIRE/END_OF_TERM',
    detail_code  STRING  COMMENT 'detailed reason',
    last_day     STRING  COMMENT 'last working day',
    notice_day   STRING  COMMENT 'notice given on',
    signed_time  STRING  COMMENT 'signed at'
) COMMENT 'exit forms'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_people.dwd_staff_profile_df (
    staff_id      BIGINT              COMMENT 'staff id',
    skills        ARRAY<STRING>       COMMENT 'skills',
    languages     ARRAY<STRING>       COMMENT 'languages',
    education     STRING              COMMENT 'highest degree',
    attributes    MAP<STRING,STRING>  COMMENT 'free attributes',
    update_time   STRING              COMMENT 'last change'
) COMMENT 'talent profile'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_people.dim_critical_skill_df (
    skill_id     BIGINT  COMMENT 'skill id',
    skill_name   STRING  COMMENT 'name in lower case',
    skill_group  STRING  COMMENT 'group',
    sponsor      STRING  COMMENT 'who asked for it',
    begin_date   STRING  COMMENT 'critical since',
    end_date     STRING  COMMENT 'critical until'
) COMMENT 'skills the company cannot lose'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_people.dwd_staff_movement_di (
    staff_id       BIGINT  COMMENT 'staff id',
    move_type      STRING  COMMENT 'HIRE/LEAVE/TRANSFER/PROMOTION/NEW_MANAGER',
    from_unit      STRING  COMMENT 'unit before',
    to_unit        STRING  COMMENT 'unit after',
    job_family     STRING  COMMENT 'job family',
    contract_type  STRING  COMMENT 'contract type',
    leave_class    STRING  COMMENT 'VOLUNTARY/INVOLUNTARY/UNKNOWN/-'
) COMMENT 'staff movements per day'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_people.ads_headcount_cube_1d (
    unit_code      STRING         COMMENT 'unit or ALL',
    job_family     STRING         COMMENT 'job family or ALL',
    contract_type  STRING         COMMENT 'contract type or ALL',
    headcount      BIGINT         COMMENT 'active staff',
    fte            DECIMAL(18,2)  COMMENT 'full time equivalents',
    hire_cnt       BIGINT         COMMENT 'hires',
    leave_cnt      BIGINT         COMMENT 'leavers',
    leave_own_cnt  BIGINT         COMMENT 'of them by own wish',
    critical_cnt   BIGINT         COMMENT 'staff with a critical skill',
    leave_own_pct  DECIMAL(18,2)  COMMENT 'voluntary leavers in percent'
) COMMENT 'headcount cube'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
