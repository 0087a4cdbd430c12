-- 运单路由时效宽表  exp_ads.ads_waybill_route_sla_di
-- 负责人 : 网络规划部 liu.yang
-- 口径   : 前天揽收的运单 (dt-2)，用最新轨迹判断各段是否超时
-- 20230816 增加异常件原因
-- 20240103 中转滞留 (dwell) 超过8小时单独统计
set hive.map.aggr=true;

insert overwrite table exp_ads.ads_waybill_route_sla_di partition (dt='${dt}')
select
	w.waybill_no,
	w.product_type,
	w.origin_code,
	w.dest_code,
	w.pickup_time,
	sg.last_scan_time,
	nvl(sg.node_cnt,0) as node_cnt,
	-- 计划节点里没有扫描到的数量
	nvl(pl.missed_cnt,0) as missed_cnt,
	pl.first_missed_pos,
	nvl(sg.dwell_cnt,0) as dwell_cnt,
	nvl(sg.max_dwell_hour,0) as max_dwell_hour,
	nvl(sg.route_text,'') as route_text,
	case
		when sg.sign_time is null and ex.waybill_no is not null then 'EXCEPTION'
		when sg.sign_time is null then 'IN_TRANSIT'
		when sg.sign_time <= w.promise_time then 'ON_TIME'
		when unix_timestamp(sg.sign_time) - unix_timestamp(w.promise_time) <= 7200 then 'LATE_2H'
		else 'LATE'
	end as sla_status,
	nvl(ex.reasons,'none') as exception_reasons,
	w.receiver.city_code as receiver_city,
	-- 派送城市与目的网点不一致视为改派，网点未知不算
	case
		when br.branch_code is null then 0
		when nvl(w.receiver.city_code,'') <> nvl(br.city_code,'') then 1
		else 0
	end as is_redirected,
	if(kb.origin_code is not null,1,0) as is_key_branch
from (
	-- 同一运单多次下发，取最后一次
	select
		t.waybill_no,
		t.product_type,
		t.origin_code,
		t.dest_code,
		t.pickup_time,
		t.promise_time,
		t.receiver
	from (
		select
			a.waybill_no,
			a.product_type,
			a.origin_code,
			a.dest_code,
			a.pickup_time,
			a.promise_time,
			a.receiver,
			row_number() over (partition by a.waybill_no order by a.version_no desc) as rn
		from exp_dwd.dwd_waybill_di a
		where a.dt='${dt-2}'
			and a.waybill_status not in ('CANCEL','RETURNED')
			and a.pickup_time is not null
	) t
	where t.rn=1
) w

-- 实际路由：相邻两次扫描的间隔
left join (
	select
		n.waybill_no,
		count(*) as node_cnt,
		max(n.scan_time) as last_scan_time,
		max(case when n.op_code='SIGN' then n.scan_time end) as sign_time,
		sum(case when n.op_code='ARRIVE' and n.dwell_hour > 8 then 1 else 0 end) as dwell_cnt,
		max(round(n.dwell_hour,1)) as max_dwell_hour,
		concat_ws(',', sort_array(collect_set(concat(lpad(cast(n.seq as string),2,'0'),':',n.site_code)))) as route_text
	from (
		select
			s.waybill_no,
			s.op_code,
			s.site_code,
			s.scan_time,
			row_number() over (partition by s.waybill_no order by s.scan_time, s.scan_id, s.site_code, s.op_code) as seq,
			(unix_timestamp(lead(s.scan_time) over (partition by s.waybill_no order by s.scan_time, s.scan_id, s.site_code, s.op_code))
				- unix_timestamp(s.scan_time)) / 3600 as dwell_hour
		from (
			-- 自营网点
			select scan_id, waybill_no, op_code, site_code, scan_time
			from exp_ods.ods_site_scan_di
			where dt between '${dt-2}' and '${dt}'
				and op_code in ('ARRIVE','DEPART','SIGN')
			union all
			-- 第三方代理点，操作码需要转换
			select scan_id, waybill_no,
				case partner_op when 'IN' then 'ARRIVE' when 'OUT' then 'DEPART' else 'SIGN' end as op_code,
				site_code,
				scan_time
			from exp_ods.ods_partner_scan_di
			where dt between '${dt-2}' and '${dt}'
				and partner_op in ('IN','OUT','POD')
		) s
		where s.scan_time is not null
	) n
	group by n.waybill_no
) sg
	on w.waybill_no=sg.waybill_no

-- 计划路由与实际扫描比对
left join (
	select
		p.waybill_no,
		sum(case when v.site_code is null then 1 else 0 end) as missed_cnt,
		min(case when v.site_code is null then p.pos end) as first_missed_pos
	from (
		select
			pr.waybill_no,
			pr.plan_nodes[0].site_code as start_site,
			nd.pos,
			nd.node.site_code as site_code
		from exp_dwd.dwd_route_plan_di pr
		lateral view posexplode(pr.plan_nodes) nd as pos, node
		where pr.dt='${dt-2}'
			and pr.is_valid=true
	) p
	left join (
		select distinct waybill_no, site_code
		from exp_ods.ods_site_scan_di
		where dt between '${dt-2}' and '${dt}'
	) v
		on p.waybill_no=v.waybill_no
		and p.site_code=v.site_code
	where p.site_code <> p.start_site   -- 始发站不算
	group by p.waybill_no
) pl
	on w.waybill_no=pl.waybill_no

-- 异常登记：一条记录可带多个原因
left join (
	select
		e.waybill_no,
		count(1) as reason_cnt,
		concat_ws(',', sort_array(collect_set(upper(rs.reason)))) as reasons
	from exp_ods.ods_exception_di e
	lateral view explode(split(e.reason_codes,'\\|')) rs as reason
	where e.dt between '${dt-2}' and '${dt}'
		and e.close_time is null
	group by e.waybill_no
) ex
	on w.waybill_no=ex.waybill_no
left join exp_dim.dim_branch_df br
	on w.dest_code=br.branch_code
	and br.dt='${dt}'
	and br.branch_status='OPEN'
-- 揽收量前20的始发网点
left join (
	select
		origin_code,
		count(*) as waybill_cnt
	from exp_dwd.dwd_waybill_di
	where dt='${dt-2}'
	group by origin_code
	order by waybill_cnt desc, origin_code
	limit 20
) kb
	on w.origin_code=kb.origin_code
where w.product_type in (
	select product_type
	from exp_dim.dim_product_df
	where dt='${dt}'
		and has_promise=true
)
cluster by w.origin_code;
