--------------------------------------------------------------------------------
-- ADS_SOCIAL.ADS_BENEFIT_REVIEW_CASE
-- Department : social benefits, audit unit            Contact: r.lehtonen
-- Content    : payments of the month that somebody has to look at
-- Rules      : DECEASED   paid after the date of death
--              EMPLOYED   unemployment aid next to a salary
--              EXCLUSIVE  two schemes that exclude each other
--              ACCOUNT    one bank account, several unrelated payees
--              ADDRESS    declared post code is not the registered one
-- Legal      : decided cases are not reopened
--------------------------------------------------------------------------------
INSERT INTO TABLE ads_social.ads_benefit_review_case PARTITION (dt='${hiveconf:run_date}')
SELECT
     c.rule_code
    ,c.citizen_id
    ,c.scheme_code
    ,c.pay_month
    ,c.risk_amt
    ,c.evidence
    ,g.district
    ,CASE
         WHEN c.rule_code = 'DECEASED'                         THEN 1
         WHEN c.rule_code IN ('EMPLOYED', 'EXCLUSIVE')         THEN 2
         ELSE 3
     END AS priority
    -- earlier refunds
    ,(SELECT COUNT(*)
      FROM dwd_social.dwd_review_decision_df h
      WHERE h.dt = '${hiveconf:run_date}'
        AND h.citizen_id = c.citizen_id
        AND h.decision = 'REFUND') AS earlier_refund_cnt
FROM (
    SELECT
         'DECEASED'              AS rule_code
        ,p.citizen_id
        ,p.scheme_code
        ,p.pay_month
        ,SUM(p.pay_amt)          AS risk_amt
        ,CONCAT('death=', MAX(r.death_date)) AS evidence
    FROM dwd_social.dwd_benefit_payment_di p
    INNER JOIN dwd_social.dwd_civil_register_df r
        ON  p.citizen_id = r.citizen_id
        AND r.dt = '${hiveconf:run_date}'
    WHERE p.dt BETWEEN DATE_SUB('${hiveconf:run_date}', 29) AND '${hiveconf:run_date}'
      AND p.pay_status = 'PAID'
      AND r.death_date IS NOT NULL
      AND cast(p.pay_time as date) > r.death_date
    GROUP BY p.citizen_id, p.scheme_code, p.pay_month

    UNION ALL
    SELECT
         'EMPLOYED'
        ,p.citizen_id
        ,p.scheme_code
        ,p.pay_month
        ,LEAST(SUM(p.pay_amt), MAX(s.salary_amt))
        ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(s.employer_name)))
    FROM dwd_social.dwd_benefit_payment_di p
    INNER JOIN dwd_social.dwd_salary_report_df s
        ON  p.citizen_id = s.citizen_id
        AND p.pay_month = s.salary_month
        AND s.dt = '${hiveconf:run_date}'
        AND s.salary_amt > ${min_salary}
    WHERE p.dt BETWEEN DATE_SUB('${hiveconf:run_date}', 29) AND '${hiveconf:run_date}'
      AND p.pay_status = 'PAID'
      AND p.scheme_code LIKE 'UNEMP%'
    GROUP BY p.citizen_id, p.scheme_code, p.pay_month

    UNION ALL
    -- the rule book names a pair only once
    SELECT
         'EXCLUSIVE'
        ,a.citizen_id
        ,a.scheme_code
        ,a.pay_month
        ,LEAST(a.pay_amt, b.pay_amt)
        ,CONCAT('also in ', b.scheme_code)
    FROM (
        SELECT m.citizen_id, m.scheme_code, m.pay_month, SUM(m.pay_amt) AS pay_amt
        FROM dwd_social.dwd_benefit_payment_di m
        WHERE m.dt BETWEEN DATE_SUB('${hiveconf:run_date}', 29) AND '${hiveconf:run_date}'
          AND m.pay_status = 'PAID'
        GROUP BY m.citizen_id, m.scheme_code, m.pay_month
    ) a
    INNER JOIN (
        SELECT d.scheme_code, TRIM(x.other_code) AS other_code
        FROM dim_social.dim_scheme_df d
        LATERAL VIEW EXPLODE(SPLIT(d.exclusive_with, ',')) x AS other_code
        WHERE d.dt = '${hiveconf:run_date}'
    ) e
        ON a.scheme_code = e.scheme_code
    INNER JOIN (
        SELECT n.citizen_id, n.scheme_code, n.pay_month, SUM(n.pay_amt) AS pay_amt
        FROM dwd_social.dwd_benefit_payment_di n
        WHERE n.dt BETWEEN DATE_SUB('${hiveconf:run_date}', 29) AND '${hiveconf:run_date}'
          AND n.pay_status = 'PAID'
        GROUP BY n.citizen_id, n.scheme_code, n.pay_month
    ) b
        ON  a.citizen_id = b.citizen_id
        AND a.pay_month = b.pay_month
        AND e.other_code = b.scheme_code

    UNION ALL
    SELECT
         'ACCOUNT'
        ,w.citizen_id
        ,'-'
        ,w.pay_month
        ,w.pay_amt
        ,CONCAT(w.iban_hash, ' used by ', CAST(k.payee_cnt AS STRING))
    FROM (
        SELECT q.citizen_id, q.iban_hash, q.pay_month, SUM(q.pay_amt) AS pay_amt
        FROM dwd_social.dwd_benefit_payment_di q
        WHERE q.dt = '${hiveconf:run_date}'
          AND q.guardian_id IS NULL
        GROUP BY q.citizen_id, q.iban_hash, q.pay_month
    ) w
    INNER JOIN (
        -- each person once
        SELECT u.iban_hash, COUNT(1) AS payee_cnt
        FROM (
            SELECT citizen_id, iban_hash
            FROM dwd_social.dwd_benefit_payment_di
            WHERE dt = '${hiveconf:run_date}'
              AND guardian_id IS NULL
            UNION
            SELECT tenant_id AS citizen_id, iban_hash
            FROM dwd_social.dwd_housing_allowance_df
            WHERE dt = '${hiveconf:run_date}'
              AND grant_status = 'RUNNING'
        ) u
        GROUP BY u.iban_hash
        HAVING COUNT(1) >= 2
    ) k
        ON w.iban_hash = k.iban_hash

    UNION ALL
    SELECT
         'ADDRESS'
        ,h.tenant_id
        ,'HOUSING'
        ,DATE_FORMAT('${hiveconf:run_date}', 'yyyyMM')
        ,h.grant_amt
        ,CONCAT(NVL(h.post_code, '?'), '/', NVL(v.post_code, '?'))
    FROM dwd_social.dwd_housing_allowance_df h
    LEFT JOIN dwd_social.dwd_civil_register_df v
        ON  h.tenant_id = v.citizen_id
        AND v.dt = '${hiveconf:run_date}'
    WHERE h.dt = '${hiveconf:run_date}'
      AND h.grant_status = 'RUNNING'
      AND NVL(h.post_code, '') <> NVL(v.post_code, '')
) c
LEFT OUTER JOIN dwd_social.dwd_civil_register_df g
    ON  c.citizen_id = g.citizen_id
    AND g.dt = '${hiveconf:run_date}'
WHERE c.risk_amt > 0
  AND NOT EXISTS (
      SELECT 1
      FROM dwd_social.dwd_review_decision_df z
      WHERE z.dt = '${hiveconf:run_date}'
        AND z.citizen_id = c.citizen_id
        AND z.rule_code = c.rule_code
        AND z.pay_month = c.pay_month
  )
;
