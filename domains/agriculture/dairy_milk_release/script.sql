-- dairy_milk_release.sql
-- ---------------------------------------------------------------
-- Daily milk of each cow and what the dairy may collect.
-- Two targets are written from one pass over the cow rows:
--   a) dws_cow_milk_1d       one row per cow (herd software)
--   b) ads_milk_collect_1d   farm x breed cube (collection planning)
-- Contact: herd-data@, K. Brandsma
-- v1 2019-09-12 | v2 2021-03-30 robots | v3 2023-01-09 withdrawal days
-- ---------------------------------------------------------------
FROM (
    SELECT
        h.farm_id,
        h.cow_id,
        h.breed,
        h.milk_kg,
        h.milking_cnt,
        h.avg_fat_pct,
        h.top_cell_count,
        h.quarter_flags,
        COALESCE(y.avg_kg, 0)                        AS prev_avg_kg,
        COALESCE(f.feed_kg, 0)                       AS feed_kg,
        COALESCE(f.feed_cost, 0)                     AS feed_cost,
        v.free_date,
        -- milk inside the withdrawal days is poured away
        CASE
            WHEN v.free_date > '${yyyy-mm-dd}' THEN 'WITHHELD'
            WHEN h.top_cell_count >= 400 THEN 'CHECK'
            ELSE 'RELEASED'
        END                                          AS milk_state
    FROM (
        SELECT
            m.farm_id,
            m.cow_id,
            MAX(c.breed)                             AS breed,
            COALESCE(SUM(m.milk_kg), 0)              AS milk_kg,
            COUNT(*)                                 AS milking_cnt,
            ROUND(AVG(COALESCE(m.fat_pct, 0)), 2)    AS avg_fat_pct,
            -- cell counts come as text (thousand per ml)
            MAX(CAST(m.cell_count AS INT))           AS top_cell_count,
            CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(m.quarter_flag))) AS quarter_flags
        FROM (
            -- milking parlour, typed in or scanned by the milker
            SELECT
                p.farm_id,
                p.cow_id,
                p.milk_kg,
                p.fat_pct,
                p.cell_count,
                p.quarter_flag
            FROM dwd_herd.dwd_parlour_milking_di p
            WHERE p.dt = '${yyyy-mm-dd}'
              AND NOT COALESCE(p.is_voided, FALSE)
            UNION ALL
            -- milking robots, the last message of a milking counts
            SELECT
                r.farm_id,
                r.cow_id,
                r.milk_kg,
                r.fat_pct,
                r.cell_count,
                r.quarter_flag
            FROM (
                SELECT
                    b.farm_id,
                    b.animal_id                      AS cow_id,
                    b.yield_kg                       AS milk_kg,
                    b.fat_pct,
                    b.cell_count,
                    b.quarter_flag,
                    ROW_NUMBER() OVER (
                        PARTITION BY b.milking_id
                        ORDER BY CAST(b.seq_no AS INT) DESC, b.message_id
                    )                                AS rn
                FROM ods_herd.ods_robot_milking_di b
                WHERE b.dt = '${yyyy-mm-dd}'
            ) r
            WHERE r.rn = 1
        ) m
        INNER JOIN dim_herd.dim_cow_df c
            ON m.cow_id = c.cow_id
           AND m.farm_id = c.farm_id
           AND c.dt = '${yyyy-mm-dd}'
        -- cows sold or slaughtered keep sending from a worn collar
        LEFT ANTI JOIN ods_herd.ods_cow_exit_df x
            ON m.cow_id = x.cow_id
           AND x.dt = '${yyyy-mm-dd}'
           AND x.exit_date < '${yyyy-mm-dd}'
        GROUP BY
            m.farm_id,
            m.cow_id
    ) h
    LEFT OUTER JOIN (
        -- mean of the seven days before
        SELECT
            w.cow_id,
            ROUND(AVG(COALESCE(w.day_kg, 0)), 2)     AS avg_kg
        FROM dws_herd.dws_cow_yield_hist_di w
        WHERE w.dt BETWEEN DATE_SUB('${yyyy-mm-dd}', 7) AND DATE_SUB('${yyyy-mm-dd}', 1)
        GROUP BY w.cow_id
    ) y
        ON h.cow_id = y.cow_id
    LEFT OUTER JOIN (
        -- feed boxes report a map: feed type -> kilograms
        SELECT
            k.cow_id,
            SUM(CAST(k.feed_kg AS DECIMAL(18,2)))    AS feed_kg,
            ROUND(SUM(CAST(k.feed_kg AS DECIMAL(18,2)) * COALESCE(q.price_kg, 0)), 2) AS feed_cost
        FROM (
            SELECT
                d.cow_id,
                e.feed_type,
                e.feed_kg
            FROM ods_herd.ods_feed_box_di d
            LATERAL VIEW EXPLODE(d.feed_map) e AS feed_type, feed_kg
            WHERE d.dt = '${yyyy-mm-dd}'
        ) k
        LEFT OUTER JOIN dim_herd.dim_feed_price_df q
            ON k.feed_type = q.feed_type
           AND q.dt = '${yyyy-mm-dd}'
        GROUP BY k.cow_id
    ) f
        ON h.cow_id = f.cow_id
    LEFT OUTER JOIN (
        -- first day on which milk is free again
        SELECT
            t.cow_id,
            MAX(DATE_ADD(CAST(t.treat_time AS DATE), t.withdraw_days)) AS free_date
        FROM dwd_herd.dwd_vet_treatment_di t
        WHERE t.dt BETWEEN DATE_SUB('${yyyy-mm-dd}', 30) AND '${yyyy-mm-dd}'
          AND t.withdraw_days IS NOT NULL
        GROUP BY t.cow_id
    ) v
        ON h.cow_id = v.cow_id
) z

INSERT OVERWRITE TABLE dws_herd.dws_cow_milk_1d PARTITION (dt = '${yyyy-mm-dd}')
SELECT
    z.farm_id,
    z.cow_id,
    z.breed,
    z.milk_kg,
    z.milking_cnt,
    z.avg_fat_pct,
    z.top_cell_count,
    z.quarter_flags,
    z.milk_kg - z.prev_avg_kg                        AS diff_kg,
    z.feed_kg,
    z.free_date,
    z.milk_state,
    DENSE_RANK() OVER (PARTITION BY z.farm_id ORDER BY z.milk_kg DESC) AS farm_rank

INSERT OVERWRITE TABLE ads_herd.ads_milk_collect_1d PARTITION (dt = '${yyyy-mm-dd}')
SELECT
    COALESCE(z.farm_id, 'ALL')                       AS farm_id,
    COALESCE(z.breed, 'ALL')                         AS breed,
    COUNT(*)                                         AS cow_cnt,
    SUM(z.milk_kg)                                   AS milk_kg,
    SUM(CASE WHEN z.milk_state <> 'WITHHELD' THEN z.milk_kg ELSE 0 END) AS collect_kg,
    SUM(CASE WHEN z.milk_state = 'CHECK' THEN 1 ELSE 0 END) AS check_cnt,
    ROUND(SUM(z.feed_cost) / NULLIF(SUM(z.milk_kg), 0), 2)  AS feed_cost_per_kg
GROUP BY z.farm_id, z.breed WITH CUBE
;
