-- ===========================================================
-- coupon batch effect, day ${bizdate}
-- marketing-bi / t.nakamura
-- v1 2022-11-01 for the November sale
-- v2 2023-05-22 discount is shared between stacked coupons
-- v3 2024-02-06 bonus hunters are removed
-- ===========================================================
-- 1) coupons received in the last two weeks, one row per coupon
CREATE TABLE ecom_tmp.tmp_coupon_touch STORED AS ORC AS
SELECT
    t.coupon_id,
    t.user_id,
    t.batch_id,
    t.receive_time,
    t.expire_time,
    t.channel,
    t.push_scene
FROM (
    SELECT
        r.coupon_id,
        r.user_id,
        r.batch_id,
        r.receive_time,
        r.expire_time,
        CASE
            WHEN r.channel RLIKE '^(push|sms)' THEN 'message'
            WHEN r.channel LIKE 'live%' THEN 'live'
            ELSE COALESCE(r.channel, 'other')
        END AS channel,
        NVL(r.ext['scene'], 'none') AS push_scene,
        ROW_NUMBER() OVER (PARTITION BY r.coupon_id ORDER BY r.receive_time, r.log_id) AS rn
    FROM ecom_dwd.dwd_coupon_receive_di r
    LEFT ANTI JOIN (
        SELECT user_id
        FROM ecom_ods.ods_risk_user_df
        WHERE dt = '${bizdate}'
            AND risk_tag = 'BONUS_HUNTER'
            AND release_date IS NULL
    ) risk
        ON r.user_id = risk.user_id
    WHERE r.dt BETWEEN DATE_SUB('${bizdate}', 13) AND '${bizdate}'
        AND r.user_id IS NOT NULL
) t
WHERE t.rn = 1;

-- 2) effect per batch and channel
WITH refund AS (
    SELECT
        sub_order_id,
        COALESCE(SUM(refund_amount), 0) AS refund_amount
    FROM ecom_ods.ods_refund_di
    WHERE dt = '${bizdate}'
        AND refund_status = 'SUCCESS'
    GROUP BY sub_order_id
),

-- several coupons may be stacked on one line: 'c1,c2'
order_line AS (
    SELECT
        d.order_id,
        d.sub_order_id,
        d.user_id,
        d.sku_id,
        d.pay_time,
        d.pay_amount - COALESCE(rf.refund_amount, 0) AS net_amount,
        COALESCE(d.discount_amount, 0) AS discount_amount,
        FILTER(SPLIT(d.coupon_ids, ','), c -> c <> '') AS coupon_list
    FROM ecom_dwd.dwd_order_detail_di d
    LEFT OUTER JOIN refund rf
        ON d.sub_order_id = rf.sub_order_id
    WHERE d.dt = '${bizdate}'
        AND d.order_status NOT IN ('CLOSED', 'CANCELLED')
        AND d.coupon_ids IS NOT NULL
),

coupon_use AS (
    SELECT
        o.order_id,
        o.sub_order_id,
        o.user_id,
        o.sku_id,
        o.pay_time,
        o.net_amount,
        TRIM(cp.coupon_id) AS coupon_id,
        -- stacked coupons share the discount evenly
        o.discount_amount / SIZE(o.coupon_list) AS discount_share
    FROM order_line o
    LATERAL VIEW EXPLODE(o.coupon_list) cp AS coupon_id
),

batch AS (
    SELECT
        b.batch_id,
        b.batch_name,
        b.sku_whitelist,
        b.budget_amount,
        CAST(GET_JSON_OBJECT(b.rule_json, '$.valid_days') AS INT) AS valid_days,
        CONCAT_WS('/', SORT_ARRAY(MAP_KEYS(b.cost_share))) AS cost_bearers
    FROM ecom_dim.dim_coupon_batch_df b
    WHERE b.dt = '${bizdate}'
        AND NOT COALESCE(b.is_test, FALSE)
),

attributed AS (
    SELECT
        tc.batch_id,
        tc.channel,
        tc.push_scene,
        tc.coupon_id,
        tc.user_id,
        u.order_id,
        u.net_amount,
        u.discount_share,
        bt.sku_whitelist,
        DATEDIFF(u.pay_time, tc.receive_time) AS use_days,
        IF(u.sub_order_id IS NULL AND TO_DATE(tc.expire_time) < '${bizdate}', 1, 0) AS is_expired,
        -- an empty white list means the whole shop
        CASE
            WHEN u.sub_order_id IS NULL THEN 0
            WHEN SIZE(bt.sku_whitelist) = 0 THEN 1
            WHEN ARRAY_CONTAINS(bt.sku_whitelist, u.sku_id) THEN 1
            ELSE 0
        END AS in_scope
    FROM ecom_tmp.tmp_coupon_touch tc
    JOIN batch bt
        ON tc.batch_id = bt.batch_id
    LEFT JOIN coupon_use u
        ON tc.coupon_id = u.coupon_id
        AND tc.user_id = u.user_id
        AND u.pay_time >= tc.receive_time
)

INSERT OVERWRITE TABLE ecom_ads.ads_coupon_effect_di PARTITION (dt = '${bizdate}')
SELECT
    g.batch_id,
    bt.batch_name,
    COALESCE(g.channel, 'ALL') AS channel,
    g.received_cnt,
    g.used_cnt,
    ROUND(g.used_cnt / g.received_cnt, 4) AS use_rate,
    g.order_cnt,
    g.net_amount,
    g.discount_amount,
    ROUND(g.net_amount / NULLIF(g.discount_amount, 0), 2) AS roi,
    g.expired_cnt,
    g.scenes,
    CASE
        WHEN g.discount_amount > bt.budget_amount THEN 'OVER_BUDGET'
        WHEN g.used_cnt = 0 THEN 'NO_USE'
        WHEN g.avg_use_days > bt.valid_days THEN 'CHECK_RULE'
        ELSE 'NORMAL'
    END AS batch_state,
    bt.cost_bearers
FROM (
    SELECT
        batch_id,
        channel,
        COUNT(DISTINCT coupon_id) AS received_cnt,
        COUNT(DISTINCT CASE WHEN in_scope = 1 THEN coupon_id END) AS used_cnt,
        COUNT(DISTINCT CASE WHEN in_scope = 1 THEN order_id END) AS order_cnt,
        SUM(CASE WHEN in_scope = 1 THEN net_amount ELSE 0 END) AS net_amount,
        ROUND(SUM(CASE WHEN in_scope = 1 THEN discount_share ELSE 0 END), 2) AS discount_amount,
        SUM(is_expired) AS expired_cnt,
        ROUND(AVG(use_days), 2) AS avg_use_days,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(push_scene))) AS scenes
    FROM attributed
    GROUP BY batch_id, channel
    WITH CUBE
    HAVING batch_id IS NOT NULL
) g
LEFT JOIN batch bt
    ON g.batch_id = bt.batch_id;
