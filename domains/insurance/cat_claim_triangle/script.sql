/* ------------------------------------------------------------------
   ads_cat_claim_triangle_di
   Weekly development of catastrophe claims (storm, flood, hail)
   Owner   : actuarial data mart, h.lindqvist
   Input   : claims snapshot, event calendar, policies, treaties
   Remark  : week 0 = first seven days after the event started
   ------------------------------------------------------------------ */
SET spark.sql.shuffle.partitions=200;

WITH event_region AS (
  -- one row per declared event and affected region
  SELECT DISTINCT
    ev.event_code,
    ev.start_date,
    ev.end_date,
    TRIM(r.region) AS region_code
  FROM ins_dim.dim_cat_event_df ev
  LATERAL VIEW EXPLODE(SPLIT(ev.region_codes, ',')) r AS region
  WHERE ev.dt = '${hivevar:biz_date}'
    AND ev.is_declared = TRUE
    AND ev.start_date <= '${hivevar:biz_date}'
),

claim_latest AS (
  SELECT
    claim_id,
    policy_no,
    endorse_no,
    event_code,
    TO_DATE(loss_time) AS loss_date,
    report_date,
    claim_status,
    COALESCE(reserve_amount, 0) AS reserve_amount,
    COALESCE(cause_codes[0], 'UNKNOWN') AS main_cause,
    payments
  FROM (
    SELECT
      c.*,
      ROW_NUMBER() OVER (PARTITION BY c.claim_id ORDER BY c.version_no DESC) AS rn
    FROM ins_dwd.dwd_claim_df c
    WHERE c.dt = '${hivevar:biz_date}'
  ) t
  WHERE t.rn = 1
    AND t.claim_status NOT IN ('WITHDRAWN', 'DUPLICATE')
),

-- the insured object must lie in the region of the event and
-- the damage must happen while the event lasted
claim_event AS (
  SELECT
    cl.claim_id,
    er.event_code,
    er.start_date,
    po.product_code,
    po.region_code,
    po.sum_insured,
    cl.report_date,
    cl.reserve_amount,
    cl.main_cause,
    cl.payments
  FROM claim_latest cl
  JOIN ins_dwd.dwd_policy_df po
    ON cl.policy_no = po.policy_no
    AND cl.endorse_no = po.endorse_no
    AND po.dt = '${hivevar:biz_date}'
  JOIN event_region er
    ON cl.event_code = er.event_code
    AND po.region_code = er.region_code
  WHERE cl.loss_date >= er.start_date
    AND (er.end_date IS NULL OR cl.loss_date <= er.end_date)
),

payment AS (
  SELECT
    ce.claim_id,
    ce.event_code,
    ce.product_code,
    ce.region_code,
    p.pos AS payment_no,
    CAST(FLOOR(DATEDIFF(p.pay.pay_date, ce.start_date) / 7) AS INT) AS dev_week,
    -- salvage and recoveries reduce the paid amount
    CASE WHEN p.pay.pay_type = 'RECOVERY' THEN -1 * p.pay.amount ELSE p.pay.amount END AS paid
  FROM claim_event ce
  LATERAL VIEW POSEXPLODE(ce.payments) p AS pos, pay
  WHERE p.pay.pay_date <= '${hivevar:biz_date}'
),

movement AS (
  SELECT event_code, product_code, dev_week, claim_id,
    paid,
    0 AS reported_cnt
  FROM payment

  UNION ALL

  SELECT event_code, product_code,
    CAST(FLOOR(DATEDIFF(report_date, start_date) / 7) AS INT) AS dev_week,
    claim_id,
    0 AS paid,
    1 AS reported_cnt
  FROM claim_event
),

cell AS (
  SELECT
    event_code,
    product_code,
    dev_week,
    COUNT(DISTINCT claim_id) AS active_claims,
    COALESCE(SUM(reported_cnt), 0) AS reported_cnt,
    ROUND(SUM(paid), 2) AS paid_amount
  FROM movement
  WHERE dev_week >= 0
  GROUP BY event_code, product_code, dev_week
),

cession AS (
  SELECT product_code, MAX(CAST(cession_rate AS DOUBLE)) AS cession_rate
  FROM ins_ods.ods_treaty_df
  WHERE dt = '${hivevar:biz_date}'
    AND treaty_type LIKE 'CAT%'
    AND '${hivevar:biz_date}' BETWEEN valid_from AND valid_to
  GROUP BY product_code
)

INSERT OVERWRITE TABLE ins_ads.ads_cat_claim_triangle_di PARTITION (dt = '${hivevar:biz_date}')
SELECT
  'CELL' AS row_type,
  k.event_code,
  k.product_code,
  'ALL' AS region_code,
  k.dev_week,
  k.reported_cnt,
  k.paid_amount,
  ROUND(SUM(k.paid_amount) OVER (
    PARTITION BY k.event_code, k.product_code
    ORDER BY k.dev_week
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 2) AS cum_paid,
  ROUND(k.paid_amount * (1 - COALESCE(z.cession_rate, 0)), 2) AS net_paid,
  0 AS open_reserve,
  '' AS causes
FROM cell k
LEFT OUTER JOIN cession z
  ON k.product_code = z.product_code

UNION ALL

-- position today by product and region, with all subtotals
SELECT
  'POSITION' AS row_type,
  e.event_code,
  COALESCE(e.product_code, 'ALL') AS product_code,
  COALESCE(e.region_code, 'ALL') AS region_code,
  NULL AS dev_week,
  COUNT(*) AS reported_cnt,
  ROUND(SUM(COALESCE(g.paid, 0)), 2) AS paid_amount,
  ROUND(SUM(COALESCE(g.paid, 0)), 2) AS cum_paid,
  NULL AS net_paid,
  SUM(e.reserve_amount) AS open_reserve,
  CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(e.main_cause))) AS causes
FROM claim_event e
LEFT JOIN (
  SELECT claim_id, SUM(paid) AS paid
  FROM payment
  GROUP BY claim_id
) g
  ON e.claim_id = g.claim_id
GROUP BY e.event_code, e.product_code, e.region_code
WITH CUBE
HAVING e.event_code IS NOT NULL;
