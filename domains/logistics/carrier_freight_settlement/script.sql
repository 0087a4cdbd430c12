-- ==================================================
--   carrier settlement: freight payable per trip
--   owner  : transport finance - g.petrov
--   run    : daily, appends to the settlement ledger
--   change : 2023-08-07 detention after two free hours
--            2024-02-19 fuel surcharge by contract map
-- ==================================================
SET hive.exec.dynamic.partition = true;
SET hive.exec.dynamic.partition.mode = nonstrict;

WITH trip AS (
    -- the driver app may close a trip twice
    SELECT
        x.trip_id
        ,x.carrier_id
        ,x.lane_code
        ,x.vehicle_type
        ,x.distance_km
        ,x.finish_time
        ,x.stops
        ,x.shipment_ids
    FROM (
        SELECT
            t.*
            ,ROW_NUMBER() OVER (PARTITION BY t.trip_id ORDER BY t.finish_time DESC, t.event_id DESC) AS rn
        FROM tms_dwd.dwd_trip_di t
        WHERE t.dt BETWEEN '${bizdate-6}' AND '${bizdate}'
            AND t.trip_status = 'FINISHED'
    ) x
    WHERE x.rn = 1
        -- settled trips are never paid again
        AND NOT EXISTS (
            SELECT 1
            FROM tms_dwd.dwd_settlement_history_df h
            WHERE h.trip_id = x.trip_id
                AND h.carrier_id = x.carrier_id
                AND h.dt = '${bizdate}'
                AND h.settle_status != 'VOID'
        )
),

contract AS (
    SELECT
        c.carrier_id
        ,c.lane_code
        ,c.contract_no
        ,c.base_price
        ,c.weight_tiers
        ,COALESCE(CAST(c.surcharges['fuel'] AS DOUBLE), 0) AS fuel_rate
        ,COALESCE(CAST(c.surcharges['night'] AS DOUBLE), 0) AS night_fee
        ,ROW_NUMBER() OVER (PARTITION BY c.carrier_id, c.lane_code ORDER BY c.sign_date DESC, c.contract_no) AS rn
    FROM tms_dim.dim_carrier_contract_df c
    WHERE c.dt = '${bizdate}'
        AND c.start_date <= '${bizdate}'
        AND (c.end_date IS NULL OR c.end_date >= '${bizdate}')
),

-- actual weight of a trip, volumetric weight counts when it is larger
trip_weight AS (
    SELECT
        e.trip_id
        ,COUNT(DISTINCT e.shipment_id) AS shipment_cnt
        ,SUM(GREATEST(COALESCE(s.weight_kg, 0), COALESCE(s.volume_m3, 0) * 333)) AS charge_weight
    FROM (
        SELECT trip.trip_id, TRIM(sp.sid) AS shipment_id
        FROM trip
        LATERAL VIEW EXPLODE(SPLIT(trip.shipment_ids, ',')) sp AS sid
    ) e
    INNER JOIN tms_dwd.dwd_shipment_df s
        ON e.shipment_id = s.shipment_id
        AND s.dt = '${bizdate}'
    GROUP BY e.trip_id
),

-- price per kilogram of the tier that holds the weight
tier_price AS (
    SELECT
        k.trip_id
        ,MAX(k.tier.unit_price) AS unit_price
    FROM (
        SELECT
            w.trip_id
            ,w.charge_weight
            ,r.tier
        FROM (
            SELECT tr.trip_id, tw.charge_weight, ct.weight_tiers
            FROM trip tr
            JOIN trip_weight tw
                ON tr.trip_id = tw.trip_id
            JOIN contract ct
                ON tr.carrier_id = ct.carrier_id
                AND tr.lane_code = ct.lane_code
                AND ct.rn = 1
        ) w
        LATERAL VIEW EXPLODE(w.weight_tiers) r AS tier
    ) k
    WHERE k.charge_weight >= k.tier.lower_kg
        AND (k.charge_weight < k.tier.upper_kg OR k.tier.upper_kg IS NULL)
    GROUP BY k.trip_id
),

claim AS (
    SELECT
        trip_id
        ,SUM(claim_amount) AS claim_amount
        ,COUNT(*) AS claim_cnt
        ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(GET_JSON_OBJECT(evidence, '$.type')))) AS claim_types
    FROM tms_ods.ods_cargo_claim_df
    WHERE dt = '${bizdate}'
        AND claim_status IN ('CONFIRMED', 'DEDUCTED')
    GROUP BY trip_id
),

fee AS (
    SELECT /*+ MAPJOIN(ct) */
        tr.trip_id
        ,tr.carrier_id
        ,ct.contract_no
        ,SUBSTR(tr.finish_time, 1, 10) AS finish_date
        ,COALESCE(tw.shipment_cnt, 0) AS shipment_cnt
        ,ROUND(COALESCE(ct.base_price, 0)
            + COALESCE(tw.charge_weight * tp.unit_price, 0), 2) AS freight
        ,ROUND(COALESCE(tr.distance_km,0) * COALESCE(ct.fuel_rate,0), 2) AS fuel_fee
        ,CASE
            WHEN HOUR(tr.finish_time) >= 22 OR HOUR(tr.finish_time) < 5 THEN ct.night_fee
            ELSE 0
        END AS night_fee
        -- 30 for each stop with more than 120 minutes of waiting
        ,30 * GREATEST(SIZE(FILTER(tr.stops, s -> s.wait_minutes > 120)),0) AS detention_fee
        ,IF(ct.contract_no IS NULL, 'NO_CONTRACT', 'AUTO') AS settle_mode
    FROM trip tr
    LEFT JOIN contract ct
        ON tr.carrier_id = ct.carrier_id
        AND tr.lane_code = ct.lane_code
        AND ct.rn = 1
    LEFT OUTER JOIN trip_weight tw
        ON tr.trip_id = tw.trip_id
    LEFT JOIN tier_price tp
        ON tr.trip_id = tp.trip_id
)

INSERT INTO TABLE tms_ads.ads_carrier_settlement_di PARTITION (dt = '${bizdate}', settle_mode)
SELECT
    f.trip_id
    ,f.carrier_id
    ,f.contract_no
    ,f.finish_date
    ,f.shipment_cnt
    ,f.freight
    ,f.fuel_fee + COALESCE(f.night_fee, 0) + f.detention_fee AS surcharge
    ,COALESCE(cl.claim_amount, 0) AS deduction
    ,f.freight + f.fuel_fee + COALESCE(f.night_fee, 0) + f.detention_fee - COALESCE(cl.claim_amount, 0) AS payable
    ,COALESCE(cl.claim_types, '') AS claim_types
    ,f.settle_mode
FROM fee f
LEFT JOIN claim cl
    ON f.trip_id = cl.trip_id;
