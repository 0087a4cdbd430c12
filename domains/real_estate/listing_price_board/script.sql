-- ============================================================================
--  ads_estate.ads_community_price_board_1d
--  owner   : residential data team (h.lindqvist)
--  purpose : second-hand price board per community: homes on sale after removing
--            double listings, asking price, price cuts of the last two weeks
--  history :
--    2022-01-19  first version, own brokers only
--    2022-09-05  portal feed added, the same home may be listed by both
--    2023-07-11  resale stock of developers added
-- ============================================================================
with raw_listing as (
    -- own brokers
    select
        listing_id,
        'BROKER' as source,
        1 as source_prio,
        community_id,
        building_no,
        room_no,
        area_sqm,
        ask_price,
        tags,
        update_time
    from dwd_estate.dwd_broker_listing_df
    where dt = '${bizdate}'
        and listing_status = 'ON_SALE'
        and ask_price > 0
    union all
    -- portals: the figures sit in a json body
    select
        p.feed_id,
        'PORTAL',
        2,
        p.community_id,
        get_json_object(p.body, '$.building'),
        get_json_object(p.body, '$.room'),
        cast(get_json_object(p.body, '$.area') as decimal(18,2)),
        cast(get_json_object(p.body, '$.price') as decimal(18,2)),
        get_json_object(p.body, '$.tags'),
        p.receive_time
    from ods_estate.ods_portal_feed_di p
    where p.dt between '${bizdate-6}' and '${bizdate}'
        and p.feed_type = 'SALE'
        and p.agency_code not like 'TEST\_%'    -- test agencies of the portals
    union all
    -- resale stock of developers
    select
        stock_id,
        'DEVELOPER',
        3,
        community_id,
        building_no,
        room_no,
        area_sqm,
        list_price,
        feature_tags,
        update_time
    from dwd_estate.dwd_developer_stock_df
    where dt = '${bizdate}'
        and is_resale = true
),

live_home as (
    -- one row per home: own broker first, then portal, then developer; latest record
    select
        r.*
    from (
        select
            w.*,
            row_number() over (
                partition by w.community_id, w.building_no, w.room_no
                order by w.source_prio, w.update_time desc, w.listing_id
            ) as rn
        from raw_listing w
        where w.community_id is not null
            and w.area_sqm > 0
    ) r
    where r.rn = 1
),

price_step as (
    -- the first change in the window is compared with the price at publication
    select
        c.source,
        c.listing_id,
        c.new_price,
        to_date(c.change_time) as change_date,
        coalesce(
            lag(c.new_price) over (partition by c.source, c.listing_id order by c.change_time, c.change_id),
            c.publish_price
        ) as old_price
    from dwd_estate.dwd_listing_price_change_di c
    where c.dt between date_sub('${bizdate}', 13) and '${bizdate}'
        and (c.reason <> 'CORRECTION' or c.reason is null)
),

price_cut as (
    select
        source,
        listing_id,
        count(*) as cut_cnt,
        sum(old_price - new_price) as cut_amount,
        max(change_date) as last_cut_date
    from price_step
    where new_price < old_price
    group by source, listing_id
),

tag_board as (
    select
        h.community_id,
        concat_ws(',', sort_array(collect_set(lower(trim(t.tag))))) as tag_list
    from live_home h
    lateral view explode(split(h.tags, ',')) t as tag
    where trim(t.tag) <> ''
    group by h.community_id
),

board as (
    select
        h.community_id,
        count(1) as live_cnt,
        sum(if(h.source = 'PORTAL', 1, 0)) as portal_cnt,
        round(sum(h.ask_price) / sum(h.area_sqm), 2) as ask_sqm_price,
        sum(case when c.cut_cnt is not null then 1 else 0 end) as cut_home_cnt,
        sum(coalesce(c.cut_amount, 0)) as cut_amount,
        max(c.last_cut_date) as last_cut_date
    from live_home h
    left outer join price_cut c
        on h.source = c.source
        and h.listing_id = c.listing_id
    group by h.community_id
)

insert overwrite table ads_estate.ads_community_price_board_1d partition (dt = '${bizdate}')
select
    b.community_id,
    d.community_name,
    d.district,
    b.live_cnt,
    b.portal_cnt,
    b.ask_sqm_price,
    e.deal_sqm_price,
    case
        when e.deal_sqm_price is null then 'NO_DEAL'
        when b.ask_sqm_price > e.deal_sqm_price * 1.1 then 'OVERPRICED'
        when b.ask_sqm_price < e.deal_sqm_price * 0.95 then 'BARGAIN'
        else 'IN_LINE'
    end as price_position,
    b.cut_home_cnt,
    b.cut_amount,
    b.last_cut_date,
    coalesce(t.tag_list, '-') as tag_list,
    dense_rank() over (partition by d.district order by b.cut_home_cnt desc, b.community_id) as district_rank
from board b
inner join dim_estate.dim_community_df d
    on b.community_id = d.community_id
    and d.dt = '${bizdate}'
left join tag_board t on b.community_id = t.community_id
left join (
    -- registered deals of the last 30 days, family transfers are not a market price
    select community_id, round(sum(deal_price) / sum(area_sqm), 2) as deal_sqm_price
    from dwd_estate.dwd_deal_register_di
    where dt between date_sub('${bizdate}', 29) and '${bizdate}'
        and deal_type not in ('GIFT', 'INHERITANCE')
    group by community_id
) e on b.community_id = e.community_id
;
