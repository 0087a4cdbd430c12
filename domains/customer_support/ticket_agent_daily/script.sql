/*
 * ads_agent_ticket_di / ads_reopen_ticket_di
 * owner   : service-bi, m.okafor
 * purpose : workload per agent for the team leads, and the list of
 *           reopened tickets for the quality desk, from one scan
 * 2023-05-08 first version
 * 2023-09-12 chat added to e-mail
 */
set hive.exec.parallel=true;

from (
    select tk.ticket_id
         , tk.agent_id
         , ag.team_code
         , tk.customer_id
         , tk.priority
         , tk.ticket_status
         , cast(tk.close_time as date) as close_date
         , coalesce(ms.msg_cnt, 0) as msg_cnt
         , coalesce(ms.minutes, 0) as minutes
         , coalesce(rf.refund_amount, 0) as refund_amount
         , tg.labels
         , sv.score
         , case when tk.priority = 'P1' and coalesce(ms.minutes, 0) > 60 then 1
                when tk.priority = 'P2' and coalesce(ms.minutes, 0) > 240 then 1
                else 0
           end as is_late
         , tk.reopen_cnt
    from (
            -- newest version of each ticket
            select x.*
            from (
                    select ticket_id
                         , agent_id
                         , customer_id
                         , upper(trim(priority)) as priority
                         , ticket_status
                         , close_time
                         , reopen_cnt
                         , row_number() over (partition by ticket_id order by update_time desc, version_no desc) as rn
                    from cs_dwd.dwd_ticket_di
                    where dt between date_sub('${dt}', 6) and '${dt}'
                      -- spam flag is empty for most tickets
                      and not coalesce(is_spam, false)
                 ) x
            where x.rn = 1
         ) tk
    join (
            select agent_id
                 , team_code
            from cs_dim.dim_agent_df
            where dt = '${dt}'
              and agent_status <> 'LEFT'
         ) ag
      on tk.agent_id = ag.agent_id
    left outer join (
            -- work of both channels; equal rows are separate pieces of work
            select w.ticket_id
                 , count(*) as msg_cnt
                 , coalesce(sum(w.handle_minutes), 0) as minutes
            from (
                    select m.ticket_id
                         , m.handle_minutes
                    from cs_ods.ods_email_message_di m
                    where m.dt between date_sub('${dt}', 6) and '${dt}'
                      and m.direction = 'OUT'
                    union all
                    select c.ticket_id
                         , c.handle_minutes
                    from cs_ods.ods_chat_message_di c
                    where c.dt between date_sub('${dt}', 6) and '${dt}'
                      and c.direction = 'OUT'
                 ) w
            group by w.ticket_id
         ) ms
      on tk.ticket_id = ms.ticket_id
    left join (
            select ticket_id
                 , sum(amount) as refund_amount
            from cs_ods.ods_goodwill_refund_di
            where dt between date_sub('${dt}', 6) and '${dt}'
              and refund_status in ('APPROVED', 'PAID')
            group by ticket_id
         ) rf
      on tk.ticket_id = rf.ticket_id
    left join (
            -- labels set by agents and by the classifier, each once
            select l.ticket_id
                 , concat_ws(',', sort_array(collect_set(l.label))) as labels
            from (
                    select a.ticket_id
                         , lower(trim(e.label)) as label
                    from cs_dwd.dwd_ticket_label_di a
                    lateral view explode(split(a.manual_labels, ',')) e as label
                    where a.dt = '${dt}'
                    union
                    select b.ticket_id
                         , lower(k.label) as label
                    from cs_dwd.dwd_ticket_label_di b
                    lateral view explode(b.model_labels) k as label, confidence
                    where b.dt = '${dt}'
                      and k.confidence is not null
                 ) l
            group by l.ticket_id
         ) tg
      on tk.ticket_id = tg.ticket_id
    left join (
            select ticket_id
                 , max(score) as score
            from cs_ods.ods_survey_di
            where dt between date_sub('${dt}', 6) and '${dt}'
            group by ticket_id
         ) sv
      on tk.ticket_id = sv.ticket_id
) s

insert overwrite table cs_ads.ads_agent_ticket_di partition (dt = '${dt}')
select s.agent_id
     , s.team_code
     , count(*) as ticket_cnt
     , count(distinct s.customer_id) as customer_cnt
     , sum(case when s.ticket_status = 'CLOSED' then 1 else 0 end) as closed_cnt
     , sum(s.is_late) as late_cnt
     , sum(s.msg_cnt) as msg_cnt
     , sum(s.minutes) as minutes
     , sum(s.refund_amount) as refund_amount
       -- no answer counts as zero in the score of the agent
     , round(avg(coalesce(s.score, 0)), 2) as avg_score
     , max(s.close_date) as last_close_date
where s.agent_id is not null
group by s.agent_id
       , s.team_code

insert overwrite table cs_ads.ads_reopen_ticket_di partition (dt = '${dt}')
select s.ticket_id
     , s.agent_id
     , s.customer_id
     , s.priority
     , coalesce(s.labels, 'none') as labels
     , s.reopen_cnt
     , s.refund_amount
     , if(s.score is null, 'UNRATED', if(s.score <= 2, 'UNHAPPY', 'FINE')) as mood
where s.reopen_cnt > 0
;
