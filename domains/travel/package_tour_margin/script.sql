-- tour_margin.hql
-- Step 1 collects the cost lines of every departure, step 2 compares them with sales.
-- owner: tour operations controlling (h.weiss)
-- 20220601 hw : first version
-- 20230118 hw : contract prices where the invoice is still missing
-- 20231009 lb : travellers per nation for the guides
SET hive.exec.compress.intermediate=true;
SET hive.auto.convert.join=true;

-- 1 ------------------------------------------------------------------
-- one row per departure and kind of cost
INSERT OVERWRITE TABLE dwd_tour.dwd_departure_cost_di PARTITION (dt = '${dt}')
SELECT  /*+ MAPJOIN(fx) */
        c.departure_id
       ,c.cost_kind
       ,COUNT(1) AS line_cnt
       ,ROUND(SUM(c.amount * COALESCE(fx.rate, 1)), 2) AS cost_amount
       ,MAX(c.is_estimate) AS has_estimate
FROM    (
            -- invoices of hotels, coaches and guides
            SELECT  i.departure_id
                   ,UPPER(i.supplier_kind) AS cost_kind
                   ,i.currency
                   ,i.net_amount + COALESCE(i.tax_amount, 0) AS amount
                   ,0 AS is_estimate
            FROM    ods_tour.ods_supplier_invoice_df i
            WHERE   i.dt = '${dt}'
            AND     i.invoice_state <> 'DISPUTED'

            UNION ALL

            -- contract prices stand in for missing invoices, e.g. {"HOTEL":"820.00"}
            SELECT  k.departure_id
                   ,kv.cost_kind
                   ,k.currency
                   ,CAST(kv.price AS DECIMAL(18,2)) AS amount
                   ,1 AS is_estimate
            FROM    dwd_tour.dwd_supplier_contract_df k
            LATERAL VIEW EXPLODE(k.price_map) kv AS cost_kind, price
            WHERE   k.dt = '${dt}'
            AND     k.is_invoiced = 0
        ) c
LEFT JOIN (
            SELECT  currency
                   ,MAX(rate) AS rate
            FROM    dim_pub.dim_fx_rate_df
            WHERE   dt = '${dt}'
            GROUP BY currency
        ) fx
ON      c.currency = fx.currency
GROUP BY c.departure_id
        ,c.cost_kind
;

-- 2 ------------------------------------------------------------------
INSERT OVERWRITE TABLE ads_tour.ads_departure_margin_di PARTITION (dt = '${dt}')
SELECT  d.departure_id
       ,d.tour_code
       ,d.depart_date
       ,DATE_ADD(d.depart_date, d.tour_days - 1) AS return_date
       ,COALESCE(m.pax_cnt, 0) AS pax_cnt
       ,ROUND(COALESCE(m.pax_cnt, 0) * 100.0 / NULLIF(d.seat_cnt, 0), 1) AS load_pct
       ,COALESCE(m.sale_amount, 0) AS sale_amount
       ,COALESCE(m.cost_amount, 0) AS cost_amount
       ,COALESCE(m.sale_amount, 0) - COALESCE(m.cost_amount, 0) AS margin_amount
       ,COALESCE(m.hotel_amount, 0) AS hotel_amount
       ,COALESCE(n.nation_list, 'unknown') AS nation_list
       ,CASE
            WHEN m.departure_id IS NULL                THEN 'EMPTY'
            WHEN COALESCE(m.pax_cnt, 0) < d.min_pax    THEN 'BELOW_MINIMUM'
            WHEN m.sale_amount < m.cost_amount         THEN 'LOSS'
            WHEN m.estimate_flag = 1                   THEN 'PROVISIONAL'
            ELSE 'FINAL'
        END AS margin_state
       ,LAG(COALESCE(m.pax_cnt, 0), 1, 0) OVER (
            PARTITION BY d.tour_code
            ORDER BY d.depart_date, d.departure_id
        ) AS prev_pax_cnt
FROM    (
            SELECT  departure_id
                   ,tour_code
                   ,depart_date
                   ,tour_days
                   ,seat_cnt
                   ,min_pax
            FROM    dim_tour.dim_departure_df
            WHERE   dt = '${dt}'
            AND     depart_date BETWEEN DATE_SUB('${dt}', 15) AND DATE_ADD('${dt}', 15)
            AND     departure_state IN ('OPEN', 'GUARANTEED', 'RUN')
        ) d
LEFT JOIN (
            -- a departure may have only sales or only costs
            SELECT  COALESCE(s.departure_id, k.departure_id) AS departure_id
                   ,s.pax_cnt
                   ,s.sale_amount
                   ,k.cost_amount
                   ,k.hotel_amount
                   ,k.estimate_flag
            FROM    (
                        SELECT  b.departure_id
                               ,SUM(b.adult_cnt + COALESCE(b.child_cnt, 0)) AS pax_cnt
                               ,SUM(b.pay_amount - COALESCE(b.refund_amount, 0)) AS sale_amount
                        FROM    (
                                    SELECT  o.*
                                           ,ROW_NUMBER() OVER (
                                                PARTITION BY o.booking_no
                                                ORDER BY o.modify_time DESC, o.row_id DESC
                                            ) AS rn
                                    FROM    dwd_tour.dwd_tour_booking_df o
                                    WHERE   o.dt = '${dt}'
                                ) b
                        WHERE   b.rn = 1
                        AND     b.booking_state NOT IN ('CANCELLED', 'OPTION')
                        GROUP BY b.departure_id
                    ) s
            FULL OUTER JOIN (
                        SELECT  departure_id
                               ,SUM(cost_amount) AS cost_amount
                               ,SUM(CASE WHEN cost_kind = 'HOTEL' THEN cost_amount ELSE 0 END) AS hotel_amount
                               ,MAX(has_estimate) AS estimate_flag
                        FROM    dwd_tour.dwd_departure_cost_di
                        WHERE   dt = '${dt}'
                        GROUP BY departure_id
                    ) k
            ON      s.departure_id = k.departure_id
        ) m
ON      d.departure_id = m.departure_id
LEFT JOIN (
            -- nations of the travellers, guides need to know the languages
            SELECT  t.departure_id
                   ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(p.nation))) AS nation_list
            FROM    dwd_tour.dwd_tour_booking_df t
            LATERAL VIEW EXPLODE(SPLIT(t.pax_nations, ',')) p AS nation
            WHERE   t.dt = '${dt}'
            AND     t.booking_state <> 'CANCELLED'
            AND     LENGTH(p.nation) > 0
            GROUP BY t.departure_id
        ) n
ON      d.departure_id = n.departure_id
;
