CREATE TABLE IF NOT EXISTS sec_ods.ods_vpn_auth_di (
    event_id         BIGINT   COMMENT 'primary key',
    user_id          STRING   COMMENT 'account holder',
    src_ip           STRING   COMMENT 'client address',
    gateway_ip       STRING   COMMENT 'gateway address',
    country_code     STRING   COMMENT 'country of the address',
    auth_result      STRING   COMMENT 'OK / FAIL',
    event_time       STRING   COMMENT 'time yyyy-MM-dd HH:mm:ss',
    receive_time     STRING   COMMENT 'time of arrival',
    risk_points      INT      COMMENT 'points of the gateway, null when harmless'
) COMMENT 'vpn sign-ins'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_ods.ods_cloud_auth_di (
    event_id         BIGINT   COMMENT 'primary key',
    user_id          STRING   COMMENT 'account holder',
    src_ip           STRING   COMMENT 'client address',
    proxy_ip         STRING   COMMENT 'proxy address',
    country_code     STRING   COMMENT 'country of the address',
    auth_result      STRING   COMMENT 'OK / FAIL',
    event_time       STRING   COMMENT 'time yyyy-MM-dd HH:mm:ss',
    receive_time     STRING   COMMENT 'time of arrival',
    risk_points      INT      COMMENT 'points of the gateway, null when harmless'
) COMMENT 'cloud sign-ins'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_dim.dim_ip_allow_df (
    allow_id         BIGINT   COMMENT 'primary key',
    ip_address       STRING   COMMENT 'allowed address',
    owner_user_id    STRING   COMMENT 'responsible person',
    allow_status     STRING   COMMENT 'APPROVED / REQUESTED / EXPIRED',
    valid_from       STRING   COMMENT 'first day',
    valid_to         STRING   COMMENT 'last day'
) COMMENT 'approved scanner addresses'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_dim.dim_account_df (
    account_id       BIGINT   COMMENT 'primary key',
    user_id          STRING   COMMENT 'account holder',
    manager_id       STRING   COMMENT 'manager',
    dept_code        STRING   COMMENT 'department',
    home_country     STRING   COMMENT 'country of work',
    is_service       BOOLEAN  COMMENT 'robot account',
    is_external      BOOLEAN  COMMENT 'contractor',
    role_codes       STRING   COMMENT 'comma separated roles',
    pwd_change_time  STRING   COMMENT 'last change of password',
    create_time      STRING   COMMENT 'created',
    update_time      STRING   COMMENT 'last update'
) COMMENT 'directory accounts'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_dwd.dwd_endpoint_alert_di (
    alert_id         BIGINT   COMMENT 'primary key',
    user_id          STRING   COMMENT 'user of the device',
    device_id        STRING   COMMENT 'device',
    alert_status     STRING   COMMENT 'OPEN / CLOSED / FALSE_POSITIVE',
    severity         INT      COMMENT '1 to 5',
    confidence       INT      COMMENT '1 to 5',
    alert_time       STRING   COMMENT 'raised at'
) COMMENT 'endpoint alerts'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_ads.ads_user_login_threat_di (
    user_id          STRING   COMMENT 'account holder',
    dept_code        STRING   COMMENT 'department',
    home_country     STRING   COMMENT 'country of work',
    login_cnt        BIGINT   COMMENT 'sign-ins',
    fail_cnt         BIGINT   COMMENT 'failed sign-ins',
    ip_cnt           BIGINT   COMMENT 'addresses',
    countries        STRING   COMMENT 'countries seen',
    avg_points       DOUBLE   COMMENT 'mean gateway points',
    role_cnt         BIGINT   COMMENT 'roles',
    alert_cnt        BIGINT   COMMENT 'endpoint alerts in seven days',
    threat_score     BIGINT   COMMENT 'score',
    threat_label     STRING   COMMENT 'CRITICAL / ABROAD / STALE_PWD / NORMAL',
    last_event_time  STRING   COMMENT 'last sign-in'
) COMMENT 'sign-in threat per account'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS sec_ads.ads_login_threat_rollup_di (
    dept_code        STRING   COMMENT 'department or ALL',
    home_country     STRING   COMMENT 'country or ALL',
    user_cnt         BIGINT   COMMENT 'accounts',
    login_cnt        BIGINT   COMMENT 'sign-ins',
    fail_cnt         BIGINT   COMMENT 'failed sign-ins',
    hot_user_cnt     BIGINT   COMMENT 'critical or abroad',
    fail_rate        DOUBLE   COMMENT 'failed share',
    max_score        BIGINT   COMMENT 'highest score'
) COMMENT 'sign-in threat roll-up'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
