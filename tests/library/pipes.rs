//! Pipes and pivots beside the plain SELECT that says the same: both give the same rows, and every node of a pipe has its bytes.

use std::path::Path;

use sqlfault::code::grammar::SyntaxReason;
use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::{ResolvedScript, Scopes};
use sqlfault::code::script::Script;
use sqlfault::code::tree::{Kind, Tree};
use sqlfault::engine::compare;
use sqlfault::engine::compare::Comparison;
use sqlfault::engine::spark_rules::judge;
use sqlfault::engine::sqlite::{Limits, Sqlite};
use sqlfault::engine::table::{Database, ScriptResult};
use sqlfault::graph_match;

/// The tables of all pairs.
const TABLES: &str = "WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), \
                      u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL))";

/// Pipes, each with the plain query that says the same.
const PAIRS: [(&str, &str); 23] = [
    ("FROM t", "SELECT * FROM t"),
    ("TABLE t", "SELECT * FROM t"),
    ("FROM t |> WHERE x > 5 |> SELECT id, x", "SELECT id, x FROM t WHERE x > 5"),
    ("FROM t |> SELECT id |> SELECT id + 1 AS n", "SELECT id + 1 AS n FROM t"),
    ("FROM t |> EXTEND x + 1 AS y", "SELECT *, x + 1 AS y FROM t"),
    ("FROM t |> SET x = x * 2, id = x", "SELECT x * 2 AS id, k, x * 2 AS x FROM t"),
    ("FROM t |> DROP k, x", "SELECT id FROM t"),
    ("FROM t |> AS a |> SELECT a.id", "SELECT a.id FROM t a"),
    ("FROM t |> JOIN u ON t.id = u.id |> WHERE y > 2", "SELECT * FROM t JOIN u ON t.id = u.id WHERE y > 2"),
    (
        "FROM t |> WHERE x > 5 |> RIGHT JOIN u ON t.id = u.id |> SELECT t.x, y",
        "SELECT a.x, y FROM (SELECT * FROM t WHERE x > 5) a RIGHT JOIN u ON a.id = u.id",
    ),
    ("FROM t |> LEFT SEMI JOIN u USING (id) |> DROP k", "SELECT id, x FROM t LEFT SEMI JOIN u USING (id)"),
    ("FROM t |> AGGREGATE sum(x) AS s GROUP BY k", "SELECT k, sum(x) AS s FROM t GROUP BY k"),
    (
        "FROM t |> AGGREGATE max(x) AS m GROUP BY id % 2 AS odd",
        "SELECT id % 2 AS odd, max(x) AS m FROM t GROUP BY id % 2",
    ),
    (
        "FROM t |> AGGREGATE count(*) AS n GROUP BY k |> WHERE n > 1",
        "SELECT k, count(*) AS n FROM t GROUP BY k HAVING count(*) > 1",
    ),
    ("FROM t |> AGGREGATE GROUP BY 2", "SELECT DISTINCT k FROM t"),
    ("FROM t |> SELECT id |> UNION ALL SELECT id FROM u", "SELECT id FROM t UNION ALL SELECT id FROM u"),
    ("FROM t |> SELECT id |> EXCEPT (FROM u |> SELECT id)", "SELECT id FROM t EXCEPT SELECT id FROM u"),
    (
        "SELECT * FROM t PIVOT (sum(x) AS s, max(x) AS m FOR k IN ('a', 'b' AS b))",
        "SELECT id, sum(x) FILTER (WHERE k = 'a') AS a_s, max(x) FILTER (WHERE k = 'a') AS a_m, \
         sum(x) FILTER (WHERE k = 'b') AS b_s, max(x) FILTER (WHERE k = 'b') AS b_m FROM t GROUP BY id",
    ),
    (
        "FROM t |> PIVOT (count(*) FOR k IN ('a')) |> WHERE t.id = 1 |> SELECT a, x",
        "SELECT nullif(count(CASE WHEN k = 'a' THEN 1 END), 0) AS a, x FROM t WHERE id = 1 GROUP BY id, x",
    ),
    (
        "SELECT * FROM t UNPIVOT (v FOR n IN (id, x AS other))",
        "SELECT k, 'id' AS n, id AS v FROM t UNION ALL SELECT k, 'other', x FROM t WHERE x IS NOT NULL",
    ),
    ("FROM t |> ORDER BY x DESC, id |> LIMIT 2", "SELECT * FROM t ORDER BY x DESC, id LIMIT 2"),
    ("FROM t |> WHERE id IN (FROM u |> SELECT id)", "SELECT * FROM t WHERE id IN (SELECT id FROM u)"),
    (
        "FROM t |> EXTEND row_number() OVER (PARTITION BY k ORDER BY x) AS n |> WHERE n = 1 |> DROP n",
        "SELECT id, k, x FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY x) AS n FROM t) WHERE n = 1",
    ),
];

/// What the embedded engine gives.
fn result(sql: &str) -> ScriptResult {
    let schema = Schema::default();
    let ResolvedScript { script, scopes } = ResolvedScript::new(sql, &schema);
    assert!(script.is_valid(), "{sql}: {:?}", script.errors());
    assert!(judge(&script, &scopes, &schema).is_none(), "{sql}: {:?}", judge(&script, &scopes, &schema));
    let translation = Sqlite::translate(&script, &scopes, &schema, &Parameters::default());
    let translation = translation.unwrap_or_else(|refused| panic!("{sql}: {refused}"));
    let database = Sqlite::open(&schema, &Database::default()).unwrap();
    database.run(&translation, &Limits::default()).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

#[test]
fn a_pipe_gives_what_the_plain_query_gives() {
    for (pipe, plain) in PAIRS {
        let [given, wanted] = [pipe, plain].map(|sql| result(&format!("{TABLES} {sql}")));
        assert!(matches!(compare(&wanted, &given), Comparison::Equal), "{pipe}\n{given:?}\n{wanted:?}");
        let names = |result: &ScriptResult| -> Vec<String> {
            result.tables[0].columns.iter().map(|column| column.name.clone()).collect()
        };
        assert_eq!(names(&given), names(&wanted), "{pipe}");
    }
}

/// The queries of a file with answers of Spark that can stand in brackets.
fn queries(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark_queries").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.map(|line| line.trim_end_matches(';').to_owned()).collect()
}

#[test]
fn steps_that_change_nothing_change_nothing() {
    for file in ["joins.sql", "grouping.sql", "windows.sql", "pipes.sql", "pivots.sql"] {
        for query in queries(file) {
            let wanted = result(&query);
            for step in
                ["|> WHERE true", "|> SELECT *", "|> AS a |> LIMIT 1000", "|> EXTEND 1 AS one_more |> DROP one_more"]
            {
                let given = result(&format!("({query}) {step}"));
                let unordered = |result: ScriptResult| {
                    let tables = result.tables.into_iter();
                    let tables = tables.map(|table| sqlfault::engine::table::ResultTable {
                        ordered: false,
                        sorted_by: Vec::new(),
                        ..table
                    });
                    ScriptResult { tables: tables.collect() }
                };
                let same = compare(&unordered(wanted.clone()), &unordered(given.clone()));
                assert!(matches!(same, Comparison::Equal), "({query}) {step}\n{given:?}\n{wanted:?}");
            }
        }
    }
}

#[test]
fn graphs_of_pipes_differ_where_their_meaning_does() {
    let schema = Schema::read("CREATE TABLE t (a INT, b INT, c STRING);").unwrap();
    let same = |one: &str, other: &str| graph_match(&Script::new(one), &Script::new(other), &schema);
    assert!(same("FROM t |> WHERE a > 1 |> SELECT b", "SELECT b FROM t WHERE 1 < a"));
    assert!(same("FROM t |> EXTEND a + 1 AS x", "SELECT *, a + 1 AS x FROM t"));
    assert!(same("FROM t |> AGGREGATE sum(a) AS s GROUP BY b", "SELECT b, sum(a) AS s FROM t GROUP BY b"));
    for (one, other) in [
        ("FROM t |> EXTEND a + 1 AS x", "FROM t |> EXTEND a + 2 AS x"),
        ("FROM t |> SET a = 1", "FROM t |> SET b = 1"),
        ("FROM t |> SET a = 1", "FROM t |> SET a = 2"),
        ("FROM t |> DROP a", "FROM t |> DROP b"),
        ("FROM t |> AGGREGATE sum(a) AS s GROUP BY c", "FROM t |> AGGREGATE max(a) AS s GROUP BY c"),
        ("FROM t |> AGGREGATE sum(a) AS s GROUP BY b", "FROM t |> AGGREGATE sum(a) AS s GROUP BY c"),
        ("FROM t PIVOT (sum(a) FOR c IN ('x'))", "FROM t PIVOT (max(a) FOR c IN ('x'))"),
        ("FROM t PIVOT (sum(a) FOR c IN ('x'))", "FROM t PIVOT (sum(a) FOR c IN ('y'))"),
        ("FROM t UNPIVOT (v FOR n IN (a))", "FROM t UNPIVOT (v FOR n IN (b))"),
        ("FROM t UNPIVOT (v FOR n IN (a, b))", "FROM t UNPIVOT INCLUDE NULLS (v FOR n IN (a, b))"),
        ("FROM t |> AGGREGATE GROUP BY 1", "FROM t |> AGGREGATE GROUP BY 2"),
        ("FROM t x |> JOIN t y USING (a) |> DROP a", "FROM t x |> JOIN t y USING (a) |> SET a = 1"),
        ("FROM t |> WHERE a > 1 |> LIMIT 2", "FROM t |> LIMIT 2 |> WHERE a > 1"),
        ("FROM t |> AGGREGATE sum(a) AS s GROUP BY b |> WHERE b > 1", "FROM t |> AGGREGATE sum(a) AS s GROUP BY b"),
    ] {
        assert!(!same(one, other), "{one} | {other}");
    }
}

/// The statements about pipes and pivots that Spark was asked about.
fn asked() -> Vec<&'static str> {
    let verdicts = include_str!("../data/spark_statements/verdicts.tsv").lines();
    let ours = verdicts.filter(|line| line.starts_with("pipes\t") || line.starts_with("pivots\t"));
    ours.filter_map(|line| line.rsplit('\t').next()).collect()
}

#[test]
fn a_pipe_that_has_lost_or_doubled_a_word_is_read_or_refused() {
    let schema = Schema::read(crate::spark_rules::SCHEMA).unwrap();
    let mut read = 0;
    for sql in asked() {
        let whole = Script::new(sql);
        for token in whole.tokens() {
            let (before, word, after) = (&sql[..token.span().start], token.span().of(sql), &sql[token.span().end..]);
            for text in [format!("{before}{after}"), format!("{before}{word} {word}{after}")] {
                let ResolvedScript { script, scopes } = ResolvedScript::new(text, &schema);
                _ = judge(&script, &scopes, &schema);
                _ = Sqlite::translate(&script, &scopes, &schema, &Parameters::default());
                read += usize::from(script.is_valid());
            }
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn what_spark_takes_of_pipes_and_pivots_runs_or_is_refused_with_a_reason() {
    let schema = Schema::read(crate::spark_rules::SCHEMA).unwrap();
    let database = Sqlite::open(&schema, &Database::default()).unwrap();
    let mut ran = 0;
    for sql in asked() {
        let ResolvedScript { script, scopes } = ResolvedScript::new(sql, &schema);
        if script.is_valid()
            && judge(&script, &scopes, &schema).is_none()
            && let Ok(translation) = Sqlite::translate(&script, &scopes, &schema, &Parameters::default())
        {
            let given = database.run(&translation, &Limits::default());
            assert!(given.is_ok(), "{sql}: {}", given.unwrap_err());
            ran += 1;
        }
    }
    assert!(ran > 200, "{ran}");
}

fn text_of(tree: &Tree, script: &Script, wanted: Kind) -> Vec<String> {
    let nodes = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == wanted);
    nodes.map(|node| script.slice(node).to_owned()).collect()
}

#[test]
fn steps_share_a_block_as_long_as_they_are_one_and_have_their_own_bytes() {
    let script =
        Script::new("FROM t |> JOIN u ON t.a = u.a |> WHERE b > 1 |> EXTEND b + 1 AS c |> WHERE c > 2 |> AS z");
    assert!(script.is_valid(), "{:?}", script.errors());
    let tree = script.tree();
    let text = |kind| text_of(tree, &script, kind);
    let select = Kind::Select { distinct: false };
    assert_eq!(
        text(select),
        [
            "FROM t |> JOIN u ON t.a = u.a |> WHERE b > 1 |> EXTEND b + 1 AS c |> WHERE c > 2 |> AS z",
            "FROM t |> JOIN u ON t.a = u.a |> WHERE b > 1 |> EXTEND b + 1 AS c |> WHERE c > 2",
            "FROM t |> JOIN u ON t.a = u.a |> WHERE b > 1 |> EXTEND b + 1 AS c",
        ]
    );
    assert_eq!(text(Kind::Where), ["WHERE b > 1", "WHERE c > 2"]);
    assert_eq!(text(Kind::Extend), ["EXTEND b + 1 AS c"]);
    assert_eq!(text(Kind::Relation).last().unwrap(), "t |> JOIN u ON t.a = u.a");
    assert_eq!(text(Kind::Alias), ["AS c", "AS z"]);
}

#[test]
fn steps_nest_as_deeply_as_other_queries_may() {
    let steps = |count: usize| format!("FROM t{}", " |> SELECT *".repeat(count));
    assert!(Script::new(steps(90)).is_valid());
    let scopes = Scopes::resolve(&Script::new(steps(90)), &Schema::default());
    assert_eq!(scopes.problems().len(), 1);
    // Steps of neighbours do not add up.
    let table = |number: usize| format!("c{number} AS ({})", steps(60));
    let tables: Vec<String> = (0..20).map(table).collect();
    assert!(Script::new(format!("WITH {} SELECT 1", tables.join(", "))).is_valid());
    let nested = format!("SELECT * FROM ({} SELECT 1 {}) {}", "SELECT * FROM (".repeat(50), ")".repeat(50), steps(60));
    for sql in [steps(200), nested.replace(") FROM t |>", ") |>")] {
        let script = Script::new(sql);
        assert_eq!(script.errors()[0].1.reason, SyntaxReason::TooDeep, "{:?}", script.errors());
    }
}
