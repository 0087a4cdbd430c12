CREATE TABLE IF NOT EXISTS ods_roam.ods_partner_record_di (
    record_id        BIGINT             COMMENT 'primary key',
    partner_code     STRING             COMMENT 'foreign network',
    imsi             STRING             COMMENT 'sim card',
    called_imsi      STRING             COMMENT 'sim card of the other side',
    service_kind     STRING             COMMENT 'VOICE / DATA / SMS',
    units            BIGINT             COMMENT 'seconds, kilobytes or messages',
    partner_charge   DECIMAL(18,4)      COMMENT 'charge of the partner',
    partner_tax      DECIMAL(18,4)      COMMENT 'tax of the partner',
    start_time       STRING             COMMENT 'yyyy-MM-dd HH:mm:ss in UTC',
    file_no          STRING             COMMENT 'file of the clearing house'
) COMMENT 'records that partners send'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_roam.ods_own_probe_di (
    probe_id         BIGINT             COMMENT 'primary key',
    imsi             STRING             COMMENT 'sim card',
    partner_code     STRING             COMMENT 'foreign network',
    service_kind     STRING             COMMENT 'VOICE / DATA / SMS',
    units            BIGINT             COMMENT 'measured units',
    start_time       STRING             COMMENT 'yyyy-MM-dd HH:mm:ss in UTC',
    end_time         STRING             COMMENT 'yyyy-MM-dd HH:mm:ss in UTC'
) COMMENT 'what our own probes measured'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_roam.dim_tariff_df (
    partner_code     STRING             COMMENT 'foreign network',
    service_kind     STRING             COMMENT 'VOICE / DATA / SMS',
    unit_price       STRING             COMMENT 'price of a unit, as text',
    list_price       STRING             COMMENT 'price before discount, as text',
    valid_from       STRING             COMMENT 'first day',
    valid_to         STRING             COMMENT 'last day, empty for open',
    currency         STRING             COMMENT 'currency'
) COMMENT 'tariffs agreed with partners'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_roam.dim_sim_df (
    imsi             STRING             COMMENT 'sim card',
    contract_no      STRING             COMMENT 'contract',
    parent_contract_no STRING           COMMENT 'contract of the company',
    home_zone        STRING             COMMENT 'zone at home',
    is_test          BOOLEAN            COMMENT 'test card, mostly empty',
    activate_date    STRING             COMMENT 'activated',
    expire_date      STRING             COMMENT 'expired'
) COMMENT 'sim cards'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_roam.ads_roaming_dispute_1d (
    partner_code     STRING             COMMENT 'foreign network',
    service_kind     STRING             COMMENT 'service or ALL',
    record_cnt       BIGINT             COMMENT 'records',
    card_cnt         BIGINT             COMMENT 'sim cards',
    charge_amt       DECIMAL(24,2)      COMMENT 'charged',
    agreed_amt       DECIMAL(24,2)      COMMENT 'by tariff',
    diff_amt         DECIMAL(24,2)      COMMENT 'charged too much',
    unproved_cnt     BIGINT             COMMENT 'records without probe',
    units_off_cnt    BIGINT             COMMENT 'records with other units than the probe',
    night_cnt        BIGINT             COMMENT 'records at night, local',
    dispute_state    STRING             COMMENT 'DISPUTE / WATCH / CLEAR'
) COMMENT 'roaming charges to dispute'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
