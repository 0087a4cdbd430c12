CREATE TABLE IF NOT EXISTS pv_dwd.dwd_icsr_spontaneous_di (
    row_id         BIGINT         COMMENT 'technical row id',
    case_no        STRING         COMMENT 'world-wide case number',
    version_no     INT            COMMENT 'follow-up version',
    report_type    STRING         COMMENT 'HCP/CONSUMER/AUTHORITY',
    receive_date   STRING         COMMENT 'received on',
    onset_date     STRING         COMMENT 'onset of the reaction',
    drugs          STRING         COMMENT 'name:role;name:role, role S suspect, I interacting, C concomitant',
    reactions      ARRAY<STRING>  COMMENT 'preferred term codes',
    serious_flags  STRING         COMMENT 'DEATH|HOSPITAL|..., empty = not serious',
    reporter_country  STRING      COMMENT 'ISO country',
    is_valid       BOOLEAN        COMMENT 'meets the four minimum criteria'
) COMMENT 'spontaneous case reports, all versions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_dwd.dwd_icsr_literature_di (
    row_id         BIGINT         COMMENT 'technical row id',
    case_no        STRING         COMMENT 'world-wide case number',
    version_no     INT            COMMENT 'follow-up version',
    doi            STRING         COMMENT 'article',
    receive_date   STRING         COMMENT 'received on',
    publish_date   STRING         COMMENT 'published on',
    drugs          STRING         COMMENT 'name:role;name:role',
    reactions      ARRAY<STRING>  COMMENT 'preferred term codes',
    serious_flags  STRING         COMMENT 'DEATH|HOSPITAL|...',
    reporter_country  STRING      COMMENT 'ISO country',
    is_valid       BOOLEAN        COMMENT 'meets the four minimum criteria'
) COMMENT 'case reports from the literature'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_ods.ods_nullified_case_df (
    notice_id    BIGINT  COMMENT 'notice',
    case_no      STRING  COMMENT 'case nullified',
    authority    STRING  COMMENT 'EMA/FDA/NMPA',
    notice_date  STRING  COMMENT 'notice date',
    reason       STRING  COMMENT 'reason'
) COMMENT 'cases nullified by the sender'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_ods.ods_duplicate_pair_df (
    pair_id        BIGINT  COMMENT 'pair',
    master_case_no STRING  COMMENT 'case that stays',
    dup_case_no    STRING  COMMENT 'case that goes',
    score          DOUBLE  COMMENT 'match score',
    review_result  STRING  COMMENT 'OPEN/CONFIRMED/REJECTED',
    review_date    STRING  COMMENT 'reviewed on'
) COMMENT 'duplicate candidates'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_dim.dim_drug_synonym_df (
    drug_name       STRING  COMMENT 'trade or substance name, lower case, unique',
    substance_code  STRING  COMMENT 'active substance',
    atc_code        STRING  COMMENT 'ATC code',
    source          STRING  COMMENT 'dictionary',
    load_date       STRING  COMMENT 'loaded on'
) COMMENT 'drug names'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_dim.dim_own_product_df (
    product_id      BIGINT  COMMENT 'product',
    substance_code  STRING  COMMENT 'active substance',
    brand_name      STRING  COMMENT 'brand',
    launch_date     STRING  COMMENT 'launched on',
    owner_team      STRING  COMMENT 'safety team'
) COMMENT 'products of the company'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_dim.dim_label_event_df (
    substance_code  STRING  COMMENT 'active substance',
    pt_code         STRING  COMMENT 'preferred term on the label',
    frequency       STRING  COMMENT 'COMMON/RARE/...',
    label_section   STRING  COMMENT 'section',
    since_date      STRING  COMMENT 'on the label since'
) COMMENT 'labelled reactions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS pv_ads.ads_drug_event_signal_20240315 (
    substance_code  STRING  COMMENT 'active substance',
    pt_code         STRING  COMMENT 'preferred term',
    pair_cnt        BIGINT  COMMENT 'cases with the pair',
    fatal_cnt       BIGINT  COMMENT 'thereof fatal',
    prr             DOUBLE  COMMENT 'proportional reporting ratio, null when no other case has the event',
    first_receive   STRING  COMMENT 'first received',
    report_types    STRING  COMMENT 'report types',
    signal_class    STRING  COMMENT 'LABELLED/URGENT/SIGNAL/NOISE'
) COMMENT 'drug-event pairs for the review board'
STORED AS ORC;
