/*
** PHARMACOVIGILANCE - DISPROPORTIONALITY SCREENING
** ---------------------------------------------------------------
** output  : pv_ads.ads_drug_event_signal_${yyyymmdd}
** method  : proportional reporting ratio (PRR) on the case line list
** contact : signal management, dr. pacheco
** changes : 2022-10-12  literature cases
**           2024-01-22  suspect AND interacting drugs (CIOMS VIII)
*/
SET spark.sql.adaptive.enabled=true;

CREATE TABLE pv_ads.ads_drug_event_signal_${yyyymmdd} STORED AS ORC AS
WITH case_all AS (
    SELECT case_no, version_no, receive_date, report_type, drugs, reactions, serious_flags, row_id
    FROM   pv_dwd.dwd_icsr_spontaneous_di
    WHERE  dt BETWEEN '${hiveconf:begin}' AND '${hiveconf:end}'
      AND  is_valid = TRUE
    UNION ALL
    SELECT case_no, version_no, receive_date, 'LIT' AS report_type, drugs, reactions, serious_flags, row_id
    FROM   pv_dwd.dwd_icsr_literature_di
    WHERE  dt BETWEEN '${hiveconf:begin}' AND '${hiveconf:end}'
      AND  is_valid = TRUE
),
-- follow-ups replace the earlier version of a case
case_last AS (
    SELECT z.case_no,
           z.report_type,
           z.receive_date,
           z.drugs,
           z.reactions,
           CASE WHEN ARRAY_CONTAINS(SPLIT(z.serious_flags, '\\|'), 'DEATH') THEN 3
                WHEN z.serious_flags IS NULL OR z.serious_flags = ''         THEN 0
                ELSE 1
           END AS serious_level
    FROM   (
             SELECT ca.*,
                    ROW_NUMBER() OVER (PARTITION BY ca.case_no
                                       ORDER BY ca.version_no DESC, ca.receive_date DESC, ca.row_id DESC, ca.report_type) AS rn
             FROM   case_all ca
           ) z
    WHERE  z.rn = 1
),
-- nullified at the authority or marked as a duplicate by the reviewers
excluded AS (
    SELECT case_no
    FROM   pv_ods.ods_nullified_case_df
    WHERE  dt = '${hiveconf:end}'
    UNION
    SELECT dup_case_no AS case_no
    FROM   pv_ods.ods_duplicate_pair_df
    WHERE  dt = '${hiveconf:end}'
      AND  review_result = 'CONFIRMED'
),
case_ok AS (
    SELECT c.*
    FROM   case_last c
           LEFT OUTER JOIN excluded x ON c.case_no = x.case_no
    WHERE  x.case_no IS NULL
),
case_drug AS (
    SELECT DISTINCT
           c.case_no,
           s.substance_code
    FROM   (
             SELECT o.case_no,
                    LOWER(TRIM(SPLIT(d.item, ':')[0])) AS drug_name,
                    SPLIT(d.item, ':')[1]              AS drug_role
             FROM   case_ok o
                    LATERAL VIEW EXPLODE(SPLIT(o.drugs, ';')) d AS item
           ) c
           INNER JOIN pv_dim.dim_drug_synonym_df s
              ON  c.drug_name = s.drug_name
              AND s.dt = '${hiveconf:end}'
    WHERE  c.drug_role IN ('S', 'I')
),
case_event AS (
    SELECT DISTINCT
           o.case_no,
           r.pt_code
    FROM   case_ok o
           LATERAL VIEW EXPLODE(o.reactions) r AS pt_code
    WHERE  r.pt_code IS NOT NULL
      AND  r.pt_code <> 'PT_UNKNOWN'
),
total AS (
    SELECT COUNT(*) AS all_cnt FROM case_ok
),
drug_n AS (
    SELECT substance_code, COUNT(*) AS drug_cnt FROM case_drug GROUP BY substance_code
),
event_n AS (
    SELECT pt_code, COUNT(*) AS event_cnt FROM case_event GROUP BY pt_code
),
pair AS (
    SELECT d.substance_code,
           e.pt_code,
           COUNT(DISTINCT d.case_no)                                   AS pair_cnt,
           SUM(CASE WHEN o.serious_level = 3 THEN 1 ELSE 0 END)        AS fatal_cnt,
           MIN(o.receive_date)                                         AS first_receive,
           CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(o.report_type)))      AS report_types
    FROM   case_drug d
           INNER JOIN case_event e ON d.case_no = e.case_no
           INNER JOIN case_ok o    ON d.case_no = o.case_no
    GROUP BY d.substance_code, e.pt_code
    HAVING COUNT(DISTINCT d.case_no) >= ${min_case}
),
ratio AS (
    SELECT p.*,
           dn.drug_cnt,
           en.event_cnt,
           t.all_cnt,
           ROUND( (p.pair_cnt / dn.drug_cnt)
                / NULLIF((en.event_cnt - p.pair_cnt) / NULLIF(t.all_cnt - dn.drug_cnt, 0), 0), 3) AS prr
    FROM   pair p
           INNER JOIN drug_n dn  ON p.substance_code = dn.substance_code
           INNER JOIN event_n en ON p.pt_code = en.pt_code
           CROSS JOIN total t
)
SELECT q.substance_code,
       q.pt_code,
       q.pair_cnt,
       q.fatal_cnt,
       q.prr,
       q.first_receive,
       q.report_types,
       CASE WHEN l.pt_code IS NOT NULL                 THEN 'LABELLED'
            WHEN q.fatal_cnt > 0                       THEN 'URGENT'
            WHEN q.prr IS NULL OR q.prr >= 2           THEN 'SIGNAL'
            ELSE 'NOISE'
       END AS signal_class
FROM   (
         -- the review board reads the strongest 50 pairs only
         SELECT r.*
         FROM   ratio r
                LEFT SEMI JOIN pv_dim.dim_own_product_df w
                   ON  r.substance_code = w.substance_code
                   AND w.dt = '${hiveconf:end}'
         ORDER BY r.prr DESC, r.pair_cnt DESC, r.substance_code, r.pt_code
         LIMIT  50
       ) q
       LEFT JOIN pv_dim.dim_label_event_df l
          ON  q.substance_code = l.substance_code
          AND q.pt_code = l.pt_code
          AND l.dt = '${hiveconf:end}'
;
