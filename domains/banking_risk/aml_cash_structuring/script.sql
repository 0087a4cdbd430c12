--------------------------------------------------------------------
-- 反洗钱：现金拆分交易预警 (cash structuring alerts)
-- author : compliance-data / zhou.q
-- 说明    : 近7日内多笔低于报告限额的现金存款
-- targets: aml_ads.ads_structuring_alert_di   (to the case tool)
--          aml_ads.ads_alert_suppressed_di    (exempted, audit only)
--------------------------------------------------------------------
set hive.exec.parallel=true;

FROM (
    select  agg.customer_id
            ,cu.risk_grade
            ,cu.cust_type
            ,agg.cash_cnt
            ,agg.cash_amount
            ,agg.branch_cnt
            ,agg.branches
            ,agg.last_txn_time
            ,nvl(rel.party_cnt,0) as party_cnt
            ,wl.list_types
            ,ex.exempt_type
            ,case when agg.branch_cnt >= 3 then 3
                   when agg.branch_cnt = 2 then 2
                   else 1
              end
              + case when cu.is_pep = true then 3 else 0 end
              + case when wl.customer_id is not null then 2 else 0 end
              + if(agg.near_limit_cnt >= 2, 2, 0) as score
    from    (
                -- 按客户汇总
                select  t.customer_id
                        ,count(*) as cash_cnt
                        ,sum(t.amount) as cash_amount
                        ,count(distinct t.branch_code) as branch_cnt
                        ,concat_ws(',', sort_array(collect_set(t.branch_code))) as branches
                        ,sum(case when t.amount between 8000 and 9999.99 then 1 else 0 end) as near_limit_cnt
                        ,max(t.txn_time) as last_txn_time
                from    (
                            select  c.txn_id
                                    ,c.customer_id
                                    ,c.branch_code
                                    ,c.amount
                                    ,c.txn_time
                            from    aml_dwd.dwd_cash_txn_di c
                            where   c.dt between date_sub('${hiveconf:dt}', 6) and '${hiveconf:dt}'
                            and     c.txn_type in ('CASH_DEP','ATM_DEP')
                            and     c.amount < 10000
                            and     nvl(c.memo,'') not like '%冲正%'
                            -- a deposit that was reversed later is no deposit
                            and     not exists (
                                        select  1
                                        from    aml_dwd.dwd_cash_txn_di r
                                        where   r.orig_txn_id = c.txn_id
                                        and     r.txn_type = 'REVERSAL'
                                    and     r.dt <= '${hiveconf:dt}'
                                    )
                        ) t
                group by t.customer_id
                having  count(*) >= 2
            ) agg
    join    (
                select  customer_id
                        ,cust_type
                        ,risk_grade
                        ,is_pep
                from    aml_dim.dim_customer_df
                where   dt = '${hiveconf:dt}'
                and     cust_status != 'CLOSED'
                and     occupation_code not in ('ARMORED_CAR','VENDING')
            ) cu
    on      agg.customer_id = cu.customer_id
    left join (
                -- 关联方：转账对手 + 联名账户
                select  p.customer_id
                        ,count(distinct p.party_id) as party_cnt
                from    (
                            select  a.customer_id
                                    ,a.counterparty_id as party_id
                            from    aml_dwd.dwd_transfer_di a
                            where   a.dt between date_sub('${hiveconf:dt}', 6) and '${hiveconf:dt}'
                            and     a.counterparty_id is not null
                            union
                            select  o.customer_id
                                    ,trim(j.owner_id) as party_id
                            from    aml_dim.dim_account_df o
                            lateral view explode(split(o.joint_owner_ids, ',')) j as owner_id
                            where   o.dt = '${hiveconf:dt}'
                            and     o.account_status = 'OPEN'
                        ) p
                where   p.party_id <> p.customer_id
                group by p.customer_id
            ) rel
    on      agg.customer_id = rel.customer_id
    left outer join (
                select  w.customer_id
                        ,concat_ws(',', sort_array(collect_set(lower(w.list_type)))) as list_types
                from    (
                            select  customer_id
                                    ,list_type
                            from    aml_ods.ods_watchlist_df
                            where   dt = '${hiveconf:dt}'
                            and     (expire_date is null or expire_date > '${hiveconf:dt}')
                            union all
                            select  customer_id
                                    ,'SAR' as list_type
                            from    aml_ods.ods_suspicion_report_df
                            where   dt = '${hiveconf:dt}'
                            and     report_status = 'FILED'
                        ) w
                group by w.customer_id
            ) wl
    on      agg.customer_id = wl.customer_id
    left join (
                -- newest exemption wins
                select  customer_id
                        ,exempt_type
                from    (
                            select  customer_id
                                    ,get_json_object(detail_json, '$.type') as exempt_type
                                    ,row_number() over (partition by customer_id order by approve_date desc, exempt_id desc) as rn
                            from    aml_ods.ods_exemption_df
                            where   dt = '${hiveconf:dt}'
                            and     to_date(valid_until) >= '${hiveconf:dt}'
                        ) e
                where   e.rn = 1
            ) ex
    on      agg.customer_id = ex.customer_id
) s

INSERT OVERWRITE TABLE aml_ads.ads_structuring_alert_di PARTITION (dt='${hiveconf:dt}')
select  concat('CS-', s.customer_id) as alert_id
        ,s.customer_id
        ,s.risk_grade
        ,s.cash_cnt
        ,s.cash_amount
        ,s.branches
        ,s.party_cnt
        ,coalesce(s.list_types,'none') as list_types
        ,s.score
        ,case when s.score >= 6 or s.risk_grade = 'HIGH' then 'P1'
               when s.score >= 4 then 'P2'
               else 'P3'
          end as priority
where   s.exempt_type is null
and     s.score >= 2

INSERT OVERWRITE TABLE aml_ads.ads_alert_suppressed_di PARTITION (dt='${hiveconf:dt}')
select  s.customer_id
        ,s.exempt_type
        ,s.cash_cnt
        ,s.cash_amount
        ,s.score
        ,substr(s.last_txn_time, 1, 10) as last_txn_date
where   s.exempt_type is not null
;
