/* ---------------------------------------------------------------------------
   roaming_charge_audit.hql
   Partner charges against tariff and own probes, for the clearing desk.
   author  : h.lindgren (wholesale analytics)
   since   : 2021-05-03
   changes : 2022-02-14 probes; 2022-09-01 local hours for the night tariff;
             2023-12-05 open tariffs (valid_to empty)
   --------------------------------------------------------------------------- */
set hive.vectorized.execution.enabled=true;

-- work table, kept a week for the desk
create table if not exists tmp_roam.tmp_valued_record (
    record_id      bigint          comment 'record',
    partner_code   string          comment 'foreign network',
    service_kind   string          comment 'service',
    imsi           string          comment 'sim card',
    units          bigint          comment 'units of the partner',
    probe_units    bigint          comment 'units of our probe',
    charge_amt     decimal(18,4)   comment 'charged',
    agreed_amt     decimal(18,4)   comment 'by tariff',
    local_hour     int             comment 'hour of the day, local'
)
comment 'records of the day, valued'
stored as orc;

insert overwrite table tmp_roam.tmp_valued_record
select
    r.record_id,
    r.partner_code,
    r.service_kind,
    r.imsi,
    r.units,
    p.units as probe_units,
    coalesce(r.partner_charge, 0) as charge_amt,
    -- no tariff: nothing was agreed, nothing is due
    coalesce(r.units * cast(t.unit_price as decimal(10,4)), 0) as agreed_amt,
    -- clearing houses send UTC, the night tariff goes by local time
    hour(cast(r.start_time as timestamp) + interval 1 hour) as local_hour
from (
    select
        x.record_id,
        x.partner_code,
        x.service_kind,
        x.imsi,
        x.units,
        x.partner_charge,
        x.start_time
    from (
        -- voice and messages come in one file, data in another; a repeated file brings equal rows once
        select v.record_id, v.partner_code, v.service_kind, v.imsi, v.units, v.partner_charge, v.start_time
        from ods_roam.ods_partner_record_di v
        where v.dt = '${hiveconf:bizdate}'
          and v.service_kind in ('VOICE', 'SMS')
        union
        select d.record_id, d.partner_code, d.service_kind, d.imsi, ceil(d.units / 1024) as units,
               d.partner_charge, d.start_time
        from ods_roam.ods_partner_record_di d
        where d.dt = '${hiveconf:bizdate}'
          and d.service_kind = 'DATA'
          and d.units > 0
    ) x
) r
join dim_roam.dim_sim_df s
    on r.imsi = s.imsi
    and s.dt = '${hiveconf:bizdate}'
left join dim_roam.dim_tariff_df t
    on r.partner_code = t.partner_code
    and r.service_kind = t.service_kind
    and t.dt = '${hiveconf:bizdate}'
    and '${hiveconf:bizdate}' >= t.valid_from
    and ('${hiveconf:bizdate}' <= t.valid_to or t.valid_to is null)
left join (
    select
        b.imsi,
        b.partner_code,
        b.service_kind,
        max(b.units) as units
    from ods_roam.ods_own_probe_di b
    where b.dt = '${hiveconf:bizdate}'
    group by b.imsi, b.partner_code, b.service_kind
) p
    on r.imsi = p.imsi
    and r.partner_code = p.partner_code
    and r.service_kind = p.service_kind
where not coalesce(s.is_test, false)
  -- the whole day, its last second included
  and r.start_time between '${hiveconf:bizdate}' and concat('${hiveconf:bizdate}', ' 23:59:59');

-- one line a partner and service, one for all services
with totals as (
    select
        w.partner_code,
        w.service_kind,
        grouping(w.service_kind) as is_total,
        count(*) as record_cnt,
        count(distinct w.imsi) as card_cnt,
        sum(w.charge_amt) as charge_amt,
        sum(w.agreed_amt) as agreed_amt,
        sum(case when w.probe_units is null then 1 else 0 end) as unproved_cnt,
        -- a probe that measured nothing differs from a record with units
        sum(case when w.units is distinct from w.probe_units then 1 else 0 end) as units_off_cnt,
        sum(case when w.local_hour < 6 or w.local_hour >= 22 then 1 else 0 end) as night_cnt
    from tmp_roam.tmp_valued_record w
    group by w.partner_code, w.service_kind
    grouping sets ((w.partner_code, w.service_kind), (w.partner_code))
),
judged as (
    select
        y.*,
        case
            when y.charge_amt > y.agreed_amt * 1.01 then 'DISPUTE'
            when y.unproved_cnt > 0 or y.units_off_cnt > 0 then 'WATCH'
            else 'CLEAR'
        end as dispute_state
    from totals y
    where y.partner_code is not null
)
insert overwrite table ads_roam.ads_roaming_dispute_1d partition (dt = '${hiveconf:bizdate}')
select
    j.partner_code,
    case when j.is_total = 1 then 'ALL' else j.service_kind end as service_kind,
    j.record_cnt,
    j.card_cnt,
    cast(j.charge_amt as decimal(24,2)) as charge_amt,
    cast(j.agreed_amt as decimal(24,2)) as agreed_amt,
    cast(j.charge_amt - j.agreed_amt as decimal(24,2)) as diff_amt,
    j.unproved_cnt,
    j.units_off_cnt,
    j.night_cnt,
    j.dispute_state
from judged j
where j.record_cnt > 0
order by charge_amt desc, partner_code, service_kind;
