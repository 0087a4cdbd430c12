-- ============================================================
-- FLOW    : meter_hourly_tou_bill
-- OWNER   : AMR data team
-- CONTENT : 1) hourly curve -> validated and estimated hours
--           2) time-of-use energy and fee per meter
--           3) area / tariff summary with sub-totals
-- CHANGED : 2023-02-17 blank hours are estimated
--           2023-09-05 price comes from the period table
-- ============================================================
SET hive.exec.parallel=true;
SET hive.groupby.skewindata=false;

-- 1) validation and estimation ------------------------------
INSERT OVERWRITE TABLE dwd_amr.dwd_meter_hour_di PARTITION (dt = '${hiveconf:dt}')
SELECT
    v.meter_id,
    v.cust_id,
    v.area_id,
    v.tariff_code,
    v.hour_no,
    ROUND(v.ratio * COALESCE(v.kwh_raw, v.kwh_prev, 0), 3) AS kwh,
    CASE
        WHEN v.kwh_raw IS NOT NULL  THEN 'M'   -- measured
        WHEN v.kwh_prev IS NOT NULL THEN 'E'   -- estimated
        ELSE 'Z'
    END AS quality_flag
FROM (
    SELECT
        x.meter_id,
        x.cust_id,
        x.area_id,
        x.tariff_code,
        x.ratio,
        x.hour_no,
        x.kwh_raw,
        LAG(x.kwh_raw) OVER (
            PARTITION BY x.meter_id
            ORDER BY x.hour_no
        ) AS kwh_prev
    FROM (
        SELECT
            c.meter_id,
            m.cust_id,
            m.area_id,
            m.tariff_code,
            m.ratio,
            r.hour_no,
            -- meters write FFFF or blank for a lost hour
            CASE
                WHEN TRIM(r.raw) RLIKE '^[0-9.]+$'
                THEN CAST(TRIM(r.raw) AS DECIMAL(18,3))
            END AS kwh_raw
        FROM (
            SELECT
                meter_id,
                readings,
                ROW_NUMBER() OVER (
                    PARTITION BY meter_id
                    ORDER BY collect_time DESC, frame_no DESC
                ) AS rn
            FROM ods_amr.ods_meter_curve_di
            WHERE dt = '${hiveconf:dt}'
              AND curve_type = 'KWH_H'
              AND readings IS NOT NULL
        ) c
        INNER JOIN dim_amr.dim_meter_df m
            ON  c.meter_id = m.meter_id
            AND m.dt = '${hiveconf:dt}'
            AND m.install_date <= '${hiveconf:dt}'
            AND (m.remove_date IS NULL OR m.remove_date > '${hiveconf:dt}')
        LATERAL VIEW POSEXPLODE(SPLIT(c.readings, ',')) r AS hour_no, raw
        WHERE c.rn = 1
          AND r.hour_no < 24
    ) x
) v
;

-- 2) time-of-use energy and fee per meter -------------------
INSERT OVERWRITE TABLE dws_amr.dws_meter_tou_1d PARTITION (dt = '${hiveconf:dt}')
SELECT
    h.meter_id,
    h.cust_id,
    h.area_id,
    h.tariff_code,
    COALESCE(SUM(h.kwh), 0) AS total_kwh,
    SUM(CASE WHEN p.period_type = 'PEAK' THEN h.kwh ELSE 0 END)   AS peak_kwh,
    SUM(CASE WHEN p.period_type = 'VALLEY' THEN h.kwh ELSE 0 END) AS valley_kwh,
    SUM(CASE WHEN p.period_type IN ('PEAK', 'VALLEY') THEN 0 ELSE h.kwh END) AS flat_kwh,
    ROUND(SUM(h.kwh * COALESCE(p.price, b.base_price, 0)), 2) AS fee_amt,
    SUM(IF(h.quality_flag = 'M', 0, 1)) AS estimated_hours,
    COALESCE(MAX(e.event_list), '') AS event_list
FROM dwd_amr.dwd_meter_hour_di h
LEFT JOIN dim_amr.dim_tou_period_df p
    ON  h.tariff_code = p.tariff_code
    AND h.hour_no = p.hour_no
    AND p.dt = '${hiveconf:dt}'
LEFT JOIN (
    SELECT
        tariff_code,
        MAX(base_price) AS base_price
    FROM dim_amr.dim_tariff_df
    WHERE dt = '${hiveconf:dt}'
      AND valid_from <= '${hiveconf:dt}'
    GROUP BY tariff_code
) b
    ON h.tariff_code = b.tariff_code
LEFT JOIN (
    -- cover-open and magnet events: field check before billing
    SELECT
        v.meter_id,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(k.code))) AS event_list
    FROM ods_amr.ods_meter_event_di v
    LATERAL VIEW EXPLODE(v.event_codes) k AS code
    WHERE v.dt = '${hiveconf:dt}'
      AND k.code NOT IN ('CLOCK_SYNC', 'POWER_UP')
    GROUP BY v.meter_id
) e
    ON h.meter_id = e.meter_id
WHERE h.dt = '${hiveconf:dt}'
GROUP BY
    h.meter_id,
    h.cust_id,
    h.area_id,
    h.tariff_code
;

-- 3) area and tariff summary, 'ALL' = sub-total --------------
INSERT OVERWRITE TABLE ads_amr.ads_area_tou_1d PARTITION (dt = '${hiveconf:dt}')
SELECT
    IF(GROUPING(area_id) = 1, 'ALL', area_id)         AS area_id,
    IF(GROUPING(tariff_code) = 1, 'ALL', tariff_code) AS tariff_code,
    COUNT(*)                        AS meter_cnt,
    COUNT(DISTINCT cust_id)         AS cust_cnt,
    SUM(total_kwh)                  AS total_kwh,
    SUM(peak_kwh)                   AS peak_kwh,
    ROUND(SUM(peak_kwh) * 100.0
        / NULLIF(SUM(total_kwh), 0), 2) AS peak_pct,
    SUM(fee_amt)                    AS fee_amt,
    COUNT(CASE WHEN event_list <> '' THEN meter_id END) AS event_meter_cnt
FROM dws_amr.dws_meter_tou_1d
WHERE dt = '${hiveconf:dt}'
  AND total_kwh > 0
GROUP BY area_id, tariff_code WITH ROLLUP
;
