/**
 * basket affinity report (category level)
 *
 * Which categories are bought together more often than chance?
 * Exported to the space planning tool.
 * author: category management bi, r.haddad
 * 2023-12-05 members and walk-in customers separated
 */
with line as (
    select
        x.receipt_id,
        x.store_id,
        x.member_id,
        x.sku_id
    from (
        select
            receipt_id,
            store_id,
            member_id,
            sku_id,
            is_void,
            row_number() over (
                partition by receipt_id, line_no
                order by upload_time desc, upload_id desc
            ) as rn
        from rtl_dwd.dwd_receipt_line_di
        where dt between date_sub('${bizdate}', 6) and '${bizdate}'
    ) x
    where x.rn = 1
        and (x.is_void = false or x.is_void is null)
),

-- bags, deposits and gift cards are no shopping decision
goods as (
    select
        s.sku_id,
        c.category_id
    from rtl_dim.dim_sku_df s
    join rtl_dim.dim_category_df c
        on s.category_id = c.category_id
        and s.dt = c.dt
    where s.dt = '${bizdate}'
        and s.item_type not in ('BAG', 'DEPOSIT', 'GIFT_CARD')
),

item as (
    select
        l.receipt_id,
        g.category_id,
        max(coalesce(st.region_code, 'UNKNOWN')) as region_code,
        max(case when l.member_id is not null then 1 else 0 end) as is_member
    from line l
    join goods g
        on l.sku_id = g.sku_id
    left join rtl_dim.dim_store_df st
        on l.store_id = st.store_id
        and st.dt = '${bizdate}'
    group by l.receipt_id, g.category_id
),

-- only these receipts can hold a pair
basket as (
    select i.*
    from item i
    left semi join (
        select receipt_id
        from item
        group by receipt_id
        having count(*) >= 2
    ) m
        on i.receipt_id = m.receipt_id
),

pair as (
    select
        a.region_code,
        a.category_id as category_a,
        b.category_id as category_b,
        a.receipt_id,
        a.is_member
    from basket a
    join basket b
        on a.receipt_id = b.receipt_id
        and a.category_id < b.category_id
),

-- per region and for the whole chain
pair_agg as (
    select
        p.region_code,
        p.category_a,
        p.category_b,
        count(distinct p.receipt_id) as pair_cnt,
        sum(p.is_member) as member_cnt
    from pair p
    group by p.region_code, p.category_a, p.category_b
    grouping sets (
        (p.region_code, p.category_a, p.category_b),
        (p.category_a, p.category_b)
    )
),

base as (
    select
        region_code,
        category_id,
        count(distinct receipt_id) as receipt_cnt
    from item
    group by region_code, category_id
    union all
    select
        'ALL' as region_code,
        category_id,
        count(distinct receipt_id) as receipt_cnt
    from item
    group by category_id
),

total as (
    select region_code, count(distinct receipt_id) as receipt_cnt
    from item
    group by region_code
    union all
    select 'ALL' as region_code, count(distinct receipt_id) as receipt_cnt
    from item
),

-- categories already promoted
promoted as (
    select
        q.category_id,
        concat_ws(',', sort_array(collect_set(q.promo_id))) as promo_ids
    from (
        select pr.promo_id, trim(e.cate) as category_id
        from rtl_ods.ods_promo_df pr
        lateral view explode(split(pr.category_ids, ',')) e as cate
        where pr.dt = '${bizdate}'
            and pr.end_date >= '${bizdate}'
        union
        select bd.bundle_id as promo_id, f.cate as category_id
        from rtl_ods.ods_bundle_df bd
        lateral view explode(bd.category_list) f as cate
        where bd.dt = '${bizdate}'
            and bd.bundle_status = 'ON'
    ) q
    group by q.category_id
)

select
    coalesce(pa.region_code, 'ALL') as region_code,
    pa.category_a,
    pa.category_b,
    pa.pair_cnt,
    round(pa.member_cnt / pa.pair_cnt, 4) as member_share,
    round(pa.pair_cnt / t.receipt_cnt, 4) as support,
    round(pa.pair_cnt / ba.receipt_cnt, 4) as confidence,
    round(pa.pair_cnt * t.receipt_cnt / (ba.receipt_cnt * bb.receipt_cnt), 4) as lift,
    case
        when pm.promo_ids is not null then 'PROMOTED'
        when pa.pair_cnt * t.receipt_cnt > ba.receipt_cnt * bb.receipt_cnt then 'ATTRACT'
        else 'NEUTRAL'
    end as pair_type,
    nvl(pm.promo_ids, '') as promo_ids
from pair_agg pa
join total t
    on coalesce(pa.region_code, 'ALL') = t.region_code
join base ba
    on coalesce(pa.region_code, 'ALL') = ba.region_code
    and pa.category_a = ba.category_id
join base bb
    on coalesce(pa.region_code, 'ALL') = bb.region_code
    and pa.category_b = bb.category_id
left outer join promoted pm
    on pa.category_a = pm.category_id
where pa.pair_cnt >= 1
order by lift desc, pa.pair_cnt desc, region_code, pa.category_a, pa.category_b
limit ${top_n};
