-- ads_quality.ads_dept_readmit_1d
-- unplanned readmissions within 30 days, per discharging department / campus / hospital
-- owner : medical quality office (k.osei)      scheduled daily 04:10
-- 2021-06-14 created for the accreditation review
-- 2022-09-02 external admissions from the regional exchange
-- 2023-11-20 planned returns (chemo, dialysis, staged surgery) are no readmissions
with stay as (
    -- HIS resends an encounter after each coding change, the latest version is valid
    select
        v.encounter_id,
        v.patient_id,
        v.campus_code,
        v.dept_code,
        v.main_diag,
        v.diag_codes,
        v.admit_time,
        v.discharge_time,
        v.discharge_way
    from (
        select
            e.encounter_id,
            e.patient_id,
            e.campus_code,
            e.dept_code,
            upper(e.main_diag) as main_diag,
            e.diag_codes,
            e.admit_time,
            e.discharge_time,
            e.discharge_way,
            row_number() over (
                partition by e.encounter_id
                order by e.version_no desc, e.row_id desc
            ) as rn
        from dwd_his.dwd_inpatient_stay_df e
        where e.dt = '${bizdate}'
          and e.is_void = 0
          and e.patient_id is not null
    ) v
    where v.rn = 1
),

index_stay as (
    -- went home alive in the last 30 days
    select
        s.encounter_id,
        s.patient_id,
        s.campus_code,
        s.dept_code,
        s.main_diag,
        s.discharge_time,
        datediff(to_date(s.discharge_time), to_date(s.admit_time)) as los_days
    from stay s
    where to_date(s.discharge_time) between date_sub('${bizdate}', 29) and '${bizdate}'
      and s.discharge_way not in ('DEATH', 'TRANSFER')
),

comorbid as (
    select
        x.encounter_id,
        count(distinct g.chronic_code) as chronic_cnt,
        concat_ws(',', sort_array(collect_set(g.chronic_code))) as chronic_list
    from (
        select
            s.encounter_id,
            substr(d.code, 1, 3) as icd3
        from stay s
        lateral view explode(split(s.diag_codes, ',')) d as code
        where d.code <> ''
    ) x
    join dim_med.dim_chronic_icd_df g
        on x.icd3 = g.icd3
        and g.dt = '${bizdate}'
        and g.is_active = true
    group by x.encounter_id
),

next_admit as (
    -- our own beds
    select
        'OWN' as src,
        s.encounter_id as next_id,
        s.patient_id,
        s.main_diag,
        s.admit_time
    from stay s
    where s.admit_time is not null
    union all
    -- beds of other hospitals, reported by the exchange with one row per notice
    select
        'EXT' as src,
        concat('X', r.notice_id) as next_id,
        r.patient_id,
        upper(r.admit_diag) as main_diag,
        r.admit_time
    from ods_rhin.ods_ext_admission_di r
    where r.dt between date_sub('${bizdate}', 29) and '${bizdate}'
      and r.confirm_flag = 'Y'
),

unplanned as (
    select n.*
    from next_admit n
    left anti join (
        select encounter_id
        from dwd_his.dwd_admission_plan_df
        where dt = '${bizdate}'
          and plan_type in ('CHEMO', 'DIALYSIS', 'STAGED_OP')
          and plan_status <> 'CANCELLED'
    ) p
        on n.next_id = p.encounter_id
),

readmit as (
    select
        i.encounter_id,
        n.src,
        datediff(to_date(n.admit_time), to_date(i.discharge_time)) as gap_days,
        case when substr(n.main_diag, 1, 3) = substr(i.main_diag, 1, 3) then 1 else 0 end as same_icd,
        row_number() over (
            partition by i.encounter_id
            order by n.admit_time, n.next_id
        ) as rn
    from index_stay i
    join unplanned n
        on i.patient_id = n.patient_id
        and n.next_id <> i.encounter_id
        and n.admit_time > i.discharge_time
    where datediff(to_date(n.admit_time), to_date(i.discharge_time)) <= 30
)

insert overwrite table ads_quality.ads_dept_readmit_1d partition (dt = '${bizdate}')
select
    case
        when grouping(i.dept_code) = 0 then 'DEPT'
        when grouping(i.campus_code) = 0 then 'CAMPUS'
        else 'HOSPITAL'
    end as grain,
    coalesce(i.campus_code, 'ALL') as campus_code,
    coalesce(i.dept_code, 'ALL') as dept_code,
    count(*) as discharge_cnt,
    count(distinct i.patient_id) as patient_cnt,
    count(r.encounter_id) as readmit_cnt,
    sum(case when r.gap_days <= 7 then 1 else 0 end) as readmit_7d_cnt,
    sum(case when r.src = 'EXT' then 1 else 0 end) as readmit_ext_cnt,
    sum(coalesce(r.same_icd, 0)) as same_icd_cnt,
    round(count(r.encounter_id) * 100.0 / count(*), 2) as readmit_rate,
    round(avg(coalesce(i.los_days, 0)), 1) as avg_los,
    round(avg(coalesce(c.chronic_cnt, 0)), 2) as avg_chronic,
    max(c.chronic_list) as sample_chronic_list
from index_stay i
left join readmit r
    on i.encounter_id = r.encounter_id
    and r.rn = 1          -- only the first return counts
left join comorbid c
    on i.encounter_id = c.encounter_id
left join dim_med.dim_dept_df d
    on i.dept_code = d.dept_code
    and i.campus_code = d.campus_code
    and d.dt = '${bizdate}'
where (d.dept_type is null or d.dept_type <> 'HOSPICE')
group by
    i.campus_code,
    i.dept_code
grouping sets (
    (i.campus_code, i.dept_code),
    (i.campus_code),
    ()
)
;
