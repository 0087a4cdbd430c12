/* -------------------------------------------------------------------
   TABLE     ads_agri.ads_irrigation_advice_1d
   CONTENT   water need per field and crop, and usable pumps
   USED BY   farm advisers, irrigation scheduler
   AUTHOR    j.vandermeer (agronomy data)
   CHANGES   2020-04-11 first version
             2021-07-02 partner stations added
             2023-05-19 pumps with nitrate alarm excluded
   ------------------------------------------------------------------- */
WITH probe_reading AS (
    -- own soil probes, the crew flags broken ones
    SELECT
        r.field_id,
        r.probe_id AS source_id,
        r.moisture_pct,
        r.soil_temp,
        CAST(r.read_time AS DATE) AS read_date,
        r.read_time
    FROM dwd_agri.dwd_soil_probe_di r
    WHERE r.dt BETWEEN DATE_SUB('${DATE}', 2) AND '${DATE}'
        AND NOT COALESCE(r.is_faulty, FALSE)

    UNION ALL

    -- readings bought from neighbouring weather stations
    SELECT
        s.field_id,
        s.station_id AS source_id,
        s.soil_moisture AS moisture_pct,
        s.soil_temp,
        CAST(s.obs_time AS DATE) AS read_date,
        s.obs_time AS read_time
    FROM ods_agri.ods_station_obs_di s
    WHERE s.dt BETWEEN DATE_SUB('${DATE}', 2) AND '${DATE}'
        AND s.quality_code <> 'BAD'
),

latest_reading AS (
    -- newest reading of every probe and station
    SELECT
        p.field_id,
        p.source_id,
        p.moisture_pct,
        p.soil_temp,
        p.read_date,
        ROW_NUMBER() OVER (
            PARTITION BY p.field_id, p.source_id
            ORDER BY p.read_time DESC, p.moisture_pct, p.soil_temp
        ) AS rn
    FROM probe_reading p
),

field_moisture AS (
    SELECT
        l.field_id,
        COUNT(*) AS source_cnt,
        ROUND(AVG(COALESCE(l.moisture_pct, 0)), 2) AS moisture_pct,
        MIN(l.moisture_pct) AS min_moisture_pct,
        MAX(l.read_date) AS last_read_date
    FROM latest_reading l
    WHERE l.rn = 1
    GROUP BY l.field_id
),

rain AS (
    -- rain forecast of the coming hours: element 0 is the next hour
    SELECT
        f.field_id,
        COALESCE(SUM(CASE WHEN h.hour_no < 12 THEN h.rain_mm END), 0) AS rain_12h_mm,
        MAX(h.rain_mm) AS peak_rain_mm
    FROM ods_agri.ods_rain_forecast_di f
    LATERAL VIEW POSEXPLODE(f.rain_hours) h AS hour_no, rain_mm
    WHERE f.dt = '${DATE}'
    GROUP BY f.field_id
),

water_source AS (
    -- pumps on wells and on reservoirs, a pump may be listed in both
    SELECT w.farm_id, w.pump_id
    FROM dim_agri.dim_well_df w
    WHERE w.dt = '${DATE}'
        AND w.well_state = 'OPEN'
    UNION
    SELECT v.farm_id, v.pump_id
    FROM dim_agri.dim_reservoir_df v
    WHERE v.dt = '${DATE}'
        AND v.level_m > 1
),

pump_ok AS (
    SELECT
        a.farm_id,
        COUNT(1) AS pump_cnt,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(a.pump_id))) AS pump_list
    FROM water_source a
    -- pumps in repair or with a nitrate alarm stay off
    WHERE a.pump_id NOT IN (
        SELECT k.pump_id
        FROM ods_agri.ods_pump_alarm_di k
        WHERE k.dt = '${DATE}'
            AND k.pump_id IS NOT NULL
            AND k.alarm_type IN ('REPAIR', 'NITRATE')
    )
    GROUP BY a.farm_id
),

field_crop AS (
    -- one line per field and crop, crops share the field equally
    SELECT
        d.field_id,
        d.farm_id,
        d.field_name,
        d.area_ha,
        GREATEST(COALESCE(SIZE(SPLIT(d.crop_codes, ',')), 1), 1) AS crop_cnt,
        COALESCE(c.crop_code, 'FALLOW') AS crop_code
    FROM dim_agri.dim_field_df d
    LATERAL VIEW OUTER EXPLODE(SPLIT(d.crop_codes, ',')) c AS crop_code
    WHERE d.dt = '${DATE}'
        AND d.area_ha > 0
)

INSERT OVERWRITE TABLE ads_agri.ads_irrigation_advice_1d PARTITION (dt = '${DATE}')
SELECT
    fc.farm_id,
    fc.field_id,
    fc.field_name,
    fc.crop_code,
    COALESCE(m.source_cnt, 0) AS source_cnt,
    m.moisture_pct,
    m.last_read_date,
    COALESCE(r.rain_12h_mm, 0) AS rain_12h_mm,
    -- cubic metres: 1 mm on 1 hectare is 10 m3, rain of the next 12 hours is saved
    ROUND(
        GREATEST((t.target_pct - m.moisture_pct) * t.mm_per_pct - COALESCE(r.rain_12h_mm, 0), 0)
        * fc.area_ha * 10 / fc.crop_cnt, 2
    ) AS need_m3,
    CASE
        WHEN m.field_id IS NULL THEN 'NO_DATA'
        WHEN t.crop_code IS NULL THEN 'NO_TARGET'
        WHEN m.moisture_pct >= t.target_pct THEN 'NONE'
        WHEN r.peak_rain_mm >= 8 THEN 'WAIT_FOR_RAIN'
        WHEN m.min_moisture_pct < t.stress_pct THEN 'URGENT'
        ELSE 'NORMAL'
    END AS advice,
    COALESCE(p.pump_cnt, 0) AS pump_cnt,
    COALESCE(p.pump_list, '') AS pump_list
FROM field_crop fc
-- only farms with a running advice contract
LEFT SEMI JOIN dim_agri.dim_farm_contract_df g
    ON fc.farm_id = g.farm_id
    AND g.dt = '${DATE}'
    AND g.contract_state = 'RUNNING'
LEFT OUTER JOIN field_moisture m
    ON fc.field_id = m.field_id
LEFT OUTER JOIN rain r
    ON fc.field_id = r.field_id
LEFT OUTER JOIN dim_agri.dim_crop_target_df t
    ON fc.crop_code = t.crop_code
    AND t.dt = '${DATE}'
LEFT OUTER JOIN pump_ok p
    ON fc.farm_id = p.farm_id
;
