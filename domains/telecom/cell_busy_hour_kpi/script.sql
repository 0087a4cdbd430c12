/* ---------------------------------------------------------------------------
 * Job      : dws_net.dws_cell_busy_hour_1d
 * Owner    : ran-optimisation
 * Purpose  : busy hour, load and drop rate per cell (worst-cell list)
 * History  : 2022-06-14 LTE only
 *            2023-04-03 NR added, same formulas
 *            2023-11-20 planned work excluded
 * ------------------------------------------------------------------------- */
WITH pm_union AS (
    SELECT  '4G' AS rat,
            cell_id,
            stat_hour,
            rrc_att,
            rrc_succ,
            bearer_setup,
            bearer_drop,
            total_bytes,
            prb_used_pct,
            load_time,
            batch_id,
            dt
    FROM    ods_oss.ods_pm_lte_hour_di
    WHERE   dt BETWEEN DATE_SUB('${bizdate}', 1) AND '${bizdate}'
    AND     rrc_att > 0
    UNION ALL
    SELECT  '5G' AS rat,
            nr_cell_id AS cell_id,
            stat_hour,
            rrc_att,
            rrc_succ,
            bearer_setup,
            bearer_drop,
            total_bytes,
            prb_used_pct,
            load_time,
            batch_id,
            dt
    FROM    ods_oss.ods_pm_nr_hour_di
    WHERE   dt BETWEEN DATE_SUB('${bizdate}', 1) AND '${bizdate}'
    AND     rrc_att > 0
),
pm_clean AS (
    -- the OSS resends hours: last load wins
    SELECT  p.*
    FROM    (
                SELECT  u.*,
                        ROW_NUMBER() OVER (
                            PARTITION BY u.rat, u.cell_id, u.dt, u.stat_hour
                            ORDER BY u.load_time DESC, u.batch_id DESC
                        ) AS rn
                FROM    pm_union u
            ) p
    WHERE   p.rn = 1
    AND     NOT EXISTS (
                SELECT  1
                FROM    dim_net.dim_planned_work_df w
                WHERE   w.cell_id = p.cell_id
                AND     w.work_date = p.dt
                AND     w.work_hour = p.stat_hour
                AND     w.status = 'APPROVED'
            )
),
cell_hour AS (
    -- three-hour smoothing hides single bursts
    SELECT  c.*,
            ROUND(AVG(c.prb_used_pct) OVER (
                PARTITION BY c.rat, c.cell_id, c.dt
                ORDER BY c.stat_hour
                ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING
            ), 2) AS prb_smooth,
            ROW_NUMBER() OVER (
                PARTITION BY c.rat, c.cell_id, c.dt
                ORDER BY c.total_bytes DESC, c.stat_hour
            ) AS busy_rn
    FROM    pm_clean c
),
cell_day AS (
    SELECT  rat,
            cell_id,
            dt,
            COUNT(1)                                             AS hour_cnt,
            COALESCE(SUM(total_bytes), 0)                                   AS day_bytes,
            SUM(COALESCE(rrc_succ, 0)) * 100.0
                / NULLIF(SUM(rrc_att), 0)      AS access_pct,
            SUM(COALESCE(bearer_drop, 0)) * 100.0
                / NULLIF(SUM(bearer_setup), 0) AS drop_pct,
            MAX(CASE WHEN busy_rn = 1 THEN stat_hour END)        AS busy_hour,
            MAX(CASE WHEN busy_rn = 1 THEN prb_used_pct END)     AS busy_prb,
            SUM(CASE WHEN prb_smooth >= 70 THEN 1 ELSE 0 END)    AS hot_hours
    FROM    cell_hour
    GROUP BY rat,
            cell_id,
            dt
),
cell_trend AS (
    SELECT  d.*,   -- two days only, LAG = yesterday
            LAG(d.drop_pct) OVER (PARTITION BY d.rat, d.cell_id ORDER BY d.dt) AS prev_drop_pct
    FROM    cell_day d
),
cell_tag AS (
    SELECT  c.cell_id,
            CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(TRIM(t.tag)))) AS scene_list,
            MAX(IF(TRIM(t.tag) IN ('vip', 'hospital'), 1, 0))    AS is_key_scene
    FROM    dim_net.dim_cell_df c
    LATERAL VIEW EXPLODE(SPLIT(c.scene_tags, ',')) t AS tag
    WHERE   c.dt = '${bizdate}'
    GROUP BY c.cell_id
),
alarm_agg AS (
    -- open, or cleared during the day
    SELECT  cell_id,
            COUNT(*) AS alarm_cnt,
            SUM(CASE WHEN severity IN ('CRITICAL', 'MAJOR') THEN 1 ELSE 0 END) AS severe_cnt
    FROM    dwd_net.dwd_cell_alarm_di
    WHERE   dt = '${bizdate}'
    AND     (clear_time IS NULL OR SUBSTR(clear_time, 1, 10) >= '${bizdate}')
    GROUP BY cell_id
)
INSERT OVERWRITE TABLE dws_net.dws_cell_busy_hour_1d PARTITION (dt = '${bizdate}')
SELECT  k.rat,
        k.cell_id,
        c.cell_name,
        COALESCE(c.city_id, -1)                          AS city_id,
        k.busy_hour,
        k.busy_prb,
        k.hot_hours,
        ROUND(k.day_bytes / 1073741824.0, 3)             AS day_gb,
        ROUND(k.access_pct, 2) AS access_pct,
        ROUND(k.drop_pct, 2) AS drop_pct,
        ROUND(k.drop_pct - k.prev_drop_pct, 2)           AS drop_pct_diff,
        COALESCE(t.scene_list, '')                       AS scene_list,
        COALESCE(a.alarm_cnt, 0)                         AS alarm_cnt,
        CASE
            WHEN COALESCE(a.severe_cnt, 0) > 0           THEN 'FAULT'
            WHEN k.busy_prb >= 80 AND k.hot_hours >= 3   THEN 'CONGESTED'
            WHEN k.drop_pct > 2.0
                 AND k.drop_pct > k.prev_drop_pct        THEN 'DEGRADED'
            WHEN k.hour_cnt < 12                         THEN 'INCOMPLETE'
            ELSE 'NORMAL'
        END                                              AS cell_state,
        COALESCE(t.is_key_scene, 0)                      AS is_key_scene
FROM    cell_trend k
INNER JOIN dim_net.dim_cell_df c
ON      k.cell_id = c.cell_id
AND     k.rat = c.rat
AND     c.dt = '${bizdate}'
AND     c.retire_date IS NULL
LEFT JOIN cell_tag t
ON      k.cell_id = t.cell_id
LEFT OUTER JOIN alarm_agg a
ON      k.cell_id = a.cell_id
WHERE   k.dt = '${bizdate}'
DISTRIBUTE BY city_id
SORT BY city_id, cell_id, rat
;
