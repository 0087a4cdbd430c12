-- =====================================================================
-- TABLE   : dws_edu.dws_learner_course_progress_1d
-- OWNER   : learning-data (k.osei)
-- PURPOSE : learner progress per running course, for the tutor cockpit
-- HISTORY : 2022-02-28 app log added
--           2023-05-11 mandatory lessons by track
-- =====================================================================
WITH enrolment AS (
    -- newest enrolment wins
    SELECT
        t.learner_id,
        t.course_id,
        t.class_id,
        t.track_code,
        t.start_date,
        t.pay_status
    FROM (
        SELECT
            e.learner_id,
            e.course_id,
            e.class_id,
            UPPER(COALESCE(e.track_code, 'std')) AS track_code,
            e.start_date,
            e.pay_status,
            ROW_NUMBER() OVER (
                PARTITION BY e.learner_id, e.course_id
                ORDER BY e.update_time DESC, e.enrol_id DESC
            ) AS rn
        FROM dwd_edu.dwd_enrolment_df e
        WHERE e.dt = '${bizdate}'
            AND (e.end_date IS NULL OR e.end_date >= '${bizdate}')
    ) t
    WHERE t.rn = 1
        AND t.pay_status NOT IN ('REFUNDED', 'UNPAID')
),

-- the track list says for whom a lesson is mandatory
lesson AS (
    SELECT
        l.course_id,
        l.lesson_id,
        TRIM(x.track_code) AS track_code
    FROM dim_edu.dim_lesson_df l
    LATERAL VIEW EXPLODE(SPLIT(l.track_codes, ',')) x AS track_code
    WHERE l.dt = '${bizdate}'
        AND l.is_published = 1
),

lesson_total AS (
    SELECT
        course_id,
        track_code,
        COUNT(DISTINCT lesson_id) AS lesson_cnt
    FROM lesson
    GROUP BY
        course_id,
        track_code
),

-- both players, 30 days
play AS (
    SELECT
        w.learner_id,
        w.lesson_id,
        'WEB' AS device,
        w.play_seconds,
        w.is_finished,
        TO_DATE(w.leave_time) AS play_date
    FROM dwd_edu.dwd_web_play_di w
    WHERE w.dt BETWEEN DATE_SUB('${bizdate}', 29) AND '${bizdate}'
        AND w.play_seconds > 0
    UNION ALL
    SELECT
        a.learner_id,
        a.lesson_id,
        'APP' AS device,
        CAST(j.seconds AS INT) AS play_seconds,
        IF(j.finished = 'true', 1, 0) AS is_finished,
        TO_DATE(a.report_time) AS play_date
    FROM ods_edu.ods_app_play_log_di a
    LATERAL VIEW JSON_TUPLE(a.payload, 'seconds', 'finished') j AS seconds, finished
    WHERE a.dt BETWEEN DATE_SUB('${bizdate}', 29) AND '${bizdate}'
        AND j.seconds IS NOT NULL
),

study AS (
    SELECT
        e.learner_id,
        e.course_id,
        COUNT(DISTINCT CASE WHEN p.is_finished = 1 THEN p.lesson_id END) AS done_cnt,
        ROUND(SUM(COALESCE(p.play_seconds, 0)) / 60, 1) AS study_minutes,
        COUNT(DISTINCT p.play_date) AS study_days,
        MAX(p.play_date) AS last_study_date,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(p.device))) AS device_list
    FROM enrolment e
    INNER JOIN lesson l
        ON e.course_id = l.course_id
        AND e.track_code = l.track_code
    LEFT JOIN play p
        ON e.learner_id = p.learner_id
        AND l.lesson_id = p.lesson_id
        AND p.play_date >= e.start_date    -- trial lessons do not count
    GROUP BY
        e.learner_id,
        e.course_id
),

-- best attempt per quiz
quiz AS (
    SELECT
        q.learner_id,
        q.course_id,
        COUNT(*) AS quiz_cnt,
        SUM(CASE WHEN q.score >= q.pass_score THEN 1 ELSE 0 END) AS pass_cnt,
        ROUND(AVG(COALESCE(q.score, 0)), 1) AS avg_score
    FROM (
        SELECT
            learner_id,
            course_id,
            score,
            pass_score,
            ROW_NUMBER() OVER (
                PARTITION BY learner_id, course_id, quiz_id
                ORDER BY score DESC, attempt_id
            ) AS best_no
        FROM dwd_edu.dwd_quiz_attempt_df
        WHERE dt = '${bizdate}'
            AND attempt_state <> 'VOID'
    ) q
    WHERE q.best_no = 1
    GROUP BY q.learner_id, q.course_id
)

INSERT OVERWRITE TABLE dws_edu.dws_learner_course_progress_1d PARTITION (dt = '${bizdate}')
SELECT
    e.learner_id,
    e.course_id,
    e.class_id,
    COALESCE(c.tutor_id, 'unassigned') AS tutor_id,
    e.track_code,
    t.lesson_cnt,
    COALESCE(s.done_cnt, 0) AS done_cnt,
    ROUND(COALESCE(s.done_cnt, 0) * 100.0 / NULLIF(t.lesson_cnt, 0), 1) AS done_pct,
    COALESCE(s.study_minutes, 0) AS study_minutes,
    COALESCE(s.study_days, 0) AS study_days,
    s.last_study_date,
    COALESCE(s.device_list, '') AS device_list,
    COALESCE(q.quiz_cnt, 0) AS quiz_cnt,
    q.avg_score,
    CASE
        WHEN s.done_cnt >= t.lesson_cnt AND COALESCE(q.pass_cnt, 0) = COALESCE(q.quiz_cnt, 0) THEN 'COMPLETED'
        WHEN s.last_study_date IS NULL AND DATEDIFF('${bizdate}', e.start_date) > 7 THEN 'NEVER_STARTED'
        WHEN DATEDIFF('${bizdate}', s.last_study_date) > 10 OR q.avg_score < 50 THEN 'AT_RISK'
        ELSE 'ON_TRACK'
    END AS progress_state
FROM enrolment e
LEFT JOIN lesson_total t
    ON e.course_id = t.course_id
    AND e.track_code = t.track_code
LEFT JOIN study s
    ON e.learner_id = s.learner_id
    AND e.course_id = s.course_id
LEFT JOIN quiz q
    ON e.learner_id = q.learner_id
    AND e.course_id = q.course_id
LEFT JOIN dim_edu.dim_class_df c
    ON e.class_id = c.class_id
    AND c.dt = '${bizdate}'
    AND c.class_status = 'RUNNING';
