-- friend_recommend_candidates.sql
-- "people you may know": offline candidates for the recommend service
-- maintainer : relation-graph group
-- step 1 builds the undirected edge list, step 2 scores the candidates
-- 2022-05-11 mutual friends only
-- 2022-11-29 + phone book matches
-- 2023-08-08 + shared interests; blocks in both directions
set spark.sql.shuffle.partitions=400;

-- step 1: one row per direction -----------------------------------
create table tmp_sns.tmp_user_edge as
select
    f.user_id as src_id,
    f.friend_id as dst_id
from dwd_sns.dwd_friend_df f
where f.dt = '${hiveconf:day}'
  and f.relation_status = 1
  and f.user_id <> f.friend_id
union
select
    f.friend_id as src_id,
    f.user_id as dst_id
from dwd_sns.dwd_friend_df f
where f.dt = '${hiveconf:day}'
  and f.relation_status = 1
  and f.user_id <> f.friend_id
;

-- step 2: candidates ----------------------------------------------
insert overwrite table ads_sns.ads_friend_recommend_1d partition (dt = '${hiveconf:day}')
select
    r.user_id,
    r.cand_id,
    r.mutual_cnt,
    r.interest_list,
    r.reason,
    r.score,
    r.rn as show_order
from (
    select
        k.user_id,
        k.cand_id,
        k.mutual_cnt,
        k.interest_list,
        case
            when k.from_book = 1 then 'CONTACT'
            when k.mutual_cnt >= 2 then 'MUTUAL'
            when k.interest_cnt > 0 then 'INTEREST'
            else 'OTHER'
        end as reason,
        k.score,
        row_number() over (
            partition by k.user_id
            order by k.score desc, k.cand_id
        ) as rn
    from (
        select
            c.user_id,
            c.cand_id,
            c.mutual_cnt,
            c.from_book,
            coalesce(i.interest_cnt, 0) as interest_cnt,
            coalesce(i.interest_list, '') as interest_list,
            -- contact 30, mutual friend 10 up to 50, interest 3, same city 5
            c.from_book * 30
                + least(c.mutual_cnt * 10, 50)
                + coalesce(i.interest_cnt, 0) * 3
                + if(nvl(u.city_id, 0) = nvl(v.city_id, -1), 5, 0) as score
        from (
            select
                s.user_id,
                s.cand_id,
                sum(s.mutual) as mutual_cnt,
                max(s.from_book) as from_book
            from (
                -- friend of a friend
                select
                    a.src_id as user_id,
                    b.dst_id as cand_id,
                    count(1) as mutual,
                    0 as from_book
                from tmp_sns.tmp_user_edge a
                join tmp_sns.tmp_user_edge b
                    on a.dst_id = b.src_id
                where a.src_id <> b.dst_id
                group by
                    a.src_id,
                    b.dst_id
                union all
                -- numbers in the phone book that belong to a user
                select
                    p.user_id,
                    q.user_id as cand_id,
                    0 as mutual,
                    1 as from_book
                from (
                    select
                        t.user_id,
                        lower(trim(n.phone_md5)) as phone_md5
                    from dwd_sns.dwd_phone_book_df t
                    lateral view explode(t.phone_list) n as phone_md5
                    where t.dt = '${hiveconf:day}'
                      and t.is_authorized = true
                ) p
                join dim_sns.dim_user_df q
                    on p.phone_md5 = q.phone_md5
                    and q.dt = '${hiveconf:day}'
                where p.user_id != q.user_id
            ) s
            group by
                s.user_id,
                s.cand_id
        ) c
        -- friends already
        left anti join tmp_sns.tmp_user_edge e
            on c.user_id = e.src_id
            and c.cand_id = e.dst_id
        -- blocked by either side
        left anti join (
            select user_id, block_id
            from dwd_sns.dwd_block_df
            where dt = '${hiveconf:day}'
              and cancel_time is null
            union
            select block_id, user_id
            from dwd_sns.dwd_block_df
            where dt = '${hiveconf:day}'
              and cancel_time is null
        ) x
            on c.user_id = x.user_id
            and c.cand_id = x.block_id
        join dim_sns.dim_user_df u
            on c.user_id = u.user_id
            and u.dt = '${hiveconf:day}'
        join dim_sns.dim_user_df v
            on c.cand_id = v.user_id
            and v.dt = '${hiveconf:day}'
            and v.allow_recommend = true
            and datediff('${hiveconf:day}', cast(v.last_active_date as date)) <= 30
        left outer join (
            select
                g.user_id,
                h.user_id as cand_id,
                count(distinct g.interest) as interest_cnt,
                concat_ws(',', sort_array(collect_set(g.interest))) as interest_list
            from dws_sns.dws_user_interest_1d g
            join dws_sns.dws_user_interest_1d h
                on g.interest = h.interest
                and g.dt = h.dt
            where g.dt = '${hiveconf:day}'
              and cast(g.weight as double) >= 0.1
              and cast(h.weight as double) >= 0.1
              and g.interest not in ('news', 'hot')
            group by
                g.user_id,
                h.user_id
        ) i
            on c.user_id = i.user_id
            and c.cand_id = i.cand_id
        where coalesce(v.nick_name, '') not like 'deleted%'
    ) k
    where k.score >= ${min_score}
) r
where r.rn <= 50
;
