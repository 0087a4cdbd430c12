CREATE TABLE IF NOT EXISTS dwd_play.dwd_app_play_di (
    play_id     BIGINT   COMMENT 'play id',
    user_id     BIGINT   COMMENT 'user',
    content_id  BIGINT   COMMENT 'title',
    episode_id  BIGINT   COMMENT 'episode',
    play_sec    INT      COMMENT 'seconds played',
    is_trial    BOOLEAN  COMMENT 'free trial part',
    begin_time  STRING   COMMENT 'begin',
    end_time    STRING   COMMENT 'end',
    upload_id   BIGINT   COMMENT 'upload sequence'
) COMMENT 'plays of the phone app'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_play.dwd_tv_play_di (
    play_id     BIGINT   COMMENT 'play id',
    user_id     BIGINT   COMMENT 'user',
    content_id  BIGINT   COMMENT 'title',
    episode_id  BIGINT   COMMENT 'episode',
    play_sec    INT      COMMENT 'seconds played',
    is_trial    BOOLEAN  COMMENT 'free trial part',
    begin_time  STRING   COMMENT 'begin',
    end_time    STRING   COMMENT 'end',
    upload_id   BIGINT   COMMENT 'upload sequence',
    box_model   STRING   COMMENT 'box model'
) COMMENT 'plays of the TV app'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sub.dwd_sub_order_di (
    order_id      BIGINT         COMMENT 'order',
    user_id       BIGINT         COMMENT 'user',
    product_id    BIGINT         COMMENT 'product',
    pay_amt       DECIMAL(18,2)  COMMENT 'paid',
    refund_amt    DECIMAL(18,2)  COMMENT 'refunded',
    channel_fee   DECIMAL(18,2)  COMMENT 'store fee',
    coupon_amt    DECIMAL(18,2)  COMMENT 'coupon, already deducted',
    order_status  STRING         COMMENT 'PAID/PART_REFUND/REFUNDED/CLOSED',
    create_time   STRING         COMMENT 'created',
    pay_time      STRING         COMMENT 'paid at'
) COMMENT 'subscription orders'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_content.dim_content_df (
    content_id     BIGINT  COMMENT 'title',
    title          STRING  COMMENT 'name',
    genre          STRING  COMMENT 'genre',
    rights         ARRAY<STRUCT<holder_id:BIGINT,share_pct:DECIMAL(18,2),territory:STRING>> COMMENT 'right holders',
    license_begin  STRING  COMMENT 'licence begin',
    license_end    STRING  COMMENT 'licence end, null open',
    online_date    STRING  COMMENT 'online since',
    series_id      BIGINT  COMMENT 'series'
) COMMENT 'titles'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_content.dim_right_holder_df (
    holder_id      BIGINT         COMMENT 'right holder',
    holder_name    STRING         COMMENT 'name',
    min_guarantee  DECIMAL(18,2)  COMMENT 'guaranteed amount per month',
    advance_amt    DECIMAL(18,2)  COMMENT 'advance still open',
    bank_account   STRING         COMMENT 'bank account',
    tax_status     STRING         COMMENT 'CLEARED/OPEN',
    sign_date      STRING         COMMENT 'signed',
    expire_date    STRING         COMMENT 'expires'
) COMMENT 'right holders'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_fin.ads_royalty_statement_1m (
    holder_id     BIGINT         COMMENT 'right holder',
    holder_name   STRING         COMMENT 'name',
    content_id    BIGINT         COMMENT 'title, null on the total row',
    is_total      INT            COMMENT '1 total row of the holder',
    play_cnt      BIGINT         COMMENT 'qualified plays',
    play_minutes  DOUBLE         COMMENT 'qualified minutes',
    genre_list    STRING         COMMENT 'genres',
    royalty_amt   DECIMAL(18,2)  COMMENT 'royalty by minutes',
    running_amt   DECIMAL(18,2)  COMMENT 'running royalty',
    payable_amt   DECIMAL(18,2)  COMMENT 'payable, not below guarantee on totals',
    pay_flag      STRING         COMMENT 'PAY/TAX/HOLD'
) COMMENT 'royalty statement'
PARTITIONED BY (month STRING COMMENT 'yyyyMM')
STORED AS ORC;
