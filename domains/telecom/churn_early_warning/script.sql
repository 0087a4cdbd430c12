-- name    : ads_churn_warning_1d
-- owner   : crm retention desk, wu.lan
-- content : 存量用户流失预警名单
-- changes : 20220919 first release
--           20230412 complaint topics
--           20231102 port-out enquiry is level A

set hive.auto.convert.join=true;
set spark.sql.shuffle.partitions=200;

insert overwrite table ads_crm.ads_churn_warning_1d partition (dt='${dt}')
select
    /*+ MAPJOIN(p) */
    s.sub_id
    ,s.cust_id
    ,s.city_id
    ,p.plan_name
    ,nvl(v.call_min_cur, 0)                          as call_min_7d
    ,nvl(v.call_min_prev, 0)                         as call_min_prev_7d
    ,nvl(f.flow_mb_cur, 0)                           as flow_mb_7d
    ,nvl(f.flow_mb_prev, 0)                          as flow_mb_prev_7d
    ,nvl(v.rival_cnt, 0)                             as rival_call_cnt
    ,nvl(c.complaint_cnt, 0)                         as complaint_cnt
    ,nvl(c.topic_list, '-')                          as topic_list
    ,if(q.sub_id is null, 0, 1)                      as is_portout_query
    ,case when s.contract_end_date is null then -1   -- 无合约
          when s.contract_end_date < '${dt}' then 0  -- 合约已到期
          else datediff(s.contract_end_date, '${dt}')
     end                                             as contract_left_days
    ,case when q.sub_id is not null then 'A'
          when c.has_severe = 1
               and f.flow_mb_cur < f.flow_mb_prev then 'B'
          when v.call_min_cur * 2 < v.call_min_prev then 'C'
          when v.rival_cnt >= 2 then 'C'
          else 'D'
     end                                             as risk_level
    -- the larger of the two falls, percent
    ,round(100.0 * greatest(
         coalesce(1 - 1.0 * v.call_min_cur / nullif(v.call_min_prev, 0), 0)
        ,coalesce(1 - 1.0 * f.flow_mb_cur / nullif(f.flow_mb_prev, 0), 0)
     ), 1)                                           as fall_score
from (
    -- 主表: 在网、非测试、非员工用户
    select
        a.sub_id
        ,a.cust_id
        ,a.city_id
        ,a.plan_id
        ,a.contract_end_date
    from dim_crm.dim_subscriber_df a
    left anti join (
        select
            sub_id
        from ads_crm.ads_retain_blacklist_df
        where dt = '${dt}'
          and expire_date >= '${dt}'
    ) b
    on a.sub_id = b.sub_id
    where a.dt = '${dt}'
      and a.sub_status in ('ACTIVE', 'HALF_STOP')
      and not nvl(a.is_test, false)
      and a.open_date <= '${dt-13}'                  -- 入网不足两周无法比较
      and nvl(a.brand, '') <> 'STAFF'
) s
left join dim_crm.dim_plan_df p
    on s.plan_id = p.plan_id
    and p.dt = '${dt}'
left join (
    -- 语音: 本周与上周分钟数
    select
        sub_id
        ,sum(case when dt >= '${dt-6}' then ceil(duration_sec / 60.0) else 0 end) as call_min_cur
        ,sum(case when dt <= '${dt-7}' then ceil(duration_sec / 60.0) else 0 end) as call_min_prev
        ,sum(case when peer_no in ('10010', '10000') then 1 else 0 end) as rival_cnt
    from dwd_voice.dwd_voice_cdr_di
    where dt between '${dt-13}' and '${dt}'
      and call_type = 'MO'
      and duration_sec > 0
    group by
        sub_id
) v
    on s.sub_id = v.sub_id
left join (
    -- 流量: 同一会话话单可能重复上传, 取最后一条
    select
        x.sub_id
        ,sum(if(x.dt >= '${dt-6}', x.total_mb, 0))   as flow_mb_cur
        ,sum(if(x.dt <= '${dt-7}', x.total_mb, 0))   as flow_mb_prev
    from (
        select
            sub_id
            ,session_id
            ,dt
            ,coalesce(up_mb, 0) + coalesce(down_mb, 0) as total_mb
            ,row_number() over (
                partition by sub_id, session_id
                order by end_time desc, record_id desc
            ) as rn
        from dwd_data.dwd_data_session_di
        where dt between '${dt-13}' and '${dt}'
          and session_id is not null
    ) x
    where x.rn = 1
    group by
        x.sub_id
) f
    on s.sub_id = f.sub_id
left join (
    -- 投诉: 一张工单可有多个主题
    select
        w.sub_id
        ,count(distinct w.ticket_id)                          as complaint_cnt
        ,max(if(w.ticket_level <= 2, 1, 0))                   as has_severe
        ,concat_ws(',', sort_array(collect_set(lower(t.topic)))) as topic_list
    from dwd_crm.dwd_complaint_di w
    lateral view outer explode(split(w.topic_codes, ';')) t as topic
    where w.dt between '${dt-13}' and '${dt}'
      and w.ticket_status != 'WITHDRAWN'
    group by
        w.sub_id
) c
    on s.sub_id = c.sub_id
left join (
    -- 携出资格查询
    select
        sub_id
        ,count(1) as query_cnt
    from (
        select
            sub_id
        from dwd_crm.dwd_complaint_di
        where dt between '${dt-6}' and '${dt}'
          and exists(split(topic_codes, ';'), z -> lower(z) = 'portout')
        union all
        select
            sub_id
        from dwd_voice.dwd_voice_cdr_di
        where dt between '${dt-6}' and '${dt}'
          and peer_no like '1008%'
          and service_code = 'CXXZ'
    ) m
    group by
        sub_id
    having
        count(1) >= 1
) q
    on s.sub_id = q.sub_id
where s.sub_id is not null
  and (
        v.call_min_prev > 0
        or f.flow_mb_prev > 0
        or q.sub_id is not null
      )
;
