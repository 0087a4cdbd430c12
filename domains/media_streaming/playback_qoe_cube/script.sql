-----------------------------------------------------------------
-- Flow    : playback_qoe_cube
-- Target  : dws_play.dws_play_session_di   (one row per session)
--           ads_play.ads_play_qoe_cube_1d  (platform x cdn x member)
-- Author  : player quality squad
-- Log     : 2023-01-09 first version
--           2023-05-22 silent gaps (heartbeat lost) added
--           2024-01-15 one scan for both targets
-----------------------------------------------------------------
set hive.exec.parallel = true;
set hive.map.aggr = true;

from (
    select
        /*+ MAPJOIN(c) */
        s.session_id,
        s.user_id,
        s.video_id,
        s.platform,
        nvl(c.cdn_vendor, 'unknown') as cdn_vendor,
        case
            when m.user_id is null then 'free'
            when m.member_level >= 3 then 'premium'
            else 'basic'
        end as member_type,
        s.play_sec,
        s.first_frame_ms,
        s.stall_cnt,
        s.stall_ms,
        s.gap_cnt,
        s.avg_bitrate,
        nvl(e.error_cnt, 0) as error_cnt,
        nvl(e.error_list, '') as error_list,
        -- error beats stall, stall beats slow start
        case
            when e.error_cnt > 0 then 'ERROR'
            when s.stall_ms > s.play_sec * 50 then 'STALL'
            when s.gap_cnt >= 2 then 'STALL'
            when s.first_frame_ms > 3000 then 'SLOW'
            else 'GOOD'
        end as qoe_grade
    from (
        -- heartbeats to sessions
        select
            h.session_id,
            h.user_id,
            h.video_id,
            h.platform,
            h.cdn_code,
            count(*) * 10 as play_sec,   -- a heartbeat every ten seconds
            min(h.first_frame_ms) as first_frame_ms,
            sum(case when h.event_type = 'stall' then 1 else 0 end) as stall_cnt,
            sum(case when h.event_type = 'stall' then h.stall_ms else 0 end) as stall_ms,
            sum(case when h.gap_sec > 30 then 1 else 0 end) as gap_cnt,
            round(avg(coalesce(h.bitrate_kbps, 0)), 0) as avg_bitrate
        from (
            select
                d.session_id,
                d.user_id,
                d.video_id,
                d.platform,
                d.cdn_code,
                d.event_type,
                d.stall_ms,
                d.bitrate_kbps,
                d.first_frame_ms,
                unix_timestamp(d.event_time) - unix_timestamp(
                    lag(d.event_time) over (
                        partition by d.session_id
                        order by d.event_time, d.beat_id
                    )
                ) as gap_sec
            from (
                select
                    beat_id,
                    session_id,
                    user_id,
                    video_id,
                    lower(device.platform) as platform,
                    cdn_code,
                    event_type,
                    event_time,
                    coalesce(stall_ms, 0) as stall_ms,
                    bitrate_kbps,
                    cast(get_json_object(ext, '$.ff') as int) as first_frame_ms,
                    row_number() over (
                        partition by session_id, event_time
                        order by beat_id desc
                    ) as rn
                from ods_play.ods_play_beat_di
                where dt = '${dt}'
                    and session_id is not null
                    and event_type in ('play', 'stall', 'seek')
                    and video_id in (
                        select video_id
                        from dim_play.dim_video_df
                        where dt = '${dt}'
                            and is_preview = false
                    )
            ) d
            where d.rn = 1
                and to_date(d.event_time) = '${dt}'
        ) h
        group by
            h.session_id,
            h.user_id,
            h.video_id,
            h.platform,
            h.cdn_code
    ) s
    left join dim_play.dim_cdn_df c
        on s.cdn_code = c.cdn_code
        and c.dt = '${dt}'
    left outer join dim_play.dim_member_df m
        on s.user_id = m.user_id
        and m.dt = '${dt}'
        and m.expire_date >= '${dt}'
    left join (
        -- user aborts are no errors; one record may carry several codes
        select
            r.session_id,
            count(distinct r.error_id) as error_cnt,
            concat_ws(',', sort_array(collect_set(concat(x.layer, ':', x.code)))) as error_list
        from ods_play.ods_play_error_di r
        lateral view outer explode(r.error_codes) x as layer, code
        where r.dt = '${dt}'
            and coalesce(r.tags['abort'], 'n') != 'y'
        group by r.session_id
    ) e
        on s.session_id = e.session_id
) q

-- 1. session detail
insert overwrite table dws_play.dws_play_session_di partition (dt = '${dt}')
select
    q.session_id,
    q.user_id,
    q.video_id,
    q.platform,
    q.cdn_vendor,
    q.member_type,
    q.play_sec,
    q.first_frame_ms,
    q.stall_cnt,
    q.stall_ms,
    q.error_list,
    q.qoe_grade
where q.play_sec > 0

-- 2. cube for the quality board
insert overwrite table ads_play.ads_play_qoe_cube_1d partition (dt = '${dt}')
select
    coalesce(q.platform, 'ALL') as platform,
    coalesce(q.cdn_vendor, 'ALL') as cdn_vendor,
    coalesce(q.member_type, 'ALL') as member_type,
    count(1) as session_cnt,
    count(distinct q.user_id) as user_cnt,
    coalesce(sum(q.play_sec), 0) as play_sec,
    round(sum(q.stall_ms) / nullif(sum(q.play_sec) * 10.0, 0), 2) as stall_pct,
    round(avg(coalesce(q.first_frame_ms, 0)), 0) as first_frame_ms,
    sum(case when q.qoe_grade = 'GOOD' then 1 else 0 end) as good_cnt,
    max(q.avg_bitrate) as max_bitrate
where q.platform is not null
group by
    q.platform,
    q.cdn_vendor,
    q.member_type
with cube
;
