CREATE TABLE IF NOT EXISTS dwd_estate.dwd_broker_listing_df (
    listing_id      STRING         COMMENT 'listing id',
    community_id    BIGINT         COMMENT 'community id',
    building_no     STRING         COMMENT 'building',
    room_no         STRING         COMMENT 'room',
    area_sqm        DECIMAL(18,2)  COMMENT 'floor area',
    inner_area_sqm  DECIMAL(18,2)  COMMENT 'usable area',
    ask_price       DECIMAL(18,2)  COMMENT 'asking price',
    floor_price     DECIMAL(18,2)  COMMENT 'lowest price the owner accepts',
    tags            STRING         COMMENT 'comma separated tags',
    listing_status  STRING         COMMENT 'ON_SALE/PAUSED/SOLD/WITHDRAWN',
    broker_id       BIGINT         COMMENT 'broker',
    create_time     STRING         COMMENT 'created at',
    update_time     STRING         COMMENT 'last updated at'
) COMMENT 'listings of own brokers, daily snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ods_estate.ods_portal_feed_di (
    feed_id        STRING  COMMENT 'feed record id',
    feed_type      STRING  COMMENT 'SALE/RENT',
    agency_code    STRING  COMMENT 'agency that published',
    portal         STRING  COMMENT 'portal name',
    community_id   BIGINT  COMMENT 'matched community id',
    body           STRING  COMMENT 'json: building, room, area, price, tags',
    publish_time   STRING  COMMENT 'published at',
    receive_time   STRING  COMMENT 'received at'
) COMMENT 'feed of listing portals'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_estate.dwd_developer_stock_df (
    stock_id      STRING         COMMENT 'stock id',
    project_id    BIGINT         COMMENT 'project id',
    community_id  BIGINT         COMMENT 'community id',
    building_no   STRING         COMMENT 'building',
    room_no       STRING         COMMENT 'room',
    area_sqm      DECIMAL(18,2)  COMMENT 'floor area',
    list_price    DECIMAL(18,2)  COMMENT 'list price',
    base_price    DECIMAL(18,2)  COMMENT 'filed base price',
    feature_tags  STRING         COMMENT 'comma separated tags',
    sale_status   STRING         COMMENT 'OPEN/RESERVED/SOLD',
    is_resale     BOOLEAN        COMMENT 'resale stock',
    update_time   STRING         COMMENT 'last updated at'
) COMMENT 'stock of developers, daily snapshot'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_estate.dwd_listing_price_change_di (
    change_id      BIGINT         COMMENT 'change id',
    source         STRING         COMMENT 'BROKER/PORTAL/DEVELOPER',
    listing_id     STRING         COMMENT 'listing id inside the source',
    publish_price  DECIMAL(18,2)  COMMENT 'price at publication',
    new_price      DECIMAL(18,2)  COMMENT 'price after the change',
    reason         STRING         COMMENT 'OWNER/CAMPAIGN/CORRECTION',
    change_time    STRING         COMMENT 'changed at',
    approve_time   STRING         COMMENT 'approved at'
) COMMENT 'price changes of listings'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dwd_estate.dwd_deal_register_di (
    deal_id        BIGINT         COMMENT 'deal id',
    community_id   BIGINT         COMMENT 'community id',
    building_no    STRING         COMMENT 'building',
    room_no        STRING         COMMENT 'room',
    area_sqm       DECIMAL(18,2)  COMMENT 'floor area',
    deal_price     DECIMAL(18,2)  COMMENT 'registered price',
    tax_price      DECIMAL(18,2)  COMMENT 'taxable price',
    deal_type      STRING         COMMENT 'MARKET/GIFT/INHERITANCE/COURT',
    sign_date      STRING         COMMENT 'signed on'
) COMMENT 'deals in the land register'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS dim_estate.dim_community_df (
    community_id    BIGINT  COMMENT 'community id',
    community_name  STRING  COMMENT 'community name',
    district        STRING  COMMENT 'district',
    sub_district    STRING  COMMENT 'sub district',
    build_year      INT     COMMENT 'built in',
    home_cnt        INT     COMMENT 'number of homes'
) COMMENT 'community dimension'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS ads_estate.ads_community_price_board_1d (
    community_id    BIGINT         COMMENT 'community id',
    community_name  STRING         COMMENT 'community name',
    district        STRING         COMMENT 'district',
    live_cnt        BIGINT         COMMENT 'homes on sale',
    portal_cnt      BIGINT         COMMENT 'of them found on portals only',
    ask_sqm_price   DECIMAL(18,2)  COMMENT 'asking price per sqm',
    deal_sqm_price  DECIMAL(18,2)  COMMENT 'deal price per sqm, 30 days',
    price_position  STRING         COMMENT 'NO_DEAL/OVERPRICED/BARGAIN/IN_LINE',
    cut_home_cnt    BIGINT         COMMENT 'homes with a price cut',
    cut_amount      DECIMAL(18,2)  COMMENT 'sum of price cuts',
    last_cut_date   DATE           COMMENT 'last cut',
    tag_list        STRING         COMMENT 'tags of the homes',
    district_rank   INT            COMMENT 'rank in the district'
) COMMENT 'price board per community'
PARTITIONED BY (dt STRING COMMENT 'yyyy-MM-dd')
STORED AS ORC;
