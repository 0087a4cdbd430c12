//! Spark itself: what it accepts, refuses, gives and survives. If it is absent, these tests say "not run".
#![expect(clippy::print_stdout, reason = "a suite that could not run must say so")]

mod building;
mod catalogue;
#[cfg(target_os = "linux")]
mod cluster;
#[path = "../support/program.rs"]
mod program;
mod questions;
#[cfg(target_os = "linux")]
mod training;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::engine::spark::{Spark, SparkError, SparkSettings};
use sqlfault::engine::spark_rules::RejectionStage;
use sqlfault::engine::table::{Database, Row, ScriptResult, TableRows, Value};
use sqlfault::engine::{Refusal, RunOutcome};

const SCHEMA: &str = "
CREATE TABLE d.t (id BIGINT, name STRING, amount DECIMAL(10,2), share DOUBLE, flag BOOLEAN, day DATE, at TIMESTAMP,
    list ARRAY<STRING>, map MAP<STRING,STRING>, pair STRUCT<a: INT, b: STRING>);
CREATE TABLE d.u (id BIGINT, name STRING) PARTITIONED BY (dt STRING);
CREATE TABLE d.made (id BIGINT);";

/// One Spark for all tests: a second would need as much memory again.
static SHARED: OnceLock<Mutex<Option<Spark>>> = OnceLock::new();

fn started(settings: SparkSettings) -> Option<Spark> {
    match Spark::start(settings) {
        Ok(spark) => Some(spark),
        Err(SparkError::Absent(absent)) => {
            println!("not run: {absent}");
            assert!(std::env::var_os("SQLFAULT_REQUIRE_SPARK").is_none(), "Spark is required here: {absent}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn shared() -> MutexGuard<'static, Option<Spark>> {
    let settings = SparkSettings { timeout_ms: 20_000, ..SparkSettings::default() };
    let cell = SHARED.get_or_init(|| Mutex::new(started(settings)));
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn database() -> Database {
    let full = Row::from([
        Value::Integer(1),
        text("it's \\ \"ü\""),
        Value::Real(1.5),
        Value::Real(0.1),
        Value::Integer(1),
        text("2024-03-15"),
        text("2024-03-15 08:09:10"),
        text(r#"["a","b"]"#),
        text(r#"{"k":"v"}"#),
        text(r#"{"a":7,"b":"x"}"#),
    ]);
    let partition = |id, dt: &str| Row::from([Value::Integer(id), text("old"), text(dt)]);
    Database {
        tables: vec![
            TableRows { table: "d.t".into(), rows: vec![full, vec![Value::Null; 10].into()] },
            TableRows { table: "d.u".into(), rows: vec![partition(8, "one"), partition(9, "two")] },
        ],
    }
}

fn run(spark: &mut Spark, script: &str) -> RunOutcome {
    let schema = Schema::read(SCHEMA).unwrap();
    let parameters: Parameters = [("day", "2024-03-15")].into_iter().collect();
    spark.run(script, &schema, &parameters, &database())
}

fn result(spark: &mut Spark, script: &str) -> ScriptResult {
    match run(spark, script) {
        RunOutcome::Ran(result) => result,
        other => panic!("{script}: {other:?}"),
    }
}

fn rows(spark: &mut Spark, script: &str) -> Vec<Row> {
    let mut rows = result(spark, script).tables.pop().unwrap().rows;
    rows.sort_by_key(|row| format!("{row:?}"));
    rows
}

fn refusal(spark: &mut Spark, script: &str) -> Refusal {
    match run(spark, script) {
        RunOutcome::Refused(refusal) => refusal,
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn values_of_every_type_come_out_as_they_went_in() {
    let Some(spark) = &mut *shared() else { return };
    assert_eq!(result(spark, "SELECT * FROM d.t").tables[0].rows, database().tables[0].rows);
}

#[test]
fn an_overwrite_replaces_its_partition_and_an_insert_adds_to_it() {
    let Some(spark) = &mut *shared() else { return };
    let row = |id, name: &str, dt: &str| Row::from([Value::Integer(id), text(name), text(dt)]);
    let cases = [
        (
            "INSERT OVERWRITE TABLE d.u PARTITION (dt='one') SELECT 1, 'new'",
            vec![row(1, "new", "one"), row(9, "old", "two")],
        ),
        (
            "INSERT INTO TABLE d.u PARTITION (dt='one') SELECT 1, 'new'",
            vec![row(1, "new", "one"), row(8, "old", "one"), row(9, "old", "two")],
        ),
        (
            "INSERT OVERWRITE TABLE d.u PARTITION (dt) SELECT 1, 'new', 'two'",
            vec![row(1, "new", "two"), row(8, "old", "one")],
        ),
        (
            "INSERT OVERWRITE TABLE d.u PARTITION (dt='one') SELECT 1, 'new'; SELECT id, name, dt FROM d.u",
            vec![row(1, "new", "one"), row(9, "old", "two")],
        ),
        (
            "FROM d.t INSERT OVERWRITE TABLE d.u PARTITION (dt='one') SELECT id, 'a' WHERE id = 1
             INSERT OVERWRITE TABLE d.u PARTITION (dt='two') SELECT id, 'b' WHERE id = 1",
            vec![row(1, "a", "one"), row(1, "b", "two")],
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(rows(spark, script), expected, "{script}");
        // Runs leave nothing behind.
        assert_eq!(rows(spark, "SELECT * FROM d.u"), vec![row(8, "old", "one"), row(9, "old", "two")]);
    }
}

#[test]
fn a_script_may_make_read_and_drop_a_table_that_its_schema_names() {
    let Some(spark) = &mut *shared() else { return };
    let made = "CREATE TABLE d.made STORED AS ORC AS SELECT id FROM d.t WHERE id = 1; SELECT id + 1 FROM d.made;";
    for script in [made.to_owned(), format!("DROP TABLE IF EXISTS d.made; {made} DROP TABLE d.made")] {
        let result = result(spark, &script);
        assert_eq!(result.tables.last().unwrap().rows, [Row::from([Value::Integer(2)])]);
        assert_eq!(result.tables.iter().any(|table| table.target == "d.made"), !script.contains("DROP"), "{script}");
    }
}

#[test]
fn tables_are_those_of_the_database_in_use_until_the_script_ends() {
    let Some(spark) = &mut *shared() else { return };
    let made = "USE d; CREATE TABLE made AS SELECT id FROM t WHERE id = 1; INSERT OVERWRITE TABLE u PARTITION (dt = 'new') \
                SELECT id + 1, 'x' FROM made; SELECT count(*) FROM u";
    let result = result(spark, made);
    let names: Vec<&str> = result.tables.iter().map(|table| table.target.as_str()).collect();
    assert_eq!(names, ["d.made", "d.u", ""]);
    assert_eq!(result.tables[2].rows, [Row::from([Value::Integer(3)])]);
    let RunOutcome::Refused(refusal) = run(spark, "SELECT id FROM t") else { panic!("still in use") };
    assert_eq!(refusal.rejection.class, "TABLE_OR_VIEW_NOT_FOUND");
    assert_eq!(rows(spark, "SELECT id FROM d.u ORDER BY id").len(), 2);
}

#[test]
fn a_refusal_has_class_state_and_the_place_in_the_script_as_written() {
    let Some(spark) = &mut *shared() else { return };
    let script = "SET a=b;\nSELECT '${day}',\n  id FROM d.t;\nSELECT '${day}' AS x, nobody\nFROM d.t";
    let found = refusal(spark, script);
    assert_eq!(found.rejection.class, "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    assert_eq!((found.rejection.stage, found.rejection.sqlstate.as_str()), (RejectionStage::Analysis, "42703"));
    assert!(found.rejection.message.ends_with("line 1 pos 26"), "{}", found.rejection.message);
    assert_eq!(found.rejection.span.of(script), "nobody");
    assert_eq!(found.rejection.place.to_string(), "4:23");
    let found = refusal(spark, "SELECT 1;\nSELECT id FROM d.t WHERE (id = 1");
    assert_eq!((found.rejection.stage, found.rejection.class.as_str()), (RejectionStage::Parse, "PARSE_SYNTAX_ERROR"));
    assert!(found.placed && found.rejection.place.line == 2, "{found:?}");
}

#[test]
fn messages_about_writes_end_before_the_plan_which_differs_from_run_to_run() {
    let Some(spark) = &mut *shared() else { return };
    for script in [
        "INSERT INTO TABLE d.u PARTITION (dt='one') SELECT nobody, name FROM d.t",
        "INSERT OVERWRITE TABLE d.u PARTITION (dt='one') SELECT id, name FROM d.t GROUP BY id",
        "CREATE TABLE d.made AS SELECT t.nobody FROM d.t",
    ] {
        let message = refusal(spark, script).rejection.message;
        assert!(message.contains("SQLSTATE: "), "{message}");
        assert!(!message.contains(";\n") && !message.contains("Relation") && !message.contains("file:"), "{message}");
        assert_eq!(refusal(spark, script).rejection.message, message);
    }
}

#[test]
fn hives_parser_refuses_what_spark_lets_through_and_names_what_is_missing() {
    let Some(spark) = &mut *shared() else { return };
    let parameters = Parameters::default();
    let refused = spark.hive("SELECT CASE WHEN id = 1 THEN 2 AS x FROM d.t", &parameters).unwrap().unwrap();
    assert!(refused.rejection.message.contains("missing KW_END at 'AS'"), "{refused:?}");
    assert_eq!(refused.rejection.place.column, 32);
    assert_eq!(spark.hive("INSERT OVERWRITE TABLE d.u PARTITION (dt='1') SELECT 1, 'x'", &parameters), Ok(None));
    let nested = "INSERT OVERWRITE TABLE d.u PARTITION (dt='1') WITH q AS (SELECT 1 AS i) SELECT i, 'x' FROM q";
    assert!(spark.hive(nested, &parameters).unwrap().is_some());
    assert!(matches!(run(spark, nested), RunOutcome::Ran(_)));
}

#[test]
fn changes_of_rows_are_parsed_and_otherwise_not_judged() {
    let Some(spark) = &mut *shared() else { return };
    for (word, script) in [
        ("DELETE", "DELETE FROM d.u WHERE id = 1"),
        ("UPDATE", "UPDATE d.u SET name = 'x' WHERE id = 1"),
        ("MERGE", "MERGE INTO d.u USING d.t ON u.id = t.id WHEN MATCHED THEN DELETE"),
    ] {
        let outcome = run(spark, script);
        let RunOutcome::Denied(words) = &outcome else { panic!("{outcome:?}") };
        assert!(words.starts_with(&format!("Spark does not judge {word}: ")), "{words}");
        assert_eq!(refusal(spark, &script.replace(word, "DELET")).rejection.stage, RejectionStage::Parse);
    }
    let tree = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT x FROM n";
    assert_eq!(rows(spark, tree).len(), 3);
}

/// Statements that read or write outside the case, run programs, or change what the next statement may do.
const HOSTILE: &str = include_str!("../data/spark_hostile.sql");

/// Attack | 72 statements for Spark that read or write outside the case, run programs or unlock the next | – | refused before they run
#[test]
fn hostile_statements_are_refused_before_they_run() {
    let Some(spark) = &mut *shared() else { return };
    let mut refused = 0;
    for statement in HOSTILE.lines().filter(|line| !line.is_empty() && !line.starts_with("--")) {
        let safe = match run(spark, statement) {
            RunOutcome::Denied(_) => true,
            // It is no SQL for Spark, or names nothing in the case; neither runs.
            RunOutcome::Refused(refusal) => {
                matches!(refusal.rejection.stage, RejectionStage::Parse | RejectionStage::Analysis)
            }
            // A setting means nothing to the result and never reaches Spark; rows for a directory are collected, and no
            // file is written.
            RunOutcome::Ran(result) => {
                (statement.starts_with("SET ") && result.tables.is_empty()) || statement.contains(" DIRECTORY ")
            }
            _ => false,
        };
        assert!(safe, "{statement}: {:?}", run(spark, statement));
        refused += 1;
    }
    assert!(refused >= 50, "{refused}");
    assert!(!std::path::Path::new("/tmp/sqlfault_attack").exists());
}

/// Attack | an endless and a greedy query on Spark; its process killed | – | cancelled; started again; the next query runs
#[test]
fn an_endless_query_is_cancelled_and_a_greedy_one_costs_a_restart() {
    let Some(mut spark) =
        started(SparkSettings { timeout_ms: 12_000, memory: "700m".into(), ..SparkSettings::default() })
    else {
        return;
    };
    assert_eq!(result(&mut spark, "SELECT 1").tables[0].rows.len(), 1);
    assert_eq!(run(&mut spark, "SELECT count(*) FROM range(1000000000000)"), RunOutcome::TimedOut);
    assert_eq!(result(&mut spark, "SELECT id FROM d.u").tables[0].rows.len(), 2);
    let greedy = run(&mut spark, "SELECT size(sequence(1, 800000000))");
    assert!(!matches!(greedy, RunOutcome::Ran(_)), "{greedy:?}");
    assert_eq!(result(&mut spark, "SELECT id FROM d.u").tables[0].rows.len(), 2);
    let before = spark.restarts();
    spark.kill();
    assert_eq!(result(&mut spark, "SELECT id FROM d.u").tables[0].rows.len(), 2);
    assert_eq!(spark.restarts(), before + 1);
}

#[test]
fn ansi_mode_turns_silent_nulls_into_errors() {
    let (cast, division) = ("SELECT CAST('x' AS INT)", "SELECT 1 / 0");
    {
        let Some(spark) = &mut *shared() else { return };
        assert_eq!(rows(spark, cast), [Row::from([Value::Null])]);
        assert_eq!(rows(spark, division), [Row::from([Value::Null])]);
    }
    let Some(mut strict) = started(SparkSettings { ansi: true, ..SparkSettings::default() }) else { return };
    assert_eq!(refusal(&mut strict, cast).rejection.class, "CAST_INVALID_INPUT");
    assert_eq!(refusal(&mut strict, division).rejection.class, "DIVIDE_BY_ZERO");
}
