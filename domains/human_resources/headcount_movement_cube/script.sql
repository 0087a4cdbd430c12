/* =====================================================================
   People analytics : staff movements and headcount cube
   Owner            : people-analytics@  (B. Okonkwo)
   Step 1  dwd_people.dwd_staff_movement_di   who came, left, moved, was promoted
   Step 2  ads_people.ads_headcount_cube_1d   cube over unit / job family / contract
   Change log
     2022-11-03  BO  first release
     2023-08-21  LM  rehired staff is a hire again
     2024-01-15  BO  critical skills column
   ===================================================================== */
SET spark.sql.shuffle.partitions=64;

WITH cur AS (
    SELECT
        staff_id,
        unit_code,
        job_family,
        grade,
        manager_id,
        contract_type,
        hire_date
    FROM dwd_people.dwd_staff_snapshot_df
    WHERE dt = '${DATE}'
      AND staff_status = 'ACTIVE'
      AND contract_type NOT IN ('AGENCY', 'BOARD')      -- not on our payroll
),
prev AS (
    SELECT
        staff_id,
        unit_code,
        job_family,
        grade,
        manager_id,
        contract_type,
        hire_date
    FROM dwd_people.dwd_staff_snapshot_df
    WHERE dt = '${DATE-1}'
      AND staff_status = 'ACTIVE'
      AND contract_type NOT IN ('AGENCY', 'BOARD')
),
diff AS (
    SELECT
        COALESCE(c.staff_id, p.staff_id) AS staff_id,
        p.unit_code AS from_unit,
        c.unit_code AS to_unit,
        COALESCE(c.job_family, p.job_family) AS job_family,
        COALESCE(c.contract_type, p.contract_type) AS contract_type,
        CASE
            WHEN p.staff_id IS NULL THEN 'HIRE'
            WHEN c.staff_id IS NULL THEN 'LEAVE'
            WHEN NOT (c.unit_code <=> p.unit_code) THEN 'TRANSFER'
            WHEN CAST(c.grade AS INT) > CAST(p.grade AS INT) THEN 'PROMOTION'
            WHEN NOT (c.manager_id <=> p.manager_id) THEN 'NEW_MANAGER'
            ELSE 'NONE'
        END AS move_type
    FROM cur c
    FULL OUTER JOIN prev p
        ON  c.staff_id = p.staff_id
        AND c.hire_date = p.hire_date                   -- a new hire date is a new employment
)
INSERT OVERWRITE TABLE dwd_people.dwd_staff_movement_di PARTITION (dt='${DATE}')
SELECT
    d.staff_id,
    d.move_type,
    d.from_unit,
    d.to_unit,
    d.job_family,
    d.contract_type,
    CASE
        WHEN d.move_type <> 'LEAVE' THEN '-'
        WHEN t.reason_code IN ('RESIGN', 'NO_SHOW') THEN 'VOLUNTARY'
        WHEN t.reason_code IS NULL THEN 'UNKNOWN'
        ELSE 'INVOLUNTARY'
    END AS leave_class
FROM diff d
LEFT JOIN (
    SELECT
        f.staff_id,
        UPPER(TRIM(f.reason_code)) AS reason_code,
        ROW_NUMBER() OVER (PARTITION BY f.staff_id ORDER BY f.signed_time DESC, f.form_id) AS rn
    FROM ods_people.ods_exit_form_di f
    WHERE f.dt BETWEEN DATE_SUB('${DATE}', 29) AND '${DATE}'
) t
    ON  d.staff_id = t.staff_id
    AND t.rn = 1
WHERE d.move_type != 'NONE'
;

WITH skill AS (
    -- critical skills; the profile holds them in mixed case
    SELECT
        e.staff_id,
        COUNT(DISTINCT s.skill) AS critical_cnt
    FROM dwd_people.dwd_staff_profile_df e
    LATERAL VIEW EXPLODE(TRANSFORM(e.skills, x -> LOWER(x))) s AS skill
    WHERE e.dt = '${DATE}'
      AND s.skill IN (
          SELECT k.skill_name
          FROM dim_people.dim_critical_skill_df k
          WHERE k.dt = '${DATE}'
            AND (k.end_date IS NULL OR k.end_date >= '${DATE}')
      )
    GROUP BY e.staff_id
),
fact AS (
    SELECT
        h.unit_code,
        h.job_family,
        h.contract_type,
        1 AS head,
        CAST(h.fte AS DECIMAL(18,2)) AS fte,
        0 AS hire,
        0 AS leave_all,
        0 AS leave_own,
        IF(k.critical_cnt > 0, 1, 0) AS critical_head
    FROM dwd_people.dwd_staff_snapshot_df h
    LEFT JOIN skill k
        ON h.staff_id = k.staff_id
    WHERE h.dt = '${DATE}'
      AND h.staff_status = 'ACTIVE'
      AND h.contract_type NOT IN ('AGENCY', 'BOARD')
    UNION ALL
    SELECT
        COALESCE(m.to_unit, m.from_unit) AS unit_code,
        m.job_family,
        m.contract_type,
        0 AS head,
        0 AS fte,
        IF(m.move_type = 'HIRE', 1, 0) AS hire,
        IF(m.move_type = 'LEAVE', 1, 0) AS leave_all,
        IF(m.leave_class = 'VOLUNTARY', 1, 0) AS leave_own,
        0 AS critical_head
    FROM dwd_people.dwd_staff_movement_di m
    WHERE m.dt = '${DATE}'
)
INSERT OVERWRITE TABLE ads_people.ads_headcount_cube_1d PARTITION (dt='${DATE}')
SELECT
    IF(GROUPING(f.unit_code) = 1, 'ALL', f.unit_code) AS unit_code,
    IF(GROUPING(f.job_family) = 1, 'ALL', f.job_family) AS job_family,
    IF(GROUPING(f.contract_type) = 1, 'ALL', f.contract_type) AS contract_type,
    SUM(f.head) AS headcount,
    SUM(f.fte) AS fte,
    SUM(f.hire) AS hire_cnt,
    SUM(f.leave_all) AS leave_cnt,
    SUM(f.leave_own) AS leave_own_cnt,
    SUM(f.critical_head) AS critical_cnt,
    ROUND(SUM(f.leave_own) * 100.0 / NULLIF(SUM(f.head) + SUM(f.leave_all), 0), 2) AS leave_own_pct
FROM fact f
WHERE f.unit_code IS NOT NULL
GROUP BY
    f.unit_code,
    f.job_family,
    f.contract_type
WITH CUBE
HAVING SUM(f.head) + SUM(f.hire) + SUM(f.leave_all) > 0
;
