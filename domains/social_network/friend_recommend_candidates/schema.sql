CREATE TABLE IF NOT EXISTS dwd_sns.dwd_friend_df (
    relation_id      BIGINT  COMMENT 'relation id',
    user_id          BIGINT  COMMENT 'user who asked',
    friend_id        BIGINT  COMMENT 'user who accepted',
    relation_status  INT     COMMENT '0 pending 1 friends 2 removed',
    source           STRING  COMMENT 'how they met',
    apply_time       STRING  COMMENT 'asked',
    accept_time      STRING  COMMENT 'accepted'
) COMMENT 'friend relations, one row per pair'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sns.dwd_phone_book_df (
    user_id        BIGINT         COMMENT 'user',
    device_id      STRING         COMMENT 'device',
    phone_list     ARRAY<STRING>  COMMENT 'md5 of the numbers',
    phone_cnt      INT            COMMENT 'size of the book',
    is_authorized  BOOLEAN        COMMENT 'user allows matching',
    upload_time    STRING         COMMENT 'uploaded'
) COMMENT 'uploaded phone books'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_sns.dim_user_df (
    user_id           BIGINT   COMMENT 'user',
    nick_name         STRING   COMMENT 'nick name, deleted... for closed accounts',
    phone_md5         STRING   COMMENT 'md5 of the own number',
    city_id           BIGINT   COMMENT 'city',
    home_city_id      BIGINT   COMMENT 'home town',
    allow_recommend   BOOLEAN  COMMENT 'may be recommended',
    reg_date          STRING   COMMENT 'registered',
    last_active_date  STRING   COMMENT 'last active'
) COMMENT 'users'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sns.dwd_block_df (
    record_id    BIGINT  COMMENT 'record',
    user_id      BIGINT  COMMENT 'user who blocks',
    block_id     BIGINT  COMMENT 'user who is blocked',
    scene        STRING  COMMENT 'chat/feed/profile',
    create_time  STRING  COMMENT 'blocked',
    cancel_time  STRING  COMMENT 'unblocked, null while blocked'
) COMMENT 'block list'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_sns.dws_user_interest_1d (
    user_id      BIGINT  COMMENT 'user',
    interest     STRING  COMMENT 'interest tag',
    weight       STRING  COMMENT 'weight 0..1 as text',
    short_weight STRING  COMMENT 'weight of the last week as text',
    source       STRING  COMMENT 'model or manual',
    update_date  STRING  COMMENT 'updated'
) COMMENT 'user interests'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS tmp_sns.tmp_user_edge (
    src_id  BIGINT  COMMENT 'from',
    dst_id  BIGINT  COMMENT 'to'
) COMMENT 'work table: undirected friend edges, both directions'
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_sns.ads_friend_recommend_1d (
    user_id        BIGINT  COMMENT 'user',
    cand_id        BIGINT  COMMENT 'recommended user',
    mutual_cnt     BIGINT  COMMENT 'mutual friends',
    interest_list  STRING  COMMENT 'shared interests',
    reason         STRING  COMMENT 'CONTACT/MUTUAL/INTEREST/OTHER',
    score          BIGINT  COMMENT 'score',
    show_order     INT     COMMENT 'position in the list'
) COMMENT 'friend recommendations'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
