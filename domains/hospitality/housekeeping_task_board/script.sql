/* ==========================================================================
   HOUSEKEEPING_TASK_BOARD
   Morning task list: which room is cleaned how, by whom.
   Owner   : Property Systems (R. Tanaka)
   Changed : 2023-05-02  allergy and pet notes
             2023-10-16  linen change every third night
   ========================================================================== */
WITH shift_param AS (
    SELECT
        '${biz_day}'                    AS work_date
        ,3                             AS linen_every
        ,CAST('${max_minutes}' AS INT) AS max_minutes
)

SELECT
    task.property_id
    ,task.floor_no
    ,task.room_no
    ,task.task_type
    ,task.clean_minutes
    ,task.is_linen
    ,task.note_list
    ,task.wish_cnt
    ,COALESCE(team.attendant_id, 'POOL')   AS attendant_id
    ,task.arrival_hour
    ,DENSE_RANK() OVER (
        PARTITION BY task.property_id, task.floor_no
        ORDER BY task.urgency, task.arrival_hour, task.room_no
    )                                       AS visit_no
    ,SUM(task.clean_minutes) OVER (
        PARTITION BY task.property_id, task.floor_no
        ORDER BY task.urgency, task.arrival_hour, task.room_no
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )                                       AS minutes_so_far
    ,IF(task.clean_minutes > task.max_minutes, 'Y', 'N') AS needs_two
FROM (
    SELECT
        room.property_id
        ,room.floor_no
        ,room.room_no
        ,CASE
            WHEN stay.depart_date = p.work_date                              THEN 'CHECKOUT'
            WHEN stay.room_no IS NULL AND nxt.arrival_hour IS NOT NULL       THEN 'REFRESH'
            WHEN stay.room_no IS NULL                                        THEN 'INSPECT'
            WHEN stay.no_service = TRUE                                      THEN 'SKIP'
            ELSE 'STAYOVER'
          END AS task_type
        ,CASE
            WHEN stay.depart_date = p.work_date THEN room.full_minutes
            WHEN stay.room_no IS NULL           THEN 10
            ELSE room.short_minutes
          END + COALESCE(ask.extra_minutes, 0) AS clean_minutes
        -- linen: at every departure, else each third night of the stay
        ,IF(
            stay.depart_date = p.work_date
            OR PMOD(DATEDIFF(p.work_date, stay.arrival_date), p.linen_every) = 0
         ,1, 0) AS is_linen
        ,COALESCE(nxt.arrival_hour, 24) AS arrival_hour
        ,COALESCE(ask.note_list, '-')    AS note_list
        ,COALESCE(ask.wish_cnt, 0)       AS wish_cnt
        ,CASE
            WHEN nxt.is_vip = 1            THEN 1
            WHEN nxt.arrival_hour <= 14    THEN 2
            WHEN ask.extra_minutes > 0     THEN 3
            ELSE 4
          END AS urgency
        ,p.max_minutes
    FROM (
        SELECT
            r.property_id
            ,r.floor_no
            ,r.room_no
            ,r.full_minutes
            ,r.short_minutes
        FROM dim_pms.dim_guest_room_df r
        WHERE r.dt = '${biz_day}'
          AND r.room_class <> 'MEETING'
          AND (r.block_until IS NULL OR r.block_until < '${biz_day}')
    ) room
    CROSS JOIN shift_param p
    LEFT JOIN (
        -- guests in house, newest row after a room move
        SELECT
            h.property_id
            ,h.room_no
            ,h.arrival_date
            ,h.depart_date
            ,h.no_service
        FROM (
            SELECT
                g.*
                ,ROW_NUMBER() OVER (
                    PARTITION BY g.property_id, g.room_no
                    ORDER BY g.checkin_time DESC, g.stay_id DESC
                ) AS rn
            FROM dwd_pms.dwd_stay_df g
            WHERE g.dt = '${biz_day}'
              AND g.arrival_date <= '${biz_day}'
              AND g.depart_date >= '${biz_day}'
              AND g.stay_state = 'IN_HOUSE'
        ) h
        WHERE h.rn = 1
    ) stay
        ON room.property_id = stay.property_id
        AND room.room_no = stay.room_no
    LEFT JOIN (
        -- first arrival of today per room
        SELECT
            a.property_id
            ,a.room_no
            ,MIN(HOUR(a.expected_time))                      AS arrival_hour
            ,MAX(IF(EXISTS(a.tags, x -> x = 'vip'), 1, 0))   AS is_vip
        FROM dwd_pms.dwd_arrival_plan_df a
        WHERE a.dt = '${biz_day}'
          AND TO_DATE(a.expected_time) = '${biz_day}'
        GROUP BY a.property_id, a.room_no
    ) nxt
        ON room.property_id = nxt.property_id
        AND room.room_no = nxt.room_no
    LEFT JOIN (
        -- wishes: reception tickets and notes of the guest app
        SELECT
            w.property_id
            ,w.room_no
            ,CONCAT_WS(',', SORT_ARRAY(COLLECT_SET(w.note)))       AS note_list
            ,COUNT(*)                                                AS wish_cnt
            ,SUM(CASE WHEN w.note IN ('pet', 'allergy') THEN 15 ELSE 5 END) AS extra_minutes
        FROM (
            SELECT t.property_id, t.room_no, LOWER(t.ticket_kind) AS note
            FROM ods_pms.ods_ticket_di t
            WHERE t.dt = '${biz_day}'
              AND t.closed_time IS NULL
              AND t.department = 'HK'
            UNION
            SELECT n.property_id, n.room_no, LOWER(TRIM(e.note)) AS note
            FROM ods_pms.ods_app_wish_di n
            LATERAL VIEW EXPLODE(SPLIT(n.wishes, ',')) e AS note
            WHERE n.dt = '${biz_day}'
              AND e.note NOT LIKE '%minibar%'
        ) w
        GROUP BY w.property_id, w.room_no
    ) ask
        ON room.property_id = ask.property_id
        AND room.room_no = ask.room_no
) task
LEFT JOIN (
    -- one attendant per floor: the most senior on duty
    SELECT
        property_id
        ,floor_no
        ,MIN(attendant_id) AS attendant_id
    FROM dwd_pms.dwd_duty_roster_df
    WHERE dt = '${biz_day}'
      AND duty_code IN ('EARLY', 'DAY')
    GROUP BY property_id, floor_no
) team
    ON task.property_id = team.property_id
    AND task.floor_no = team.floor_no
WHERE task.task_type != 'SKIP'
ORDER BY task.property_id, task.floor_no, visit_no;
