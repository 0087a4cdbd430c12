-- ---------------------------------------------------------------
-- 脚本名称: topic_hot_board 话题热榜 (日榜)
-- 负责人  : 社区内容数据组 / lin.y
-- 说明    : 全国榜 + 各地区榜, 供运营后台与热搜页使用
-- 20220315 新建
-- 20221108 增加评论、转发权重
-- 20230926 剔除作弊账号, 增加排名变化
-- ---------------------------------------------------------------
SET spark.sql.adaptive.enabled=true;

CREATE TABLE ads_sns.ads_topic_hot_board_${yyyymmdd} AS
WITH post AS (
    -- 当日发布的正常帖子, 同一帖子取最新版本
    SELECT
        p.post_id
       ,p.author_id
       ,p.region
       ,p.topics
       ,SIZE(FILTER(COALESCE(p.audit_tags, ARRAY()), x -> x LIKE 'risk%')) AS risk_cnt
    FROM (
        SELECT
            post_id
           ,author_id
           ,NVL(NULLIF(TRIM(region), ''), 'unknown') AS region
           ,topics
           ,audit_tags
           ,post_status
           ,ROW_NUMBER() OVER (
                PARTITION BY post_id
                ORDER BY version_no DESC, update_time DESC
            ) AS rn
        FROM dwd_sns.dwd_post_di
        WHERE dt = '${yyyymmdd}'
          AND topics IS NOT NULL
    ) p
    WHERE p.rn = 1
      AND p.post_status NOT IN ('DELETED', 'HIDDEN')
      AND NOT EXISTS (
            SELECT 1
            FROM dim_sns.dim_spam_account_df s
            WHERE s.dt = '${yyyymmdd}'
              AND s.account_id = p.author_id
              AND s.spam_level >= 2
        )
),

action AS (
    -- 互动行为: 点赞 1 分, 评论 3 分, 转发 5 分
    SELECT post_id, user_id, 1 AS weight, 'like' AS action_type
    FROM dwd_sns.dwd_like_di
    WHERE dt = '${yyyymmdd}'
      AND is_cancel = 0
    UNION ALL
    SELECT post_id, user_id, 3 AS weight, 'comment' AS action_type
    FROM dwd_sns.dwd_comment_di
    WHERE dt = '${yyyymmdd}'
      AND LENGTH(TRIM(content)) > 1
    UNION ALL
    SELECT post_id, user_id, 5 AS weight, 'share' AS action_type
    FROM dwd_sns.dwd_share_di
    WHERE dt = '${yyyymmdd}'
      AND share_to != 'SELF'
),

post_heat AS (
    SELECT
        p.post_id
       ,p.author_id
       ,p.region
       ,p.topics
       ,p.risk_cnt
       ,COUNT(a.user_id)                                  AS action_cnt
       ,SUM(COALESCE(a.weight, 0))                        AS heat
       ,SUM(IF(a.action_type = 'share', 1, 0))            AS share_cnt
    FROM post p
    LEFT JOIN action a
        ON p.post_id = a.post_id
        AND a.user_id <> p.author_id      -- 自己的互动不计
    GROUP BY
        p.post_id
       ,p.author_id
       ,p.region
       ,p.topics
       ,p.risk_cnt
),

topic_post AS (
    -- 一个帖子可带多个话题; 首个话题记为主话题
    SELECT
        LOWER(TRIM(t.topic)) AS topic
       ,h.post_id
       ,h.author_id
       ,h.region
       ,h.heat
       ,h.share_cnt
       ,CASE WHEN TRIM(t.topic) = TRIM(SPLIT(h.topics, ',')[0]) THEN 1 ELSE 0 END AS is_main
    FROM post_heat h
    LATERAL VIEW EXPLODE(SPLIT(h.topics, ',')) t AS topic
    WHERE h.risk_cnt = 0
      AND TRIM(t.topic) <> ''
),

topic_sum AS (
    -- 各地区一行, 全国一行
    SELECT
        topic
       ,IF(GROUPING(region) = 1, 'ALL', region) AS region
       ,COUNT(DISTINCT post_id)                 AS post_cnt
       ,COUNT(DISTINCT author_id)               AS author_cnt
       ,SUM(heat)                               AS heat
       ,SUM(share_cnt)                          AS share_cnt
       ,SUM(CASE WHEN is_main = 1 THEN heat ELSE 0 END) AS main_heat
    FROM topic_post
    GROUP BY topic, region
    GROUPING SETS ((topic, region), (topic))
),

board AS (
    SELECT
        s.*
       ,RANK() OVER (PARTITION BY s.region ORDER BY s.heat DESC, s.post_cnt DESC, s.topic) AS `rank`
    FROM topic_sum s
    LEFT SEMI JOIN (
        -- 只保留全国热度前 100 的话题
        SELECT topic
        FROM topic_sum
        WHERE region = 'ALL'
        ORDER BY heat DESC, topic
        LIMIT 100
    ) n
        ON s.topic = n.topic
    WHERE s.heat >= 1
)

SELECT
    b.region
   ,b.topic
   ,b.`rank`
   ,b.heat
   ,b.post_cnt
   ,b.author_cnt
   ,b.share_cnt
   ,ROUND(b.main_heat * 100.0 / b.heat, 1) AS main_pct
   ,y.last_rank
   ,CASE
        WHEN y.last_rank IS NULL    THEN 'NEW'   -- 新上榜
        WHEN y.last_rank > b.`rank` THEN 'UP'
        WHEN y.last_rank < b.`rank` THEN 'DOWN'
        ELSE 'KEEP'
    END AS trend
   ,COALESCE(k.label_list, '') AS label_list
FROM board b
LEFT JOIN ads_sns.ads_topic_rank_history_df y
    ON b.topic = y.topic
    AND b.region = y.region
    AND y.dt = '${yyyymmdd-1}'
LEFT JOIN (
    SELECT
        d.topic
       ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(l.label))) AS label_list
    FROM dim_sns.dim_topic_df d
    LATERAL VIEW OUTER EXPLODE(d.labels) l AS label
    WHERE d.dt = '${yyyymmdd}'
    GROUP BY d.topic
) k
    ON b.topic = k.topic
;
