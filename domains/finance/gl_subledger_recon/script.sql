/*******************************************************************************
 * job      : ads_gl_subledger_recon_di
 * owner    : finance-dw / m.okafor
 * purpose  : control accounts against AR, AP, FA
 * history  : 2023-01-17 FA sub-ledger added
 ******************************************************************************/
SET hive.exec.parallel=true;

-- step 1: balance per account
INSERT OVERWRITE TABLE fin_dws.dws_gl_account_balance_di PARTITION (dt='${bizdate}')
SELECT  j.company_code
       ,j.account_code
       ,MAX(a.account_type)                                           AS account_type
       ,MAX(a.is_control)                                             AS is_control
       ,COUNT(*)                                                      AS line_cnt
       ,SUM(COALESCE(j.dr_amount,0) * COALESCE(r.rate,1))             AS dr_amount_lc
       ,SUM(COALESCE(j.cr_amount,0) * COALESCE(r.rate,1))             AS cr_amount_lc
       ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(j.source_system)))      AS source_systems
FROM    (
            -- corrected lines are re-sent: newest wins
            SELECT  journal_id
                   ,company_code
                   ,account_code
                   ,currency_code
                   ,dr_amount
                   ,cr_amount
                   ,source_system
                   ,ROW_NUMBER() OVER (PARTITION BY journal_id, line_no
                                       ORDER BY modified_time DESC, load_seq DESC) AS rn
            FROM    fin_ods.ods_gl_journal_line_di
            WHERE   dt = '${bizdate}'
            AND     post_status = 'POSTED'
            AND     (description IS NULL OR description NOT LIKE '%\_dryrun')
        ) j
LEFT JOIN fin_dim.dim_gl_account_df a
ON      j.account_code = a.account_code
AND     a.dt = '${bizdate}'
LEFT JOIN (
            SELECT  currency_code
                   ,CAST(rate AS DECIMAL(18,6)) AS rate
            FROM    fin_dim.dim_fx_rate_di
            WHERE   dt = '${bizdate}'
            AND     rate_type = 'CLOSING'
            AND     CAST(rate AS DOUBLE) > 0
        ) r
ON      j.currency_code = r.currency_code
WHERE   j.rn = 1
GROUP BY j.company_code
        ,j.account_code
;

-- step 2: tie-out
INSERT OVERWRITE TABLE fin_ads.ads_gl_subledger_recon_di PARTITION (dt='${bizdate}')
SELECT  'DETAIL'                                                      AS row_type
       ,m.company_code
       ,m.account_code
       ,m.`source`
       ,m.gl_net
       ,m.sl_net
       ,m.gl_net - m.sl_net - COALESCE(x.explained_amount,0)          AS open_diff
       ,CASE WHEN m.gl_account IS NULL               THEN 'ONLY_SUBLEDGER'
             WHEN m.sl_account IS NULL               THEN 'ONLY_GL'
             WHEN ABS(m.gl_net - m.sl_net) < 0.01    THEN 'MATCHED'
             WHEN x.reason_code IS NOT NULL          THEN 'EXPLAINED'
             ELSE 'BREAK'
        END                                                           AS recon_status
       ,NVL(x.reason_code,'NONE')                                    AS reason_code
       ,m.item_cnt
FROM    (
            SELECT  COALESCE(g.company_code,s.company_code)          AS company_code
                   ,COALESCE(g.account_code,s.account_code)          AS account_code
                   ,COALESCE(s.subledgers,'NA')                      AS `source`
                   ,COALESCE(g.net_amount,0)                         AS gl_net
                   ,COALESCE(s.net_amount,0)                         AS sl_net
                   ,COALESCE(s.item_cnt,0)                           AS item_cnt
                   ,g.account_code                                    AS gl_account
                   ,s.account_code                                    AS sl_account
            FROM    (
                        SELECT  company_code
                               ,account_code
                               ,dr_amount_lc - cr_amount_lc           AS net_amount
                        FROM    fin_dws.dws_gl_account_balance_di
                        WHERE   dt = '${bizdate}'
                        AND     is_control = 'Y'
                    ) g
            FULL OUTER JOIN (
                        SELECT  u.company_code
                               ,u.account_code
                               ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(u.subledger))) AS subledgers
                               ,SUM(u.signed_amount)                  AS net_amount
                               ,COUNT(*)                              AS item_cnt
                        FROM    (
                                    -- receivables sit on the debit side
                                    SELECT  company_code
                                           ,account_code
                                           ,subledger
                                           ,COALESCE(txn_amount,0)    AS signed_amount
                                    FROM    fin_dwd.dwd_subledger_txn_di
                                    WHERE   dt = '${bizdate}'
                                    AND     subledger = 'AR'
                                    AND     txn_status <> 'DRAFT'
                                    UNION ALL
                                    -- payables are credits and include tax
                                    SELECT  company_code
                                           ,account_code
                                           ,subledger
                                           ,-1 * (COALESCE(txn_amount,0) + COALESCE(tax_amount,0)) AS signed_amount
                                    FROM    fin_dwd.dwd_subledger_txn_di
                                    WHERE   dt = '${bizdate}'
                                    AND     subledger = 'AP'
                                    AND     txn_status <> 'DRAFT'
                                    UNION ALL
                                    SELECT  company_code
                                           ,account_code
                                           ,subledger
                                           ,COALESCE(txn_amount,0)    AS signed_amount
                                    FROM    fin_dwd.dwd_subledger_txn_di
                                    WHERE   dt = '${bizdate}'
                                    AND     subledger = 'FA'
                                    AND     txn_status NOT IN ('DRAFT','REVERSED')
                                ) u
                        GROUP BY u.company_code
                                ,u.account_code
                    ) s
            ON      g.company_code = s.company_code
            AND     g.account_code = s.account_code
        ) m
LEFT JOIN (
            SELECT  company_code
                   ,account_code
                   ,reason_code
                   ,explained_amount
            FROM    (
                        SELECT  e.*
                               ,ROW_NUMBER() OVER (PARTITION BY e.company_code, e.account_code
                                                   ORDER BY e.review_time DESC, e.comment_id DESC) AS rk
                        FROM    fin_ods.ods_recon_comment_df e
                        WHERE   e.dt = '${bizdate}'
                        AND     e.approved_flag = 'Y'
                        AND     NVL(e.reviewer_id,'') <> NVL(e.author_id,'')   -- four eyes
                    ) t
            WHERE   t.rk = 1
        ) x
ON      m.company_code = x.company_code
AND     m.account_code = x.account_code

UNION ALL

-- totals for the cover sheet
SELECT  'TOTAL'                                                       AS row_type
       ,NVL(b.company_code, 'ALL')                                    AS company_code
       ,NVL(b.account_type, 'ALL')                                    AS account_code
       ,'GL'                                                          AS `source`
       ,SUM(b.dr_amount_lc - b.cr_amount_lc)                          AS gl_net
       ,0                                                             AS sl_net
       ,0                                                             AS open_diff
       ,IF(SUM(b.dr_amount_lc - b.cr_amount_lc) = 0, 'BALANCED', 'UNBALANCED') AS recon_status
       ,'NONE'                                                        AS reason_code
       ,SUM(b.line_cnt)                                               AS item_cnt
FROM    fin_dws.dws_gl_account_balance_di b
WHERE   b.dt = '${bizdate}'
AND     b.account_type IS NOT NULL
GROUP BY b.company_code
        ,b.account_type
WITH ROLLUP
;
