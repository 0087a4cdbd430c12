CREATE TABLE IF NOT EXISTS dim_pms.dim_guest_room_df (
    property_id   STRING COMMENT 'hotel',
    room_no       STRING COMMENT 'room, one row per hotel and room',
    floor_no      INT    COMMENT 'floor',
    room_class    STRING COMMENT 'STANDARD / SUITE / MEETING',
    full_minutes  INT    COMMENT 'minutes after a departure',
    short_minutes INT    COMMENT 'minutes during a stay',
    deep_minutes  INT    COMMENT 'minutes of a deep cleaning',
    block_until   STRING COMMENT 'blocked until, null = not blocked',
    last_deep_day STRING COMMENT 'last deep cleaning'
) COMMENT 'rooms'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_pms.dwd_stay_df (
    stay_id       BIGINT  COMMENT 'primary key',
    property_id   STRING  COMMENT 'hotel',
    room_no       STRING  COMMENT 'room',
    guest_id      STRING  COMMENT 'guest',
    arrival_date  STRING  COMMENT 'arrival',
    depart_date   STRING  COMMENT 'departure',
    stay_state    STRING  COMMENT 'IN_HOUSE / LEFT / MOVED',
    no_service    BOOLEAN COMMENT 'guest does not want service',
    late_checkout BOOLEAN COMMENT 'late departure agreed',
    checkin_time  STRING  COMMENT 'checked in at'
) COMMENT 'stays'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_pms.dwd_arrival_plan_df (
    plan_id       BIGINT        COMMENT 'primary key',
    property_id   STRING        COMMENT 'hotel',
    room_no       STRING        COMMENT 'assigned room',
    guest_id      STRING        COMMENT 'guest',
    tags          ARRAY<STRING> COMMENT 'vip, family, repeat',
    expected_time STRING        COMMENT 'expected at, yyyy-MM-dd HH:mm:ss',
    booked_time   STRING        COMMENT 'booked at'
) COMMENT 'expected arrivals'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_pms.ods_ticket_di (
    ticket_id   BIGINT COMMENT 'primary key',
    property_id STRING COMMENT 'hotel',
    room_no     STRING COMMENT 'room',
    department  STRING COMMENT 'HK / TECH / FB',
    ticket_kind STRING COMMENT 'pet, allergy, pillow, crib',
    open_time   STRING COMMENT 'opened at',
    closed_time STRING COMMENT 'closed at, null = open'
) COMMENT 'tickets of the reception'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_pms.ods_app_wish_di (
    wish_id     BIGINT COMMENT 'primary key',
    property_id STRING COMMENT 'hotel',
    room_no     STRING COMMENT 'room',
    guest_id    STRING COMMENT 'guest',
    wishes      STRING COMMENT 'comma separated wishes',
    language    STRING COMMENT 'language',
    wish_time   STRING COMMENT 'sent at'
) COMMENT 'wishes of the guest app'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_pms.dwd_duty_roster_df (
    property_id  STRING COMMENT 'hotel',
    attendant_id STRING COMMENT 'attendant, numbered by seniority',
    floor_no     INT    COMMENT 'floor',
    duty_code    STRING COMMENT 'EARLY / DAY / LATE / OFF',
    start_hour   INT    COMMENT 'begins',
    end_hour     INT    COMMENT 'ends',
    roster_date  STRING COMMENT 'planned on'
) COMMENT 'roster'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
