CREATE TABLE IF NOT EXISTS dwd_air.dwd_pnr_segment_df (
    segment_id     BIGINT COMMENT 'primary key',
    pnr_no         STRING COMMENT 'passenger name record',
    flight_no      STRING COMMENT 'flight',
    flight_date    STRING COMMENT 'local day of departure',
    dep_airport    STRING COMMENT 'from',
    arr_airport    STRING COMMENT 'to',
    departure_time STRING COMMENT 'booked departure, UTC, yyyy-MM-dd HH:mm:ss',
    arrival_time   STRING COMMENT 'booked arrival, UTC, yyyy-MM-dd HH:mm:ss',
    cabin          STRING COMMENT 'F / C / Y',
    segment_state  STRING COMMENT 'HK / KL / TK / XX / UN',
    pax_list       ARRAY<STRUCT<pax_id:STRING,pax_type:STRING,seat_no:STRING>> COMMENT 'passengers, types ADT / CHD / INF',
    book_date      STRING COMMENT 'booked on'
) COMMENT 'segments of passenger name records'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_air.ods_asm_message_di (
    msg_id       BIGINT COMMENT 'primary key',
    flight_no    STRING COMMENT 'flight',
    flight_date  STRING COMMENT 'local day of departure',
    body         STRING COMMENT 'json with action (cnl, tim, eqt), std, sta in UTC, yyyy-MM-dd HH:mm:ss',
    sender       STRING COMMENT 'sender',
    publish_time STRING COMMENT 'published at',
    receive_time STRING COMMENT 'received at'
) COMMENT 'ad hoc schedule messages'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_air.ods_occ_entry_di (
    entry_id      BIGINT COMMENT 'primary key',
    flight_no     STRING COMMENT 'flight',
    flight_date   STRING COMMENT 'local day of departure',
    change_type   STRING COMMENT 'CNL / TIM / EQT',
    new_departure STRING COMMENT 'new departure, UTC, yyyy-MM-dd HH:mm:ss',
    new_arrival   STRING COMMENT 'new arrival, UTC, yyyy-MM-dd HH:mm:ss',
    is_withdrawn  INT    COMMENT '1 = withdrawn',
    entered_by    STRING COMMENT 'controller',
    publish_time  STRING COMMENT 'published at'
) COMMENT 'entries of operations control'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_air.dim_airport_df (
    airport_code  STRING COMMENT 'airport, one row each',
    airport_name  STRING COMMENT 'name',
    city_code     STRING COMMENT 'city',
    min_connect   INT    COMMENT 'minimum connecting time, minutes',
    min_taxi      INT    COMMENT 'minimum taxi time, minutes',
    time_zone     STRING COMMENT 'time zone'
) COMMENT 'airports'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_air.dim_member_df (
    pax_id      STRING COMMENT 'passenger, one row each',
    member_no   STRING COMMENT 'number of the card',
    tier_code   STRING COMMENT 'SILVER / GOLD / PLATINUM',
    tier_start  STRING COMMENT 'tier valid from',
    tier_end    STRING COMMENT 'tier valid to',
    join_date   STRING COMMENT 'joined on'
) COMMENT 'frequent flyers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_air.dws_flight_inventory_df (
    flight_no   STRING COMMENT 'flight',
    flight_date STRING COMMENT 'local day of departure',
    dep_airport STRING COMMENT 'from',
    arr_airport STRING COMMENT 'to',
    seat_cap    INT    COMMENT 'seats for sale',
    booked_cnt  INT    COMMENT 'seats booked',
    block_cnt   INT    COMMENT 'seats blocked',
    sale_state  STRING COMMENT 'OPEN / WAITLIST / CLOSED'
) COMMENT 'seats per flight'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_air.ads_rebook_queue_di (
    pnr_no          STRING COMMENT 'passenger name record',
    pax_id          STRING COMMENT 'passenger',
    flight_no       STRING COMMENT 'flight changed',
    flight_date     STRING COMMENT 'local day of departure',
    cabin           STRING COMMENT 'cabin',
    impact_class    STRING COMMENT 'CANCELLED / MISCONNEX / LONG_DELAY',
    next_flight_no  STRING COMMENT 'next flight of the record',
    connect_minutes DOUBLE COMMENT 'minutes left to connect',
    tier_code       STRING COMMENT 'tier',
    priority        INT    COMMENT '1 = first',
    proposal        STRING COMMENT 'OWN_FLIGHT / PARTNER'
) COMMENT 'passengers to rebook'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_air.ads_flight_impact_di (
    flight_no     STRING COMMENT 'flight',
    flight_date   STRING COMMENT 'local day of departure',
    route         STRING COMMENT 'route',
    pax_cnt       BIGINT COMMENT 'passengers',
    pnr_cnt       BIGINT COMMENT 'records',
    misconnex_cnt BIGINT COMMENT 'passengers who miss the connection',
    member_cnt    BIGINT COMMENT 'frequent flyers',
    delay_minutes DOUBLE COMMENT 'later arrival, minutes',
    source_list   STRING COMMENT 'sources of the change'
) COMMENT 'impact per flight'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
