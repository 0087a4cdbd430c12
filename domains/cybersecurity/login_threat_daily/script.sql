-- =====================================================================
-- job     : ads_user_login_threat_di + ads_login_threat_rollup_di
-- owner   : security-analytics / k.lindqvist
-- purpose : score the sign-ins of each account for the SOC morning queue
-- history : 2022-06-14 created
--           2023-02-01 cloud log added
-- =====================================================================
SET hive.exec.parallel=true;
SET hive.auto.convert.join=true;

-- step 1: one row per account -----------------------------------------
WITH auth_event AS (
    -- equal rows of both gateways are two sign-ins
    SELECT
        v.user_id,
        v.src_ip,
        UPPER(v.country_code) AS country_code,
        v.auth_result,
        v.event_time,
        v.risk_points
    FROM sec_ods.ods_vpn_auth_di v
    WHERE v.dt = '${bizdate}'
      AND v.user_id IS NOT NULL
    UNION ALL
    SELECT
        c.user_id,
        c.src_ip,
        UPPER(c.country_code) AS country_code,
        c.auth_result,
        c.event_time,
        c.risk_points
    FROM sec_ods.ods_cloud_auth_di c
    WHERE c.dt = '${bizdate}'
      AND c.user_id IS NOT NULL
),

-- approved scanners and pen-test boxes are no threat
auth_clean AS (
    SELECT
        e.user_id,
        e.src_ip,
        e.country_code,
        e.auth_result,
        e.event_time,
        e.risk_points
    FROM auth_event e
    LEFT ANTI JOIN sec_dim.dim_ip_allow_df w
        ON  e.src_ip = w.ip_address
        AND w.dt = '${bizdate}'
        AND w.allow_status = 'APPROVED'
),

auth_user AS (
    SELECT
        user_id,
        COUNT(*) AS login_cnt,
        SUM(CASE WHEN auth_result = 'FAIL' THEN 1 ELSE 0 END) AS fail_cnt,
        COUNT(DISTINCT src_ip) AS ip_cnt,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(country_code))) AS countries,
        -- an event without points is harmless
        ROUND(AVG(COALESCE(risk_points, 0)), 2) AS avg_points,
        MAX(event_time) AS last_event_time
    FROM auth_clean
    GROUP BY user_id
),

-- newest state of the account
account AS (
    SELECT
        a.user_id,
        a.dept_code,
        a.home_country,
        a.is_service,
        a.role_codes,
        a.last_pwd_date
    FROM (
        SELECT
            user_id,
            dept_code,
            UPPER(home_country) AS home_country,
            is_service,
            role_codes,
            CAST(pwd_change_time AS DATE) AS last_pwd_date,
            ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY update_time DESC, account_id DESC) AS rn
        FROM sec_dim.dim_account_df
        WHERE dt = '${bizdate}'
    ) a
    WHERE a.rn = 1
      -- empty flag means person
      AND NOT COALESCE(a.is_service, FALSE)
),

privilege AS (
    SELECT
        p.user_id,
        COUNT(DISTINCT TRIM(r.role_code)) AS role_cnt,
        MAX(CASE WHEN LOWER(TRIM(r.role_code)) LIKE '%admin%' THEN 1 ELSE 0 END) AS is_admin
    FROM account p
    LATERAL VIEW OUTER EXPLODE(SPLIT(p.role_codes, ',')) r AS role_code
    GROUP BY p.user_id
),

-- alerts of the endpoint agent, seven days
endpoint AS (
    SELECT
        user_id,
        COUNT(1) AS alert_cnt,
        COALESCE(SUM(severity), 0) AS severity_sum
    FROM sec_dwd.dwd_endpoint_alert_di
    WHERE dt BETWEEN DATE_SUB('${bizdate}', 6) AND '${bizdate}'
      AND alert_status <> 'FALSE_POSITIVE'
    GROUP BY user_id
)
INSERT OVERWRITE TABLE sec_ads.ads_user_login_threat_di PARTITION (dt = '${bizdate}')
SELECT
    u.user_id,
    ac.dept_code,
    ac.home_country,
    u.login_cnt,
    u.fail_cnt,
    u.ip_cnt,
    u.countries,
    u.avg_points,
    COALESCE(pv.role_cnt, 0) AS role_cnt,
    COALESCE(ep.alert_cnt, 0) AS alert_cnt,
    u.fail_cnt * 2
        + COALESCE(ep.severity_sum, 0)
        + CASE WHEN u.ip_cnt >= 3 THEN 5 ELSE 0 END
        + CASE WHEN pv.is_admin = 1 THEN 10 ELSE 0 END AS threat_score,
    CASE
        WHEN pv.is_admin = 1 AND ep.user_id IS NOT NULL THEN 'CRITICAL'
        WHEN u.countries <> ac.home_country THEN 'ABROAD'
        -- password older than three months
        WHEN ac.last_pwd_date IS NULL
          OR ac.last_pwd_date < ADD_MONTHS('${bizdate}', -3) THEN 'STALE_PWD'
        ELSE 'NORMAL'
    END AS threat_label,
    u.last_event_time
FROM auth_user u
INNER JOIN account ac
    ON u.user_id = ac.user_id
LEFT OUTER JOIN privilege pv
    ON u.user_id = pv.user_id
LEFT OUTER JOIN endpoint ep
    ON u.user_id = ep.user_id
;

-- step 2: totals per department and country for the CISO sheet --------
INSERT OVERWRITE TABLE sec_ads.ads_login_threat_rollup_di PARTITION (dt = '${bizdate}')
SELECT
    COALESCE(t.dept_code, 'ALL') AS dept_code,
    COALESCE(t.home_country, 'ALL') AS home_country,
    COUNT(*) AS user_cnt,
    SUM(t.login_cnt) AS login_cnt,
    SUM(t.fail_cnt) AS fail_cnt,
    SUM(IF(t.threat_label IN ('CRITICAL', 'ABROAD'), 1, 0)) AS hot_user_cnt,
    ROUND(SUM(t.fail_cnt) / NULLIF(SUM(t.login_cnt), 0), 4) AS fail_rate,
    MAX(t.threat_score) AS max_score
FROM sec_ads.ads_user_login_threat_di t
WHERE t.dt = '${bizdate}'
  AND t.dept_code IS NOT NULL
  AND t.home_country IS NOT NULL
GROUP BY t.dept_code, t.home_country WITH ROLLUP
;
