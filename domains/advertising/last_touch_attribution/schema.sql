CREATE TABLE IF NOT EXISTS dim_ad.dim_test_device_df (
    device_id    STRING  COMMENT 'device id, lower case',
    owner_team   STRING  COMMENT 'team',
    os           STRING  COMMENT 'ios/android',
    is_valid     INT     COMMENT '1 still used for tests',
    create_date  STRING  COMMENT 'listed on',
    remark       STRING  COMMENT 'remark'
) COMMENT 'own test phones'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_ad.ods_partner_test_device_df (
    partner_id     BIGINT  COMMENT 'partner',
    raw_device_id  STRING  COMMENT 'device id as delivered',
    file_name      STRING  COMMENT 'source file',
    line_no        INT     COMMENT 'line',
    upload_time    STRING  COMMENT 'upload time',
    contact        STRING  COMMENT 'contact'
) COMMENT 'test phones reported by partners'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_ad.dim_campaign_df (
    campaign_id    BIGINT         COMMENT 'campaign',
    advertiser_id  BIGINT         COMMENT 'advertiser',
    agency_id      BIGINT         COMMENT 'agency',
    campaign_name  STRING         COMMENT 'name',
    keywords       ARRAY<STRING>  COMMENT 'target keywords',
    day_budget     DECIMAL(18,2)  COMMENT 'daily budget',
    start_date     STRING         COMMENT 'start',
    end_date       STRING         COMMENT 'end',
    status         STRING         COMMENT 'status'
) COMMENT 'campaigns'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_ad.dwd_ad_click_di (
    click_id     STRING   COMMENT 'click id',
    device_id    STRING   COMMENT 'device id',
    campaign_id  BIGINT   COMMENT 'campaign',
    creative_id  BIGINT   COMMENT 'creative',
    click_time   STRING   COMMENT 'yyyy-MM-dd HH:mm:ss',
    server_time  STRING   COMMENT 'server receive time',
    geo          STRUCT<country:STRING,city:STRING> COMMENT 'location by ip',
    ext          STRING   COMMENT 'json, slot = ad slot',
    is_fraud     BOOLEAN  COMMENT 'flagged by anti-fraud'
) COMMENT 'ad clicks'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_ad.dwd_ad_impression_di (
    imp_id       STRING  COMMENT 'impression id',
    device_id    STRING  COMMENT 'device id',
    campaign_id  BIGINT  COMMENT 'campaign',
    creative_id  BIGINT  COMMENT 'creative',
    imp_time     STRING  COMMENT 'yyyy-MM-dd HH:mm:ss',
    server_time  STRING  COMMENT 'server receive time',
    view_ms      INT     COMMENT 'visible milliseconds',
    geo          STRUCT<country:STRING,city:STRING> COMMENT 'location by ip',
    ext          STRING  COMMENT 'json, slot = ad slot'
) COMMENT 'ad impressions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_app.dwd_conversion_di (
    report_id    BIGINT         COMMENT 'report id',
    conv_id      STRING         COMMENT 'conversion id',
    device_id    STRING         COMMENT 'device id',
    app_id       BIGINT         COMMENT 'app',
    conv_type    STRING         COMMENT 'install/register/purchase/other',
    conv_time    STRING         COMMENT 'conversion time',
    report_time  STRING         COMMENT 'report time',
    revenue      DECIMAL(18,2)  COMMENT 'revenue',
    tax          DECIMAL(18,2)  COMMENT 'tax part'
) COMMENT 'conversions reported by the SDK'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_ad.ads_last_touch_campaign_1d (
    campaign_id    BIGINT         COMMENT 'campaign, 0 organic',
    advertiser_id  BIGINT         COMMENT 'advertiser',
    campaign_name  STRING         COMMENT 'name',
    conv_type      STRING         COMMENT 'conversion type',
    conv_cnt       BIGINT         COMMENT 'conversions',
    device_cnt     BIGINT         COMMENT 'devices',
    click_conv     BIGINT         COMMENT 'won by click',
    view_conv      BIGINT         COMMENT 'won by view',
    revenue        DECIMAL(18,2)  COMMENT 'revenue',
    avg_hours      DOUBLE         COMMENT 'hours from touch to conversion',
    avg_touch      DOUBLE         COMMENT 'touches per conversion',
    slot_list      STRING         COMMENT 'country:slot list',
    kw_list        STRING         COMMENT 'campaign keywords'
) COMMENT 'last-touch attribution per campaign'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
