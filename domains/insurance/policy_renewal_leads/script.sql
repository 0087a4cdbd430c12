-- job:     renewal_lead_list
-- owner:   p.moreau, retention team
-- purpose: policies that expire within 30 days, ranked for the agents' call list
-- 2022-10-04 created
-- 2023-06-19 dropped riders are shown to the agent

insert overwrite table pol_ads.ads_renewal_lead_di partition (dt = '${dt}')
select
    lead_base.branch_code,
    lead_base.agent_id,
    lead_base.policy_no,
    lead_base.holder_id,
    lead_base.days_left,
    lead_base.premium,
    lead_base.quote_premium,
    round((lead_base.quote_premium - lead_base.premium) / nullif(lead_base.premium, 0), 4) as premium_change,
    lead_base.claim_cnt,
    lead_base.riders,
    lead_base.last_result,
    lead_base.lead_class,
    row_number() over (
        partition by lead_base.agent_id
        order by lead_base.lead_class, lead_base.premium desc, lead_base.policy_no
    ) as call_order
from (
    select
        pol.branch_code,
        pol.agent_id,
        pol.policy_no,
        pol.holder_id,
        pol.premium,
        datediff(pol.expire_date, '${dt}') as days_left,
        quote.quote_premium,
        coalesce(claim.claim_cnt, 0) as claim_cnt,
        coalesce(rider.riders, 'none') as riders,
        coalesce(touch.call_result, 'NEVER_CALLED') as last_result,
        case
            -- nothing to sell to heavy loss makers
            when coalesce(claim.paid_amount, 0) > pol.premium * 3 then 'D_UNDERWRITING'
            when pol.auto_renew = true and touch.call_result is null then 'C_AUTO'
            when datediff(pol.expire_date, '${dt}') <= 7 then 'A_URGENT'
            when quote.quote_premium > pol.premium * 1.2 then 'A_PRICE_SHOCK'
            else 'B_STANDARD'
        end as lead_class
    from (
        select
            p.policy_no,
            p.holder_id,
            p.product_code,
            p.premium,
            p.expire_date,
            p.auto_renew,
            p.agent.agent_id as agent_id,
            p.agent.branch_code as branch_code
        from pol_dwd.dwd_policy_df p
        left semi join pol_dim.dim_product_df prd
            on p.product_code = prd.product_code
            and prd.dt = '${dt}'
            and prd.is_renewable = true
        where p.dt = '${dt}'
            and p.policy_status = 'IN_FORCE'
            and p.expire_date between '${dt}' and date_add('${dt}', 30)
    ) pol

    -- holders who may be called: the consent map must not say no
    inner join (
        select
            h.holder_id,
            h.consents['phone'] as phone_consent
        from pol_dim.dim_holder_df h
        where h.dt = '${dt}'
            and h.mobile is not null
            and length(trim(h.mobile)) > 0
            and coalesce(h.consents['phone'], 'Y') != 'N'
    ) holder
        on pol.holder_id = holder.holder_id

    -- last valid quote
    left join (
        select
            q.policy_no,
            q.quote_premium
        from (
            select
                src.policy_no,
                cast(js.premium as decimal(18,2)) as quote_premium,
                js.quote_state,
                row_number() over (
                    partition by src.policy_no
                    order by src.quote_time desc, src.quote_id desc
                ) as rn
            from pol_ods.ods_renewal_quote_di src
            lateral view json_tuple(src.quote_json, 'premium', 'state') js as premium, quote_state
            where src.dt > date_sub('${dt}', 30)
                and src.dt <= '${dt}'
        ) q
        where q.rn = 1
            and (q.quote_state <> 'REJECTED' or q.quote_state is null)
    ) quote
        on pol.policy_no = quote.policy_no

    -- losses of this insurance year
    left join (
        select
            c.policy_no,
            count(*) as claim_cnt,
            sum(coalesce(c.paid_amount, 0)) as paid_amount
        from (
            select policy_no, paid_amount
            from pol_dwd.dwd_claim_df
            where dt = '${dt}'
                and claim_status in ('PAID', 'PARTLY_PAID')
            union all
            -- assistance cases: towing, rental car
            select policy_no, invoice_amount as paid_amount
            from pol_dwd.dwd_assistance_case_df
            where dt = '${dt}'
                and case_status = 'INVOICED'
        ) c
        group by c.policy_no
    ) claim
        on pol.policy_no = claim.policy_no

    -- riders of the policy, a star marks those being dropped
    left join (
        select
            r.policy_no,
            concat_ws(',', sort_array(collect_set(
                if(d.rider_code is null, r.rider_code, concat(r.rider_code, '*'))
            ))) as riders
        from (
            select
                b.policy_no,
                trim(e.rider_code) as rider_code
            from pol_dwd.dwd_policy_df b
            lateral view outer explode(split(b.rider_codes, ',')) e as rider_code
            where b.dt = '${dt}'
        ) r
        left join pol_ods.ods_rider_change_df d
            on r.policy_no = d.policy_no
            and r.rider_code = d.rider_code
            and d.dt = '${dt}'
            and d.change_type = 'DROP'
        group by r.policy_no
    ) rider
        on pol.policy_no = rider.policy_no

    -- last call of any agent
    left join (
        select
            t.policy_no,
            upper(t.call_result) as call_result
        from (
            select
                l.policy_no,
                l.call_result,
                rank() over (partition by l.policy_no order by l.call_time desc, l.log_id desc) as rk
            from pol_ods.ods_contact_log_di l
            where l.dt between date_sub('${dt}', 14) and '${dt}'
        ) t
        where t.rk = 1
    ) touch
        on pol.policy_no = touch.policy_no
    where coalesce(touch.call_result, '') not in ('REFUSED', 'RENEWED')
) lead_base
distribute by lead_base.branch_code
sort by lead_base.agent_id, call_order;
