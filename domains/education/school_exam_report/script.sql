/*
  ads_exam.ads_school_exam_report
  mock exam result per school and subject
  author : assessment office, m.lindqvist
*/
set hive.exec.dynamic.partition.mode=nonstrict;

insert overwrite table ads_exam.ads_school_exam_report partition (dt = '${hiveconf:dt}', subject)
select
    rpt.district_code
  , rpt.school_id
  , rpt.taker_cnt
  , rpt.avg_score
  , rpt.pass_pct
  , rpt.top_score
  , if(rpt.school_id = 'ALL', 0, rpt.school_rank) as school_rank
  , round(rpt.avg_score - last_exam.avg_score, 2) as score_change
  , nvl(weak.weak_questions, '') as weak_questions
  , rpt.subject
from (
    select
        g.*
      , rank() over (
            partition by g.subject, g.district_code, g.is_district
            order by g.avg_score desc, g.school_id
        ) as school_rank
    from (
        select
            p.subject
          , p.district_code
          , if(grouping(p.school_id) = 1, 'ALL', p.school_id) as school_id
          , grouping(p.school_id) as is_district
          , count(1) as taker_cnt
          , round(avg(p.total_score), 2) as avg_score
          , max(p.total_score) as top_score
          , round(100.0 * sum(case when p.total_score >= p.pass_score then 1 else 0 end) / count(1), 1) as pass_pct
        from (
            select
                sheet.candidate_id
              , cand.school_id
              , cand.district_code
              , paper.subject
              , paper.pass_score
              , case
                    when mis.candidate_id is not null then 0    -- caught cheating
                    else nvl(choice.choice_score, 0) + nvl(essay.essay_score, 0)
                end as total_score
            from (
                -- rescans replace the first scan
                select
                    s.candidate_id
                  , s.paper_id
                  , row_number() over (
                        partition by s.candidate_id, s.paper_id
                        order by s.scan_time desc, s.sheet_id desc
                    ) as rn
                from ods_exam.ods_answer_sheet_di s
                where s.dt = '${hiveconf:dt}'
                  and s.sheet_state in ('OK', 'RESCANNED')
            ) sheet
            inner join (
                select candidate_id, school_id, nvl(district_code, 'NONE') as district_code
                from dim_exam.dim_candidate_df
                where dt = '${hiveconf:dt}'
                  and is_guest = false
            ) cand
                on sheet.candidate_id = cand.candidate_id
            inner join dim_exam.dim_paper_df paper
                on sheet.paper_id = paper.paper_id
                and paper.dt = '${hiveconf:dt}'
            -- multiple choice: 2 points each
            left join (
                select
                    a.candidate_id
                  , a.paper_id
                  , sum(case when upper(trim(q.answer)) = k.answer_key[q.pos] then 2 else 0 end) as choice_score
                from ods_exam.ods_answer_sheet_di a
                inner join dim_exam.dim_paper_df k
                    on a.paper_id = k.paper_id
                    and k.dt = '${hiveconf:dt}'
                lateral view posexplode(split(a.choices, ',')) q as pos, answer
                where a.dt = '${hiveconf:dt}'
                  and a.is_latest = true
                group by a.candidate_id, a.paper_id
            ) choice
                on sheet.candidate_id = choice.candidate_id
                and sheet.paper_id = choice.paper_id
            -- essays
            left join (
                select
                    m.candidate_id
                  , m.paper_id
                  , sum(coalesce(m.third_mark, round((m.first_mark + m.second_mark) / 2, 1))) as essay_score
                from (
                    select
                        candidate_id
                      , paper_id
                      , question_no
                      , max(case when reader_role = 'FIRST' then mark end) as first_mark
                      , max(case when reader_role = 'SECOND' then mark end) as second_mark
                      , max(case when reader_role = 'THIRD' then mark end) as third_mark
                    from dwd_exam.dwd_essay_mark_di
                    where dt = '${hiveconf:dt}'
                    group by candidate_id, paper_id, question_no
                ) m
                group by m.candidate_id, m.paper_id
            ) essay
                on sheet.candidate_id = essay.candidate_id
                and sheet.paper_id = essay.paper_id
            left join (
                select distinct candidate_id
                from dwd_exam.dwd_misconduct_df
                where dt = '${hiveconf:dt}'
                  and verdict = 'CONFIRMED'
            ) mis
                on sheet.candidate_id = mis.candidate_id
            where sheet.rn = 1
        ) p
        group by p.subject, p.district_code, p.school_id
        grouping sets ((p.subject, p.district_code, p.school_id), (p.subject, p.district_code))
    ) g
) rpt
left join ads_exam.ads_school_exam_history_df last_exam
    on rpt.subject = last_exam.subject
    and rpt.district_code = last_exam.district_code
    and rpt.school_id = last_exam.school_id
    and last_exam.exam_no = ${hiveconf:exam_no} - 1
-- missed by at least a third
left join (
    select
        w.subject
      , concat_ws(',', sort_array(collect_set(w.question))) as weak_questions
    from (
        select
            k.subject
          , lpad(cast(q.pos + 1 as string), 2, '0') as question
        from ods_exam.ods_answer_sheet_di a
        inner join dim_exam.dim_paper_df k
            on a.paper_id = k.paper_id
            and k.dt = '${hiveconf:dt}'
        lateral view posexplode(split(a.choices, ',')) q as pos, answer
        where a.dt = '${hiveconf:dt}'
          and a.is_latest = true
        group by k.subject, q.pos
        having sum(if(upper(trim(q.answer)) <> k.answer_key[q.pos], 1, 0)) * 3 >= count(*)
    ) w
    group by w.subject
) weak
    on rpt.subject = weak.subject;
