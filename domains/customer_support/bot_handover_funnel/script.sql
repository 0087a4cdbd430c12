-- bot_handover_funnel.hql
-- Chat bot: from the first message to a person who answers.
-- @owner   service-automation (t.vandamme)
-- @run     daily 05:40, after ods_bot_event_di
-- @changes 2023-03-22 tv  first version
--          2023-08-15 tv  segments
--          2024-01-09 il  rank of topics, top ${top_n}
SET spark.sql.shuffle.partitions=64;

-- 1) conversations of the day, kept for the desk's own queries
INSERT OVERWRITE TABLE tmp_chatbot.tmp_bot_session
SELECT
  e.session_id,
  MAX(e.visitor_id)                                       AS visitor_id,
  MAX(e.segment_code)                                     AS segment_code,
  MIN(e.event_time)                                       AS start_time,
  SUM(IF(e.event_type = 'MESSAGE', 1, 0))                 AS turn_cnt,
  MAX(COALESCE(e.gap_sec, 0))                             AS longest_gap_sec,
  MAX(e.last_intent)                                      AS last_intent,
  CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(e.intent_code)))  AS intent_path,
  MAX(IF(e.event_type = 'HANDOVER', 1, 0))                AS handover_flag,
  CASE
    WHEN HOUR(MIN(e.event_time)) < 7                  THEN 'NIGHT'
    WHEN HOUR(MIN(e.event_time)) BETWEEN 7 AND 17     THEN 'OFFICE'
    ELSE 'EVENING'
  END                                                     AS part_of_day
FROM (
  SELECT
    b.session_id,
    b.visitor_id,
    v.segment_code,
    b.event_type,
    b.event_time,
    b.intent_code,
    -- pause since the event before, within the conversation
    unix_timestamp(b.event_time)
      - unix_timestamp(LAG(b.event_time, 1) OVER (PARTITION BY b.session_id ORDER BY b.event_time, b.event_id)) AS gap_sec,
    LAST_VALUE(b.intent_code, TRUE) OVER (
      PARTITION BY b.session_id
      ORDER BY b.event_time, b.event_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )                                                     AS last_intent
  FROM (
    SELECT
      o.event_id,
      o.session_id,
      o.visitor_id,
      o.event_type,
      o.event_time,
      -- a guess below 0.3 is noise
      CASE
        WHEN o.event_type = 'INTENT'
         AND CAST(get_json_object(o.payload, '$.score') AS DOUBLE) >= 0.3
        THEN get_json_object(o.payload, '$.intent')
      END                                                 AS intent_code
    FROM ods_chatbot.ods_bot_event_di o
    WHERE o.dt = '${DATE}'
      AND o.session_id IS NOT NULL
  ) b
  LEFT JOIN (
    SELECT
      visitor_id,
      COALESCE(UPPER(segment_codes[0]), 'GUEST')          AS segment_code,
      is_internal
    FROM ods_chatbot.ods_visitor_df
    WHERE dt = '${DATE}'
  ) v ON b.visitor_id = v.visitor_id
  -- colleagues who try the bot out are no visitors
  WHERE NOT COALESCE(v.is_internal, FALSE)
) e
GROUP BY e.session_id;

-- 2) funnel per topic and segment
WITH pickup AS (
  -- first desk that really took the conversation
  SELECT q.session_id, q.agent_id, q.pickup_time
  FROM (
    SELECT
      session_id,
      agent_id,
      pickup_time,
      ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY pickup_time ASC, pickup_id ASC) AS rn
    FROM dwd_chatbot.dwd_desk_pickup_di
    WHERE dt IN ('${DATE}', '${DATE+1}')
      AND pickup_state = 'TAKEN'
  ) q
  WHERE q.rn = 1
),
funnel AS (
  SELECT
    COALESCE(i.topic_name, 'no topic')                    AS topic_name,
    COALESCE(s.segment_code, 'GUEST')                     AS segment_code,
    COUNT(*)                                              AS session_cnt,
    COUNT(DISTINCT s.visitor_id)                          AS visitor_cnt,
    SUM(s.handover_flag)                                  AS handover_cnt,
    COUNT(p.session_id)                                   AS taken_cnt,
    SUM(CASE WHEN s.handover_flag = 1 AND p.session_id IS NULL THEN 1 ELSE 0 END) AS lost_cnt,
    -- waiting counts from the first message on
    ROUND(AVG(unix_timestamp(p.pickup_time) - unix_timestamp(s.start_time)), 1)   AS avg_wait_sec,
    ROUND(AVG(r.stars), 2)                                AS avg_stars,
    ROUND(SUM(IF(s.part_of_day = 'NIGHT', 1, 0)) / COUNT(*), 4)                   AS night_share
  FROM tmp_chatbot.tmp_bot_session s
  LEFT JOIN dim_chatbot.dim_intent_df i
    ON s.last_intent = i.intent_code AND i.dt = '${DATE}'
  LEFT JOIN pickup p
    ON s.session_id = p.session_id
  LEFT JOIN (
    SELECT session_id, MAX(CAST(stars AS INT)) AS stars
    FROM dwd_chatbot.dwd_bot_rating_di
    WHERE dt = '${DATE}'
      AND stars RLIKE '^[1-5]$'
    GROUP BY session_id
  ) r ON s.session_id = r.session_id
  -- one message and gone is no conversation
  WHERE s.turn_cnt > 0
  GROUP BY COALESCE(i.topic_name, 'no topic'), COALESCE(s.segment_code, 'GUEST')
)
INSERT OVERWRITE TABLE ads_chatbot.ads_bot_funnel_1d PARTITION (dt = '${DATE}')
SELECT
  t.topic_name,
  t.segment_code,
  t.session_cnt,
  t.visitor_cnt,
  t.handover_cnt,
  t.taken_cnt,
  t.lost_cnt,
  t.avg_wait_sec,
  t.avg_stars,
  t.night_share,
  t.topic_rank
FROM (
  SELECT
    funnel.*,
    RANK() OVER (PARTITION BY segment_code ORDER BY session_cnt DESC, topic_name) AS topic_rank
  FROM funnel
) t
WHERE t.topic_rank <= ${top_n}
DISTRIBUTE BY t.segment_code
SORT BY t.segment_code, t.topic_rank;
