CREATE TABLE IF NOT EXISTS dwd_hotel.dwd_reservation_df (
    row_id       BIGINT        COMMENT 'primary key',
    rsv_no       STRING        COMMENT 'reservation',
    version_no   INT           COMMENT 'version',
    hotel_id     STRING        COMMENT 'hotel',
    room_type    STRING        COMMENT 'room type sold',
    segment      STRING        COMMENT 'TRANSIENT / CORPORATE / OTA',
    arrival_date STRING        COMMENT 'arrival, yyyy-MM-dd',
    nights       INT           COMMENT 'nights, 0 = day use',
    room_cnt     INT           COMMENT 'rooms',
    guest_cnt    INT           COMMENT 'guests',
    rate_amount  DECIMAL(18,2) COMMENT 'price of a room and night',
    rack_amount  DECIMAL(18,2) COMMENT 'list price of a room and night',
    rsv_state    STRING        COMMENT 'CONFIRMED / CANCELLED / NO_SHOW / WAITLIST / TEST',
    book_time    STRING        COMMENT 'booked at',
    cancel_time  STRING        COMMENT 'cancelled at, null = not cancelled',
    update_time  STRING        COMMENT 'changed at'
) COMMENT 'versions of reservations'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hotel.dwd_group_block_df (
    block_id    STRING             COMMENT 'block and night, one row each',
    hotel_id    STRING             COMMENT 'hotel',
    stay_date   STRING             COMMENT 'night, yyyy-MM-dd',
    group_name  STRING             COMMENT 'group',
    open_rooms  MAP<STRING,STRING> COMMENT 'room type to rooms without a named guest',
    group_rate  DECIMAL(18,2)      COMMENT 'price of a room and night',
    block_state STRING             COMMENT 'TENTATIVE / DEFINITE / RELEASED',
    cutoff_date STRING             COMMENT 'released after',
    create_time STRING             COMMENT 'created at'
) COMMENT 'group blocks'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_hotel.dim_room_df (
    hotel_id   STRING COMMENT 'hotel',
    room_no    STRING COMMENT 'room',
    room_type  STRING COMMENT 'room type',
    floor_no   INT    COMMENT 'floor',
    bed_cnt    INT    COMMENT 'beds',
    renew_date STRING COMMENT 'renovated on'
) COMMENT 'rooms'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_hotel.dwd_out_of_order_df (
    order_id   BIGINT COMMENT 'primary key',
    hotel_id   STRING COMMENT 'hotel',
    room_no    STRING COMMENT 'room',
    reason     STRING COMMENT 'reason',
    start_date STRING COMMENT 'first day',
    end_date   STRING COMMENT 'back in sale on',
    report_by  STRING COMMENT 'reported by'
) COMMENT 'rooms out of order'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_hotel.dim_hotel_df (
    hotel_id   STRING COMMENT 'hotel, one row each',
    hotel_name STRING COMMENT 'name',
    brand_code STRING COMMENT 'brand',
    city_code  STRING COMMENT 'city',
    star_cnt   INT    COMMENT 'stars',
    open_date  STRING COMMENT 'opened on'
) COMMENT 'hotels'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_hotel.dws_room_pickup_pace (
    hotel_id      STRING        COMMENT 'hotel',
    hotel_name    STRING        COMMENT 'name',
    room_type     STRING        COMMENT 'room type, TOTAL = all',
    stay_date     DATE          COMMENT 'night',
    otb_rooms     BIGINT        COMMENT 'rooms on the books',
    pickup_rooms  BIGINT        COMMENT 'rooms gained or lost lately',
    sellable_cnt  BIGINT        COMMENT 'rooms that can be sold',
    occupancy_pct DECIMAL(18,1) COMMENT 'occupancy on the books, percent',
    avg_rate      DECIMAL(18,2) COMMENT 'mean price of a room and night',
    segment_list  STRING        COMMENT 'market segments',
    pickup_week   BIGINT        COMMENT 'pickup of the week around the night',
    action        STRING        COMMENT 'OVERBOOKED / CLOSE_DISCOUNTS / PUSH / NO_CAPACITY / KEEP'
) COMMENT 'pickup per night'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
