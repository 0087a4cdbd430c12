-- search_session_funnel.sql
-- search team warehouse / owner: a.ferreira / alerts: #search-dw
-- One scan of the search log feeds two targets:
--   trade_dws.dws_search_session_di : one row per session
--   trade_dws.dws_keyword_funnel_di : search -> click -> pay per keyword
-- A session ends after ${gap_minutes} minutes without a search.
set hive.exec.parallel=true;
set hive.groupby.skewindata=true;

from (
    select
         q.log_id
        ,q.user_id
        ,q.platform
        ,q.keyword
        ,q.search_time
        ,q.result_cnt
        ,concat(q.user_id, '_', cast(sum(q.is_start) over (
            partition by q.user_id
            order by q.search_time, q.log_id
            rows between unbounded preceding and current row) as string)) as session_id
        ,case
            when q.keyword rlike '^[0-9]+$' then 'CODE'
            when kw.is_brand = true then 'BRAND'
            when kw.keyword is null then 'LONG_TAIL'
            else 'CATEGORY'
         end as intent
        ,coalesce(ck.click_cnt,0) as click_cnt
        ,ck.top_click_cnt
        ,coalesce(py.order_cnt,0) as order_cnt
        ,coalesce(py.pay_amount,0) as pay_amount
    from (
        -- first search of a user, or a long pause, opens a session
        select
             s.log_id
            ,s.user_id
            ,s.platform
            ,s.keyword
            ,s.search_time
            ,s.result_cnt
            ,case
                when s.prev_time is null then 1
                when unix_timestamp(s.search_time) - unix_timestamp(s.prev_time) > ${gap_minutes} * 60 then 1
                else 0
             end as is_start
        from (
            select
                 l.log_id
                ,l.user_id
                ,l.`platform` as platform
                ,lower(trim(js.keyword)) as keyword
                ,cast(js.result_cnt as int) as result_cnt
                ,l.event_time as search_time
                ,lag(l.event_time) over (partition by l.user_id order by l.event_time, l.log_id) as prev_time
            from log_ods.ods_search_log_di l
            lateral view json_tuple(l.body, 'keyword', 'result_cnt') js as keyword, result_cnt
            where l.dt = '${dt}'
                and l.event_type = 'search'
                and l.user_id is not null
                -- crawlers, an unknown agent is a person
                and (l.user_agent is null or l.user_agent not like '%\_bot%')
        ) s
        where s.keyword is not null
            and s.keyword <> ''
    ) q
    left join (
        select keyword, is_brand
        from trade_dim.dim_keyword_df
        where dt = '${dt}'
            and audit_status != 'REJECTED'
    ) kw
        on q.keyword = kw.keyword
    left join (
        -- positions start with 0: the first four are above the fold
        select
             c.search_log_id
            ,count(1) as click_cnt
            ,sum(case when c.position < 4 then 1 else 0 end) as top_click_cnt
        from (
            select
                 k.search_log_id
                ,it.position
                ,it.sku_id
            from log_ods.ods_search_click_di k
            lateral view posexplode(k.shown_skus) it as position, sku_id
            where k.dt = '${dt}'
                and it.sku_id = k.clicked_sku
        ) c
        group by c.search_log_id
    ) ck
        on q.log_id = ck.search_log_id
    left join (
        select
             o.search_log_id
            ,count(distinct o.order_id) as order_cnt
            ,sum(o.pay_amount) as pay_amount
        from trade_dwd.dwd_order_source_di o
        where o.dt between '${dt}' and date_add('${dt}', 1)   -- paid up to one day later
            and o.source_type in ('search','search_card')
            and o.pay_time is not null
        group by o.search_log_id
    ) py
        on q.log_id = py.search_log_id
) f

insert overwrite table trade_dws.dws_search_session_di partition (dt = '${dt}')
select
     f.session_id
    ,max(f.user_id) as user_id
    ,max(f.platform) as platform
    ,min(f.search_time) as start_time
    ,count(*) as search_cnt
    ,sum(f.click_cnt) as click_cnt
    ,sum(f.order_cnt) as order_cnt
    ,sum(f.pay_amount) as pay_amount
    ,concat_ws(',', sort_array(collect_set(f.intent))) as intents
    ,case
        when sum(f.order_cnt) > 0 then 'PAID'
        when sum(f.click_cnt) > 0 then 'CLICKED'
        when max(f.result_cnt) = 0 then 'NO_RESULT'
        else 'ABANDONED'
     end as outcome
group by
     f.session_id

insert overwrite table trade_dws.dws_keyword_funnel_di partition (dt = '${dt}')
select
     f.keyword
    ,f.intent
    ,count(*) as search_cnt
    ,count(distinct f.user_id) as user_cnt
    ,sum(if(f.click_cnt > 0,1,0)) as clicked_cnt
    ,round(sum(f.top_click_cnt) / nullif(sum(f.click_cnt),0), 4) as top_click_rate
    ,sum(if(f.order_cnt > 0,1,0)) as paid_cnt
    ,sum(f.pay_amount) as pay_amount
    ,sum(case when f.result_cnt = 0 or f.result_cnt is null then 1 else 0 end) as empty_cnt
where f.platform in ('ios','android','web')
group by
     f.keyword
    ,f.intent
having count(*) >= ${min_search}
distribute by f.intent
sort by f.intent, f.keyword
;
