CREATE TABLE IF NOT EXISTS ods_exam.ods_answer_sheet_di (
    sheet_id     BIGINT  COMMENT 'primary key',
    candidate_id STRING  COMMENT 'candidate',
    paper_id     STRING  COMMENT 'exam paper',
    room_id      STRING  COMMENT 'exam room',
    choices      STRING  COMMENT 'comma separated answers of the multiple choice part, in order',
    sheet_state  STRING  COMMENT 'OK / RESCANNED / DAMAGED',
    is_latest    BOOLEAN COMMENT 'newest scan of the sheet',
    hand_in_time STRING  COMMENT 'handed in at',
    scan_time    STRING  COMMENT 'scanned at'
) COMMENT 'scanned answer sheets'
PARTITIONED BY (dt STRING COMMENT 'exam date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_exam.dim_candidate_df (
    candidate_id   STRING  COMMENT 'candidate, one row each',
    candidate_name STRING  COMMENT 'name',
    school_id      STRING  COMMENT 'school attended',
    district_code  STRING  COMMENT 'school district',
    home_district  STRING  COMMENT 'district of residence',
    home_school_id STRING  COMMENT 'school of registration',
    grade_no       INT     COMMENT 'grade',
    is_guest       BOOLEAN COMMENT 'sits the exam as a guest',
    register_date  STRING  COMMENT 'registered on'
) COMMENT 'candidates'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_exam.dim_paper_df (
    paper_id    STRING        COMMENT 'exam paper, one row each',
    subject     STRING        COMMENT 'subject',
    paper_set   STRING        COMMENT 'A / B',
    answer_key  ARRAY<STRING> COMMENT 'right answers of the multiple choice part, in order',
    pass_score  DECIMAL(6,2)  COMMENT 'score to pass',
    merit_score DECIMAL(6,2)  COMMENT 'score for a merit',
    print_date  STRING        COMMENT 'printed on'
) COMMENT 'exam papers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_exam.dwd_essay_mark_di (
    mark_id      BIGINT       COMMENT 'primary key',
    candidate_id STRING       COMMENT 'candidate',
    paper_id     STRING       COMMENT 'exam paper',
    question_no  INT          COMMENT 'essay question',
    reader_role  STRING       COMMENT 'FIRST / SECOND / THIRD',
    reader_id    STRING       COMMENT 'reader',
    mark         DECIMAL(6,1) COMMENT 'points given',
    max_mark     DECIMAL(6,1) COMMENT 'highest possible points',
    mark_time    STRING       COMMENT 'marked at'
) COMMENT 'marks of the readers'
PARTITIONED BY (dt STRING COMMENT 'exam date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_exam.dwd_misconduct_df (
    case_id      BIGINT COMMENT 'primary key',
    candidate_id STRING COMMENT 'candidate',
    case_type    STRING COMMENT 'PHONE / COPYING / IDENTITY',
    verdict      STRING COMMENT 'OPEN / CONFIRMED / DISMISSED',
    report_date  STRING COMMENT 'reported on',
    verdict_date STRING COMMENT 'decided on'
) COMMENT 'misconduct cases'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_exam.ads_school_exam_history_df (
    exam_no       INT           COMMENT 'running number of the mock exam',
    subject       STRING        COMMENT 'subject',
    district_code STRING        COMMENT 'school district',
    school_id     STRING        COMMENT 'school, ALL = district',
    avg_score     DECIMAL(10,2) COMMENT 'mean score',
    top_score     DECIMAL(10,2) COMMENT 'best score',
    taker_cnt     BIGINT        COMMENT 'candidates'
) COMMENT 'results of earlier mock exams, one row per exam, subject, district and school'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_exam.ads_school_exam_report (
    district_code  STRING        COMMENT 'school district',
    school_id      STRING        COMMENT 'school, ALL = district',
    taker_cnt      BIGINT        COMMENT 'candidates',
    avg_score      DECIMAL(10,2) COMMENT 'mean score',
    pass_pct       DECIMAL(10,1) COMMENT 'passed, percent',
    top_score      DECIMAL(10,2) COMMENT 'best score',
    school_rank    INT           COMMENT 'rank within the district, 0 for the district line',
    score_change   DECIMAL(10,2) COMMENT 'change of the mean since the exam before',
    weak_questions STRING        COMMENT 'numbers of the questions often missed'
) COMMENT 'mock exam report per school'
PARTITIONED BY (dt STRING COMMENT 'exam date', subject STRING COMMENT 'subject')
STORED AS ORC;
