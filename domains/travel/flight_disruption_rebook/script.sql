--------------------------------------------------------------------
-- flight_disruption_rebook
-- passengers hit by schedule changes: one pass over the affected
-- segments feeds the rebooking queue of the service desk (1) and the
-- impact board of operations control (2)
-- owner: airline ops analytics, s.ferreira
-- 2023-02-07 manual entries of ops control added
-- 2023-12-01 minimum connecting time per airport
--------------------------------------------------------------------
from (
    select
        hit.pnr_no,
        hit.flight_no,
        hit.flight_date,
        hit.dep_airport,
        hit.arr_airport,
        hit.change_type,
        hit.delay_minutes,
        hit.source_list,
        hit.pax_id,
        hit.pax_type,
        hit.cabin,
        hit.next_flight_no,
        hit.connect_minutes,
        coalesce(mem.tier_code, 'NONE') as tier_code,
        coalesce(inv.free_seats, 0) as free_seats,
        case
            when hit.change_type = 'CNL' then 'CANCELLED'
            when hit.connect_minutes < coalesce(ap.min_connect, 45) then 'MISCONNEX'
            when hit.delay_minutes >= ${delay_limit} then 'LONG_DELAY'
            else 'NOTIFY'
        end as impact_class
    from (
        -- every passenger of an affected segment
        select
            seg.pnr_no,
            seg.flight_no,
            seg.flight_date,
            seg.dep_airport,
            seg.arr_airport,
            seg.cabin,
            seg.next_flight_no,
            px.pax.pax_id as pax_id,
            px.pax.pax_type as pax_type,
            chg.change_type,
            chg.source_list,
            round((unix_timestamp(chg.new_arrival) - unix_timestamp(seg.arrival_time)) / 60, 0) as delay_minutes,
            round((unix_timestamp(seg.next_departure) - unix_timestamp(chg.new_arrival)) / 60, 0) as connect_minutes
        from (
            select
                s.pnr_no,
                s.flight_no,
                s.flight_date,
                s.dep_airport,
                s.arr_airport,
                s.arrival_time,
                s.cabin,
                s.pax_list,
                lead(s.flight_no) over (partition by s.pnr_no order by s.departure_time, s.segment_id) as next_flight_no,
                lead(s.departure_time) over (partition by s.pnr_no order by s.departure_time, s.segment_id) as next_departure
            from dwd_air.dwd_pnr_segment_df s
            where s.dt = '${DATE}'
                and s.segment_state in ('HK', 'KL', 'TK')
                and s.flight_date between '${DATE}' and date_add('${DATE}', 14)
        ) seg
        inner join (
            -- newest message per flight wins, whoever sent it
            select
                m.flight_no,
                m.flight_date,
                max(case when m.msg_no = 1 then m.change_type end) as change_type,
                max(case when m.msg_no = 1 then m.new_arrival end) as new_arrival,
                concat_ws(',', sort_array(collect_set(m.source))) as source_list
            from (
                select
                    u.*,
                    row_number() over (
                        partition by u.flight_no, u.flight_date
                        order by u.publish_time desc, u.source, u.msg_id desc
                    ) as msg_no
                from (
                    select
                        a.msg_id,
                        'ASM' as source,
                        a.flight_no,
                        a.flight_date,
                        upper(get_json_object(a.body, '$.action')) as change_type,
                        get_json_object(a.body, '$.sta') as new_arrival,
                        a.publish_time
                    from ods_air.ods_asm_message_di a
                    where a.dt >= date_sub('${DATE}', 2)
                        and a.dt <= '${DATE}'
                    union all
                    select
                        o.entry_id as msg_id,
                        'OCC' as source,
                        o.flight_no,
                        o.flight_date,
                        o.change_type,
                        o.new_arrival,
                        o.publish_time
                    from ods_air.ods_occ_entry_di o
                    where o.dt >= date_sub('${DATE}', 2)
                        and o.dt <= '${DATE}'
                        and o.is_withdrawn = 0
                ) u
            ) m
            group by m.flight_no, m.flight_date
        ) chg
            on seg.flight_no = chg.flight_no
            and seg.flight_date = chg.flight_date
        lateral view explode(seg.pax_list) px as pax
    ) hit
    left join dim_air.dim_airport_df ap
        on hit.arr_airport = ap.airport_code
        and ap.dt = '${DATE}'
    left join dim_air.dim_member_df mem
        on hit.pax_id = mem.pax_id
        and mem.dt = '${DATE}'
        and mem.tier_end >= '${DATE}'
    -- seats left on the same route, any flight of that day
    left join (
        select
            dep_airport,
            arr_airport,
            flight_date,
            sum(greatest(seat_cap - coalesce(booked_cnt, 0), 0)) as free_seats
        from dws_air.dws_flight_inventory_df
        where dt = '${DATE}'
            and sale_state != 'CLOSED'
        group by dep_airport, arr_airport, flight_date
    ) inv
        on hit.dep_airport = inv.dep_airport
        and hit.arr_airport = inv.arr_airport
        and hit.flight_date = inv.flight_date
) impact

-- (1) infants travel on the record of the adult
insert overwrite table ads_air.ads_rebook_queue_di partition (dt = '${DATE}')
select
    impact.pnr_no,
    impact.pax_id,
    impact.flight_no,
    impact.flight_date,
    impact.cabin,
    impact.impact_class,
    impact.next_flight_no,
    impact.connect_minutes,
    impact.tier_code,
    if(impact.tier_code in ('GOLD', 'PLATINUM') or impact.cabin = 'F', 1, 2) as priority,
    case when impact.free_seats > 0 then 'OWN_FLIGHT' else 'PARTNER' end as proposal
where impact.pax_type <> 'INF'
    and (impact.impact_class <> 'NOTIFY' or impact.delay_minutes is null)

-- (2)
insert overwrite table ads_air.ads_flight_impact_di partition (dt = '${DATE}')
select
    impact.flight_no,
    impact.flight_date,
    concat(impact.dep_airport, '-', impact.arr_airport) as route,
    count(*) as pax_cnt,
    count(distinct impact.pnr_no) as pnr_cnt,
    sum(case when impact.impact_class = 'MISCONNEX' then 1 else 0 end) as misconnex_cnt,
    sum(case when impact.tier_code <> 'NONE' then 1 else 0 end) as member_cnt,
    max(impact.delay_minutes) as delay_minutes,
    max(impact.source_list) as source_list
group by impact.flight_no, impact.flight_date, impact.dep_airport, impact.arr_airport;
