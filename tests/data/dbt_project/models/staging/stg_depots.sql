select depot_id, town, region
from {{ source('depot', 'depots') }}
where region is not null
