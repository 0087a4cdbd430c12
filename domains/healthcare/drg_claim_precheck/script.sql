/*************************************************************
 * 医保结算清单预审 (CHECK OF INPATIENT CLAIMS)
 * TARGETS : ads_ins.ads_claim_pass_di    (READY TO BE UPLOADED)
 *           ads_ins.ads_claim_reject_di  (BACK TO THE CODING DESK)
 * OWNER   : INSURANCE OFFICE / DATA GROUP
 * HISTORY : 2022-02-11 FIRST VERSION, 3 RULES
 *           2023-07-25 RULE R4 (FEE MAP VS DETAIL LINES)
 *           2024-01-09 RULE R5 (CATALOGUE PRICE LIMIT)
 *************************************************************/
SET hive.exec.parallel=true;

FROM (
    SELECT K.claim_no
          ,K.patient_id
          ,K.insure_type
          ,K.drg_code
          ,K.settle_date
          ,K.total_fee
          ,NVL(F.detail_fee, 0)                 AS detail_fee
          ,NVL(M.map_fee, 0)                    AS map_fee
          ,NVL(F.line_cnt, 0)                   AS line_cnt
          ,NVL(F.over_cnt, 0)                   AS over_cnt
          ,NVL(F.over_items, '')                AS over_items
          ,W.weight                             AS drg_weight
          -- 规则按优先级排列, 命中第一条即停
          ,CASE WHEN K.id_card IS NULL OR LENGTH(K.id_card) <> 18          THEN 'R1'
                WHEN W.drg_code IS NULL                                    THEN 'R2'
                WHEN NVL(K.main_diag, '') <> NVL(H.main_diag, '')          THEN 'R3'
                WHEN ABS(NVL(F.detail_fee, 0) - NVL(M.map_fee, 0)) > 1     THEN 'R4'
                WHEN F.over_cnt > 0                                        THEN 'R5'
                ELSE 'OK'
           END                                  AS rule_code
    FROM (
        -- the last upload of a claim wins
        SELECT C.claim_no
              ,C.encounter_id
              ,C.patient_id
              ,TRIM(C.id_card)                  AS id_card
              ,C.insure_type
              ,C.drg_code
              ,C.main_diag
              ,C.settle_date
              ,C.total_fee
              ,C.fee_map
        FROM (
            SELECT B.*
                  ,ROW_NUMBER() OVER (PARTITION BY B.claim_no ORDER BY B.upload_seq DESC, B.claim_id DESC) AS rn
            FROM ods_ins.ods_settle_claim_di B
            WHERE B.dt BETWEEN '${yyyymmdd-2}' AND '${yyyymmdd}'
              AND B.claim_status IN ('NEW', 'AMENDED')
        ) C
        WHERE C.rn = 1
          AND NOT EXISTS (
              SELECT 1
              FROM ods_ins.ods_claim_frozen_df Z
              WHERE Z.dt = '${yyyymmdd}'
                AND Z.claim_no = C.claim_no
                AND Z.unfreeze_date IS NULL
          )
    ) K
    LEFT OUTER JOIN (
        -- detail lines: drugs and services, same columns in both branches
        SELECT L.encounter_id
              ,ROUND(SUM(L.amt), 2)             AS detail_fee
              ,COUNT(*)                         AS line_cnt
              ,SUM(CASE WHEN CAST(G.price_limit AS DECIMAL(18,2)) < L.price THEN 1 ELSE 0 END) AS over_cnt
              ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(
                   CASE WHEN CAST(G.price_limit AS DECIMAL(18,2)) < L.price THEN L.item_code END
               )))                              AS over_items
        FROM (
            SELECT encounter_id
                  ,drug_code                    AS item_code
                  ,unit_price                   AS price
                  ,unit_price * CAST(qty AS DECIMAL(18,2)) AS amt
                  ,'DRUG'                       AS kind
            FROM dwd_his.dwd_drug_fee_di
            WHERE dt BETWEEN '${yyyymmdd-29}' AND '${yyyymmdd}'
              AND charge_flag = 'C'
            UNION ALL
            SELECT encounter_id
                  ,service_code                 AS item_code
                  ,unit_price                   AS price
                  ,unit_price * CAST(times AS DECIMAL(18,2)) AS amt
                  ,'SERVICE'                    AS kind
            FROM dwd_his.dwd_service_fee_di
            WHERE dt BETWEEN '${yyyymmdd-29}' AND '${yyyymmdd}'
              AND charge_flag = 'C'
        ) L
        LEFT JOIN dim_ins.dim_catalogue_df G
        ON  L.item_code = G.item_code
        AND L.kind = G.item_kind
        AND G.dt = '${yyyymmdd}'
        AND G.price_limit RLIKE '^[0-9]+$'      -- '-' = 不限价
        GROUP BY L.encounter_id
    ) F
    ON  K.encounter_id = F.encounter_id
    LEFT JOIN (
        -- fee categories on the claim form, e.g. bed -> 300.00
        SELECT A.claim_no
              ,SUM(CAST(E.fee AS DECIMAL(18,2)))  AS map_fee
        FROM ods_ins.ods_settle_claim_di A
        LATERAL VIEW EXPLODE(A.fee_map) E AS fee_type, fee
        WHERE A.dt BETWEEN '${yyyymmdd-2}' AND '${yyyymmdd}'
          AND A.claim_status IN ('NEW', 'AMENDED')
          AND A.is_last = 1
        GROUP BY A.claim_no
    ) M
    ON  K.claim_no = M.claim_no
    LEFT JOIN dwd_his.dwd_medical_record_df H
    ON  K.encounter_id = H.encounter_id
    AND K.patient_id = H.patient_id
    AND H.dt = '${yyyymmdd}'
    LEFT JOIN dim_ins.dim_drg_weight_df W
    ON  K.drg_code = W.drg_code
    AND W.dt = '${yyyymmdd}'
) T
INSERT OVERWRITE TABLE ads_ins.ads_claim_pass_di PARTITION (dt='${yyyymmdd}')
SELECT T.claim_no
      ,T.patient_id
      ,T.insure_type
      ,T.drg_code
      ,T.settle_date
      ,T.total_fee
      ,ROUND(T.drg_weight * ${base_rate}, 2)                     AS std_pay
      ,ROUND(T.drg_weight * ${base_rate}, 2) - T.total_fee       AS balance
      ,CASE WHEN T.total_fee > T.drg_weight * ${base_rate} * 2   THEN 'HIGH'
            WHEN T.total_fee < T.drg_weight * ${base_rate} * 0.4 THEN 'LOW'
            ELSE 'NORMAL'
       END                                                       AS cost_class
WHERE T.rule_code = 'OK'
INSERT OVERWRITE TABLE ads_ins.ads_claim_reject_di PARTITION (dt='${yyyymmdd}')
SELECT T.insure_type
      ,T.rule_code
      ,COUNT(1)                                                  AS claim_cnt
      ,COUNT(DISTINCT T.patient_id)                              AS patient_cnt
      ,SUM(T.total_fee)                                          AS total_fee
      ,SUM(T.detail_fee - T.map_fee)                             AS fee_gap
      ,SUM(T.over_cnt)                                           AS over_cnt
      ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(T.claim_no)))       AS claim_list
      ,CONCAT_WS('|', SORT_ARRAY(COLLECT_SET(T.over_items)))     AS item_list
WHERE T.rule_code <> 'OK'
GROUP BY T.insure_type
        ,T.rule_code
;
