-- lot_defect_traceback: which component lots and suppliers stand behind bad lots?
-- owner: quality engineering, b.tanaka
-- 2024-01-22 sibling lots (same component lot)
create table qms_tmp.tmp_lot_traceback_${yyyymmdd} stored as orc as
select
    'SUSPECT' as lot_role,
    sp.lot_no,
    lt.product_code,
    lt.line_code,
    sp.source_type,
    sp.ng_cnt,
    sp.critical_cnt,
    sp.measures,
    sp.complaint_cnt,
    sp.defect_codes,
    cm.component_cnt,
    cm.suppliers,
    case
        when sp.critical_cnt > 0 and sp.complaint_cnt > 0 then 'STOP_SHIP'
        when sp.critical_cnt > 0 or sp.max_severity >= 8 then 'BLOCK'
        when sp.complaint_cnt > 0 then 'SORT'
        else 'WATCH'
    end as containment
from (
    -- failures found in the plant and failures found by customers
    select
        coalesce(ng.lot_no,cp.lot_no) as lot_no,
        case
            when ng.lot_no is null then 'CUSTOMER'
            when cp.lot_no is null then 'PLANT'
            else 'BOTH'
        end as source_type,
        coalesce(ng.ng_cnt,0) as ng_cnt,
        coalesce(ng.critical_cnt,0) as critical_cnt,
        coalesce(ng.measures,'') as measures,
        coalesce(cp.complaint_cnt,0) as complaint_cnt,
        coalesce(cp.max_severity,0) as max_severity,
        coalesce(cp.defect_codes,'') as defect_codes
    from (
        select
            v.lot_no,
            count(*) as ng_cnt,
            sum(case when sc.is_critical = true then 1 else 0 end) as critical_cnt,
            concat_ws(',', sort_array(collect_set(v.measure_code))) as measures
        from (
            -- only the last retest of a piece counts
            select
                i.lot_no,
                i.product_code,
                m.measure_code,
                cast(m.measure_value as double) as measure_value
            from (
                select
                    r.lot_no,
                    r.product_code,
                    r.measures,
                    row_number() over (
                        partition by r.lot_no, r.piece_no, r.station_code
                        order by r.retest_no desc, r.inspect_id desc
                    ) as rn
                from qms_dwd.dwd_inspection_result_di r
                where r.dt between '${yyyymmdd-7}' and '${yyyymmdd}'
                    and not coalesce(r.is_calibration, false)
            ) i
            lateral view explode(i.measures) m as measure_code, measure_value
            where i.rn = 1
        ) v
        inner join qms_dim.dim_measure_spec_df sc
            on v.product_code = sc.product_code
            and v.measure_code = sc.measure_code
            and sc.dt = '${yyyymmdd}'
        where v.measure_value < cast(sc.lower_limit as double)
            or v.measure_value > cast(sc.upper_limit as double)
        group by v.lot_no
    ) ng
    full outer join (
        -- one complaint can name several lots
        select
            c.lot_no,
            count(distinct c.complaint_id) as complaint_cnt,
            max(c.severity) as max_severity,
            concat_ws(',', sort_array(collect_set(c.defect_code))) as defect_codes
        from (
            select
                q.complaint_id,
                q.severity,
                q.defect_code,
                trim(l.lot) as lot_no
            from qms_ods.ods_complaint_df q
            lateral view explode(split(q.lot_nos, ',')) l as lot
            where q.dt = '${yyyymmdd}'
                and q.close_date is null
                and q.complaint_type in ('FUNCTION', 'DIMENSION', 'SURFACE')
        ) c
        where c.lot_no <> ''
        group by c.lot_no
    ) cp
        on ng.lot_no = cp.lot_no
) sp
left outer join qms_dim.dim_lot_df lt
    on sp.lot_no = lt.lot_no
    and lt.dt = '${yyyymmdd}'
left join (
    -- components built into the lot and who delivered them
    select
        g.finished_lot,
        count(distinct g.component_lot) as component_cnt,
        concat_ws(',', sort_array(collect_set(rc.supplier_id))) as suppliers
    from qms_dwd.dwd_lot_genealogy_df g
    left join erp_ods.ods_component_receipt_df rc
        on g.component_lot = rc.component_lot
        and g.component_code = rc.component_code
        and rc.dt = '${yyyymmdd}'
    where g.dt = '${yyyymmdd}'
        and g.consume_qty > 0
    group by g.finished_lot
) cm
    on sp.lot_no = cm.finished_lot

union all

-- siblings: other lots that consumed a component lot of a complained lot
select
    'SIBLING' as lot_role,
    sb.lot_no,
    ls.product_code,
    ls.line_code,
    'GENEALOGY' as source_type,
    0 as ng_cnt,
    0 as critical_cnt,
    '' as measures,
    0 as complaint_cnt,
    '' as defect_codes,
    sb.shared_cnt as component_cnt,
    sb.shared_lots as suppliers,
    if(ls.lot_status = 'SHIPPED', 'NOTIFY', 'WATCH') as containment
from (
    select
        b.finished_lot as lot_no,
        count(distinct b.component_lot) as shared_cnt,
        concat_ws(',', sort_array(collect_set(b.component_lot))) as shared_lots
    from qms_dwd.dwd_lot_genealogy_df a
    join qms_dwd.dwd_lot_genealogy_df b
        on a.component_lot = b.component_lot
        and a.component_code = b.component_code
    where a.dt = '${yyyymmdd}'
        and b.dt = '${yyyymmdd}'
        and a.finished_lot <> b.finished_lot
        and exists (
            select 1
            from qms_ods.ods_complaint_df x
            where x.first_lot_no = a.finished_lot
                and x.dt = '${yyyymmdd}'
                and x.close_date is null
        )
    group by b.finished_lot
) sb
left join qms_dim.dim_lot_df ls
    on sb.lot_no = ls.lot_no
    and ls.dt = '${yyyymmdd}'
where coalesce(ls.lot_status, '') <> 'SCRAPPED';
