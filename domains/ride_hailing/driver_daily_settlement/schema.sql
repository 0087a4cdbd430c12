CREATE TABLE IF NOT EXISTS dwd_ride.dwd_trip_bill_di (
    bill_id       BIGINT             COMMENT 'primary key',
    order_id      STRING             COMMENT 'trip',
    bill_version  INT                COMMENT 'version of the bill',
    driver_id     STRING             COMMENT 'driver',
    rider_id      STRING             COMMENT 'rider',
    city_id       STRING             COMMENT 'city',
    service_type  STRING             COMMENT 'ECONOMY / POOL / PREMIUM',
    fare_parts    MAP<STRING,STRING> COMMENT 'part of the fare (base, km, minute, surge, tip, toll) to amount',
    coupon_amount DECIMAL(18,2)      COMMENT 'paid by coupon',
    trip_km       DECIMAL(10,2)      COMMENT 'driven distance',
    plan_km       DECIMAL(10,2)      COMMENT 'planned distance',
    pay_state     STRING             COMMENT 'PAID / OPEN / REFUNDED',
    finish_time   STRING             COMMENT 'finished at',
    pay_time      STRING             COMMENT 'paid at'
) COMMENT 'bills of trips, all versions'
PARTITIONED BY (dt STRING COMMENT 'business date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ride.dim_city_df (
    city_id     STRING COMMENT 'city, one row each',
    city_name   STRING COMMENT 'name',
    country     STRING COMMENT 'country',
    settle_mode STRING COMMENT 'DAILY / WEEKLY',
    open_day    STRING COMMENT 'opened on',
    close_day   STRING COMMENT 'closed on'
) COMMENT 'cities'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ride.dim_commission_rate_df (
    city_id         STRING       COMMENT 'city',
    service_type    STRING       COMMENT 'service, one row per city and service',
    commission_rate DECIMAL(6,4) COMMENT 'share of the platform',
    insurance_rate  DECIMAL(6,4) COMMENT 'share of the insurance',
    start_day       STRING       COMMENT 'valid from',
    approve_day     STRING       COMMENT 'approved on'
) COMMENT 'commission'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ride.dim_reward_rule_df (
    rule_code    STRING        COMMENT 'rule',
    city_id      STRING        COMMENT 'city',
    min_trips    INT           COMMENT 'trips needed on one day',
    max_trips    INT           COMMENT 'upper bound, for display',
    bonus_amount DECIMAL(18,2) COMMENT 'bonus',
    start_day    STRING        COMMENT 'first day yyyyMMdd',
    end_day      STRING        COMMENT 'last day yyyyMMdd'
) COMMENT 'reward rules'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_ride.ods_driver_fine_di (
    fine_id     STRING        COMMENT 'fine',
    driver_id   STRING        COMMENT 'driver',
    city_id     STRING        COMMENT 'city',
    order_id    STRING        COMMENT 'trip, may be null',
    fine_code   STRING        COMMENT 'NO_SHOW / DETOUR / RUDE',
    fine_amount DECIMAL(18,2) COMMENT 'amount, positive',
    claim_amount DECIMAL(18,2) COMMENT 'amount claimed by the rider',
    fine_time   STRING        COMMENT 'decided at'
) COMMENT 'fines'
PARTITIONED BY (dt STRING COMMENT 'business date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_ride.ods_fine_appeal_df (
    fine_id     STRING COMMENT 'fine, one appeal each',
    driver_id   STRING COMMENT 'driver',
    verdict     STRING COMMENT 'OPEN / UPHELD / REJECTED',
    reason      STRING COMMENT 'reason of the driver',
    appeal_time STRING COMMENT 'appealed at',
    close_time  STRING COMMENT 'closed at'
) COMMENT 'appeals against fines'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ride.dim_driver_df (
    driver_id   STRING COMMENT 'driver, one row each',
    driver_name STRING COMMENT 'name',
    city_id     STRING COMMENT 'home city',
    fleet_id    STRING COMMENT 'fleet',
    agent_id    STRING COMMENT 'recruiting agent',
    bank_card   STRING COMMENT 'account, may be empty',
    is_frozen   INT    COMMENT '1 = payouts on hold',
    join_day    STRING COMMENT 'joined on'
) COMMENT 'drivers'
PARTITIONED BY (dt STRING COMMENT 'snapshot date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_ride.dwd_cash_collect_di (
    collect_id  BIGINT        COMMENT 'primary key',
    driver_id   STRING        COMMENT 'driver',
    order_id    STRING        COMMENT 'trip',
    cash_amount DECIMAL(18,2) COMMENT 'cash taken by the driver',
    due_amount  DECIMAL(18,2) COMMENT 'cash that was due',
    collect_time STRING       COMMENT 'taken at'
) COMMENT 'cash trips'
PARTITIONED BY (dt STRING COMMENT 'business date yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_ride.dwm_driver_settlement_1d (
    driver_id     STRING        COMMENT 'driver',
    fleet_id      STRING        COMMENT 'fleet',
    settle_date   STRING        COMMENT 'day settled, yyyy-MM-dd',
    trip_cnt      BIGINT        COMMENT 'trips',
    service_list  STRING        COMMENT 'services driven',
    fare_amount   DECIMAL(18,2) COMMENT 'fares without tips and tolls',
    commission    DECIMAL(18,2) COMMENT 'commission of the platform',
    pass_amount   DECIMAL(18,2) COMMENT 'tips and tolls',
    reward_amount DECIMAL(18,2) COMMENT 'rewards',
    fine_amount   DECIMAL(18,2) COMMENT 'fines, negative',
    item_list     STRING        COMMENT 'codes of rewards and fines',
    payout        DECIMAL(18,2) COMMENT 'to be paid',
    pay_flag      STRING        COMMENT 'HOLD / NO_ACCOUNT / MIXED / PAY',
    city_rank     INT           COMMENT 'rank within the city'
) COMMENT 'daily settlement of drivers'
PARTITIONED BY (dt STRING COMMENT 'business date yyyyMMdd', city_id STRING COMMENT 'city')
STORED AS ORC;
