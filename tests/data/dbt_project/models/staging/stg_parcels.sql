-- Parcels that were taken in, with the days each was under way
select
    parcel_id,
    depot_id,
    weight_kg,
    taken_on,
    {{ days_under_way('taken_on', 'handed_over_on') }} as days_under_way
from {{ source('depot', 'parcels') }}
where state <> 'withdrawn'
