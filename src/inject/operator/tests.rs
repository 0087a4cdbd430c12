//! Plants the examples of the embedded taxonomy.

use super::{functions, propose};
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::fault::{Example, Fault, Operator, Taxonomy};
use crate::inject::example_problems;
use crate::inject::script_context::ScriptContext;

fn tables(ddl: &str) -> Schema {
    if ddl.is_empty() { Schema::default() } else { Schema::read(ddl).unwrap() }
}

fn plantable(taxonomy: &Taxonomy) -> impl Iterator<Item = &Fault> {
    taxonomy.faults().iter().filter(|fault| fault.operator().is_some())
}

fn faults_that(wrong: impl Fn(&Fault) -> Vec<String>) {
    let taxonomy = Taxonomy::embedded().unwrap();
    let found: Vec<String> = plantable(&taxonomy)
        .flat_map(|fault| {
            let id = fault.id.clone();
            wrong(fault).into_iter().map(move |text| format!("{id}: {text}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn examples_become_their_broken_forms_and_never_examples_have_no_site() {
    faults_that(example_problems);
}

#[test]
fn broken_examples_of_semantic_faults_resolve() {
    faults_that(|fault| {
        let resolves = |example: &Example| {
            let schema = tables(&example.schema);
            Scopes::resolve(&Script::new(example.after.as_str()), &schema).problems().is_empty()
        };
        let semantic = !fault.expect.is_rejection();
        let with_schema = fault.examples.iter().filter(|example| semantic && !example.schema.is_empty());
        with_schema.filter(|example| !resolves(example)).map(|example| example.after.clone()).collect()
    });
}

#[test]
fn every_function_has_a_fault_and_a_name_of_its_own() {
    let taxonomy = Taxonomy::embedded().unwrap();
    let used: Vec<&str> = taxonomy
        .faults()
        .iter()
        .filter_map(|fault| match fault.written_operator() {
            Some(Operator::Function(name)) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut names: Vec<&str> = functions().map(|function| function.name).collect();
    assert!(names.iter().all(|name| used.contains(name)), "{names:?}");
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// Pipes with every kind of step, and pivots, in which faults of other scripts find sites.
const PIPES: [&str; 10] = [
    "FROM t |> WHERE a > 1 AND b IS NOT NULL |> SELECT a, b, c AS d |> WHERE d = 'x' OR a < 9 |> ORDER BY a DESC |> LIMIT 3",
    "FROM t\n|> LEFT JOIN u ON t.a = u.a AND u.e > 2\n|> WHERE t.b <> 3\n|> AGGREGATE sum(u.e) AS s, count(DISTINCT t.c) AS n GROUP BY t.b\n|> WHERE s > 5",
    "FROM t |> JOIN u ON t.a = u.a AND t.b = u.e |> EXTEND coalesce(t.b, 0) / u.e AS r |> SET c = upper(c) |> DROP r",
    "FROM t |> EXTEND row_number() OVER (PARTITION BY a ORDER BY b DESC) AS n |> WHERE n = 1 |> DROP n",
    "FROM t |> AS x |> JOIN (SELECT a, max(e) AS e FROM u GROUP BY a) y ON x.a = y.a |> SELECT x.a, y.e, CAST(x.b AS INT) AS i",
    "FROM t |> SELECT a, b |> UNION ALL SELECT a, e FROM u |> AGGREGATE count(*) AS n GROUP BY a, b",
    "WITH v AS (FROM t |> WHERE a IN (1, 2)), w AS (TABLE u) FROM v |> WHERE a NOT IN (FROM w |> SELECT a) |> SELECT DISTINCT c",
    "INSERT OVERWRITE TABLE o FROM t |> WHERE c LIKE 'x%' AND a BETWEEN 1 AND 3 |> AGGREGATE avg(b) AS b GROUP BY a",
    "SELECT p.a, coalesce(p.x_s, 0) AS x FROM t PIVOT (sum(b) AS s, count(*) AS n FOR c IN ('x' AS x, 'y')) p JOIN u ON u.a = p.a WHERE u.e > 1",
    "FROM t |> WHERE b > 1 |> UNPIVOT (v FOR n IN (a, b AS second)) |> AGGREGATE sum(v) AS s GROUP BY n |> ORDER BY s DESC",
];

#[test]
fn semantic_faults_leave_pipes_and_pivots_readable() {
    let schema = tables(
        "CREATE TABLE t (a INT, b INT, c STRING); CREATE TABLE u (a INT, e INT); CREATE TABLE o (a INT, b DOUBLE);",
    );
    faults_that(|fault| {
        let mut broken = Vec::new();
        for sql in PIPES.into_iter().filter(|_| !fault.expect.is_rejection()) {
            let script = Script::new(sql);
            assert!(script.is_valid(), "{sql}: {:?}", script.errors());
            let scopes = Scopes::resolve(&script, &schema);
            assert!(scopes.problems().is_empty(), "{sql}: {:?}", scopes.problems());
            let context = ScriptContext::new(&script, &scopes, &schema);
            let proposals = fault.operator().map(|operator| propose(&context, operator)).unwrap_or_default();
            let texts = proposals.iter().map(|proposal| proposal.edits.apply(sql).unwrap());
            broken.extend(texts.filter(|text| !Script::new(text.as_str()).is_valid()));
        }
        broken
    });
}
