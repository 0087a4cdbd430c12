-- =====================================================================
-- target  : ads_food.ads_merchant_lateness_1d
-- content : per restaurant and meal period: orders, late orders, fault, refunds
-- readers : merchant success team (morning call list)
-- owner   : delivery-bi / n.okafor
-- 2022-05-09 n.okafor  first version
-- 2022-11-30 t.lindh   kitchen delay split
-- 2023-08-17 n.okafor  phone desk refunds
-- =====================================================================
WITH order_latest AS (
    -- the order table is appended on each change, the last version counts
    SELECT
        t.order_id,
        t.merchant_id,
        t.city_id,
        t.item_skus,
        t.pay_amt,
        t.place_time,
        t.promise_minutes
    FROM (
        SELECT
            o.order_id,
            o.merchant_id,
            o.city_id,
            o.item_skus,
            o.pay_amt,
            o.place_time,
            o.promise_minutes,
            o.order_status,
            ROW_NUMBER() OVER (PARTITION BY o.order_id ORDER BY o.update_time DESC, o.version_id DESC) AS rn
        FROM dwd_food.dwd_meal_order_di o
        WHERE o.dt = '${dt}'
    ) t
    WHERE t.rn = 1
        AND t.order_status NOT IN ('CANCELLED', 'TEST')
),

milestone AS (
    -- one row per order out of the courier app events
    SELECT
        e.order_id,
        MIN(CASE WHEN e.event_type = 'ARRIVE_SHOP' THEN e.event_time END) AS arrive_time,
        MIN(CASE WHEN e.event_type = 'PICKED_UP' THEN e.event_time END) AS pickup_time,
        MAX(CASE WHEN e.event_type = 'DELIVERED' THEN e.event_time END) AS deliver_time
    FROM ods_food.ods_courier_event_di e
    WHERE e.dt = '${dt}'
    GROUP BY e.order_id
),

refund_all AS (
    -- refunds asked for in the app
    SELECT
        r.order_id,
        r.refund_amt,
        r.reason_code
    FROM dwd_food.dwd_app_refund_di r
    WHERE r.dt = '${dt}'
        AND r.refund_status = 'DONE'
    UNION ALL
    -- refunds granted on the phone
    SELECT
        d.order_id,
        d.grant_amt AS refund_amt,
        d.reason_code
    FROM dwd_food.dwd_desk_refund_di d
    WHERE d.dt = '${dt}'
        AND d.grant_status = 'DONE'
),

refund_order AS (
    SELECT
        a.order_id,
        COUNT(1) AS refund_cnt,
        SUM(COALESCE(a.refund_amt, 0)) AS refund_amt,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(a.reason_code))) AS reason_list
    FROM refund_all a
    GROUP BY a.order_id
),

timed AS (
    SELECT
        o.order_id,
        o.merchant_id,
        o.city_id,
        o.pay_amt,
        CASE
            WHEN HOUR(o.place_time) BETWEEN 5 AND 10 THEN 'BREAKFAST'
            WHEN HOUR(o.place_time) BETWEEN 11 AND 15 THEN 'LUNCH'
            WHEN HOUR(o.place_time) BETWEEN 16 AND 21 THEN 'DINNER'
            ELSE 'NIGHT'
        END AS meal_period,
        -- minutes over the promise, never below zero
        GREATEST(
            FLOOR((UNIX_TIMESTAMP(m.deliver_time) - UNIX_TIMESTAMP(o.place_time)) / 60) - o.promise_minutes,
            0
        ) AS late_minutes,
        -- minutes the courier waited at the counter
        FLOOR((UNIX_TIMESTAMP(m.pickup_time) - UNIX_TIMESTAMP(m.arrive_time)) / 60) AS wait_minutes,
        m.deliver_time
    FROM order_latest o
    LEFT JOIN milestone m
        ON o.order_id = m.order_id
),

dish AS (
    -- dishes sold
    SELECT
        o.merchant_id,
        COUNT(DISTINCT s.sku) AS sku_cnt
    FROM order_latest o
    LATERAL VIEW EXPLODE(SPLIT(o.item_skus, ',')) s AS sku
    WHERE s.sku <> ''
    GROUP BY o.merchant_id
),

period_sum AS (
    SELECT
        t.merchant_id,
        t.city_id,
        t.meal_period,
        COUNT(1) AS order_cnt,
        SUM(COALESCE(t.pay_amt, 0)) AS pay_amt,
        SUM(CASE WHEN t.late_minutes > 0 THEN 1 ELSE 0 END) AS late_cnt,
        -- the kitchen is at fault when the courier waited ten minutes or more
        SUM(CASE WHEN t.late_minutes > 0 AND t.wait_minutes >= 10 THEN 1 ELSE 0 END) AS kitchen_late_cnt,
        SUM(CASE WHEN t.deliver_time IS NULL THEN 1 ELSE 0 END) AS undelivered_cnt,
        MAX(t.late_minutes) AS max_late_minutes,
        SUM(COALESCE(f.refund_cnt, 0)) AS refund_cnt,
        SUM(COALESCE(f.refund_amt, 0)) AS refund_amt,
        MAX(f.reason_list) AS reason_list
    FROM timed t
    LEFT JOIN refund_order f
        ON t.order_id = f.order_id
    GROUP BY
        t.merchant_id,
        t.city_id,
        t.meal_period
)

INSERT OVERWRITE TABLE ads_food.ads_merchant_lateness_1d PARTITION (dt = '${dt}')
SELECT
    p.merchant_id,
    COALESCE(m.merchant_name, 'UNKNOWN') AS merchant_name,
    p.city_id,
    p.meal_period,
    p.order_cnt,
    p.pay_amt,
    p.late_cnt,
    p.kitchen_late_cnt,
    p.undelivered_cnt,
    p.max_late_minutes,
    p.refund_cnt,
    p.refund_amt,
    COALESCE(p.reason_list, '') AS reason_list,
    COALESCE(d.sku_cnt, 0) AS sku_cnt,
    -- worst restaurant of the city and meal first
    RANK() OVER (
        PARTITION BY p.city_id, p.meal_period
        ORDER BY p.late_cnt DESC, p.refund_amt DESC, p.merchant_id
    ) AS call_rank
FROM period_sum p
LEFT JOIN dim_food.dim_merchant_df m
    ON p.merchant_id = m.merchant_id
    AND m.dt = '${dt}'
    AND m.close_date IS NULL
LEFT JOIN dish d
    ON p.merchant_id = d.merchant_id
;
