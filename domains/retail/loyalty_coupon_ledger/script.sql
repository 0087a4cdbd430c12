-- ============================================================
-- loyalty_coupon_ledger.sql
-- Coupons of the loyalty programme: taken, used, by shop.
-- owner   : loyalty-data, s.moreau
-- runs    : daily, after the till upload (03:30)
-- log     : 2022-01-17 sm  created
--           2022-11-08 sm  ledger table for the auditors
--           2023-06-26 jb  uses away from the home shop
-- ============================================================
SET hive.exec.dynamic.partition.mode=nonstrict;

-- 1) the ledger the auditors read ----------------------------
CREATE TABLE IF NOT EXISTS tmp_loyal.tmp_coupon_ledger (
    member_id        STRING         COMMENT 'member',
    shop_id          STRING         COMMENT 'shop',
    coupon_code      STRING         COMMENT 'coupon',
    coupon_face      DECIMAL(10,2)  COMMENT 'value',
    entry_kind       STRING         COMMENT 'TAKEN / USED',
    entry_time       STRING         COMMENT 'booked at'
) COMMENT 'coupon entries of the day'
STORED AS ORC;

-- 2) members as they are today, staff left out ---------------
CREATE VIEW IF NOT EXISTS tmp_loyal.v_member_now AS
SELECT
    m.member_id,
    COALESCE(m.member_tier, 'BASE')                     AS member_tier,
    m.home_shop_id
FROM (
    SELECT
        d.member_id,
        d.member_tier,
        d.home_shop_id,
        d.is_staff,
        ROW_NUMBER() OVER (PARTITION BY d.member_id ORDER BY d.version_no DESC, d.join_date DESC) AS rn
    FROM dim_loyal.dim_member_df d
    WHERE d.dt = '${dt}'
) m
WHERE m.rn = 1
  AND NOT COALESCE(m.is_staff, FALSE);

-- 3) entries of app and till ---------------------------------
INSERT OVERWRITE TABLE tmp_loyal.tmp_coupon_ledger
SELECT
    e.member_id,
    e.shop_id,
    e.coupon_code,
    COALESCE(e.coupon_face, 0)                          AS coupon_face,
    e.entry_kind,
    e.entry_time
FROM (
    SELECT
        a.member_id,
        from_json(a.payload, 'code STRING, face STRING, shop STRING').shop AS shop_id,
        UPPER(from_json(a.payload, 'code STRING, face STRING, shop STRING').code) AS coupon_code,
        CAST(from_json(a.payload, 'code STRING, face STRING, shop STRING').face AS DECIMAL(10,2)) AS coupon_face,
        IF(a.event_name = 'COUPON_TAKEN', 'TAKEN', 'USED') AS entry_kind,
        a.event_time                                    AS entry_time
    FROM ods_loyal.ods_app_event_di a
    WHERE a.dt = '${dt}'
      AND a.event_name IN ('COUPON_TAKEN', 'COUPON_USED')
      -- phones with a wrong clock send tomorrow's events
      AND a.event_time BETWEEN '${dt}' AND CONCAT('${dt}', ' 23:59:59')

    UNION ALL

    -- the till books uses only; two equal lines are two coupons
    SELECT
        t.member_id,
        t.shop_id,
        UPPER(TRIM(t.coupon_code))                      AS coupon_code,
        t.coupon_face,
        'USED'                                          AS entry_kind,
        t.sale_time                                     AS entry_time
    FROM ods_loyal.ods_till_coupon_di t
    WHERE t.dt = '${dt}'
      AND t.line_state <> 'VOID'
      AND t.coupon_code IS NOT NULL
) e
WHERE e.shop_id IS NOT NULL;

-- 4) the day per shop ----------------------------------------
INSERT OVERWRITE TABLE ads_loyal.ads_shop_coupon_1d PARTITION (dt = '${dt}')
SELECT
    q.shop_id,
    q.region_code,
    q.taken_cnt,
    q.used_cnt,
    q.member_cnt,
    q.face_amt,
    q.gold_amt,
    q.away_cnt,
    q.codes,
    q.use_rate
FROM (
    SELECT
        g.shop_id,
        COALESCE(s.region_code, 'ONLINE')               AS region_code,
        SUM(IF(g.entry_kind = 'TAKEN', 1, 0))           AS taken_cnt,
        SUM(IF(g.entry_kind = 'USED', 1, 0))            AS used_cnt,
        COUNT(DISTINCT g.member_id)                     AS member_cnt,
        SUM(CASE WHEN g.entry_kind = 'USED' THEN g.coupon_face ELSE 0 END) AS face_amt,
        SUM(CASE
                WHEN g.entry_kind = 'USED' AND n.member_tier = 'GOLD' THEN g.coupon_face
                ELSE 0
            END)                                        AS gold_amt,
        -- a shop that is not known on one side only is another shop
        SUM(CASE
                WHEN g.entry_kind = 'USED' AND g.shop_id IS DISTINCT FROM n.home_shop_id THEN 1
                ELSE 0
            END)                                        AS away_cnt,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(g.coupon_code))) AS codes,
        ROUND(SUM(IF(g.entry_kind = 'USED', 1, 0))
              / NULLIF(SUM(IF(g.entry_kind = 'TAKEN', 1, 0)), 0), 4) AS use_rate,
        MAX(s.close_date)                               AS close_date
    FROM tmp_loyal.tmp_coupon_ledger g
    JOIN tmp_loyal.v_member_now n
        ON g.member_id = n.member_id
    LEFT JOIN dim_loyal.dim_shop_df s
        ON g.shop_id = s.shop_id
       AND s.dt = '${dt}'
    GROUP BY
        g.shop_id,
        COALESCE(s.region_code, 'ONLINE')
) q
-- shops that closed before today are settled elsewhere
WHERE (q.close_date IS NULL OR q.close_date >= '${dt}')
  AND q.used_cnt > 0
ORDER BY face_amt DESC, shop_id, region_code
LIMIT ${top_n};
