CREATE TABLE IF NOT EXISTS ods_ins.ods_settle_claim_di (
    claim_id      BIGINT              COMMENT 'technical id',
    claim_no      STRING              COMMENT 'claim number',
    encounter_id  STRING              COMMENT 'inpatient encounter',
    patient_id    BIGINT              COMMENT 'patient',
    id_card       STRING              COMMENT 'identity number, 18 characters',
    insure_type   STRING              COMMENT 'EMPLOYEE/RESIDENT/RETIRED',
    drg_code      STRING              COMMENT 'DRG group',
    main_diag     STRING              COMMENT 'main diagnosis on the claim',
    settle_date   STRING              COMMENT 'settlement date',
    total_fee     DECIMAL(18,2)       COMMENT 'total fee',
    self_fee      DECIMAL(18,2)       COMMENT 'paid by the patient',
    fee_map       MAP<STRING,STRING>  COMMENT 'fee category -> amount',
    upload_seq    INT                 COMMENT 'upload sequence',
    is_last       INT                 COMMENT '1 = last upload of the claim number'
) COMMENT 'inpatient claims before submission'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd', claim_status STRING COMMENT 'NEW/AMENDED/SENT/VOID')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_ins.ods_claim_frozen_df (
    freeze_id      BIGINT  COMMENT 'id',
    claim_no       STRING  COMMENT 'claim number',
    reason         STRING  COMMENT 'reason',
    freeze_date    STRING  COMMENT 'frozen on',
    unfreeze_date  STRING  COMMENT 'released on, null = still frozen',
    operator_id    BIGINT  COMMENT 'operator'
) COMMENT 'claims under audit'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_his.dwd_drug_fee_di (
    fee_id        BIGINT         COMMENT 'fee line',
    encounter_id  STRING         COMMENT 'inpatient encounter',
    drug_code     STRING         COMMENT 'drug code',
    batch_no      STRING         COMMENT 'batch',
    qty           STRING         COMMENT 'quantity as text',
    unit_price    DECIMAL(18,2)  COMMENT 'unit price charged',
    cost_price    DECIMAL(18,2)  COMMENT 'purchase price',
    charge_flag   STRING         COMMENT 'C = charged, R = reversed',
    charge_time   STRING         COMMENT 'charged at'
) COMMENT 'drug fee lines'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_his.dwd_service_fee_di (
    fee_id        BIGINT         COMMENT 'fee line',
    encounter_id  STRING         COMMENT 'inpatient encounter',
    service_code  STRING         COMMENT 'service code',
    dept_code     STRING         COMMENT 'performing department',
    times         STRING         COMMENT 'number of times as text',
    unit_price    DECIMAL(18,2)  COMMENT 'unit price charged',
    cost_price    DECIMAL(18,2)  COMMENT 'internal cost',
    charge_flag   STRING         COMMENT 'C = charged, R = reversed',
    charge_time   STRING         COMMENT 'charged at'
) COMMENT 'service fee lines'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ins.dim_catalogue_df (
    item_code    STRING  COMMENT 'drug or service code',
    item_kind    STRING  COMMENT 'DRUG/SERVICE',
    item_name    STRING  COMMENT 'name',
    pay_class    STRING  COMMENT 'A/B/C',
    price_limit  STRING  COMMENT 'price limit as text, - = none',
    begin_date   STRING  COMMENT 'valid from',
    end_date     STRING  COMMENT 'valid until'
) COMMENT 'insurance catalogue'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_his.dwd_medical_record_df (
    encounter_id    STRING  COMMENT 'inpatient encounter',
    patient_id      BIGINT  COMMENT 'patient',
    doctor_id       BIGINT  COMMENT 'attending doctor',
    main_diag       STRING  COMMENT 'main diagnosis on the front page',
    admit_diag      STRING  COMMENT 'diagnosis at admission',
    discharge_date  STRING  COMMENT 'discharged on',
    archive_date    STRING  COMMENT 'archived on'
) COMMENT 'front pages of medical records'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ins.dim_drg_weight_df (
    drg_code    STRING         COMMENT 'DRG group',
    drg_name    STRING         COMMENT 'name',
    weight      DECIMAL(18,2)  COMMENT 'relative weight',
    adj_weight  DECIMAL(18,2)  COMMENT 'weight after negotiation',
    avg_days    INT            COMMENT 'average days',
    year_no     STRING         COMMENT 'year'
) COMMENT 'DRG weights'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_ins.ads_claim_pass_di (
    claim_no     STRING         COMMENT 'claim number',
    patient_id   BIGINT         COMMENT 'patient',
    insure_type  STRING         COMMENT 'insurance type',
    drg_code     STRING         COMMENT 'DRG group',
    settle_date  STRING         COMMENT 'settlement date',
    total_fee    DECIMAL(18,2)  COMMENT 'total fee',
    std_pay      DECIMAL(18,2)  COMMENT 'weight times base rate',
    balance      DECIMAL(18,2)  COMMENT 'standard pay minus total fee',
    cost_class   STRING         COMMENT 'HIGH/LOW/NORMAL'
) COMMENT 'claims ready for upload'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_ins.ads_claim_reject_di (
    insure_type  STRING         COMMENT 'insurance type',
    rule_code    STRING         COMMENT 'R1..R5',
    claim_cnt    BIGINT         COMMENT 'claims',
    patient_cnt  BIGINT         COMMENT 'patients',
    total_fee    DECIMAL(18,2)  COMMENT 'total fee',
    fee_gap      DECIMAL(18,2)  COMMENT 'detail lines minus claim form',
    over_cnt     BIGINT         COMMENT 'lines above the price limit',
    claim_list   STRING         COMMENT 'claims',
    item_list    STRING         COMMENT 'items above the limit'
) COMMENT 'claims sent back, per rule'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;
