/*
 * 任务: ads_disp.ads_grid_supply_gap_1h 网格供需缺口 (小时级)
 * 负责: 调度策略数据组 zhou.l
 * 用途: 每小时给出每个网格、每种车型的缺口与建议溢价倍数
 * 变更: 2022-07-11 新建
 *       2023-03-20 相邻网格的空闲司机按一半计入
 *       2023-11-06 增加取消原因
 */
insert into table ads_disp.ads_grid_supply_gap_1h partition (dt = '${dt}', hh = '${hh}')
select
	gap.city_id,
	gap.grid_id,
	gap.service_type,
	gap.req_cnt,
	gap.answer_cnt,
	round(gap.answer_cnt * 100.0 / gap.req_cnt, 1) as answer_pct,
	gap.rider_cnt,
	gap.avg_eta,
	gap.idle_cnt,
	gap.near_cnt,
	gap.gap_cnt,
	gap.reason_list,
	gap.last_factor,
	case
		when gap.is_frozen = 1 then 1.0	-- 政府管制时段不溢价
		when gap.gap_cnt >= gap.req_cnt * 0.5 then least(gap.last_factor + 0.2, gap.max_factor)
		when gap.gap_cnt > 0 then least(gap.last_factor + 0.1, gap.max_factor)
		else greatest(gap.last_factor - 0.1, 1.0)
	end as next_factor,
	row_number() over (
		partition by gap.city_id, gap.service_type
		order by gap.gap_cnt desc, gap.req_cnt desc, gap.grid_id
	) as gap_no
from (
	select
		req.city_id,
		req.grid_id,
		req.service_type,
		req.req_cnt,
		req.answer_cnt,
		req.rider_cnt,
		req.avg_eta,
		coalesce(idle.idle_cnt, 0) as idle_cnt,
		coalesce(near.near_cnt, 0) as near_cnt,
		-- 缺口 = 未应答需求 - 本格空闲 - 相邻空闲的一半
		req.req_cnt - req.answer_cnt
			- coalesce(idle.idle_cnt, 0)
			- cast(floor(coalesce(near.near_cnt, 0) / 2) as int) as gap_cnt,
		coalesce(why.reason_list, '') as reason_list,
		coalesce(sg.factor, 1.0) as last_factor,
		coalesce(cfg.max_factor, 2.0) as max_factor,
		if(cfg.freeze_until >= '${dt}', 1, 0) as is_frozen
	from (
		-- 需求: 同一乘客五分钟内重复叫车只算一次
		select
			r.city_id,
			r.grid_id,
			r.service_type,
			count(*) as req_cnt,
			count(distinct r.rider_id) as rider_cnt,
			sum(case when r.answer_time is not null then 1 else 0 end) as answer_cnt,
			round(avg(coalesce(r.eta_seconds, 600)), 0) as avg_eta
		from (
			select
				q.*,
				lag(q.request_time) over (
					partition by q.rider_id, q.grid_id, q.service_type
					order by q.request_time, q.request_id
				) as prev_time
			from dwd_disp.dwd_ride_request_hi q
			where q.dt = '${dt}'
				and q.hh = '${hh}'
				and q.source not in ('TEST', 'ROBOT')
		) r
		where r.prev_time is null
			or unix_timestamp(r.request_time) - unix_timestamp(r.prev_time) > 300
		group by r.city_id, r.grid_id, r.service_type
	) req
	-- 供给: 最后一次心跳所在的网格
	left join (
		select grid_id, service_type, count(1) as idle_cnt
		from dwd_disp.dwd_driver_last_beat_hi
		where dt = '${dt}'
			and hh = '${hh}'
			and driver_state = 'IDLE'
		group by grid_id, service_type
	) idle
		on req.grid_id = idle.grid_id
		and req.service_type = idle.service_type
	-- 相邻网格
	left join (
		select
			n.grid_id,
			b.service_type,
			count(distinct b.driver_id) as near_cnt
		from (
			select g.grid_id, trim(e.near_grid) as near_grid
			from dim_disp.dim_grid_df g
			lateral view explode(split(g.neighbours, ',')) e as near_grid
			where g.dt = '${dt}'
				and e.near_grid <> g.grid_id
		) n
		inner join dwd_disp.dwd_driver_last_beat_hi b
			on n.near_grid = b.grid_id
			and b.dt = '${dt}'
			and b.hh = '${hh}'
		where b.driver_state in ('IDLE', 'FINISHING')
		group by n.grid_id, b.service_type
	) near
		on req.grid_id = near.grid_id
		and req.service_type = near.service_type
	-- 取消原因: 乘客侧与司机侧
	left join (
		select
			c.grid_id,
			concat_ws(',', sort_array(collect_set(c.reason))) as reason_list
		from (
			select grid_id, concat('R:', lower(get_json_object(detail, '$.reason'))) as reason
			from ods_disp.ods_rider_cancel_hi
			where dt = '${dt}'
				and hh = '${hh}'
			union all
			select d.grid_id, concat('D:', x.reason) as reason
			from ods_disp.ods_driver_cancel_hi d
			lateral view outer explode(d.reasons) x as reason
			where d.dt = '${dt}'
				and d.hh = '${hh}'
		) c
		where c.reason is not null
		group by c.grid_id
	) why
		on req.grid_id = why.grid_id
	-- 当前生效的溢价
	left join (
		select distinct
			grid_id,
			service_type,
			first_value(factor) over (
				partition by grid_id, service_type
				order by set_time desc, set_id desc
				rows between unbounded preceding and unbounded following
			) as factor
		from dwd_disp.dwd_surge_setting_di
		where dt between date_sub('${dt}', 1) and '${dt}'
	) sg
		on req.grid_id = sg.grid_id
		and req.service_type = sg.service_type
	left join dim_disp.dim_city_surge_df cfg
		on req.city_id = cfg.city_id
		and cfg.service_type <=> req.service_type
		and cfg.dt = '${dt}'
) gap
where gap.req_cnt >= 1
sort by gap.city_id, gap_no;
