-- OEE PER SHIFT: PLANT > LINE > MACHINE
-- Owner    : manufacturing execution data, k.schuster
-- Formula  : availability * performance * quality
-- Changes  : 2023-04-03 open states end with the shift
SET spark.sql.adaptive.enabled=true;

WITH shift AS (
    SELECT
        plant_code,
        shift_code,
        start_time                                      AS shift_start,
        end_time                                        AS shift_end,
        (UNIX_TIMESTAMP(end_time) - UNIX_TIMESTAMP(start_time)) / 60
            - COALESCE(break_minutes,0)                AS shift_minutes
    FROM mfg_dim.dim_shift_calendar_df
    WHERE dt = '${etl_date}'
        AND work_date = '${etl_date}'
        AND is_holiday = FALSE
),

machine AS (
    SELECT
        m.machine_id,
        m.plant_code,
        m.line_code,
        m.ideal_cycle_sec,
        (
            SELECT MAX(t.target_oee)
            FROM mfg_ods.ods_oee_target_df t
            WHERE t.line_code = m.line_code
                AND t.dt = '${etl_date}'
                AND t.target_status = 'RELEASED'
        )                                               AS target_oee
    FROM mfg_dim.dim_machine_df m
    WHERE m.dt = '${etl_date}'
        AND m.plant_code IN (
            SELECT plant_code
            FROM mfg_dim.dim_plant_df
            WHERE dt = '${etl_date}'
                AND is_oee_enabled = TRUE
        )
        AND (m.retire_date IS NULL OR m.retire_date > '${etl_date}')
),

-- machine clock inside the shift
state_slice AS (
    SELECT
        s.machine_id,
        h.shift_code,
        s.state_code,
        GREATEST(UNIX_TIMESTAMP(LEAST(COALESCE(s.end_time, h.shift_end), h.shift_end))
            - UNIX_TIMESTAMP(GREATEST(s.start_time, h.shift_start)),0) / 60 AS minutes
    FROM mfg_dwd.dwd_machine_state_di s
    JOIN machine m
        ON s.machine_id = m.machine_id
    JOIN shift h
        ON m.plant_code = h.plant_code
    WHERE s.dt BETWEEN DATE_SUB('${etl_date}',1) AND '${etl_date}'
        AND s.start_time < h.shift_end
        AND s.state_code != 'UNKNOWN'
),

-- maintenance windows and missing orders
planned_stop AS (
    SELECT machine_id, shift_code, SUM(minutes)         AS planned_minutes
    FROM (
        SELECT machine_id, shift_code, plan_minutes AS minutes
        FROM mfg_ods.ods_maintenance_plan_df
        WHERE dt = '${etl_date}'
            AND plan_date = '${etl_date}'
            AND plan_status IN ('APPROVED', 'DONE')
        UNION ALL
        SELECT machine_id, shift_code, idle_minutes AS minutes
        FROM mfg_ods.ods_no_order_notice_df
        WHERE dt = '${etl_date}'
            AND is_confirmed = TRUE
    ) u
    GROUP BY machine_id, shift_code
),

runtime AS (
    SELECT
        machine_id,
        shift_code,
        SUM(CASE WHEN state_code = 'RUN' THEN minutes ELSE 0 END)   AS run_minutes,
        SUM(CASE WHEN state_code = 'DOWN' THEN minutes ELSE 0 END)  AS down_minutes,
        COUNT(*)                                                    AS state_cnt
    FROM state_slice
    GROUP BY machine_id, shift_code
),

-- corrections replace the first report of a work order
output AS (
    SELECT
        r.machine_id,
        r.shift_code,
        SUM(r.good_qty)                                 AS good_qty,
        SUM(COALESCE(r.good_qty,0) + COALESCE(r.scrap_qty,0) + COALESCE(r.rework_qty,0)) AS total_qty
    FROM (
        SELECT
            p.*,
            ROW_NUMBER() OVER (
                PARTITION BY p.work_order_no, p.machine_id, p.shift_code
                ORDER BY p.report_time DESC, p.report_id DESC
            )                                           AS rn
        FROM mfg_dwd.dwd_production_report_di p
        WHERE p.dt = '${etl_date}'
    ) r
    WHERE r.rn = 1
    GROUP BY r.machine_id, r.shift_code
)

INSERT OVERWRITE TABLE mfg_ads.ads_oee_shift_di PARTITION (dt = '${etl_date}')
SELECT
    z.plant_code,
    COALESCE(z.line_code, 'ALL')                        AS line_code,
    COALESCE(z.machine_id, 'ALL')                       AS machine_id,
    z.machine_cnt,
    z.state_cnt,
    ROUND(z.run_minutes / NULLIF(z.load_minutes,0),4) AS availability,
    ROUND(z.ideal_minutes / NULLIF(z.run_minutes,0),4) AS performance,
    ROUND(z.good_qty / NULLIF(z.total_qty,0),4)       AS quality,
    z.down_minutes,
    CASE
        WHEN z.load_minutes <= 0                        THEN 'NOT_PLANNED'
        WHEN COALESCE(z.total_qty,0) = 0               THEN 'NO_OUTPUT'
        -- availability x performance = ideal / load
        WHEN z.ideal_minutes / z.load_minutes * z.good_qty / z.total_qty >= z.target_oee THEN 'REACHED'
        ELSE 'MISSED'
    END                                                 AS target_state,
    RANK() OVER (
        PARTITION BY z.plant_code
        ORDER BY z.down_minutes DESC, z.line_code, z.machine_id
    )                                                   AS loss_rank
FROM (
    SELECT
        mc.plant_code,
        mc.line_code,
        mc.machine_id,
        COUNT(DISTINCT mc.machine_id)                   AS machine_cnt,
        SUM(rt.state_cnt)                               AS state_cnt,
        SUM(sf.shift_minutes - COALESCE(ps.planned_minutes,0)) AS load_minutes,
        ROUND(SUM(rt.run_minutes),2)                   AS run_minutes,
        ROUND(SUM(COALESCE(rt.down_minutes,0)),2)     AS down_minutes,
        ROUND(SUM(op.total_qty * mc.ideal_cycle_sec) / 60,2) AS ideal_minutes,
        SUM(op.good_qty)                                AS good_qty,
        SUM(op.total_qty)                               AS total_qty,
        MAX(mc.target_oee)                              AS target_oee
    FROM machine mc
    JOIN shift sf
        ON mc.plant_code = sf.plant_code
    LEFT JOIN runtime rt
        ON mc.machine_id = rt.machine_id
        AND sf.shift_code = rt.shift_code
    LEFT JOIN planned_stop ps
        ON mc.machine_id = ps.machine_id
        AND sf.shift_code = ps.shift_code
    LEFT JOIN output op
        ON mc.machine_id = op.machine_id
        AND sf.shift_code = op.shift_code
    GROUP BY mc.plant_code, mc.line_code, mc.machine_id WITH ROLLUP
) z
WHERE z.plant_code IS NOT NULL;
