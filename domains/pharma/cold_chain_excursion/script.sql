-- =====================================================================
-- cold chain: temperature episodes per box  ->  disposition per batch
-- owner   GDP quality, m.lindqvist
-- 2023-02-17  readings are de-duplicated (buffer resend)
-- 2023-10-05  documented door openings excuse an episode (deviation 2023-118)
-- =====================================================================
set hive.exec.parallel=true;

-- step 1 --------------------------------------------------------------
insert overwrite table dws_cold.dws_excursion_di partition (dt='${DATE}')
select
    g.shipment_id
   ,g.box_no
   ,g.episode_no
   ,g.side
   ,min(g.rt)                   as begin_time
   ,max(g.next_rt)              as end_time
   ,round(sum(g.minutes), 1)    as minutes
   ,case when g.side = 'LOW' then min(g.temp) else max(g.temp) end as worst_temp
from (
  select
      f.*
     ,(unix_timestamp(f.next_rt) - unix_timestamp(f.rt)) / 60.0 as minutes
      -- an episode goes on until the side changes
     ,sum(case when f.prev_side = f.side then 0 else 1 end) over (
        partition by f.shipment_id, f.box_no
        order by f.rt
        rows between unbounded preceding and current row
      ) as episode_no
  from (
    select
        c.*
       ,lag(c.side, 1, 'IN') over (partition by c.shipment_id, c.box_no order by c.rt) as prev_side
       ,lead(c.rt, 1, c.rt)  over (partition by c.shipment_id, c.box_no order by c.rt) as next_rt
    from (
      select
          a.shipment_id
         ,a.box_no
         ,a.rt
         ,a.temp
         ,case
            when a.temp < p.temp_min then 'LOW'
            when a.temp > p.temp_max then 'HIGH'
            else 'IN'
          end as side
      from (
        select
            u.shipment_id
           ,u.box_no
           ,r.reading.rt   as rt
           ,r.reading.temp as temp
           ,row_number() over (
              partition by u.shipment_id, u.box_no, r.reading.rt
              order by u.upload_time desc, u.upload_id desc, r.pos
            ) as rn
        from dwd_cold.dwd_logger_upload_di u
        lateral view posexplode(u.readings) r as pos, reading
        where u.dt between date_sub('${DATE}', 6) and '${DATE}'
          and u.is_calibrated = true
      ) a
      inner join dim_cold.dim_shipment_df s
        on a.shipment_id = s.shipment_id
        and s.dt = '${DATE}'
        and a.rt >= s.depart_time
      inner join dim_cold.dim_product_range_df p
        on s.product_code = p.product_code
        and s.pack_type = p.pack_type
        and p.dt = '${DATE}'
      where a.rn = 1
        and a.temp is not null
    ) c
  ) f
) g
where g.side <> 'IN'
group by
    g.shipment_id
   ,g.box_no
   ,g.episode_no
   ,g.side
;

-- step 2 --------------------------------------------------------------
insert overwrite table ads_cold.ads_batch_disposition_di partition (dt='${DATE}')
select
    t.batch_no
   ,t.product_code
   ,t.carrier_code
   ,count(*)                          as shipment_cnt
   ,sum(nvl(e.box_cnt, 0))            as bad_box_cnt
   ,sum(nvl(e.low_minutes, 0))        as low_minutes
   ,sum(nvl(n.open_minutes, 0))       as unexcused_minutes
   ,sum(nvl(l.dropout_cnt, 0))        as dropout_cnt
   ,concat_ws(',', sort_array(collect_set(l.firmware))) as firmware_list
   ,case
      when max(n.low_cnt) > 0 and max(t.freeze_flag) = 1  then 'REJECT'
      when sum(nvl(n.open_minutes, 0)) > max(t.max_minutes) then 'QA_HOLD'
      when count(l.shipment_id) < count(*)                then 'NO_DATA'
      else 'RELEASE'
    end                               as disposition
from (
  select
      s.shipment_id
     ,s.batch_no
     ,s.product_code
     ,s.carrier.code as carrier_code
     ,coalesce(p.max_minutes, 0) as max_minutes
     ,if(p.freeze_sensitive, 1, 0) as freeze_flag
  from dim_cold.dim_shipment_df s
  left join dim_cold.dim_product_range_df p
    on s.product_code = p.product_code
    and s.pack_type = p.pack_type
    and p.dt = '${DATE}'
  where s.dt = '${DATE}'
    and s.ship_status not in ('PLANNED', 'CANCELLED')
) t
left join (
  select
      shipment_id
     ,count(distinct box_no) as box_cnt
     ,sum(case when side = 'LOW' then minutes else 0 end)  as low_minutes
  from dws_cold.dws_excursion_di
  where dt = '${DATE}'
  group by shipment_id
) e on t.shipment_id = e.shipment_id
left join (
  -- episodes that began outside a documented door opening
  select
      x.shipment_id
     ,coalesce(sum(x.minutes), 0) as open_minutes
     ,sum(case when x.side = 'LOW' then 1 else 0 end) as low_cnt
  from dws_cold.dws_excursion_di x
  where x.dt = '${DATE}'
    and not exists (
      select 1
      from dwd_cold.dwd_door_open_di d
      where d.dt between date_sub('${DATE}', 6) and '${DATE}'
        and d.shipment_id = x.shipment_id
        and x.begin_time between d.open_time and d.close_time
    )
  group by x.shipment_id
) n on t.shipment_id = n.shipment_id
left join (
  select
      shipment_id
     ,sum(size(filter(readings, y -> y.temp is null))) as dropout_cnt
     ,max(firmware) as firmware
  from dwd_cold.dwd_logger_upload_di
  where dt between date_sub('${DATE}', 6) and '${DATE}'
    and readings is not null
  group by shipment_id
) l on t.shipment_id = l.shipment_id
group by
    t.batch_no
   ,t.product_code
   ,t.carrier_code
;
