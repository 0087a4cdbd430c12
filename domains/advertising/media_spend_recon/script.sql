-- ###########################################################
-- # media_spend_recon
-- # daily reconciliation: media bill  <->  own monitoring
-- # owner    : ad finance BI
-- # run      : after all media bills of ${yyyymmdd} arrived
-- # 20210803 : created, CPC only
-- # 20220621 : CPM, foreign currencies
-- # 20231009 : invalid traffic rules listed
-- ###########################################################
SET hive.exec.parallel=true;

-- the scheduler removes yesterday's work table
CREATE TABLE tmp_ad.tmp_spend_recon_${yyyymmdd} STORED AS ORC AS
SELECT
    COALESCE(b.campaign_id, m.campaign_id) AS campaign_id
  , COALESCE(b.slot_id, m.slot_id)         AS slot_id
  , b.media_id
  , NVL(d.media_name, 'unknown')           AS media_name
  , NVL(b.bill_mode, 'NONE')               AS bill_mode
  , NVL(b.bill_click, 0)                   AS bill_click
  , NVL(m.mon_click, 0)                    AS mon_click
  , NVL(m.bad_click, 0)                    AS bad_click
  , NVL(b.spend_cny, 0)                    AS spend_cny
  , m.rule_list
  , NVL(d.tolerance_pct, 0)                AS tolerance_pct
FROM (
    -- the media correct their bills: highest version
    SELECT
        v.campaign_id
      , v.slot_id
      , v.media_id
      , v.bill_mode
      , COALESCE(SUM(v.click_cnt), 0) AS bill_click
      , ROUND(SUM(v.spend * v.fx_rate), 2) AS spend_cny
    FROM (
        SELECT
            x.campaign_id
          , x.slot_id
          , x.media_id
          , x.bill_mode
          , x.click_cnt
          , x.spend
          , CASE
                WHEN x.currency = 'CNY' THEN 1
                ELSE (
                    SELECT MAX(f.rate)
                    FROM dim_ad.dim_fx_rate_df f
                    WHERE f.dt = '${yyyymmdd}'
                      AND f.currency = x.currency
                )
            END AS fx_rate
          , ROW_NUMBER() OVER (
                PARTITION BY x.campaign_id, x.slot_id, x.media_id, x.hour_no
                ORDER BY x.version_no DESC, x.bill_id DESC
            ) AS rn
        FROM dwd_ad.dwd_media_bill_di x
        WHERE x.dt = '${yyyymmdd}'
          AND x.bill_mode IN ('CPC', 'CPM')
    ) v
    WHERE v.rn = 1
    GROUP BY
        v.campaign_id
      , v.slot_id
      , v.media_id
      , v.bill_mode
) b
FULL OUTER JOIN (
    -- own monitoring; slot is empty for run-of-network
    SELECT
        g.campaign_id
      , g.slot_id
      , COUNT(1)      AS mon_click
      , SUM(g.is_bad) AS bad_click
      , CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(g.first_rule))) AS rule_list
    FROM (
        SELECT
            l.log_id
          , l.campaign_id
          , l.slot_id
          , MAX(CASE WHEN r.hit = '1' THEN 1 ELSE 0 END)    AS is_bad
          , MIN(CASE WHEN r.hit = '1' THEN r.rule_name END) AS first_rule
        FROM dwd_ad.dwd_monitor_log_di l
        LATERAL VIEW OUTER EXPLODE(l.anti_flags) r AS rule_name, hit
        WHERE l.dt = '${yyyymmdd}'
          AND l.event_type = 'click'
          AND l.campaign_code NOT LIKE 'DEMO\_%'
        GROUP BY
            l.log_id
          , l.campaign_id
          , l.slot_id
    ) g
    GROUP BY
        g.campaign_id
      , g.slot_id
) m
ON  b.campaign_id = m.campaign_id
AND b.slot_id <=> m.slot_id
LEFT JOIN dim_ad.dim_media_df d
ON  b.media_id = d.media_id
AND d.dt = '${yyyymmdd}'
AND d.is_settled = 1
;

FROM tmp_ad.tmp_spend_recon_${yyyymmdd} t
-- (1) lines out of tolerance go to the account managers
INSERT OVERWRITE TABLE ads_ad.ads_spend_diff_1d PARTITION (dt = '${yyyymmdd}')
SELECT
    t.campaign_id
  , t.slot_id
  , t.media_name
  , t.bill_mode
  , t.bill_click
  , t.mon_click - t.bad_click AS valid_click
  , ABS(t.bill_click - t.mon_click + t.bad_click) AS diff_click
  , t.spend_cny
  , CASE
        WHEN t.bill_mode = 'NONE' THEN 'NOT_BILLED'
        WHEN t.mon_click = 0      THEN 'NOT_MONITORED'
        WHEN t.bill_click < t.mon_click - t.bad_click THEN 'UNDER_BILLED'
        ELSE 'OVER_BILLED'
    END AS diff_reason
  , NVL(t.rule_list, '') AS rule_list
WHERE ABS(t.bill_click - t.mon_click + t.bad_click) * 100
      > t.tolerance_pct * GREATEST(t.bill_click, t.mon_click)
-- (2) totals for finance, every combination of media and mode
INSERT OVERWRITE TABLE ads_ad.ads_spend_recon_sum_1d PARTITION (dt = '${yyyymmdd}')
SELECT
    COALESCE(t.media_name, 'ALL') AS media_name
  , COALESCE(t.bill_mode, 'ALL')  AS bill_mode
  , COUNT(*)                      AS line_cnt
  , COUNT(DISTINCT t.campaign_id) AS campaign_cnt
  , SUM(t.bill_click)             AS bill_click
  , SUM(t.mon_click)              AS mon_click
  , SUM(t.bad_click)              AS bad_click
  , SUM(t.spend_cny)              AS spend_cny
  , ROUND(SUM(t.bad_click) * 100.0 / NULLIF(SUM(t.mon_click), 0), 2) AS bad_pct
  , SUM(CASE WHEN t.bill_mode = 'NONE' THEN 1 ELSE 0 END) AS unbilled_cnt
GROUP BY
    t.media_name
  , t.bill_mode
WITH CUBE
;
