CREATE TABLE IF NOT EXISTS dwd_game.dwd_install_di (
    install_id    BIGINT              COMMENT 'install record',
    device_id     STRING              COMMENT 'device id',
    app_id        BIGINT              COMMENT 'game',
    channel       STRING              COMMENT 'acquisition channel, empty for organic',
    sub_channel   STRING              COMMENT 'sub channel',
    device_info   MAP<STRING,STRING>  COMMENT 'os, model, lang',
    is_emulator   INT                 COMMENT '1 emulator',
    click_time    TIMESTAMP           COMMENT 'ad click',
    install_time  TIMESTAMP           COMMENT 'install'
) COMMENT 'installs'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_game.dwd_login_di (
    login_id     BIGINT     COMMENT 'login record',
    device_id    STRING     COMMENT 'device id',
    player_id    BIGINT     COMMENT 'player',
    server_id    INT        COMMENT 'server',
    play_modes   STRING     COMMENT 'modes played, comma separated',
    online_sec   INT        COMMENT 'online seconds',
    login_time   TIMESTAMP  COMMENT 'login',
    logout_time  TIMESTAMP  COMMENT 'logout'
) COMMENT 'logins'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_game.dwd_pay_di (
    order_id     BIGINT         COMMENT 'order',
    device_id    STRING         COMMENT 'device id',
    player_id    BIGINT         COMMENT 'player',
    product_id   STRING         COMMENT 'product',
    pay_amt      DECIMAL(18,2)  COMMENT 'amount paid',
    refund_amt   DECIMAL(18,2)  COMMENT 'amount refunded',
    pay_status   STRING         COMMENT 'SUCCESS/FAILED/PENDING',
    create_time  TIMESTAMP      COMMENT 'order created',
    pay_time     TIMESTAMP      COMMENT 'paid',
    refund_time  TIMESTAMP      COMMENT 'refunded'
) COMMENT 'payments'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_game.dim_channel_df (
    channel       STRING         COMMENT 'channel',
    channel_name  STRING         COMMENT 'channel name',
    manager       STRING         COMMENT 'UA manager',
    cpi_price     DECIMAL(18,2)  COMMENT 'agreed price per install',
    sign_date     STRING         COMMENT 'contract date',
    status        INT            COMMENT '1 open 0 closed'
) COMMENT 'acquisition channels'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
