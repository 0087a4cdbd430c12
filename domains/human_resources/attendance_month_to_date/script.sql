-- 员工考勤月累计 (attendance, month to date)
-- owner: hr-dw / xu.jing      下游: 薪资核算, 请勿改列名
-- window: ${month_begin} .. ${dt}, reruns are safe
-- 2022-06-01 上线; 2023-02-17 夜班打卡归前一天; 2023-10-09 调休冲减加班
set hive.auto.convert.join=true;

with param as (
	select
		'${month_begin}' as begin_date,
		'${dt}' as end_date,
		5 as grace_minutes	-- 迟到宽限分钟数
)
insert overwrite table dws_hr.dws_emp_attendance_mtd partition (dt = '${dt}')
select
	e.emp_id,
	e.emp_name,
	e.dept_id,
	w.plan_days,
	w.work_days,
	w.late_cnt,
	w.early_cnt,
	w.absent_days,
	w.leave_hours,
	coalesce(o.ot_weekday, 0) as ot_weekday,
	coalesce(o.ot_holiday, 0) as ot_holiday,
	greatest(coalesce(o.ot_total, 0) - coalesce(o.comp_used, 0), 0) as ot_payable,
	w.leave_types,
	case
		when w.emp_id is null then 'NO_ROSTER'
		when w.absent_days >= 3 then 'ABSENT'
		when w.late_cnt + w.early_cnt >= 3 then 'WARN'
		else 'NORMAL'
	end as attend_flag
from (
	select m.emp_id, m.emp_name, m.dept_id
	from dim_hr.dim_employee_df m
	-- 高管及弹性工时人员不考勤
	left anti join dim_hr.dim_attend_exempt_df x
		on m.emp_id = x.emp_id
		and x.dt = '${dt}'
		and x.exempt_type in ('EXEC', 'FLEX')
	where m.dt = '${dt}'
		and m.emp_status = 'ON_JOB'
) e
left join (
	select
		d.emp_id,
		count(*) as plan_days,
		count(d.first_punch) as work_days,
		sum(case when d.late_minutes > d.grace_minutes then 1 else 0 end) as late_cnt,
		sum(case when d.early_minutes > 0 then 1 else 0 end) as early_cnt,
		-- 未打卡且无假条才算旷工
		sum(case when d.first_punch is null and d.leave_hours is null then 1 else 0 end) as absent_days,
		sum(d.leave_hours) as leave_hours,
		concat_ws(',', sort_array(collect_set(d.leave_type))) as leave_types
	from (
		select
			r.emp_id,
			r.work_date,
			p.first_punch,
			v.leave_hours,
			v.leave_type,
			prm.grace_minutes,
			(unix_timestamp(p.first_punch) - unix_timestamp(r.plan_begin)) / 60 as late_minutes,
			(unix_timestamp(r.plan_end) - unix_timestamp(p.last_punch)) / 60 as early_minutes
		from (
			-- 调班取最后一次排班
			select
				s.*,
				row_number() over (
					partition by s.emp_id, s.work_date
					order by s.publish_time desc, s.roster_id desc
				) as rn
			from dwd_hr.dwd_roster_di s
			where s.dt between '${month_begin}' and '${dt}'
		) r
		cross join param prm
		left outer join (
			-- 首末打卡; 凌晨五点前的打卡属于前一天的夜班
			select
				h.emp_id,
				h.work_date,
				min(h.punch_time) as first_punch,
				max(h.punch_time) as last_punch
			from (
				select
					emp_id,
					punch_time,
					if(hour(punch_time) < 5, date_sub(to_date(punch_time), 1), to_date(punch_time)) as work_date
				from ods_hr.ods_punch_log_di
				where dt between '${month_begin}' and date_add('${dt}', 1)
					and punch_source not in ('TEST', 'VISITOR')
					and (is_void is null or is_void <> '1')
			) h
			group by
				h.emp_id,
				h.work_date
		) p
			on r.emp_id = p.emp_id
			and r.work_date = p.work_date
		left join (
			-- 假条按天拆分: hours_list 第 n 个数是第 n 天的小时数
			select
				lv.emp_id,
				date_add(lv.begin_date, hl.pos) as leave_date,
				max(lv.leave_type) as leave_type,
				sum(cast(hl.hours as decimal(18,2))) as leave_hours
			from dwd_hr.dwd_leave_form_df lv
			lateral view posexplode(split(lv.hours_list, ',')) hl as pos, hours
			where lv.dt = '${dt}'
				and lv.form_status = 'APPROVED'
			group by
				lv.emp_id,
				date_add(lv.begin_date, hl.pos)
		) v
			on r.emp_id = v.emp_id
			and r.work_date = v.leave_date
		where r.rn = 1
			and r.is_workday = 1
			and r.work_date between prm.begin_date and prm.end_date
	) d
	group by d.emp_id
) w
	on e.emp_id = w.emp_id
left join (
	-- 加班与调休
	select
		t.emp_id,
		sum(if(t.ot_type = 'WEEKDAY', t.hours, 0)) as ot_weekday,
		sum(if(t.ot_type = 'HOLIDAY', t.hours, 0)) as ot_holiday,
		sum(if(t.ot_type <> 'COMP', t.hours, 0)) as ot_total,
		sum(if(t.ot_type = 'COMP', t.hours, 0)) as comp_used
	from (
		select f.emp_id, f.ot_type, cast(trim(f.ot_hours) as decimal(18,2)) as hours
		from dwd_hr.dwd_overtime_form_di f
		where f.dt between '${month_begin}' and '${dt}'
			and f.form_status = 'APPROVED'
			and trim(f.ot_hours) rlike '^[0-9]'
		union all
		select c.emp_id, 'COMP' as ot_type, c.used_hours as hours
		from dwd_hr.dwd_comp_leave_di c
		where c.dt between '${month_begin}' and '${dt}'
			and c.cancel_time is null
	) t
	group by t.emp_id
) o
	on e.emp_id = o.emp_id
distribute by e.dept_id
sort by e.dept_id, e.emp_id
;
