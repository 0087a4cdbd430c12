-- How many parcels of each town come late, and how heavy they are
with parcels as (
    select * from {{ ref('stg_parcels') }}
),

late as (
    select
        depot_id,
        count(*) as parcels,
        sum(case when days_under_way > {{ var('late_after_days') }} then 1 else 0 end) as late_parcels,
        sum(weight_kg) as weight_kg
    from parcels
    group by depot_id
)

select
    d.town,
    l.parcels,
    l.late_parcels,
    round(l.weight_kg, 1) as weight_kg
from late as l
left join {{ ref('stg_depots') }} as d on d.depot_id = l.depot_id
where l.late_parcels > 0
