CREATE TABLE IF NOT EXISTS dim_hr.dim_employee_df (
    emp_id       BIGINT  COMMENT 'employee id',
    emp_name     STRING  COMMENT 'name',
    dept_id      BIGINT  COMMENT 'department',
    cost_center  BIGINT  COMMENT 'cost center',
    manager_id   BIGINT  COMMENT 'manager',
    emp_status   STRING  COMMENT 'ON_JOB/LEFT/PENDING',
    hire_date    STRING  COMMENT 'hired on',
    leave_date   STRING  COMMENT 'left on'
) COMMENT 'employee dimension'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_hr.dim_attend_exempt_df (
    emp_id       BIGINT  COMMENT 'employee id',
    exempt_type  STRING  COMMENT 'EXEC/FLEX/UNION',
    begin_date   STRING  COMMENT 'from',
    end_date     STRING  COMMENT 'to',
    approver_id  BIGINT  COMMENT 'approved by',
    remark       STRING  COMMENT 'remark'
) COMMENT 'employees without attendance duty'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hr.dwd_roster_di (
    roster_id     BIGINT  COMMENT 'roster row id',
    emp_id        BIGINT  COMMENT 'employee id',
    work_date     STRING  COMMENT 'working day',
    shift_code    STRING  COMMENT 'shift',
    plan_begin    STRING  COMMENT 'planned begin yyyy-MM-dd HH:mm:ss',
    plan_end      STRING  COMMENT 'planned end yyyy-MM-dd HH:mm:ss',
    is_workday    INT     COMMENT '1 working day',
    publish_time  STRING  COMMENT 'published at',
    planner_id    BIGINT  COMMENT 'planner'
) COMMENT 'shift roster, several versions a day possible'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_hr.ods_punch_log_di (
    punch_id      BIGINT  COMMENT 'punch id',
    emp_id        BIGINT  COMMENT 'employee id',
    device_id     STRING  COMMENT 'clock device',
    punch_time    STRING  COMMENT 'yyyy-MM-dd HH:mm:ss',
    upload_time   STRING  COMMENT 'uploaded at',
    punch_source  STRING  COMMENT 'GATE/APP/TEST/VISITOR',
    is_void       STRING  COMMENT '1 voided by hr'
) COMMENT 'raw clock punches'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hr.dwd_leave_form_df (
    form_id      BIGINT  COMMENT 'form id',
    emp_id       BIGINT  COMMENT 'employee id',
    leave_type   STRING  COMMENT 'ANNUAL/SICK/PERSONAL',
    begin_date   STRING  COMMENT 'first day',
    end_date     STRING  COMMENT 'last day',
    hours_list   STRING  COMMENT 'hours per day, comma separated',
    form_status  STRING  COMMENT 'DRAFT/APPROVED/REJECTED',
    submit_time  STRING  COMMENT 'submitted at'
) COMMENT 'leave forms'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hr.dwd_overtime_form_di (
    form_id      BIGINT  COMMENT 'form id',
    emp_id       BIGINT  COMMENT 'employee id',
    ot_date      STRING  COMMENT 'overtime day',
    ot_type      STRING  COMMENT 'WEEKDAY/WEEKEND/HOLIDAY',
    ot_hours     STRING  COMMENT 'hours as text',
    plan_hours   STRING  COMMENT 'planned hours as text',
    form_status  STRING  COMMENT 'DRAFT/APPROVED/REJECTED'
) COMMENT 'overtime forms'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hr.dwd_comp_leave_di (
    comp_id      BIGINT         COMMENT 'row id',
    emp_id       BIGINT         COMMENT 'employee id',
    use_date     STRING         COMMENT 'day off',
    used_hours   DECIMAL(18,2)  COMMENT 'hours used',
    left_hours   DECIMAL(18,2)  COMMENT 'hours left',
    submit_time  STRING         COMMENT 'submitted at',
    cancel_time  STRING         COMMENT 'cancelled at'
) COMMENT 'overtime taken as time off'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_hr.dws_emp_attendance_mtd (
    emp_id       BIGINT         COMMENT 'employee id',
    emp_name     STRING         COMMENT 'name',
    dept_id      BIGINT         COMMENT 'department',
    plan_days    BIGINT         COMMENT 'planned days',
    work_days    BIGINT         COMMENT 'days with a punch',
    late_cnt     BIGINT         COMMENT 'late arrivals',
    early_cnt    BIGINT         COMMENT 'early leaves',
    absent_days  BIGINT         COMMENT 'absent without leave',
    leave_hours  DECIMAL(18,2)  COMMENT 'hours of leave',
    ot_weekday   DECIMAL(18,2)  COMMENT 'overtime on weekdays',
    ot_holiday   DECIMAL(18,2)  COMMENT 'overtime on holidays',
    ot_payable   DECIMAL(18,2)  COMMENT 'overtime to be paid',
    leave_types  STRING         COMMENT 'types of leave',
    attend_flag  STRING         COMMENT 'NO_ROSTER/ABSENT/WARN/NORMAL'
) COMMENT 'attendance per employee, month to date'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
