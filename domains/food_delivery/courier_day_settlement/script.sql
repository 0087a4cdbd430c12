-- ************************************************************
-- courier_day_settlement.sql
-- owner   : fleet-finance (p.marchetti)
-- purpose : (1) what each courier earned on the day
--           (2) fleet cost per zone and vehicle
-- 2021-10-04 pm  created
-- 2022-06-20 pm  partner fleets
-- 2023-03-13 lk  suspended couriers taken out
-- ************************************************************
set hive.exec.parallel=true;

-- step 1: one row per courier ---------------------------------------------
insert overwrite table dws_food.dws_courier_earning_di partition (dt = '${hiveconf:dt}')
select
    w.courier_id
    ,coalesce(c.courier_name, 'unknown')        as courier_name
    ,w.fleet_type
    ,coalesce(c.zone_id, 'Z00')                 as zone_id
    ,coalesce(c.vehicle_type, 'other')          as vehicle_type
    ,w.task_cnt
    ,w.shop_cnt
    ,w.drop_fee
    ,w.distance_fee
    ,coalesce(b.bonus_amt, 0)                   as bonus_amt
    ,coalesce(b.bonus_codes, '')                as bonus_codes
    ,coalesce(a.tip_amt, 0)                     as tip_amt
    ,coalesce(a.penalty_amt, 0)                 as penalty_amt
    -- a courier never owes money for a day: penalties stop at zero
    ,greatest(
        w.drop_fee + w.distance_fee
        + coalesce(b.bonus_amt, 0)
        + coalesce(a.tip_amt, 0)
        - coalesce(a.penalty_amt, 0)
        ,0
      )                                          as net_amt
    ,w.max_rating
from (
    select
        u.courier_id
        ,max(u.fleet_type)                      as fleet_type
        ,count(*)                               as task_cnt
        ,count(distinct u.shop_id)              as shop_cnt
        ,sum(coalesce(u.drop_fee, 0))           as drop_fee
        -- the first two kilometres are inside the drop fee
        ,sum(case when u.distance_m > 2000
                   then cast((u.distance_m - 2000) * 0.0004 as decimal(18,2))
                   else 0 end)                   as distance_fee
        -- ratings arrive as text, '10' is better than '9'
        ,max(cast(u.rating as int))             as max_rating
    from (
        -- own couriers: a task is sent again on each change
        select o.courier_id, 'own' as fleet_type, o.shop_id,
               o.drop_fee, o.distance_m, o.rating
        from (
            select
                k.*
                ,row_number() over (partition by k.task_id order by k.update_time desc, k.version_no desc) as rn
            from dwd_food.dwd_courier_task_di k
            where k.dt = '${hiveconf:dt}'
        ) o
        where o.rn = 1
          and o.task_status = 'DELIVERED'
          and not coalesce(o.is_test, false)
        union all
        -- partner fleets send a task once
        select f.rider_id as courier_id, 'partner' as fleet_type, f.shop_id,
               f.agreed_fee as drop_fee, f.distance_m, f.rating
        from ods_food.ods_partner_job_di f
        where f.dt = '${hiveconf:dt}'
          and f.job_status = 'DONE'
    ) u
    left anti join dim_food.dim_courier_suspend_df s
        on u.courier_id = s.courier_id
       and s.dt = '${hiveconf:dt}'
       and s.suspend_state = 'ACTIVE'
    group by u.courier_id
) w
left outer join dim_food.dim_courier_df c
    on w.courier_id = c.courier_id
   and c.dt = '${hiveconf:dt}'
left outer join (
    -- bonus map of the day: {'RAIN': '3.50', 'PEAK': '5.00'}
    select
        h.courier_id
        ,sum(cast(m.bonus_val as decimal(18,2)))                   as bonus_amt
        ,concat_ws(',', sort_array(collect_set(m.bonus_code)))     as bonus_codes
    from dwd_food.dwd_courier_bonus_di h
    lateral view explode(h.bonus_map) m as bonus_code, bonus_val
    where h.dt = '${hiveconf:dt}'
      and m.bonus_val is not null
    group by h.courier_id
) b
    on w.courier_id = b.courier_id
left outer join (
    -- what customers and the shops booked on the courier afterwards
    select
        q.courier_id
        ,sum(case when q.entry_kind = 'TIP' then q.entry_amt else 0 end)       as tip_amt
        ,sum(case when q.entry_kind = 'PENALTY' then q.entry_amt else 0 end)   as penalty_amt
    from (
        -- refunded tips are not paid
        select g.courier_id, 'TIP' as entry_kind, coalesce(g.tip_amt, 0) as entry_amt
        from dwd_food.dwd_courier_tip_di g
        where g.dt = '${hiveconf:dt}'
          and g.refund_time is null
        union all
        -- an accepted appeal lifts the penalty
        select n.courier_id, 'PENALTY' as entry_kind, coalesce(n.penalty_amt, 0) as entry_amt
        from dwd_food.dwd_courier_penalty_di n
        where n.dt = '${hiveconf:dt}'
          and (n.appeal_state <> 'ACCEPTED' or n.appeal_state is null)
    ) q
    group by q.courier_id
) a
    on w.courier_id = a.courier_id
;

-- step 2: fleet cost with subtotals ----------------
insert overwrite table ads_food.ads_fleet_cost_1d partition (dt = '${hiveconf:dt}')
select
    case when grouping(e.zone_id) = 1 then 'ALL' else e.zone_id end             as zone_id
    ,case when grouping(e.vehicle_type) = 1 then 'ALL' else e.vehicle_type end as vehicle_type
    ,count(*)                                       as courier_cnt
    ,sum(case when e.fleet_type = 'partner' then 1 else 0 end)                 as partner_cnt
    ,sum(e.task_cnt)                                as task_cnt
    ,sum(e.net_amt)                                 as net_amt
    ,round(sum(e.net_amt) / nullif(sum(e.task_cnt), 0), 2)                     as cost_per_task
    ,round(avg(coalesce(e.max_rating, 0)), 2)       as avg_rating
from dws_food.dws_courier_earning_di e
where e.dt = '${hiveconf:dt}'
group by e.zone_id, e.vehicle_type
grouping sets (
    (e.zone_id, e.vehicle_type),
    (e.zone_id),
    (e.vehicle_type),
    ()
)
;
