CREATE TABLE IF NOT EXISTS dwd_food.dwd_courier_task_di (
    task_id STRING COMMENT 'delivery task',
    version_no BIGINT COMMENT 'version of the task record',
    order_id STRING COMMENT 'meal order',
    courier_id STRING COMMENT 'courier',
    shop_id STRING COMMENT 'restaurant',
    task_status STRING COMMENT 'ASSIGNED, DELIVERED, CANCELLED',
    drop_fee DECIMAL(18,2) COMMENT 'fee per drop',
    order_amt DECIMAL(18,2) COMMENT 'value of the meal',
    distance_m INT COMMENT 'metres ridden',
    rating STRING COMMENT 'rating of the guest, 1 to 10 as text',
    is_test BOOLEAN COMMENT 'test task, may be empty',
    accept_time TIMESTAMP COMMENT 'accepted at',
    update_time TIMESTAMP COMMENT 'changed at'
) COMMENT 'tasks of own couriers, each change' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_food.ods_partner_job_di (
    job_id STRING COMMENT 'job of the partner',
    rider_id STRING COMMENT 'rider, same ids as couriers',
    partner_id STRING COMMENT 'partner fleet',
    shop_id STRING COMMENT 'restaurant',
    job_status STRING COMMENT 'OPEN, DONE, FAILED',
    agreed_fee DECIMAL(18,2) COMMENT 'fee agreed',
    invoice_amt DECIMAL(18,2) COMMENT 'amount invoiced',
    distance_m INT COMMENT 'metres ridden',
    rating STRING COMMENT 'rating of the guest, 1 to 10 as text'
) COMMENT 'jobs of partner fleets' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_food.dim_courier_suspend_df (
    suspend_id STRING COMMENT 'suspension',
    courier_id STRING COMMENT 'courier',
    suspend_state STRING COMMENT 'ACTIVE, LIFTED',
    reason_code STRING COMMENT 'reason',
    start_date DATE COMMENT 'from',
    end_date DATE COMMENT 'until'
) COMMENT 'suspended couriers' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_food.dim_courier_df (
    courier_id STRING COMMENT 'courier, unique',
    courier_name STRING COMMENT 'name',
    zone_id STRING COMMENT 'home zone',
    city_id STRING COMMENT 'city',
    vehicle_type STRING COMMENT 'bike, scooter, car',
    join_date DATE COMMENT 'first day',
    leave_date DATE COMMENT 'last day'
) COMMENT 'couriers' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_food.dwd_courier_bonus_di (
    bonus_id STRING COMMENT 'bonus record',
    courier_id STRING COMMENT 'courier',
    bonus_map MAP<STRING,STRING> COMMENT 'bonus code to amount',
    city_id STRING COMMENT 'city',
    rule_id STRING COMMENT 'rule set',
    create_time TIMESTAMP COMMENT 'written at'
) COMMENT 'bonuses granted' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_food.dwd_courier_tip_di (
    tip_id STRING COMMENT 'tip',
    order_id STRING COMMENT 'meal order',
    courier_id STRING COMMENT 'courier',
    tip_amt DECIMAL(18,2) COMMENT 'tip',
    fee_amt DECIMAL(18,2) COMMENT 'card fee',
    pay_time TIMESTAMP COMMENT 'paid at',
    refund_time TIMESTAMP COMMENT 'refunded at, empty when not'
) COMMENT 'tips of guests' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_food.dwd_courier_penalty_di (
    penalty_id STRING COMMENT 'penalty',
    courier_id STRING COMMENT 'courier',
    task_id STRING COMMENT 'task',
    penalty_amt DECIMAL(18,2) COMMENT 'amount',
    appeal_state STRING COMMENT 'OPEN, ACCEPTED, REJECTED, empty without appeal',
    create_time TIMESTAMP COMMENT 'written at',
    appeal_time TIMESTAMP COMMENT 'appealed at'
) COMMENT 'penalties' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_food.dws_courier_earning_di (
    courier_id STRING COMMENT 'courier',
    courier_name STRING COMMENT 'name',
    fleet_type STRING COMMENT 'own, partner',
    zone_id STRING COMMENT 'home zone',
    vehicle_type STRING COMMENT 'vehicle',
    task_cnt BIGINT COMMENT 'tasks',
    shop_cnt BIGINT COMMENT 'restaurants',
    drop_fee DECIMAL(18,2) COMMENT 'drop fees',
    distance_fee DECIMAL(18,2) COMMENT 'distance fees',
    bonus_amt DECIMAL(18,2) COMMENT 'bonuses',
    bonus_codes STRING COMMENT 'bonus codes',
    tip_amt DECIMAL(18,2) COMMENT 'tips',
    penalty_amt DECIMAL(18,2) COMMENT 'penalties',
    net_amt DECIMAL(18,2) COMMENT 'to pay',
    max_rating INT COMMENT 'best rating'
) COMMENT 'earnings per courier' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_food.ads_fleet_cost_1d (
    zone_id STRING COMMENT 'zone or ALL',
    vehicle_type STRING COMMENT 'vehicle or ALL',
    courier_cnt BIGINT COMMENT 'couriers',
    partner_cnt BIGINT COMMENT 'couriers of partners',
    task_cnt BIGINT COMMENT 'tasks',
    net_amt DECIMAL(18,2) COMMENT 'to pay',
    cost_per_task DECIMAL(18,2) COMMENT 'cost per task',
    avg_rating DOUBLE COMMENT 'mean best rating'
) COMMENT 'fleet cost with subtotals' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;
