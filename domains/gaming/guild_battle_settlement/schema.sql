CREATE TABLE IF NOT EXISTS ods_game.ods_battle_log_di (
    log_id       BIGINT  COMMENT 'log id',
    battle_id    BIGINT  COMMENT 'battle id',
    server_id    INT     COMMENT 'server that wrote the log',
    battle_type  STRING  COMMENT 'siege/arena/duel',
    payload      STRING  COMMENT 'json: guild_id, score, kills',
    begin_time   STRING  COMMENT 'battle begin',
    log_time     STRING  COMMENT 'log written'
) COMMENT 'battle result log'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_game.ods_gm_adjust_di (
    adjust_id     BIGINT  COMMENT 'adjustment id',
    guild_id      BIGINT  COMMENT 'guild id',
    score_delta   INT     COMMENT 'score added or taken',
    kill_delta    INT     COMMENT 'kills added, informational',
    audit_status  STRING  COMMENT 'PASSED/PENDING/REJECTED',
    operator      STRING  COMMENT 'game master',
    adjust_time   STRING  COMMENT 'booked at'
) COMMENT 'score corrections by game masters'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_game.dim_guild_df (
    guild_id      BIGINT  COMMENT 'guild id',
    guild_name    STRING  COMMENT 'guild name',
    server_id     INT     COMMENT 'home server',
    leader_id     BIGINT  COMMENT 'leader',
    guild_level   INT     COMMENT 'level',
    create_time   STRING  COMMENT 'created',
    disband_time  STRING  COMMENT 'disbanded, null while alive'
) COMMENT 'guild snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_game.dim_server_df (
    server_id     INT     COMMENT 'server id',
    server_name   STRING  COMMENT 'server name',
    server_group  STRING  COMMENT 'battle group',
    merged_to     INT     COMMENT 'server merged to',
    open_date     STRING  COMMENT 'opened',
    merge_date    STRING  COMMENT 'merged'
) COMMENT 'server snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dws_game.dws_guild_history_df (
    guild_id     BIGINT  COMMENT 'guild id',
    season_no    INT     COMMENT 'season',
    battle_cnt   INT     COMMENT 'battles',
    total_score  BIGINT  COMMENT 'score of the battle day',
    kill_cnt     BIGINT  COMMENT 'kills of the battle day',
    stat_date    STRING  COMMENT 'battle day'
) COMMENT 'guild results of earlier battle days'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_game.dwd_battle_roster_di (
    roster_id   BIGINT  COMMENT 'roster id',
    battle_id   BIGINT  COMMENT 'battle id',
    guild_id    BIGINT  COMMENT 'guild id',
    player_ids  STRING  COMMENT 'players, comma separated',
    join_sec    INT     COMMENT 'seconds in battle',
    join_time   STRING  COMMENT 'joined at'
) COMMENT 'battle rosters'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_game.dim_battle_reward_df (
    rule_id       BIGINT         COMMENT 'rule id',
    server_group  STRING         COMMENT 'battle group',
    rewards       ARRAY<STRING>  COMMENT 'item:quantity by rank, first = rank 1',
    join_reward   STRING         COMMENT 'participation reward',
    is_online     BOOLEAN        COMMENT 'rule in force',
    update_time   STRING         COMMENT 'updated'
) COMMENT 'reward rules, one online rule per group'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_game.dwd_cheat_case_di (
    case_id      BIGINT  COMMENT 'case id',
    guild_id     BIGINT  COMMENT 'guild id',
    player_id    BIGINT  COMMENT 'player id',
    cheat_type   STRING  COMMENT 'speed/bot/chat/name',
    verdict      STRING  COMMENT 'GUILTY/INNOCENT/OPEN',
    report_time  STRING  COMMENT 'reported',
    close_time   STRING  COMMENT 'closed'
) COMMENT 'cheat cases'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_game.ads_guild_battle_settle_1d (
    guild_id     BIGINT  COMMENT 'guild id',
    guild_name   STRING  COMMENT 'guild name',
    server_id    INT     COMMENT 'home server',
    total_score  BIGINT  COMMENT 'score',
    kill_cnt     BIGINT  COMMENT 'kills',
    member_cnt   BIGINT  COMMENT 'players who took part',
    member_list  STRING  COMMENT 'player ids',
    `rank`       INT     COMMENT 'rank in the server group',
    reward_item  STRING  COMMENT 'reward item',
    reward_qty   INT     COMMENT 'reward quantity',
    is_record    INT     COMMENT '1 best score so far'
) COMMENT 'guild battle settlement'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd', server_group STRING COMMENT 'battle group')
STORED AS ORC;
