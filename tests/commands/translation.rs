//! `--dialect`: scripts of other platforms in translation. Those tests that need sqlglot say "not run" where it is
//! absent; with `SQLFAULT_REQUIRE_SQLGLOT=1` they fail instead.
#![expect(clippy::print_stdout, reason = "a test that could not run must say so")]

use serde_json::Value;
use sqlfault::engine::translation::{DialectTranslator, TranslatorError};

use crate::program::Bench;

/// A script of Snowflake with its tables: `DDL`, `QUALIFY`, `IFF`, a variable and statements without a result.
const TABLES: &str = "\
CREATE TABLE RAW.ORDERS (ORDER_ID NUMBER(38,0) NOT NULL, CITY VARCHAR, AMOUNT NUMBER(18,2), AT TIMESTAMP_NTZ(9));
GRANT SELECT ON RAW.ORDERS TO ROLE READER;
";
const ORDERS: &str = "\
-- Orders of each city
USE WAREHOUSE W;
SET least = 10;
WITH LATEST AS (
    SELECT ORDER_ID, CITY, AMOUNT::INT AS AMOUNT
    FROM RAW.ORDERS
    WHERE AT >= ${from_day}
    QUALIFY ROW_NUMBER() OVER (PARTITION BY ORDER_ID ORDER BY AT DESC) = 1
)
SELECT CITY, COUNT(DISTINCT ORDER_ID) AS ORDERS, SUM(IFF(AMOUNT > $least, AMOUNT, 0)) AS AMOUNT
FROM LATEST
WHERE CITY <> 'Oslo' AND AMOUNT < 5000
GROUP BY CITY;
";

/// Whether sqlglot is there; if not, the test says that it is not run.
fn has_sqlglot() -> bool {
    match DialectTranslator::start("snowflake") {
        Ok(_) => true,
        Err(TranslatorError::Absent { .. }) => {
            println!("not run: sqlglot is absent");
            assert!(std::env::var_os("SQLFAULT_REQUIRE_SQLGLOT").is_none(), "sqlglot is required here");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("scripts/shop/orders.sql", ORDERS);
    bench.file("scripts/tables.sql", TABLES);
    bench.file("scripts/parameters.yaml", "from_day: \"'2024-01-01'\"\n");
    bench
}

const INJECT: [&str; 10] = [
    "inject", "scripts/shop/orders.sql", "--schema", "scripts/tables.sql", "--dialect", "snowflake", "--parameter",
    "from_day='2024-01-01'", "--fault", "distinct-dropped-from-aggregate",
];

#[test]
fn inject_shows_each_statement_with_its_translation() {
    if !has_sqlglot() {
        return;
    }
    let said = bench().run(&INJECT[..8]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(said.contains("translated from snowflake by sqlglot "), "{said}");
    for words in ["--- line 2\n-- Orders of each city\nUSE WAREHOUSE W\n--- is left out", "SET hivevar:least=10"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(said.contains("QUALIFY ROW_NUMBER()") && said.contains("AT >= ${from_day}"), "{said}");
    assert!(said.contains("+++ issue.sql"), "{said}");
}

#[test]
fn a_run_of_translated_scripts_says_so_and_keeps_the_originals() {
    if !has_sqlglot() {
        return;
    }
    let bench = bench();
    let sizes = ["--syntax", "2", "--semantic", "2", "--seed", "7", "--out", "run", "--source", "scripts"];
    let said = bench.run(&[&["build", "--dialect", "snowflake"], sizes.as_slice()].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    for task in tasks.lines() {
        let task: Value = serde_json::from_str(task).unwrap();
        assert_eq!(task["translated_from"], "snowflake", "{task}");
        assert!(!task["issue_sql"].as_str().unwrap().contains("QUALIFY"), "{task}");
    }
    let kept: Vec<_> = std::fs::read_dir(bench.path("run/judge/translations")).unwrap().collect();
    let [Ok(file)] = kept.as_slice() else { panic!("{kept:?}") };
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(file.path()).unwrap()).unwrap();
    let query = &kept["statements"][2];
    assert!(query["original"].as_str().unwrap().contains("QUALIFY"), "{kept}");
    assert!(query["translated"].as_str().unwrap().contains("CAST(AMOUNT AS INT)"), "{kept}");
    assert!(bench.run(&["check", "run"]).starts_with("exit 0\n"));
}

#[test]
fn what_sqlglot_passes_on_as_it_is_becomes_spark_sql() {
    if !has_sqlglot() {
        return;
    }
    for (dialect, written, translated) in [
        ("snowflake", "CREATE TRANSIENT TABLE a AS SELECT 1 AS n", "CREATE TABLE a AS SELECT 1 AS n"),
        (
            "bigquery",
            "SELECT array_agg(x ORDER BY y DESC) AS a FROM t",
            "SELECT TRANSFORM(REVERSE(ARRAY_SORT(COLLECT_LIST(STRUCT(y AS o, x AS v)))), s -> s.v) AS a FROM t",
        ),
    ] {
        let statements = DialectTranslator::start(dialect).unwrap().translate(written).unwrap();
        let words = statements[0].translated.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words, translated);
    }
}

#[test]
fn a_statement_that_cannot_be_translated_is_named_with_its_place() {
    if !has_sqlglot() {
        return;
    }
    let bench = bench();
    bench.file("scripts/shop/orders.sql", "SELECT 1;\n\nCREATE PIPE P AS COPY INTO T FROM @S;\n");
    let said = bench.run(&INJECT);
    assert!(said.starts_with("exit 3\n"), "{said}");
    assert!(
        said.contains("scripts/shop/orders.sql:3: sqlglot cannot translate this statement from snowflake"),
        "{said}"
    );
    assert!(said.contains("CREATE PIPE P AS COPY INTO T FROM @S"), "{said}");
}

#[test]
fn a_dialect_that_sqlglot_does_not_know_is_refused_with_those_it_knows() {
    if !has_sqlglot() {
        return;
    }
    let said = bench().run(&["inject", "scripts/shop/orders.sql", "--dialect", "snowflak"]);
    assert!(said.starts_with("exit 2\n") && said.contains("it knows ") && said.contains(", snowflake, "), "{said}");
}

#[test]
fn without_sqlglot_one_message_says_how_to_install_it() {
    let bench = bench();
    let python = if cfg!(windows) { "no-python" } else { "/bin/false" };
    for arguments in [
        INJECT.as_slice(),
        &["build", "--source", "scripts", "--dialect", "snowflake", "--out", "run"],
        &["compose", "--like", "scripts", "--dialect", "snowflake", "--out", "variants"],
    ] {
        let said = bench.shown(&bench.command(arguments).env("SQLFAULT_PYTHON", python).output().unwrap());
        assert!(said.starts_with("exit 4\n") && said.contains("python3 -m pip install sqlglot"), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
    }
}

#[test]
fn only_scripts_of_a_users_own_have_a_dialect() {
    // `seeds` is what `hand-written` was called.
    for source in ["composed", "hand-written", "seeds"] {
        let said = Bench::new().run(&["build", "--source", source, "--dialect", "tsql"]);
        assert!(said.starts_with("exit 2\n") && said.contains("--source"), "{said}");
    }
}

#[test]
fn a_script_of_another_platform_is_told_the_way_out() {
    let bench = bench();
    let said = bench.run(&["inject", "scripts/shop/orders.sql", "--schema", "scripts/tables.sql"]);
    assert!(said.starts_with("exit 3\n") && said.contains("--dialect snowflake"), "{said}");
}
