/* =====================================================================
   channel_cohort_ltv, report query of the UA team
   ---------------------------------------------------------------------
   retention and cumulative LTV per channel, platform and day;
   channels beyond the ${top_n} largest are 'other'
   v1  2022-10-10  retention
   v2  2023-01-18  LTV with refunds
   v3  2023-08-02  first-day play modes
   ===================================================================== */
WITH param AS (
    SELECT  '${hiveconf:biz_date}'                           AS date_to,
            DATE_SUB('${hiveconf:biz_date}', ${cohort_days}) AS date_from
),

install AS (
    -- re-installs are no new devices: first install counts
    SELECT  i.device_id,
            i.channel,
            i.os,
            i.install_date
    FROM    (
                SELECT  device_id,
                        COALESCE(NULLIF(TRIM(channel), ''), 'organic') AS channel,
                        LOWER(device_info['os'])                       AS os,
                        TO_DATE(install_time)                          AS install_date,
                        ROW_NUMBER() OVER (
                            PARTITION BY device_id
                            ORDER BY install_time, install_id
                        ) AS rn
                FROM    dwd_game.dwd_install_di
                WHERE   dt <= '${hiveconf:biz_date}'
                AND     is_emulator = 0
                AND     COALESCE(channel, '') NOT IN (
                            -- closed channels
                            SELECT  channel
                            FROM    dim_game.dim_channel_df
                            WHERE   dt = '${hiveconf:biz_date}'
                            AND     status = 0
                            AND     channel IS NOT NULL
                        )
            ) i
    CROSS JOIN param p
    WHERE   i.rn = 1
    AND     i.install_date BETWEEN p.date_from AND p.date_to
),

top_channel AS (
    SELECT  t.channel
    FROM    (
                SELECT  channel,
                        COUNT(*) AS device_cnt
                FROM    install
                GROUP BY channel
                ORDER BY device_cnt DESC, channel
                LIMIT ${top_n}
            ) t
),

cohort AS (
    SELECT  i.device_id,
            i.install_date,
            COALESCE(i.os, 'unknown') AS os,
            CASE WHEN t.channel IS NULL THEN 'other' ELSE i.channel END AS channel
    FROM    install i
    LEFT JOIN top_channel t
    ON      i.channel = t.channel
),

cohort_size AS (
    SELECT  channel,
            os,
            COUNT(DISTINCT device_id) AS cohort_size
    FROM    cohort
    GROUP BY channel, os
),

activity AS (
    -- logins and net payments in one stream
    SELECT  device_id,
            TO_DATE(login_time) AS act_date,
            1                   AS is_login,
            0                   AS amt
    FROM    dwd_game.dwd_login_di
    WHERE   dt BETWEEN DATE_SUB('${hiveconf:biz_date}', ${cohort_days})
                   AND '${hiveconf:biz_date}'
    UNION ALL
    SELECT  device_id,
            TO_DATE(pay_time) AS act_date,
            0                 AS is_login,
            pay_amt - COALESCE(refund_amt, 0) AS amt
    FROM    dwd_game.dwd_pay_di
    WHERE   dt BETWEEN DATE_SUB('${hiveconf:biz_date}', ${cohort_days})
                   AND '${hiveconf:biz_date}'
    AND     pay_status = 'SUCCESS'
),

day_metric AS (
    SELECT  c.channel,
            c.os,
            DATEDIFF(a.act_date, c.install_date)                       AS day_no,
            COUNT(DISTINCT CASE WHEN a.is_login = 1 THEN a.device_id END) AS login_dev,
            SUM(CASE WHEN a.amt > 0 THEN 1 ELSE 0 END)                 AS pay_cnt,
            SUM(COALESCE(a.amt, 0))                                    AS net_amt
    FROM    cohort c
    INNER JOIN activity a
    ON      c.device_id = a.device_id
    AND     a.act_date >= c.install_date
    GROUP BY c.channel, c.os, DATEDIFF(a.act_date, c.install_date)
),

mode_list AS (
    -- what new devices played on their first day
    SELECT  c.channel,
            c.os,
            CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(m.play_mode))) AS first_modes
    FROM    cohort c
    INNER JOIN dwd_game.dwd_login_di l
    ON      c.device_id = l.device_id
    AND     c.install_date = TO_DATE(l.login_time)
    LATERAL VIEW EXPLODE(SPLIT(l.play_modes, ',')) m AS play_mode
    WHERE   m.play_mode <> 'tutorial'
    GROUP BY c.channel, c.os
),

prev_day AS (
    -- self join: the same cohort one day earlier
    SELECT  d.channel,
            d.os,
            d.day_no,
            b.login_dev AS login_dev_before
    FROM    day_metric d
    LEFT OUTER JOIN day_metric b
    ON      d.channel = b.channel
    AND     d.os = b.os
    AND     d.day_no = b.day_no + 1
)

SELECT  d.channel,
        d.os,
        d.day_no,
        s.cohort_size,
        d.login_dev,
        d.pay_cnt,
        ROUND(d.login_dev * 100.0 / s.cohort_size, 2) AS retention_pct,
        d.login_dev - p.login_dev_before AS login_change,
        ROUND(SUM(d.net_amt) OVER (
            PARTITION BY d.channel, d.os
            ORDER BY d.day_no
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) / s.cohort_size, 2)                         AS ltv,
        CASE
            WHEN s.cohort_size < 3 THEN 'small'
            WHEN d.day_no = 0      THEN 'install'
            ELSE 'normal'
        END                                           AS cohort_flag,
        COALESCE(l.first_modes, '')                   AS first_modes
FROM    day_metric d
INNER JOIN cohort_size s
ON      d.channel = s.channel
AND     d.os = s.os
LEFT JOIN prev_day p
ON      d.channel = p.channel
AND     d.os = p.os
AND     d.day_no = p.day_no
LEFT JOIN mode_list l
ON      d.channel = l.channel
AND     d.os = l.os
ORDER BY d.channel, d.os, d.day_no
;
