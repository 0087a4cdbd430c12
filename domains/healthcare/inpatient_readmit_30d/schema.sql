CREATE TABLE IF NOT EXISTS dwd_his.dwd_inpatient_stay_df (
    row_id          BIGINT  COMMENT 'technical row id',
    encounter_id    STRING  COMMENT 'inpatient encounter id',
    patient_id      BIGINT  COMMENT 'master patient id',
    campus_code     STRING  COMMENT 'campus',
    dept_code       STRING  COMMENT 'discharging department',
    admit_dept      STRING  COMMENT 'admitting department',
    main_diag       STRING  COMMENT 'ICD-10 main diagnosis at discharge',
    admit_diag      STRING  COMMENT 'ICD-10 diagnosis at admission',
    diag_codes      STRING  COMMENT 'secondary ICD-10 codes, comma separated',
    admit_time      STRING  COMMENT 'admitted at',
    discharge_time  STRING  COMMENT 'discharged at, null while in hospital',
    discharge_way   STRING  COMMENT 'HOME/CARE/TRANSFER/DEATH/AMA',
    version_no      INT     COMMENT 'coding version',
    is_void         INT     COMMENT '1 = voided encounter'
) COMMENT 'inpatient stays, all versions'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_med.dim_chronic_icd_df (
    icd3          STRING   COMMENT 'three character ICD-10 group',
    chronic_code  STRING   COMMENT 'chronic condition group',
    chronic_name  STRING   COMMENT 'name of the group',
    weight        INT      COMMENT 'comorbidity weight',
    is_active     BOOLEAN  COMMENT 'in use',
    valid_from    STRING   COMMENT 'valid from'
) COMMENT 'ICD groups of chronic conditions'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_rhin.ods_ext_admission_di (
    notice_id     STRING  COMMENT 'notice id of the exchange',
    patient_id    BIGINT  COMMENT 'master patient id',
    ext_hospital  STRING  COMMENT 'reporting hospital',
    admit_diag    STRING  COMMENT 'diagnosis at admission',
    admit_time    STRING  COMMENT 'admitted at',
    notice_time   STRING  COMMENT 'notice received at',
    confirm_flag  STRING  COMMENT 'Y/N identity confirmed'
) COMMENT 'admissions in other hospitals of the region'
PARTITIONED BY (dt STRING COMMENT 'notice date yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_his.dwd_admission_plan_df (
    plan_id       BIGINT  COMMENT 'plan id',
    encounter_id  STRING  COMMENT 'encounter opened from the plan',
    patient_id    BIGINT  COMMENT 'master patient id',
    plan_type     STRING  COMMENT 'CHEMO/DIALYSIS/STAGED_OP/ELECTIVE/CHECKUP',
    plan_status   STRING  COMMENT 'OPEN/DONE/CANCELLED',
    plan_date     STRING  COMMENT 'planned admission date',
    create_time   STRING  COMMENT 'planned at'
) COMMENT 'planned admissions'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_med.dim_dept_df (
    dept_code    STRING  COMMENT 'department code, unique within a campus',
    campus_code  STRING  COMMENT 'campus',
    dept_name    STRING  COMMENT 'department name',
    dept_type    STRING  COMMENT 'MEDICAL/SURGICAL/ICU/HOSPICE',
    head_id      BIGINT  COMMENT 'head physician',
    bed_cnt      INT     COMMENT 'open beds'
) COMMENT 'departments'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_quality.ads_dept_readmit_1d (
    grain                STRING  COMMENT 'DEPT/CAMPUS/HOSPITAL',
    campus_code          STRING  COMMENT 'campus or ALL',
    dept_code            STRING  COMMENT 'department or ALL',
    discharge_cnt        BIGINT  COMMENT 'index discharges',
    patient_cnt          BIGINT  COMMENT 'distinct patients',
    readmit_cnt          BIGINT  COMMENT 'index discharges followed by an unplanned admission in 30 days',
    readmit_7d_cnt       BIGINT  COMMENT 'thereof within 7 days',
    readmit_ext_cnt      BIGINT  COMMENT 'thereof to another hospital',
    same_icd_cnt         BIGINT  COMMENT 'thereof with the same ICD group',
    readmit_rate         DOUBLE  COMMENT 'percent of discharges',
    avg_los              DOUBLE  COMMENT 'average length of stay in days',
    avg_chronic          DOUBLE  COMMENT 'average number of chronic conditions',
    sample_chronic_list  STRING  COMMENT 'largest chronic list of the group'
) COMMENT 'unplanned readmissions'
PARTITIONED BY (dt STRING COMMENT 'biz date yyyy-MM-dd')
STORED AS ORC;
