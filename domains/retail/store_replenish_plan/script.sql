-- ------------------------------------------------------------------
-- replenish_plan.sql
-- order proposal per store and sku for the buyers
-- owner: supply chain analytics, n.adeyemi
-- 2023-10-02: promotion factor
-- ------------------------------------------------------------------
WITH param AS (
    SELECT
        CAST(${cover_days} AS INT) AS cover_days,
        DATE_SUB('${run_date}', 13) AS start_date,
        2 AS safety_qty
)
SELECT
    r.store_id,
    r.sku_id,
    r.category_id,
    r.available_qty,
    r.incoming_qty,
    r.day_demand,
    r.need_qty,
    -- whole packs only
    CAST(CEIL(r.need_qty / r.pack_size) * r.pack_size AS INT) AS order_qty,
    CASE
        WHEN r.available_qty <= 0 AND r.day_demand > 0 THEN 'STOCKOUT'
        WHEN r.available_qty < r.day_demand * r.lead_days THEN 'URGENT'
        ELSE 'NORMAL'
    END AS urgency,
    DENSE_RANK() OVER (
        PARTITION BY r.store_id
        ORDER BY r.is_key_item DESC, r.need_qty DESC, r.sku_id
    ) AS priority_no,
    r.is_key_item,
    r.incoming_sources
FROM (
    SELECT
        st.store_id,
        st.sku_id,
        sku.category_id,
        sku.pack_size,
        COALESCE(sto.lead_days,1) AS lead_days,
        st.available_qty,
        COALESCE(inc.incoming_qty,0) AS incoming_qty,
        ROUND(COALESCE(dem.day_demand,0) * COALESCE(sku.promo_factor,1), 2) AS day_demand,
        IF(top.sku_id IS NOT NULL, 1, 0) AS is_key_item,
        COALESCE(inc.sources, '') AS incoming_sources,
        GREATEST(
            ROUND(
                COALESCE(dem.day_demand,0) * COALESCE(sku.promo_factor,1) * p.cover_days
                + p.safety_qty
                - st.available_qty
                - COALESCE(inc.incoming_qty,0), 2),
            0) AS need_qty
    FROM (
        -- last count of the day, damaged goods cannot be sold
        SELECT
            store_id,
            sku_id,
            COALESCE(on_hand_qty,0) - COALESCE(reserved_qty,0) - COALESCE(damaged_qty,0) AS available_qty
        FROM (
            SELECT
                k.*,
                ROW_NUMBER() OVER (
                    PARTITION BY k.store_id, k.sku_id
                    ORDER BY k.update_time DESC, k.count_id DESC
                ) AS rn
            FROM rtl_dwd.dwd_store_stock_df k
            WHERE k.dt = '${run_date}'
        ) t
        WHERE t.rn = 1
    ) st
    CROSS JOIN param p
    INNER JOIN (
        SELECT
            d.sku_id,
            d.category_id,
            COALESCE(NULLIF(d.pack_size, 0), 1) AS pack_size,
            -- strongest running promotion
            (
                SELECT MAX(pm.demand_factor)
                FROM rtl_ods.ods_promo_plan_df pm
                WHERE pm.sku_id = d.sku_id
                    AND pm.dt = '${run_date}'
                    AND '${run_date}' BETWEEN pm.start_date AND pm.end_date
            ) AS promo_factor
        FROM rtl_dim.dim_sku_df d
        WHERE d.dt = '${run_date}'
            AND d.sku_status IN ('ACTIVE', 'SEASONAL')
    ) sku
        ON st.sku_id = sku.sku_id
    INNER JOIN (
        SELECT
            store_id,
            lead_days
        FROM rtl_dim.dim_store_df
        WHERE dt = '${run_date}'
            AND (close_date IS NULL OR close_date > '${run_date}')
            AND store_type NOT IN ('OUTLET', 'FRANCHISE')
    ) sto
        ON st.store_id = sto.store_id
    LEFT JOIN (
        -- seven day moving demand, newest day only
        SELECT
            m.store_id,
            m.sku_id,
            m.day_demand
        FROM (
            SELECT
                s.store_id,
                s.sku_id,
                AVG(GREATEST(s.sale_qty - COALESCE(s.return_qty,0),0)) OVER (
                    PARTITION BY s.store_id, s.sku_id
                    ORDER BY s.dt
                    ROWS BETWEEN 6 PRECEDING AND CURRENT ROW
                ) AS day_demand,
                ROW_NUMBER() OVER (PARTITION BY s.store_id, s.sku_id ORDER BY s.dt DESC) AS day_no
            FROM rtl_dws.dws_store_sku_sale_di s
            CROSS JOIN param w
            WHERE s.dt >= w.start_date
                AND s.dt <= '${run_date}'
        ) m
        WHERE m.day_no = 1
    ) dem
        ON st.store_id = dem.store_id
        AND st.sku_id = dem.sku_id
    LEFT JOIN (
        -- goods on the way
        SELECT
            i.store_id,
            i.sku_id,
            COALESCE(SUM(i.open_qty), 0) AS incoming_qty,
            CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(i.src))) AS sources
        FROM (
            SELECT store_id, sku_id, 'PO' AS src, order_qty - COALESCE(receive_qty,0) AS open_qty
            FROM rtl_ods.ods_purchase_order_df
            WHERE dt = '${run_date}'
                AND po_status IN ('CONFIRMED', 'SHIPPED')
            UNION ALL
            SELECT to_store AS store_id, sku_id, 'TR' AS src, ship_qty - COALESCE(receive_qty,0) AS open_qty
            FROM rtl_ods.ods_transfer_order_df
            WHERE dt = '${run_date}'
                AND transfer_status IN ('CONFIRMED', 'SHIPPED')
        ) i
        WHERE i.open_qty > 0
        GROUP BY i.store_id, i.sku_id
    ) inc
        ON st.store_id = inc.store_id
        AND st.sku_id = inc.sku_id
    LEFT JOIN (
        -- company wide key items
        SELECT sku_id, SUM(sale_amount) AS amount
        FROM rtl_dws.dws_store_sku_sale_di
        WHERE dt BETWEEN DATE_SUB('${run_date}', 13) AND '${run_date}'
        GROUP BY sku_id
        ORDER BY amount DESC, sku_id
        LIMIT 50
    ) top
        ON st.sku_id = top.sku_id
) r
WHERE r.need_qty > 0
ORDER BY r.store_id, priority_no;
