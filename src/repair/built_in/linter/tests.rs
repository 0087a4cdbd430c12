use super::*;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;

const TABLES: &str = "create table a (k bigint, v string, n int) partitioned by (dt string);
create table b (k bigint, v string, n int) partitioned by (dt string);";

fn mended(text: &str) -> Option<(&'static str, String)> {
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, &Schema::read(TABLES).unwrap());
    assert!(scopes.problems().is_empty() && script.is_valid(), "{text}");
    let finding = findings(&AnalysedText { script, scopes, rejection: None }).into_iter().next()?;
    let candidate = RepairCandidate { edits: finding.edits, cost: 0.0 };
    Some((finding.rule, candidate.apply(text).unwrap()))
}

#[test]
fn each_known_fault_is_mended_by_its_rule() {
    let cases = [
        ("select k from a where v = null", "compared with NULL", "select k from a where v is null"),
        (
            "SELECT a.k FROM a LEFT JOIN b ON a.k = b.k WHERE a.n > 1 AND b.n > 2",
            "optional side filtered in WHERE",
            "SELECT a.k FROM a LEFT JOIN b ON a.k = b.k AND b.n > 2 WHERE a.n > 1",
        ),
        (
            "select a.k from a left join b on a.k = b.k where b.n > 2",
            "optional side filtered in WHERE",
            "select a.k from a left join b on a.k = b.k and b.n > 2",
        ),
        ("select a.k from a join b on a.k = a.k", "compared with itself", "select a.k from a join b on a.k = b.k"),
        (
            "select a.k from a join b where a.n = 1",
            "join without a condition",
            "select a.k from a join b ON a.k = b.k where a.n = 1",
        ),
        (
            "select k from (select k, rank() over (partition by v order by n) as rn from a) t where rn = 1",
            "ties kept",
            "select k from (select k, row_number() over (partition by v order by n) as rn from a) t where rn = 1",
        ),
        ("select k from a union select k from b", "UNION without ALL", "select k from a union all select k from b"),
        (
            "select k from a where dt = 'x' union all select k from b where dt = 'x' union all select k from a where n = 1",
            "partition not filtered",
            "select k from a where dt = 'x' union all select k from b where dt = 'x' union all select k from a where n = 1 AND dt = 'x'",
        ),
        (
            "select k from a where n not in (select n from b where v = 'x')",
            "NOT IN with NULL in the list",
            "select k from a where n not in (select n from b where v = 'x' AND n IS NOT NULL)",
        ),
        (
            "select k, sum(n) / count(*) as x, sum(n) div 2 as y from a group by k",
            "fraction dropped",
            "select k, sum(n) / count(*) as x, sum(n) / 2 as y from a group by k",
        ),
        (
            "select k, max(n) as m from a group by k, n",
            "aggregated column grouped",
            "select k, max(n) as m from a group by k",
        ),
        (
            "select k, sum(case when v = 'x' then n end) as x from a group by k, n",
            "aggregated column grouped",
            "select k, sum(case when v = 'x' then n end) as x from a group by k",
        ),
        (
            "select k, nvl(max(v), '-') as p, nvl(max(dt), '-') as q, max(concat(v, dt)) as r, max(v) as s from a group by k",
            "default missing",
            "select k, nvl(max(v), '-') as p, nvl(max(dt), '-') as q, max(concat(v, dt)) as r, nvl(max(v), '-') as s from a group by k",
        ),
        (
            "SELECT a.k, CASE WHEN b.k IS NULL THEN 'new' ELSE 'old' END AS s FROM a INNER JOIN b ON a.k = b.k",
            "missing partner of an inner join",
            "SELECT a.k, CASE WHEN b.k IS NULL THEN 'new' ELSE 'old' END AS s FROM a LEFT JOIN b ON a.k = b.k",
        ),
        (
            "select k, count(*) as x, count(v) as y from a group by k",
            "column counted",
            "select k, count(*) as x, count(*) as y from a group by k",
        ),
        (
            "select date_format(dt, 'yyyy-mm-dd') as day from a where n > 1",
            "minutes for months",
            "select date_format(dt, 'yyyy-MM-dd') as day from a where n > 1",
        ),
        (
            "select a.k, b.n, a.v from a join b on a.k = b.k",
            "column of another relation",
            "select a.k, a.n, a.v from a join b on a.k = b.k",
        ),
        (
            "select b.k, a.n from a left join b on a.k = b.k",
            "key from the optional side",
            "select a.k, a.n from a left join b on a.k = b.k",
        ),
        (
            "select k, sum(n) as n from a group by k with rollup",
            "totals among rows",
            "select k, sum(n) as n from a group by k",
        ),
    ];
    for (text, rule, wanted) in cases {
        assert_eq!(mended(text), Some((rule, wanted.to_owned())), "{text}");
    }
}

#[test]
fn sound_scripts_are_left_alone() {
    let cases = [
        "select k from a where v is null",
        "select a.k from a left join b on a.k = b.k where b.k is null",
        "select a.k from a left join b on a.k = b.k where coalesce(b.n, 0) > 2",
        "select a.k from a cross join b",
        "select k from a union all select k from b",
        "select k, sum(n) div 60 as x, sum(n) div 3600 as y from a group by k",
        "select a.k, b.k as other from a join b on a.k = b.k",
        "select k, nvl(sum(n), 0) as p, sum(n) as q, max(n) as r from a group by k",
        "select a.k, b.n, b.k as other from a join b on a.k = b.k",
        "select date_format(dt, 'yyyy-MM-dd HH:mm') as moment from a",
        "select k, sum(case when n > 1 then 1 else 0 end) as x from a group by k, n",
        "select k, grouping(k) as is_total, sum(n) as n from a group by k with rollup",
    ];
    for text in cases {
        assert_eq!(mended(text), None, "{text}");
    }
}

#[test]
fn a_copy_changed_everywhere_but_once_is_made_even() {
    let text = "select sum(case when v = 'x' and n > 1 and v <> 'x' and v like 'x' then n end) as p, \
                sum(case when v = 'y' and n > 1 and v <> 'x' and v like 'y' then n end) as q from a";
    let (rule, mended) = mended(text).unwrap();
    assert_eq!(rule, "copied and changed but once");
    assert!(mended.contains("v = 'y' and n > 1 and v <> 'y' and v like 'y'"), "{mended}");
}
