CREATE TABLE IF NOT EXISTS ods_play.ods_play_beat_di (
    beat_id       BIGINT  COMMENT 'heartbeat id',
    session_id    STRING  COMMENT 'play session',
    user_id       BIGINT  COMMENT 'user',
    video_id      BIGINT  COMMENT 'video',
    device        STRUCT<platform:STRING,os_version:STRING,model:STRING> COMMENT 'device',
    cdn_code      STRING  COMMENT 'cdn node code',
    event_type    STRING  COMMENT 'play/stall/seek/pause',
    event_time    STRING  COMMENT 'client time yyyy-MM-dd HH:mm:ss',
    server_time   STRING  COMMENT 'server time',
    stall_ms      INT     COMMENT 'stall milliseconds since last beat',
    bitrate_kbps  INT     COMMENT 'bitrate',
    ext           STRING  COMMENT 'json, ff = first frame milliseconds'
) COMMENT 'player heartbeats'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_play.ods_play_error_di (
    error_id     BIGINT              COMMENT 'error record',
    session_id   STRING              COMMENT 'play session',
    error_codes  MAP<STRING,STRING>  COMMENT 'layer -> code',
    tags         MAP<STRING,STRING>  COMMENT 'tags, abort = y for user aborts',
    player_ver   STRING              COMMENT 'player version',
    error_time   STRING              COMMENT 'time'
) COMMENT 'player errors'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_play.dim_video_df (
    video_id      BIGINT   COMMENT 'video',
    title         STRING   COMMENT 'title',
    album_id      BIGINT   COMMENT 'album',
    category      STRING   COMMENT 'category',
    is_preview    BOOLEAN  COMMENT 'trailer or preview',
    online_date   STRING   COMMENT 'online since',
    offline_date  STRING   COMMENT 'offline since'
) COMMENT 'videos'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_play.dim_cdn_df (
    cdn_code    STRING  COMMENT 'cdn node code',
    cdn_vendor  STRING  COMMENT 'vendor',
    region      STRING  COMMENT 'region',
    node_level  INT     COMMENT 'edge 1, parent 2',
    start_date  STRING  COMMENT 'in use since',
    end_date    STRING  COMMENT 'in use until'
) COMMENT 'cdn nodes'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_play.dim_member_df (
    user_id       BIGINT   COMMENT 'user',
    member_level  INT      COMMENT '1..5',
    product_id    BIGINT   COMMENT 'product',
    start_date    STRING   COMMENT 'member since',
    expire_date   STRING   COMMENT 'valid until',
    auto_renew    BOOLEAN  COMMENT 'auto renew'
) COMMENT 'members'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_play.dws_play_session_di (
    session_id      STRING  COMMENT 'play session',
    user_id         BIGINT  COMMENT 'user',
    video_id        BIGINT  COMMENT 'video',
    platform        STRING  COMMENT 'platform',
    cdn_vendor      STRING  COMMENT 'cdn vendor',
    member_type     STRING  COMMENT 'free/basic/premium',
    play_sec        BIGINT  COMMENT 'seconds played',
    first_frame_ms  INT     COMMENT 'time to first frame',
    stall_cnt       BIGINT  COMMENT 'stalls',
    stall_ms        BIGINT  COMMENT 'stall milliseconds',
    error_list      STRING  COMMENT 'layer:code list',
    qoe_grade       STRING  COMMENT 'ERROR/STALL/SLOW/GOOD'
) COMMENT 'play sessions'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_play.ads_play_qoe_cube_1d (
    platform        STRING  COMMENT 'platform or ALL',
    cdn_vendor      STRING  COMMENT 'cdn vendor or ALL',
    member_type     STRING  COMMENT 'member type or ALL',
    session_cnt     BIGINT  COMMENT 'sessions',
    user_cnt        BIGINT  COMMENT 'users',
    play_sec        BIGINT  COMMENT 'seconds played',
    stall_pct       DOUBLE  COMMENT 'stall time in percent of play time',
    first_frame_ms  DOUBLE  COMMENT 'mean time to first frame',
    good_cnt        BIGINT  COMMENT 'good sessions',
    max_bitrate     DOUBLE  COMMENT 'best mean bitrate'
) COMMENT 'quality of experience cube'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
