-- =====================================================================
-- ads_fund_nav_perf_di: net asset value and short term performance
-- owner : investment data team (s.varga)
-- change: 2023-05-11 price waterfall (exchange > vendor > manual)
--         2023-09-30 management fee accrues by tier
-- =====================================================================
with fx as (
    select
        currency_code,
        dt as fx_date,
        max(mid_rate) as mid_rate
    from inv_dim.dim_fx_rate_di
    where dt between '${DATE-9}' and '${DATE}'
        and base_currency = 'EUR'
    group by
        currency_code,
        dt
),

-- several sources quote the same security, one price survives
price as (
    select
        p.security_id,
        p.price_date,
        p.close_price
    from (
        select
            security_id,
            dt as price_date,
            close_price,
            row_number() over (
                partition by security_id, dt
                order by
                    case price_source
                        when 'EXCHANGE' then 1
                        when 'VENDOR' then 2
                        else 3
                    end,
                    price_time desc,
                    price_id
            ) as rn
        from inv_ods.ods_security_price_di
        where dt between '${DATE-9}' and '${DATE}'
            and close_price > 0
    ) p
    where p.rn = 1
),

position_value as (
    select /*+ MAPJOIN(f) */
        h.fund_code,
        h.dt as val_date,
        h.security_id,
        s.sector_tags,
        -- suspended or unpriced papers stay at cost
        case
            when s.is_suspended = true then h.cost_amount
            when p.close_price is null then h.cost_amount
            else h.quantity * p.close_price / coalesce(f.mid_rate,1)
        end as market_value,
        if(p.close_price is null,1,0) as no_price
    from inv_ods.ods_fund_position_di h
    inner join inv_dim.dim_security_df s
        on h.security_id = s.security_id
        and s.dt = '${DATE}'
    left outer join price p
        on h.security_id = p.security_id
        and h.dt = p.price_date
    left join fx f
        on s.currency_code = f.currency_code
        and h.dt = f.fx_date
    where h.dt between '${DATE-9}' and '${DATE}'
        and h.position_type in ('LONG','CASH')
),

nav as (
    select
        d.fund_code,
        d.val_date,
        d.gross_value,
        d.position_cnt,
        d.no_price_cnt,
        coalesce(sh.subs_amount,0) - coalesce(sh.redm_amount,0) as net_flow,
        round(d.gross_value / sh.share_cnt, 6) as nav_per_share
    from (
        select
            fund_code,
            val_date,
            round(sum(market_value),2) as gross_value,
            count(1) as position_cnt,
            sum(no_price) as no_price_cnt
        from position_value
        group by
            fund_code,
            val_date
    ) d
    join inv_dwd.dwd_fund_share_di sh
        on d.fund_code = sh.fund_code
        and d.val_date = sh.dt
    where sh.share_cnt > 0
),

perf as (
    select
        n.*,
        lag(n.nav_per_share) over (partition by n.fund_code order by n.val_date) as prev_nav,
        round(avg(n.nav_per_share) over (
            partition by n.fund_code order by n.val_date
            rows between 4 preceding and current row), 6) as nav_ma5
    from nav n
),

-- the highest fee tier whose lower bound is reached
fee as (
    select
        q.fund_code,
        q.fee_rate
    from (
        select
            fd.fund_code,
            fd.fee_rate,
            row_number() over (partition by fd.fund_code order by fd.tier_no desc) as rn
        from (
            select
                fund_code,
                tier_no,
                tier.lower_amount,
                tier.fee_rate
            from inv_dim.dim_fund_df
            lateral view posexplode(fee_tiers) t as tier_no, tier
            where dt = '${DATE}'
        ) fd
        left join nav g
            on fd.fund_code = g.fund_code
            and g.val_date = '${DATE}'
        where coalesce(g.gross_value,0) >= fd.lower_amount
    ) q
    where q.rn = 1
),

sector as (
    select
        pv.fund_code,
        concat_ws(',', sort_array(collect_set(coalesce(trim(x.tag),'UNTAGGED')))) as sectors
    from position_value pv
    lateral view outer explode(split(pv.sector_tags, ',')) x as tag
    where pv.val_date = '${DATE}'
    group by pv.fund_code
)

insert into table inv_ads.ads_fund_nav_perf_di partition (dt = '${DATE}')
select
    pf.fund_code,
    dm.fund_name,
    pf.gross_value,
    pf.nav_per_share,
    round(pf.nav_per_share / nullif(pf.prev_nav,0) - 1, 6) as day_return,
    pf.nav_ma5,
    pf.net_flow,
    round(pf.gross_value * coalesce(fe.fee_rate,0) / 365, 2) as fee_accrual,
    coalesce(sc.sectors,'n/a') as sectors,
    case
        when pf.no_price_cnt * 1.0 / pf.position_cnt > 0.2 then 'CHECK_PRICES'
        when pf.prev_nav is null then 'NO_HISTORY'
        else 'OK'
    end as quality_flag
from perf pf
left join inv_dim.dim_fund_df dm
    on pf.fund_code = dm.fund_code
    and dm.dt = '${DATE}'
left join fee fe
    on pf.fund_code = fe.fund_code
left join sector sc
    on pf.fund_code = sc.fund_code
where pf.val_date = '${DATE}'
    and (dm.close_date is null or dm.close_date > '${DATE}');
