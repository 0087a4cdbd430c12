/**********************************************************************
 * ADS_LEASE.ADS_RENT_ROLL_ARREARS_1D
 * Owner    : property finance / g.marchetti
 * Purpose  : rent roll with arrears ageing for buildings, portfolios and
 *            regions (roll-up), read by the weekly arrears meeting
 * Params   : ${hiveconf:dt} run date, ${hiveconf:month} fee month yyyyMM
 * 2021-12-02 created
 * 2023-03-20 prepaid rent: receipts without a bill stay visible
 **********************************************************************/
SET hive.exec.dynamic.partition=true;
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT OVERWRITE TABLE ads_lease.ads_rent_roll_arrears_1d PARTITION (dt='${hiveconf:dt}', region)
SELECT
    z.grain
   ,z.portfolio
   ,z.building_id
   ,z.lease_cnt
   ,z.leased_sqm
   ,z.billed_amt
   ,z.received_amt
   ,z.overdue_1_7
   ,z.overdue_8_15
   ,z.overdue_16_up
   ,ROUND(z.received_amt * 100.0 / NULLIF(z.billed_amt, 0), 2) AS collect_pct
   ,CASE
        WHEN z.overdue_16_up > 0                  THEN 'RED'
        WHEN z.overdue_8_15 + z.overdue_1_7 > 0   THEN 'AMBER'
        ELSE 'GREEN'
    END                            AS arrears_light
   ,NVL(k.fee_list, '-')           AS fee_list
   ,NVL(z.region, 'ALL')           AS region
FROM (
    SELECT
        CASE
            WHEN GROUPING(y.building_id) = 0 THEN 'BUILDING'
            WHEN GROUPING(y.portfolio) = 0   THEN 'PORTFOLIO'
            WHEN GROUPING(y.region) = 0      THEN 'REGION'
            ELSE 'TOTAL'
        END                          AS grain
       ,y.region
       ,y.portfolio
       ,y.building_id
       ,COUNT(1)                     AS lease_cnt
       ,SUM(y.leased_sqm)            AS leased_sqm
       ,SUM(y.billed_amt)            AS billed_amt
       ,SUM(y.received_amt)          AS received_amt
       ,SUM(CASE WHEN y.overdue_days BETWEEN 1 AND 7  THEN y.open_amt ELSE 0 END) AS overdue_1_7
       ,SUM(CASE WHEN y.overdue_days BETWEEN 8 AND 15 THEN y.open_amt ELSE 0 END) AS overdue_8_15
       ,SUM(CASE WHEN y.overdue_days >= 16            THEN y.open_amt ELSE 0 END) AS overdue_16_up
    FROM (
        -- one row per lease
        SELECT
            u.region
           ,u.portfolio
           ,u.building_id
           ,l.lease_id
           ,MAX(u.area_sqm)                AS leased_sqm
           ,SUM(COALESCE(f.billed_amt, 0))   AS billed_amt
           ,SUM(COALESCE(f.received_amt, 0)) AS received_amt
           ,SUM(GREATEST(COALESCE(f.billed_amt, 0) - COALESCE(f.received_amt, 0), 0)) AS open_amt
           ,MAX(DATEDIFF('${hiveconf:dt}', f.due_date)) AS overdue_days
        FROM (
            -- the newest version of a lease counts; a signed amendment makes a new version
            SELECT
                v.lease_id
               ,v.unit_id
            FROM (
                SELECT
                    lease_id
                   ,unit_id
                   ,lease_status
                   ,ROW_NUMBER() OVER (PARTITION BY lease_id ORDER BY version_no DESC, sign_time DESC, contract_id DESC) AS rn
                FROM dwd_lease.dwd_lease_contract_df
                WHERE dt = '${hiveconf:dt}'
                  AND sign_time IS NOT NULL
            ) v
            WHERE v.rn = 1
              AND v.lease_status IN ('ACTIVE', 'NOTICE')
        ) l
        INNER JOIN dim_lease.dim_unit_df u
            ON  l.unit_id = u.unit_id
            AND u.dt = '${hiveconf:dt}'
        LEFT JOIN (
            -- a lease may be billed and unpaid, or paid and not billed (prepaid)
            SELECT
                COALESCE(b.lease_id, r.lease_id) AS lease_id
               ,COALESCE(b.fee_code, r.fee_code) AS fee_code
               ,b.due_date
               ,b.billed_amt
               ,r.received_amt
            FROM (
                SELECT
                    lease_id
                   ,fee_code
                   ,MIN(due_date)                     AS due_date
                   ,SUM(bill_amt - NVL(waive_amt, 0)) AS billed_amt
                FROM dwd_lease.dwd_rent_bill_df
                WHERE dt = '${hiveconf:dt}'
                  AND fee_month = '${hiveconf:month}'
                  AND bill_status <> 'VOID'
                GROUP BY
                    lease_id
                   ,fee_code
            ) b
            FULL OUTER JOIN (
                SELECT
                    p.lease_id
                   ,a.fee_code
                   ,SUM(CAST(a.amt AS DECIMAL(18,2))) AS received_amt
                FROM dwd_lease.dwd_rent_receipt_df p
                -- a bank receipt is split over fees: fee code -> amount
                LATERAL VIEW EXPLODE(p.alloc_map) a AS fee_code, amt
                WHERE p.dt = '${hiveconf:dt}'
                  AND p.fee_month = '${hiveconf:month}'
                  AND NOT COALESCE(p.is_bounced, FALSE)
                GROUP BY
                    p.lease_id
                   ,a.fee_code
            ) r
                ON  b.lease_id = r.lease_id
                AND b.fee_code = r.fee_code
        ) f
            ON l.lease_id = f.lease_id
        -- leases in court are followed by the legal department
        WHERE NOT EXISTS (
            SELECT 1
            FROM dwd_lease.dwd_legal_case_df c
            WHERE c.dt = '${hiveconf:dt}'
              AND c.lease_id = l.lease_id
              AND c.case_status != 'CLOSED'
        )
        GROUP BY
            u.region
           ,u.portfolio
           ,u.building_id
           ,l.lease_id
    ) y
    GROUP BY
        y.region
       ,y.portfolio
       ,y.building_id
    WITH ROLLUP
) z
LEFT JOIN (
    -- which fees the contracts of a building carry
    SELECT
        n.building_id
       ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(CONCAT(ci.item.item_code, ':', ci.item.cycle)))) AS fee_list
    FROM dwd_lease.dwd_lease_contract_df m
    INNER JOIN dim_lease.dim_unit_df n
        ON  m.unit_id = n.unit_id
        AND n.dt = '${hiveconf:dt}'
    LATERAL VIEW OUTER EXPLODE(m.charge_items) ci AS item
    WHERE m.dt = '${hiveconf:dt}'
      AND m.lease_status = 'ACTIVE'
    GROUP BY n.building_id
) k
    ON  z.building_id = k.building_id
    AND z.grain = 'BUILDING'
;
