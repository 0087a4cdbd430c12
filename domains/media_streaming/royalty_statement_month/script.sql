/**
 * ads_fin.ads_royalty_statement_1m
 *
 * Monthly royalty statement of the subscription catalogue.
 * The pool (55 % of net subscription revenue) is divided by qualified
 * minutes, then by the contract shares of each title.
 *
 * owner     content finance
 * period    ${month_begin} .. ${month_end}
 * revisions 2022-02-01  initial
 *           2022-12-05  TV app included
 *           2023-06-30  shared rights as array of structs
 */
WITH play_all AS (
    SELECT
         play_id
        ,user_id
        ,content_id
        ,play_sec
        ,end_time
        ,upload_id
        ,'APP' AS terminal
    FROM dwd_play.dwd_app_play_di
    WHERE dt BETWEEN '${month_begin}' AND '${month_end}'
      AND is_trial = FALSE
    UNION ALL
    SELECT
         play_id
        ,user_id
        ,content_id
        ,play_sec
        ,end_time
        ,upload_id
        ,'TV' AS terminal
    FROM dwd_play.dwd_tv_play_di
    WHERE dt BETWEEN '${month_begin}' AND '${month_end}'
      AND is_trial = FALSE
),

play_ok AS (
    -- offline plays are uploaded again and again: last upload wins
    SELECT
         p.user_id
        ,p.content_id
        ,p.terminal
        ,LEAST(p.play_sec, 14400) AS play_sec   -- capped at four hours
    FROM (
        SELECT
             a.*
            ,ROW_NUMBER() OVER (
                PARTITION BY a.terminal, a.play_id
                ORDER BY a.end_time DESC, a.upload_id DESC
             ) AS rn
        FROM play_all a
    ) p
    WHERE p.rn = 1
      AND p.play_sec >= 60
),

title_use AS (
    SELECT
         content_id
        ,COUNT(*)                AS play_cnt
        ,COUNT(DISTINCT user_id) AS viewer_cnt
        ,SUM(play_sec)           AS play_sec
        ,SUM(CASE WHEN terminal = 'TV' THEN play_sec ELSE 0 END) AS tv_sec
    FROM play_ok
    GROUP BY content_id
),

pool AS (
    -- one row: money to distribute and seconds to divide by
    SELECT
         r.net_amt * 0.55 AS pool_amt
        ,t.total_sec
    FROM (
        SELECT SUM(pay_amt - COALESCE(refund_amt, 0) - COALESCE(channel_fee, 0)) AS net_amt
        FROM dwd_sub.dwd_sub_order_di
        WHERE dt BETWEEN '${month_begin}' AND '${month_end}'
          AND order_status IN ('PAID', 'PART_REFUND')
    ) r
    CROSS JOIN (
        SELECT SUM(play_sec) AS total_sec
        FROM title_use
    ) t
),

title_right AS (
    SELECT
         c.content_id
        ,c.genre
        ,h.holder.holder_id AS holder_id
        ,h.holder.share_pct AS share_pct
    FROM dim_content.dim_content_df c
    LATERAL VIEW EXPLODE(FILTER(c.rights, x -> x.territory IN ('CN', 'WW'))) h AS holder
    WHERE c.dt = '${month_end}'
      AND c.license_begin <= '${month_end}'
      AND (c.license_end IS NULL OR c.license_end >= '${month_begin}')
),

title_amt AS (
    SELECT
         g.holder_id
        ,g.content_id
        ,g.genre
        ,u.play_cnt
        ,u.viewer_cnt
        ,u.play_sec
        ,ROUND(p.pool_amt * u.play_sec / NULLIF(p.total_sec, 0)
            * g.share_pct / 100, 2) AS royalty_amt
    FROM title_use u
    INNER JOIN title_right g
        ON u.content_id = g.content_id
    CROSS JOIN pool p
),

holder_sum AS (
    -- title rows plus one sub-total row per holder
    SELECT
         holder_id
        ,content_id
        ,GROUPING(content_id) AS is_total
        ,SUM(play_cnt)        AS play_cnt
        ,SUM(play_sec)        AS play_sec
        ,SUM(royalty_amt)     AS royalty_amt
        ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(genre))) AS genre_list
    FROM title_amt
    GROUP BY holder_id, content_id WITH ROLLUP
    HAVING GROUPING(holder_id) = 0
)

INSERT INTO TABLE ads_fin.ads_royalty_statement_1m PARTITION (month = '${yyyymm}')
SELECT
     s.holder_id
    ,COALESCE(d.holder_name, 'UNREGISTERED') AS holder_name
    ,s.content_id
    ,s.is_total
    ,s.play_cnt
    ,ROUND(s.play_sec / 60.0, 1) AS play_minutes
    ,s.genre_list
    ,s.royalty_amt
    -- running amount inside the holder, largest title first, total last
    ,SUM(s.royalty_amt) OVER (
        PARTITION BY s.holder_id, s.is_total
        ORDER BY s.royalty_amt DESC, s.content_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
     ) AS running_amt
    ,CASE
        WHEN s.is_total = 0 THEN s.royalty_amt
        ELSE GREATEST(s.royalty_amt, COALESCE(d.min_guarantee, 0))
     END AS payable_amt
    ,CASE
        WHEN d.holder_id IS NULL       THEN 'HOLD'
        WHEN d.bank_account IS NULL    THEN 'HOLD'
        WHEN d.tax_status <> 'CLEARED' THEN 'TAX'
        ELSE 'PAY'
     END AS pay_flag
FROM holder_sum s
LEFT JOIN dim_content.dim_right_holder_df d
    ON s.holder_id = d.holder_id
    AND d.dt = '${month_end}'
DISTRIBUTE BY holder_id
SORT BY holder_id, is_total, content_id
;
