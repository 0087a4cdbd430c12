-- +--------------------------------------------------------------+
-- | RISK_ADS.ADS_LOAN_ROLL_RATE_MI                               |
-- | monthly migration between delinquency buckets                |
-- | owner: credit risk analytics     ticket: RISK-1187           |
-- +--------------------------------------------------------------+
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

WITH param AS (
    SELECT
        1                       AS min_balance,   -- smaller balances are rounding leftovers
        30                      AS bucket_days
),
snapshot AS (
    -- a contract is delivered again when the core system re-runs a branch
    SELECT
        contract_id,
        customer_id,
        product_code,
        principal_balance,
        interest_balance,
        dpd,
        restructured_flag,
        snap_date
    FROM (
        SELECT
            contract_id,
            customer_id,
            product_code,
            principal_balance,
            interest_balance,
            dpd,
            restructured_flag,
            dt AS snap_date,
            ROW_NUMBER() OVER (
                PARTITION BY contract_id, dt
                ORDER BY update_time DESC, batch_no DESC
            ) AS rn
        FROM risk_dwd.dwd_loan_snapshot_df
        WHERE dt IN ('${month_end}', '${prev_month_end}')
            AND loan_status <> 'SETTLED'
    ) s
    WHERE rn = 1
),
bucketed AS (
    SELECT
        s.contract_id,
        s.customer_id,
        s.product_code,
        s.snap_date,
        s.restructured_flag,
        COALESCE(s.principal_balance, 0) + COALESCE(s.interest_balance, 0) AS exposure,
        CASE
            WHEN s.dpd IS NULL OR s.dpd <= 0        THEN 'B0'
            WHEN s.dpd <= p.bucket_days             THEN 'B1'
            WHEN s.dpd <= p.bucket_days * 2         THEN 'B2'
            WHEN s.dpd <= p.bucket_days * 3         THEN 'B3'
            ELSE 'B4'
        END AS bucket
    FROM snapshot s
    CROSS JOIN param p
    WHERE s.principal_balance >= p.min_balance
),
write_off AS (
    SELECT
        contract_id,
        MIN(write_off_date)                         AS write_off_date,
        SUM(COALESCE(write_off_amount, 0))          AS write_off_amount
    FROM risk_ods.ods_write_off_df
    WHERE dt = '${month_end}'
        AND approve_status = 'APPROVED'
    GROUP BY contract_id
),
collateral AS (
    SELECT
        contract_id,
        MAX(CASE WHEN collateral_type = 'REAL_ESTATE' THEN 1 ELSE 0 END)  AS has_property,
        CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(collateral_type)))          AS collateral_types
    FROM (
        SELECT c.contract_id, UPPER(TRIM(ct.type_code)) AS collateral_type
        FROM risk_ods.ods_collateral_df c
        LATERAL VIEW EXPLODE(SPLIT(c.type_codes, ',')) ct AS type_code
        WHERE c.dt = '${month_end}'
            AND c.release_date IS NULL
    ) x
    WHERE collateral_type <> ''
    GROUP BY contract_id
),
opening AS (
    -- written off before the period began: no longer at risk
    SELECT b.*
    FROM bucketed b
    LEFT ANTI JOIN (
        SELECT contract_id
        FROM write_off
        WHERE write_off_date <= '${prev_month_end}'
    ) w
        ON b.contract_id = w.contract_id
    WHERE b.snap_date = '${prev_month_end}'
),
migration AS (
    SELECT
        o.contract_id,
        o.customer_id,
        o.product_code,
        o.bucket                                    AS from_bucket,
        o.exposure                                  AS from_exposure,
        CASE
            WHEN w.contract_id IS NOT NULL          THEN 'WO'
            WHEN c.contract_id IS NULL              THEN 'PAID'
            ELSE c.bucket
        END                                         AS to_bucket,
        COALESCE(c.exposure, 0)                     AS to_exposure,
        COALESCE(w.write_off_amount, 0)             AS loss_amount,
        -- restructured during this month, a missing flag counts as a change
        IF(c.restructured_flag = true AND NOT (o.restructured_flag <=> c.restructured_flag), 1, 0) AS new_restructured
    FROM opening o
    LEFT JOIN bucketed c
        ON o.contract_id = c.contract_id
        AND c.snap_date = '${month_end}'
    LEFT JOIN write_off w
        ON o.contract_id = w.contract_id
        AND w.write_off_date BETWEEN DATE_ADD('${prev_month_end}', 1) AND '${month_end}'
)
INSERT OVERWRITE TABLE risk_ads.ads_loan_roll_rate_mi PARTITION (dt = '${month_end}', product_line)
SELECT
    g.from_bucket,
    g.to_bucket,
    g.contract_cnt,
    g.customer_cnt,
    g.from_amount,
    g.to_amount,
    g.loss_amount,
    ROUND(g.from_amount / NULLIF(g.bucket_amount, 0), 4) AS roll_rate,
    g.property_cnt,
    g.restructured_cnt,
    CASE
        WHEN g.to_bucket IS NULL                    THEN 'TOTAL'
        WHEN g.to_bucket IN ('PAID', 'WO')          THEN 'EXIT'
        WHEN g.to_bucket > g.from_bucket            THEN 'WORSE'
        WHEN g.to_bucket < g.from_bucket            THEN 'BETTER'
        ELSE 'STABLE'
    END                                             AS direction,
    g.product_line
FROM (
    SELECT
        COALESCE(p.product_line, 'ALL')             AS product_line,
        m.from_bucket,
        m.to_bucket,
        COUNT(*)                                    AS contract_cnt,
        COUNT(DISTINCT m.customer_id)               AS customer_cnt,
        SUM(m.from_exposure)                        AS from_amount,
        SUM(m.to_exposure)                          AS to_amount,
        SUM(m.loss_amount)                          AS loss_amount,
        SUM(COALESCE(cl.has_property, 0))           AS property_cnt,
        SUM(m.new_restructured)                     AS restructured_cnt,
        MAX(SUM(m.from_exposure)) OVER (PARTITION BY p.product_line, m.from_bucket) AS bucket_amount
    FROM migration m
    INNER JOIN risk_dim.dim_loan_product_df p
        ON m.product_code = p.product_code
        AND p.dt = '${month_end}'
        AND p.product_line IS NOT NULL
    LEFT JOIN collateral cl
        ON m.contract_id = cl.contract_id
    GROUP BY p.product_line, m.from_bucket, m.to_bucket
    GROUPING SETS (
        (p.product_line, m.from_bucket, m.to_bucket),
        (p.product_line, m.from_bucket),
        (m.from_bucket, m.to_bucket),
        (m.from_bucket)
    )
) g;
