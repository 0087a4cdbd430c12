CREATE TABLE IF NOT EXISTS dwd_lease.dwd_lease_contract_df (
    contract_id   BIGINT         COMMENT 'row id of a version',
    lease_id      BIGINT         COMMENT 'lease id, stable over versions',
    version_no    INT            COMMENT 'version of the lease',
    unit_id       BIGINT         COMMENT 'unit leased',
    tenant_id     BIGINT         COMMENT 'tenant',
    lease_status  STRING         COMMENT 'DRAFT/ACTIVE/NOTICE/ENDED',
    monthly_rent  DECIMAL(18,2)  COMMENT 'rent per month',
    deposit_amt   DECIMAL(18,2)  COMMENT 'deposit',
    charge_items  ARRAY<STRUCT<item_code:STRING,cycle:STRING,amount:DECIMAL(18,2)>> COMMENT 'fees of the contract',
    start_date    STRING         COMMENT 'start of lease',
    end_date      STRING         COMMENT 'end of lease',
    sign_time     STRING         COMMENT 'signed at',
    cancel_time   STRING         COMMENT 'cancelled at'
) COMMENT 'lease contracts, all versions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_lease.dim_unit_df (
    unit_id      BIGINT         COMMENT 'unit id',
    unit_no      STRING         COMMENT 'unit number',
    building_id  BIGINT         COMMENT 'building id',
    portfolio    STRING         COMMENT 'portfolio',
    region       STRING         COMMENT 'region',
    unit_type    STRING         COMMENT 'OFFICE/SHOP/FLAT/PARKING',
    area_sqm     DECIMAL(18,2)  COMMENT 'lettable area',
    gross_sqm    DECIMAL(18,2)  COMMENT 'gross area'
) COMMENT 'unit dimension'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_lease.dwd_rent_bill_df (
    bill_id      BIGINT         COMMENT 'bill id',
    lease_id     BIGINT         COMMENT 'lease id',
    fee_code     STRING         COMMENT 'RENT/SERVICE/PARKING/UTILITY',
    fee_month    STRING         COMMENT 'month billed, yyyyMM',
    bill_amt     DECIMAL(18,2)  COMMENT 'amount',
    tax_amt      DECIMAL(18,2)  COMMENT 'tax inside the amount',
    waive_amt    DECIMAL(18,2)  COMMENT 'amount waived',
    bill_status  STRING         COMMENT 'OPEN/PAID/VOID',
    issue_date   STRING         COMMENT 'issued on',
    due_date     STRING         COMMENT 'due on'
) COMMENT 'bills to tenants'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_lease.dwd_rent_receipt_df (
    receipt_id   BIGINT              COMMENT 'receipt id',
    lease_id     BIGINT              COMMENT 'lease id',
    fee_month    STRING              COMMENT 'month paid for, yyyyMM',
    receipt_amt  DECIMAL(18,2)       COMMENT 'amount received',
    alloc_map    MAP<STRING,STRING>  COMMENT 'fee code -> amount',
    pay_method   STRING              COMMENT 'TRANSFER/DEBIT/CASH',
    is_bounced   BOOLEAN             COMMENT 'direct debit came back',
    receipt_date STRING              COMMENT 'booked on',
    value_date   STRING              COMMENT 'value date'
) COMMENT 'receipts of tenants'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_lease.dwd_legal_case_df (
    case_id      BIGINT         COMMENT 'case id',
    lease_id     BIGINT         COMMENT 'lease id',
    case_type    STRING         COMMENT 'EVICTION/CLAIM',
    case_status  STRING         COMMENT 'OPEN/HEARING/CLOSED',
    claim_amt    DECIMAL(18,2)  COMMENT 'amount claimed',
    open_date    STRING         COMMENT 'opened on',
    close_date   STRING         COMMENT 'closed on'
) COMMENT 'legal cases against tenants'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_lease.ads_rent_roll_arrears_1d (
    grain          STRING         COMMENT 'BUILDING/PORTFOLIO/REGION/TOTAL',
    portfolio      STRING         COMMENT 'portfolio',
    building_id    BIGINT         COMMENT 'building id',
    lease_cnt      BIGINT         COMMENT 'running leases',
    leased_sqm     DECIMAL(18,2)  COMMENT 'leased area',
    billed_amt     DECIMAL(18,2)  COMMENT 'billed net of waivers',
    received_amt   DECIMAL(18,2)  COMMENT 'received',
    overdue_1_7    DECIMAL(18,2)  COMMENT 'open amount 1 to 7 days late',
    overdue_8_15   DECIMAL(18,2)  COMMENT 'open amount 8 to 15 days late',
    overdue_16_up  DECIMAL(18,2)  COMMENT 'open amount 16 or more days late',
    collect_pct    DECIMAL(18,2)  COMMENT 'received in percent of billed',
    arrears_light  STRING         COMMENT 'RED/AMBER/GREEN',
    fee_list       STRING         COMMENT 'fees in the contracts of the building'
) COMMENT 'rent roll and arrears'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd', region STRING COMMENT 'region')
STORED AS ORC;
