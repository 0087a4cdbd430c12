//! The embedded function library against values recorded from Spark; the file's first line names the version.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;
use sqlfault::code::script::Script;
use sqlfault::code::tree::Kind;
use sqlfault::corpus::embedded;

/// SQLite has no NaN: where Spark gives one, the embedded engine gives NULL.
const NOT_A_NUMBER: &str = "NaN";

fn shown(value: Value, expected: &str) -> String {
    match value {
        Value::Null => r"\N".to_owned(),
        Value::Integer(number) if matches!(expected, "true" | "false") => (number != 0).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => match expected.parse::<f64>() {
            Ok(wanted) if wanted == number || (wanted - number).abs() <= 1e-9 * wanted.abs().max(1.0) => {
                expected.to_owned()
            }
            _ => number.to_string(),
        },
        Value::Text(text) => text,
        Value::Blob(_) => "a marked value".to_owned(),
    }
}

#[test]
fn every_recorded_value_is_reproduced() {
    let connection = Connection::open_in_memory().unwrap();
    sqlfault::engine::sqlite::functions::register(&connection).unwrap();
    let recorded = include_str!("data/spark_functions.tsv");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in recorded.lines().skip(1) {
        let [spark, sqlite, expected]: [&str; 3] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let value = connection.query_row(&format!("SELECT {sqlite}"), [], |row| row.get::<_, Value>(0));
        let found = value.map_or_else(|error| error.to_string(), |value| shown(value, expected));
        count += 1;
        let expected = if expected == NOT_A_NUMBER { r"\N" } else { expected };
        if found != expected {
            wrong.push(format!("{spark}: Spark says {expected}, we say {found}"));
        }
    }
    assert!(count >= 1000, "only {count} values are recorded");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The names of the functions that a script calls.
fn called(text: &str) -> BTreeSet<String> {
    let script = Script::new(text);
    let tree = script.tree();
    let all = script.statements().iter().flat_map(|statement| tree.descendants(*statement));
    let calls = all.filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
    calls.map(|call| script.function_name(call)).collect()
}

/// Functions of which a value that Spark gave is on record, alone or within a query.
fn recorded() -> BTreeSet<String> {
    let values = include_str!("data/spark_functions.tsv").lines().skip(1);
    let expressions = values.filter_map(|line| line.split('\t').next()).map(|spark| format!("SELECT {spark}"));
    let mut names: BTreeSet<String> = expressions.flat_map(|query| called(&query)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark_queries");
    for file in std::fs::read_dir(folder).unwrap() {
        names.extend(called(&std::fs::read_to_string(file.unwrap().path()).unwrap()));
    }
    names
}

#[test]
fn every_function_of_the_seeds_has_recorded_values() {
    let recorded = recorded();
    let used: BTreeSet<String> = embedded().into_iter().flatten().flat_map(|seed| called(seed.script.text())).collect();
    assert!(used.len() >= 50, "the seeds use only {} functions", used.len());
    let missing: Vec<&String> = used.difference(&recorded).collect();
    assert!(missing.is_empty(), "nothing is recorded of {missing:?}");
}

/// The 80 functions that real pipelines use most, without functions of their users, `reflect`, which may not run, and
/// those that name the present moment.
const MOST_USED: &str =
    "cast substr sum coalesce if concat count concat_ws date_format row_number max md5 conv date_add
    trim nvl length unix_timestamp lower regexp_replace min from_utc_timestamp explode from_unixtime to_date array month
    upper get_json_object date_sub lpad year rank add_months datediff to_unix_timestamp round array_contains nullif
    substring split instr size map_keys collect_list replace make_date collect_set ifnull hash percentile_approx
    array_intersect sort_array to_timestamp abs least dayofmonth isnull regexp_extract avg map first_value cardinality
    ceil lead int trunc locate";

#[test]
fn the_functions_that_real_pipelines_use_most_have_recorded_values() {
    let recorded = recorded();
    let missing: Vec<&str> =
        MOST_USED.split_whitespace().filter(|name| *name != "cast" && !recorded.contains(*name)).collect();
    assert!(missing.is_empty(), "nothing is recorded of {missing:?}");
}
