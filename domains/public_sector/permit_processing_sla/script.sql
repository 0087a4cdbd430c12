-- report     : building and trade permits, legal time limit per office
-- requested  : city council, administrative court reporting duty
-- maintainer : egov-data (s.vandamme)
-- remarks    : * working days only, day of filing not counted
--              * the clock stands still while the applicant owes documents
--              * pilot offices of the digital counter only, until the roll-out is over
-- changed    : 2023-02-13 urgent procedure has half the time limit
--              2023-12-04 list of missing documents
set hive.strict.checks.cartesian.product=false;

with param as (
    select
        to_date('${biz_date}') as run_date,
        date_sub('${biz_date}', ${window_days}) as from_date
)
,application as (
    select
        a.application_id
        ,a.permit_type
        ,a.office_id
        ,to_date(a.submit_time) as submit_date
        ,coalesce(to_date(a.decide_time), p.run_date) as stop_date
        ,if(a.decide_time is null, 1, 0) as is_open
        ,lower(coalesce(js.channel, 'counter')) as channel
        ,if(js.priority = 'URGENT', 1, 0) as is_urgent
    from dwd_gov.dwd_permit_application_df a
    left semi join dim_gov.dim_office_df w
        on a.office_id = w.office_id
        and w.dt = '${biz_date}'
        and w.is_pilot = true
    cross join param p
    lateral view json_tuple(a.form_payload, 'channel', 'priority') js as channel, priority
    where a.dt = '${biz_date}'
        and to_date(a.submit_time) >= p.from_date
        and a.app_status not in ('DRAFT', 'WITHDRAWN')
)
,pause as (
    select
        s.application_id
        ,sum(datediff(coalesce(s.next_time, p.run_date), s.step_time)) as pause_days
    from (
        -- a step lasts until the next step begins
        select
            e.application_id
            ,e.step_code
            ,e.step_time
            ,lead(e.step_time) over (partition by e.application_id order by e.step_time, e.event_id) as next_time
        from ods_gov.ods_application_step_di e
        where e.dt between date_sub('${biz_date}', ${window_days}) and '${biz_date}'
    ) s
    cross join param p
    where s.step_code = 'WAIT_APPLICANT'
    group by s.application_id
)
,workday as (
    select
        a.application_id
        ,count(c.cal_date) as work_days
    from application a
    left join dim_gov.dim_calendar_df c
        on c.dt = '${biz_date}'
        and c.is_workday = true
        and c.cal_date > a.submit_date
        and c.cal_date <= a.stop_date
    group by a.application_id
)
,doc_gap as (
    -- required by the permit type and not filed, or filed and refused
    select
        r.application_id
        ,concat_ws(',', sort_array(collect_set(r.doc_type))) as missing_docs
    from (
        select
            a.application_id
            ,trim(d.doc_type) as doc_type
        from application a
        inner join dim_gov.dim_permit_type_df t
            on a.permit_type = t.permit_type
            and t.dt = '${biz_date}'
        lateral view explode(split(t.required_docs, ',')) d as doc_type
    ) r
    left join (
        select
            f.application_id
            ,at.doc.doc_type as doc_type
        from dwd_gov.dwd_permit_application_df f
        lateral view explode(f.attachments) at as doc
        where f.dt = '${biz_date}'
            and at.doc.check_result <> 'REFUSED'
    ) g
        on r.application_id = g.application_id
        and r.doc_type = g.doc_type
    where g.doc_type is null
    group by r.application_id
)
,verdict as (
    select
        a.application_id
        ,a.office_id
        ,a.channel
        ,a.is_open
        ,greatest(w.work_days - coalesce(z.pause_days, 0), 0) as net_days
        ,if(a.is_urgent = 1, ceil(t.limit_days / 2), t.limit_days) as limit_days
        ,g.missing_docs
    from application a
    inner join workday w on a.application_id = w.application_id
    inner join dim_gov.dim_permit_type_df t
        on a.permit_type = t.permit_type
        and t.dt = '${biz_date}'
    left join pause z on a.application_id = z.application_id
    left join doc_gap g on a.application_id = g.application_id
)
select
    o.district
    ,o.office_name
    ,v.channel
    ,count(1) as application_cnt
    ,sum(v.is_open) as open_cnt
    ,sum(case when v.net_days > v.limit_days then 1 else 0 end) as late_cnt
    ,round(sum(case when v.net_days > v.limit_days then 1 else 0 end) * 100.0 / count(1), 1) as late_pct
    ,round(avg(nvl(v.net_days, 0)), 1) as avg_net_days
    ,max(v.missing_docs) as missing_docs
    ,count(v.missing_docs) as incomplete_cnt
    ,case
        when max(v.net_days - v.limit_days) > 10 then 'ESCALATE'
        when max(v.net_days - v.limit_days) > 0 then 'WATCH'
        else 'FINE'
      end as council_flag
    ,rank() over (
        partition by o.district
        order by sum(case when v.net_days > v.limit_days then 1 else 0 end) desc, o.office_name, v.channel
      ) as district_rank
from verdict v
inner join dim_gov.dim_office_df o
    on v.office_id = o.office_id
    and o.dt = '${biz_date}'
group by
    o.district
    ,o.office_name
    ,v.channel
having count(1) >= ${min_cnt}
order by
    late_pct desc
    ,o.district
    ,o.office_name
    ,v.channel
limit 50
;
