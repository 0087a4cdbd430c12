CREATE TABLE IF NOT EXISTS dwd_sns.dwd_post_di (
    post_id      BIGINT         COMMENT '帖子',
    author_id    BIGINT         COMMENT '作者',
    origin_id    BIGINT         COMMENT '被转发的原帖',
    region       STRING         COMMENT '发布地区',
    topics       STRING         COMMENT '话题, 逗号分隔',
    audit_tags   ARRAY<STRING>  COMMENT '审核标签',
    post_status  STRING         COMMENT 'NORMAL/DELETED/HIDDEN',
    version_no   INT            COMMENT '版本号',
    create_time  STRING         COMMENT '发布时间',
    update_time  STRING         COMMENT '更新时间'
) COMMENT '帖子'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sns.dwd_like_di (
    like_id      BIGINT  COMMENT '点赞',
    post_id      BIGINT  COMMENT '帖子',
    user_id      BIGINT  COMMENT '用户',
    is_cancel    INT     COMMENT '1 已取消',
    like_time    STRING  COMMENT '点赞时间',
    cancel_time  STRING  COMMENT '取消时间'
) COMMENT '点赞'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sns.dwd_comment_di (
    comment_id    BIGINT  COMMENT '评论',
    post_id       BIGINT  COMMENT '帖子',
    user_id       BIGINT  COMMENT '用户',
    reply_to_id   BIGINT  COMMENT '回复的评论',
    content       STRING  COMMENT '内容',
    comment_time  STRING  COMMENT '评论时间'
) COMMENT '评论'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_sns.dwd_share_di (
    share_id    BIGINT  COMMENT '转发',
    post_id     BIGINT  COMMENT '帖子',
    user_id     BIGINT  COMMENT '用户',
    share_to    STRING  COMMENT 'FEED/GROUP/CHAT/SELF',
    target_id   BIGINT  COMMENT '转发到的群或会话',
    share_time  STRING  COMMENT '转发时间'
) COMMENT '转发'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_sns.dim_spam_account_df (
    account_id   BIGINT  COMMENT '账号',
    spam_level   INT     COMMENT '1 疑似 2 作弊 3 封禁',
    spam_type    STRING  COMMENT '类型',
    model_score  DOUBLE  COMMENT '模型分',
    first_date   STRING  COMMENT '首次命中',
    last_date    STRING  COMMENT '最近命中'
) COMMENT '作弊账号'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_sns.dim_topic_df (
    topic_id      BIGINT         COMMENT '话题编号',
    topic         STRING         COMMENT '话题, 小写',
    labels        ARRAY<STRING>  COMMENT '运营标签',
    owner_id      BIGINT         COMMENT '主持人',
    create_date   STRING         COMMENT '创建日期',
    offline_date  STRING         COMMENT '下线日期'
) COMMENT '话题维表'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_sns.ads_topic_rank_history_df (
    topic      STRING  COMMENT '话题',
    region     STRING  COMMENT '地区, ALL 为全国',
    last_rank  INT     COMMENT '当日排名',
    best_rank  INT     COMMENT '历史最高排名',
    on_days    INT     COMMENT '累计上榜天数',
    heat       BIGINT  COMMENT '热度'
) COMMENT '历史榜单, 每个话题地区一行'
PARTITIONED BY (dt STRING COMMENT 'yyyyMMdd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_sns.ads_topic_hot_board_20240315 (
    region      STRING  COMMENT '地区, ALL 为全国',
    topic       STRING  COMMENT '话题',
    `rank`      INT     COMMENT '排名',
    heat        BIGINT  COMMENT '热度',
    post_cnt    BIGINT  COMMENT '帖子数',
    author_cnt  BIGINT  COMMENT '作者数',
    share_cnt   BIGINT  COMMENT '转发数',
    main_pct    DOUBLE  COMMENT '主话题热度占比',
    last_rank   INT     COMMENT '昨日排名',
    trend       STRING  COMMENT 'NEW/UP/DOWN/KEEP',
    label_list  STRING  COMMENT '运营标签'
) COMMENT '话题热榜'
STORED AS ORC;
