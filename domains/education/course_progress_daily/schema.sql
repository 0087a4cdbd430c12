CREATE TABLE IF NOT EXISTS dwd_edu.dwd_enrolment_df (
    enrol_id    BIGINT        COMMENT 'primary key',
    learner_id  STRING        COMMENT 'learner',
    course_id   STRING        COMMENT 'course',
    class_id    STRING        COMMENT 'class within the course',
    track_code  STRING        COMMENT 'STD / PRO / EXAM, lower case in old rows',
    pay_status  STRING        COMMENT 'PAID / PART_PAID / REFUNDED / UNPAID',
    pay_amount  DECIMAL(18,2) COMMENT 'paid amount',
    start_date  STRING        COMMENT 'first day of access',
    end_date    STRING        COMMENT 'last day of access, null = unlimited',
    create_time STRING        COMMENT 'created at',
    update_time STRING        COMMENT 'changed at'
) COMMENT 'enrolments'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_edu.dim_lesson_df (
    lesson_id      STRING COMMENT 'lesson',
    course_id      STRING COMMENT 'course',
    lesson_name    STRING COMMENT 'name',
    track_codes    STRING COMMENT 'comma separated tracks for which the lesson is mandatory',
    lesson_minutes INT    COMMENT 'planned minutes',
    video_minutes  INT    COMMENT 'length of the video',
    is_published   INT    COMMENT '1 = visible',
    publish_date   STRING COMMENT 'published on'
) COMMENT 'lessons'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_edu.dwd_web_play_di (
    play_id      BIGINT COMMENT 'primary key',
    learner_id   STRING COMMENT 'learner',
    lesson_id    STRING COMMENT 'lesson',
    play_seconds INT    COMMENT 'seconds played',
    pause_times  INT    COMMENT 'number of pauses',
    is_finished  INT    COMMENT '1 = watched to the end',
    enter_time   STRING COMMENT 'opened at',
    leave_time   STRING COMMENT 'left at'
) COMMENT 'plays of the web player'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_edu.ods_app_play_log_di (
    log_id      BIGINT COMMENT 'primary key',
    learner_id  STRING COMMENT 'learner',
    lesson_id   STRING COMMENT 'lesson',
    app_version STRING COMMENT 'version of the app',
    payload     STRING COMMENT 'json with seconds, finished, speed',
    play_time   STRING COMMENT 'played at, clock of the phone',
    report_time STRING COMMENT 'reported at, clock of the server'
) COMMENT 'play log of the app'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_edu.dwd_quiz_attempt_df (
    attempt_id    BIGINT        COMMENT 'primary key',
    learner_id    STRING        COMMENT 'learner',
    course_id     STRING        COMMENT 'course',
    quiz_id       STRING        COMMENT 'quiz',
    score         DECIMAL(6,2)  COMMENT 'score of the attempt',
    pass_score    DECIMAL(6,2)  COMMENT 'score needed',
    full_score    DECIMAL(6,2)  COMMENT 'highest possible score',
    attempt_state STRING        COMMENT 'GRADED / APPEALED / VOID',
    submit_time   STRING        COMMENT 'submitted at'
) COMMENT 'quiz attempts'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_edu.dim_class_df (
    class_id     STRING COMMENT 'class, one row each',
    class_name   STRING COMMENT 'name',
    course_id    STRING COMMENT 'course',
    tutor_id     STRING COMMENT 'tutor',
    assistant_id STRING COMMENT 'assistant',
    class_status STRING COMMENT 'PLANNED / RUNNING / CLOSED',
    open_date    STRING COMMENT 'opened on'
) COMMENT 'classes'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_edu.dws_learner_course_progress_1d (
    learner_id      STRING        COMMENT 'learner',
    course_id       STRING        COMMENT 'course',
    class_id        STRING        COMMENT 'class',
    tutor_id        STRING        COMMENT 'tutor',
    track_code      STRING        COMMENT 'track',
    lesson_cnt      BIGINT        COMMENT 'mandatory lessons',
    done_cnt        BIGINT        COMMENT 'finished lessons',
    done_pct        DECIMAL(18,1) COMMENT 'finished lessons, percent',
    study_minutes   DOUBLE        COMMENT 'minutes studied in 30 days',
    study_days      BIGINT        COMMENT 'days with study',
    last_study_date DATE          COMMENT 'last day with study',
    device_list     STRING        COMMENT 'players used',
    quiz_cnt        BIGINT        COMMENT 'quizzes tried',
    avg_score       DECIMAL(18,1) COMMENT 'mean of the best scores',
    progress_state  STRING        COMMENT 'COMPLETED / NEVER_STARTED / AT_RISK / ON_TRACK'
) COMMENT 'progress per learner and course'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
