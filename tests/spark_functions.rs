//! The embedded function library against values recorded from Spark; the file's first line names the version.

use rusqlite::Connection;
use rusqlite::types::Value;

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
