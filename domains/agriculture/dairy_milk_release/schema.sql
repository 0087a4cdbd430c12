CREATE TABLE IF NOT EXISTS dwd_herd.dwd_parlour_milking_di (
    milking_id STRING COMMENT 'milking',
    farm_id STRING COMMENT 'farm',
    cow_id STRING COMMENT 'cow',
    milk_kg DECIMAL(18,2) COMMENT 'milk',
    fat_pct DECIMAL(18,2) COMMENT 'fat',
    protein_pct DECIMAL(18,2) COMMENT 'protein',
    cell_count STRING COMMENT 'somatic cells, thousand per ml, as text',
    quarter_flag STRING COMMENT 'udder quarter with a remark: LF, RF, LH, RH',
    is_voided BOOLEAN COMMENT 'voided by the milker, may be empty',
    start_time TIMESTAMP COMMENT 'started at',
    end_time TIMESTAMP COMMENT 'ended at'
) COMMENT 'milkings of the parlour' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_herd.ods_robot_milking_di (
    message_id STRING COMMENT 'message, unique',
    milking_id STRING COMMENT 'milking',
    seq_no STRING COMMENT 'number of the message within the milking, as text',
    robot_id STRING COMMENT 'robot',
    farm_id STRING COMMENT 'farm',
    animal_id STRING COMMENT 'cow',
    yield_kg DECIMAL(18,2) COMMENT 'milk',
    expected_kg DECIMAL(18,2) COMMENT 'milk expected',
    fat_pct DECIMAL(18,2) COMMENT 'fat',
    cell_count STRING COMMENT 'somatic cells, thousand per ml, as text',
    quarter_flag STRING COMMENT 'udder quarter with a remark',
    send_time TIMESTAMP COMMENT 'sent at'
) COMMENT 'messages of milking robots' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_herd.dim_cow_df (
    cow_id STRING COMMENT 'cow, unique',
    farm_id STRING COMMENT 'farm',
    breed STRING COMMENT 'breed, always filled',
    birth_farm_id STRING COMMENT 'farm of birth',
    birth_date DATE COMMENT 'born',
    calving_date DATE COMMENT 'last calving',
    lactation_no INT COMMENT 'lactation'
) COMMENT 'cows' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_herd.ods_cow_exit_df (
    exit_id STRING COMMENT 'exit record',
    cow_id STRING COMMENT 'cow',
    farm_id STRING COMMENT 'farm',
    exit_type STRING COMMENT 'SOLD, SLAUGHTER, DIED',
    exit_date DATE COMMENT 'left on',
    notice_date DATE COMMENT 'reported on'
) COMMENT 'cows that left' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_herd.dws_cow_yield_hist_di (
    cow_id STRING COMMENT 'cow',
    farm_id STRING COMMENT 'farm',
    day_kg DECIMAL(18,2) COMMENT 'milk of the day',
    expected_kg DECIMAL(18,2) COMMENT 'milk expected',
    milking_cnt INT COMMENT 'milkings',
    load_time TIMESTAMP COMMENT 'loaded at'
) COMMENT 'yield of past days' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_herd.ods_feed_box_di (
    box_id STRING COMMENT 'feed box',
    cow_id STRING COMMENT 'cow',
    farm_id STRING COMMENT 'farm',
    feed_map MAP<STRING,STRING> COMMENT 'feed type to kilograms',
    visit_cnt INT COMMENT 'visits',
    report_time TIMESTAMP COMMENT 'reported at'
) COMMENT 'feed boxes' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_herd.dim_feed_price_df (
    feed_type STRING COMMENT 'feed type, unique',
    feed_name STRING COMMENT 'name',
    price_kg DECIMAL(18,2) COMMENT 'price per kilogram',
    list_price_kg DECIMAL(18,2) COMMENT 'list price per kilogram',
    supplier_id STRING COMMENT 'supplier',
    valid_from DATE COMMENT 'valid from'
) COMMENT 'feed prices' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_herd.dwd_vet_treatment_di (
    treatment_id STRING COMMENT 'treatment',
    cow_id STRING COMMENT 'cow',
    vet_id STRING COMMENT 'veterinarian',
    drug_code STRING COMMENT 'drug',
    withdraw_days INT COMMENT 'days milk is withheld, empty when none',
    meat_days INT COMMENT 'days meat is withheld',
    treat_time TIMESTAMP COMMENT 'treated at',
    invoice_time TIMESTAMP COMMENT 'invoiced at'
) COMMENT 'treatments' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_herd.dws_cow_milk_1d (
    farm_id STRING COMMENT 'farm',
    cow_id STRING COMMENT 'cow',
    breed STRING COMMENT 'breed',
    milk_kg DECIMAL(18,2) COMMENT 'milk of the day',
    milking_cnt BIGINT COMMENT 'milkings',
    avg_fat_pct DECIMAL(18,2) COMMENT 'mean fat',
    top_cell_count INT COMMENT 'highest cell count',
    quarter_flags STRING COMMENT 'quarters with a remark',
    diff_kg DECIMAL(18,2) COMMENT 'milk against the mean of seven days',
    feed_kg DECIMAL(18,2) COMMENT 'feed eaten',
    free_date DATE COMMENT 'milk free from',
    milk_state STRING COMMENT 'RELEASED, CHECK, WITHHELD',
    farm_rank INT COMMENT 'rank in the farm'
) COMMENT 'milk per cow' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_herd.ads_milk_collect_1d (
    farm_id STRING COMMENT 'farm or ALL',
    breed STRING COMMENT 'breed or ALL',
    cow_cnt BIGINT COMMENT 'cows',
    milk_kg DECIMAL(18,2) COMMENT 'milk',
    collect_kg DECIMAL(18,2) COMMENT 'milk to collect',
    check_cnt BIGINT COMMENT 'cows to check',
    feed_cost_per_kg DECIMAL(18,2) COMMENT 'feed cost per kilogram of milk'
) COMMENT 'collection per farm and breed' PARTITIONED BY (dt STRING COMMENT 'day') STORED AS ORC;
