-- subject : dws_hotel.dws_room_pickup_pace
-- owner   : revenue management / c.almeida
-- what    : rooms on the books per stay night, and the pickup of the last days
-- log     : 2023-06-30 group blocks
--           2024-01-22 out of order rooms leave the capacity

set spark.sql.shuffle.partitions=64;

with reservation as (
  -- newest version of each reservation; no-shows keep the room blocked
  select
    v.rsv_no,
    v.hotel_id,
    v.room_type,
    v.segment,
    to_date(v.arrival_date) as arrival_date,
    v.nights,
    v.room_cnt,
    v.rate_amount,
    to_date(v.book_time) as book_date,
    to_date(v.cancel_time) as cancel_date
  from (
    select
      r.*,
      row_number() over (
        partition by r.rsv_no
        order by r.version_no desc, r.update_time desc, r.row_id desc
      ) as rn
    from dwd_hotel.dwd_reservation_df r
    where r.dt = '${bizdate}'
      and r.nights between 1 and 30
  ) v
  where v.rn = 1
    and v.rsv_state not in ('WAITLIST', 'TEST')
),

-- a stay of n nights becomes n rows
stay_night as (
  select
    s.hotel_id,
    s.room_type,
    s.segment,
    s.rsv_no,
    date_add(s.arrival_date, n.pos) as stay_date,
    s.room_cnt,
    s.rate_amount,
    s.book_date,
    s.cancel_date
  from reservation s
  lateral view posexplode(split(repeat(',', s.nights - 1), ',')) n as pos, dummy
),

demand as (
  select
    hotel_id,
    room_type,
    stay_date,
    segment,
    sum(case when cancel_date is null then room_cnt else 0 end) as otb_rooms,
    -- what stood on the books then
    sum(case
      when book_date <= date_sub('${bizdate}', ${pickup_days})
        and (cancel_date is null or cancel_date > date_sub('${bizdate}', ${pickup_days}))
      then room_cnt
      else 0
    end) as otb_rooms_before,
    sum(case when cancel_date is null then room_cnt * coalesce(rate_amount, 0) else 0 end) as otb_revenue
  from stay_night
  group by hotel_id, room_type, stay_date, segment

  union all

  -- rooms of group blocks that are not yet named, e.g. {"DBL":"12","SGL":"4"}
  select
    b.hotel_id,
    m.room_type,
    to_date(b.stay_date) as stay_date,
    'GROUP' as segment,
    sum(cast(m.rooms as int)) as otb_rooms,
    sum(if(to_date(b.create_time) <= date_sub('${bizdate}', ${pickup_days}), cast(m.rooms as int), 0)) as otb_rooms_before,
    sum(cast(m.rooms as int) * b.group_rate) as otb_revenue
  from dwd_hotel.dwd_group_block_df b
  lateral view explode(b.open_rooms) m as room_type, rooms
  where b.dt = '${bizdate}'
    and b.block_state = 'DEFINITE'
  group by b.hotel_id, m.room_type, to_date(b.stay_date)
),

capacity as (
  select
    c.hotel_id,
    c.room_type,
    count(*) as room_cnt,
    count(*) - count(o.room_no) as sellable_cnt
  from dim_hotel.dim_room_df c
  left join (
    select distinct hotel_id, room_no
    from dwd_hotel.dwd_out_of_order_df
    where dt = '${bizdate}'
      and end_date > '${bizdate}'
  ) o
    on c.hotel_id = o.hotel_id
    and c.room_no = o.room_no
  where c.dt = '${bizdate}'
  group by c.hotel_id, c.room_type
),

night_sum as (
  select
    d.hotel_id,
    if(grouping(d.room_type) = 1, 'TOTAL', d.room_type) as room_type,
    d.stay_date,
    sum(d.otb_rooms) as otb_rooms,
    sum(d.otb_rooms) - sum(d.otb_rooms_before) as pickup_rooms,
    sum(d.otb_revenue) as otb_revenue,
    concat_ws(',', sort_array(collect_set(d.segment))) as segment_list
  from demand d
  where d.stay_date between '${bizdate}' and date_add('${bizdate}', 29)
  group by d.hotel_id, d.stay_date, d.room_type with rollup
  having d.stay_date is not null
)

insert overwrite table dws_hotel.dws_room_pickup_pace partition (dt = '${bizdate}')
select
  n.hotel_id,
  h.hotel_name,
  n.room_type,
  n.stay_date,
  n.otb_rooms,
  n.pickup_rooms,
  cap.sellable_cnt,
  round(n.otb_rooms * 100.0 / nullif(cap.sellable_cnt, 0), 1) as occupancy_pct,
  round(n.otb_revenue / nullif(n.otb_rooms, 0), 2) as avg_rate,
  n.segment_list,
  -- one week centred on the night
  sum(n.pickup_rooms) over (
    partition by n.hotel_id, n.room_type
    order by n.stay_date
    rows between 3 preceding and 3 following
  ) as pickup_week,
  case
    when n.otb_rooms > cap.sellable_cnt then 'OVERBOOKED'
    when n.otb_rooms >= cap.sellable_cnt * 0.9 then 'CLOSE_DISCOUNTS'
    when n.pickup_rooms <= 0 and datediff(n.stay_date, '${bizdate}') <= 7 then 'PUSH'
    when cap.sellable_cnt is null then 'NO_CAPACITY'
    else 'KEEP'
  end as `action`
from night_sum n
left join (
  select hotel_id, room_type, sellable_cnt
  from capacity
  union all
  select hotel_id, 'TOTAL' as room_type, sum(sellable_cnt) as sellable_cnt
  from capacity
  group by hotel_id
) cap
  on n.hotel_id = cap.hotel_id
  and n.room_type = cap.room_type
left join dim_hotel.dim_hotel_df h
  on n.hotel_id = h.hotel_id
  and h.dt = '${bizdate}';
