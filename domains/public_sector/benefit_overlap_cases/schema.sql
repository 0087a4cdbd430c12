CREATE TABLE IF NOT EXISTS dwd_social.dwd_benefit_payment_di (
    payment_id   BIGINT         COMMENT 'payment id',
    citizen_id   BIGINT         COMMENT 'entitled citizen',
    guardian_id  BIGINT         COMMENT 'guardian who receives the money',
    scheme_code  STRING         COMMENT 'benefit scheme',
    pay_month    STRING         COMMENT 'month the benefit is for, yyyyMM',
    pay_amt      DECIMAL(18,2)  COMMENT 'amount paid',
    claim_amt    DECIMAL(18,2)  COMMENT 'amount claimed',
    iban_hash    STRING         COMMENT 'hashed account',
    pay_status   STRING         COMMENT 'PLANNED/PAID/RETURNED',
    plan_time    STRING         COMMENT 'planned at',
    pay_time     STRING         COMMENT 'paid at'
) COMMENT 'benefit payments'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_social.dwd_civil_register_df (
    citizen_id     BIGINT  COMMENT 'citizen id',
    spouse_id      BIGINT  COMMENT 'spouse',
    district       STRING  COMMENT 'district',
    post_code      STRING  COMMENT 'registered post code',
    birth_date     STRING  COMMENT 'born on',
    death_date     STRING  COMMENT 'died on, null when alive',
    register_date  STRING  COMMENT 'registered at the address since'
) COMMENT 'civil register'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_social.dwd_salary_report_df (
    report_id      BIGINT         COMMENT 'report id',
    citizen_id     BIGINT         COMMENT 'employee',
    employer_id    BIGINT         COMMENT 'employer id',
    employer_name  STRING         COMMENT 'employer',
    salary_month   STRING         COMMENT 'yyyyMM',
    salary_amt     DECIMAL(18,2)  COMMENT 'gross salary',
    tax_amt        DECIMAL(18,2)  COMMENT 'wage tax',
    report_date    STRING         COMMENT 'reported on'
) COMMENT 'salaries reported by employers'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_social.dim_scheme_df (
    scheme_code     STRING         COMMENT 'scheme',
    scheme_name     STRING         COMMENT 'name',
    exclusive_with  STRING         COMMENT 'comma separated schemes that exclude this one',
    law_code        STRING         COMMENT 'legal basis',
    max_amt         DECIMAL(18,2)  COMMENT 'maximum per month',
    valid_from      STRING         COMMENT 'valid from'
) COMMENT 'benefit schemes'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_social.dwd_housing_allowance_df (
    grant_id      BIGINT         COMMENT 'grant id',
    tenant_id     BIGINT         COMMENT 'citizen id of the tenant',
    landlord_id   BIGINT         COMMENT 'landlord',
    post_code     STRING         COMMENT 'declared post code',
    grant_amt     DECIMAL(18,2)  COMMENT 'allowance per month',
    rent_amt      DECIMAL(18,2)  COMMENT 'rent per month',
    iban_hash     STRING         COMMENT 'hashed account',
    grant_status  STRING         COMMENT 'APPLIED/RUNNING/ENDED',
    begin_date    STRING         COMMENT 'from'
) COMMENT 'housing allowance'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_social.dwd_review_decision_df (
    decision_id  BIGINT  COMMENT 'decision id',
    citizen_id   BIGINT  COMMENT 'citizen id',
    rule_code    STRING  COMMENT 'rule of the case',
    pay_month    STRING  COMMENT 'yyyyMM',
    decision     STRING  COMMENT 'REFUND/NO_ACTION/FRAUD',
    officer_id   BIGINT  COMMENT 'officer',
    decide_date  STRING  COMMENT 'decided on'
) COMMENT 'decided review cases'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_social.ads_benefit_review_case (
    rule_code           STRING         COMMENT 'rule',
    citizen_id          BIGINT         COMMENT 'citizen id',
    scheme_code         STRING         COMMENT 'scheme or -',
    pay_month           STRING         COMMENT 'yyyyMM',
    risk_amt            DECIMAL(18,2)  COMMENT 'amount at risk',
    evidence            STRING         COMMENT 'what was found',
    district            STRING         COMMENT 'district',
    priority            INT            COMMENT '1 high, 3 low',
    earlier_refund_cnt  BIGINT         COMMENT 'earlier cases with refund'
) COMMENT 'benefit cases to review'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
