/*
   ads_grid.ads_feeder_line_loss_1d
   author  : grid operation analytics
   purpose : line loss of the last seven days per feeder, substation and voltage level
   note    : meters are read late, so a single day is useless; window ${DATE-6} .. ${DATE}
   2022-08-30  created
   2023-05-16  load transfers between feeders
*/
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT OVERWRITE TABLE ads_grid.ads_feeder_line_loss_1d PARTITION (dt='${DATE}', volt_level)
SELECT z.grain
      ,z.station_id
      ,z.feeder_id
      ,z.feeder_cnt
      ,z.supply_kwh
      ,z.sold_kwh
      ,z.supply_kwh - z.sold_kwh              AS loss_kwh
      ,ROUND((z.supply_kwh - z.sold_kwh) * 100.0
           / NULLIF(z.supply_kwh, 0), 2)      AS loss_pct
      ,CASE WHEN z.supply_kwh <= 0                   THEN 'NO_SUPPLY'
            WHEN z.sold_kwh > z.supply_kwh           THEN 'NEGATIVE'
            WHEN z.sold_kwh < z.supply_kwh * 0.90    THEN 'HIGH'
            ELSE 'OK'
       END                                    AS loss_class
      ,NVL(i.cause_list, '-')                 AS cause_list
      ,z.volt_level
FROM (
    SELECT CASE WHEN GROUPING(y.feeder_id) = 0  THEN 'FEEDER'
                WHEN GROUPING(y.station_id) = 0 THEN 'STATION'
                ELSE 'LEVEL'
           END               AS grain
          ,y.volt_level
          ,y.station_id
          ,y.feeder_id
          ,COUNT(1)          AS feeder_cnt
          ,SUM(y.supply_kwh) AS supply_kwh
          ,SUM(y.sold_kwh)   AS sold_kwh
    FROM (
        -- one row per feeder
        SELECT d.volt_level
              ,d.station_id
              ,d.feeder_id
              ,SUM(x.supply_kwh) AS supply_kwh
              ,SUM(x.sold_kwh)   AS sold_kwh
        FROM (
            SELECT COALESCE(s.feeder_id, a.feeder_id) AS feeder_id
                  ,COALESCE(s.stat_date, a.stat_date) AS stat_date
                  ,NVL(s.supply_kwh, 0)               AS supply_kwh
                  ,NVL(a.sold_kwh, 0)                 AS sold_kwh
            FROM (
                SELECT u.feeder_id
                      ,u.stat_date
                      ,SUM(u.kwh) AS supply_kwh
                FROM (
                    -- outgoing gateway meters; reversed flow counts against supply
                    SELECT g.feeder_id
                          ,g.stat_date
                          ,CASE WHEN g.direction = 'REV' THEN 0 - g.kwh ELSE g.kwh END AS kwh
                    FROM (
                        SELECT feeder_id
                              ,direction
                              ,dt AS stat_date
                              ,CAST(ratio AS DECIMAL(18,2)) * kwh AS kwh
                              ,ROW_NUMBER() OVER (PARTITION BY gate_id, direction, dt
                                                  ORDER BY upload_time DESC, seq_no DESC) AS rn
                        FROM dwd_scada.dwd_gateway_energy_di
                        WHERE dt BETWEEN '${DATE-6}' AND '${DATE}'
                          AND quality <> 'BAD'
                    ) g
                    WHERE g.rn = 1
                    UNION ALL
                    -- load taken over from another feeder
                    SELECT m.to_feeder AS feeder_id
                          ,t.dt AS stat_date
                          ,CAST(m.moved_kwh AS DECIMAL(18,2)) AS kwh
                    FROM dwd_grid.dwd_load_transfer_di t
                    LATERAL VIEW EXPLODE(t.transfer_map) m AS to_feeder, moved_kwh
                    WHERE t.dt BETWEEN '${DATE-6}' AND '${DATE}'
                      AND t.order_status = 'DONE'
                    UNION ALL
                    -- and the same load leaves the feeder it came from
                    SELECT t.from_feeder AS feeder_id
                          ,t.dt AS stat_date
                          ,0 - CAST(m.moved_kwh AS DECIMAL(18,2)) AS kwh
                    FROM dwd_grid.dwd_load_transfer_di t
                    LATERAL VIEW EXPLODE(t.transfer_map) m AS to_feeder, moved_kwh
                    WHERE t.dt BETWEEN '${DATE-6}' AND '${DATE}'
                      AND t.order_status = 'DONE'
                ) u
                GROUP BY u.feeder_id
                        ,u.stat_date
            ) s
            FULL OUTER JOIN (
                SELECT feeder_id
                      ,dt AS stat_date
                      ,SUM(COALESCE(kwh, est_kwh, 0)) AS sold_kwh
                FROM dws_amr.dws_meter_energy_1d
                WHERE dt BETWEEN '${DATE-6}' AND '${DATE}'
                  AND feeder_id IS NOT NULL
                GROUP BY feeder_id
                        ,dt
            ) a
            ON  s.feeder_id = a.feeder_id
            AND s.stat_date = a.stat_date
        ) x
        INNER JOIN dim_grid.dim_feeder_df d
        ON  x.feeder_id = d.feeder_id
        AND d.dt = '${DATE}'
        AND d.run_status NOT IN ('PLANNED', 'RETIRED')
        GROUP BY d.volt_level
                ,d.station_id
                ,d.feeder_id
        HAVING SUM(x.supply_kwh) <> 0
            OR SUM(x.sold_kwh) <> 0
    ) y
    GROUP BY y.volt_level
            ,y.station_id
            ,y.feeder_id
    GROUPING SETS (
        (y.volt_level, y.station_id, y.feeder_id)
       ,(y.volt_level, y.station_id)
       ,(y.volt_level)
    )
) z
LEFT JOIN (
    -- what the patrols found; several causes per visit
    SELECT p.feeder_id
          ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(UPPER(c.cause)))) AS cause_list
    FROM dwd_grid.dwd_patrol_di p
    LATERAL VIEW EXPLODE(SPLIT(p.cause_codes, ',')) c AS cause
    WHERE p.dt BETWEEN '${DATE-6}' AND '${DATE}'
      AND c.cause <> ''
      AND EXISTS (
          SELECT 1
          FROM dim_grid.dim_crew_df w
          WHERE w.dt = '${DATE}'
            AND w.crew_id = p.crew_id
            AND w.is_certified = TRUE
      )
    GROUP BY p.feeder_id
) i
ON  z.feeder_id = i.feeder_id
AND z.grain = 'FEEDER'
;
