//! The embedded engine gives the rows that Spark gave, for the queries in `tests/data/spark_queries`.

use std::path::Path;

use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::{Schema, read_type};
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::code::types::Type;
use sqlfault::engine::compare;
use sqlfault::engine::compare::Comparison;
use sqlfault::engine::sqlite::{Limits, Sqlite};
use sqlfault::engine::table::{Database, ResultColumn, ResultTable, Row, ScriptResult, Value};

/// A query with what Spark answered.
struct Entry {
    title: String,
    sql: String,
    types: Vec<String>,
    rows: Vec<Vec<serde_json::Value>>,
}

fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("-- title: ") {
            entries.push(Entry { title: title.to_owned(), sql: String::new(), types: Vec::new(), rows: Vec::new() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        if let Some(types) = line.strip_prefix("-- types: ") {
            entry.types = serde_json::from_str(types).unwrap();
        } else if let Some(row) = line.strip_prefix("-- row: ") {
            entry.rows.push(serde_json::from_str(row).unwrap());
        } else if !line.starts_with("--") {
            entry.sql.push_str(line);
            entry.sql.push('\n');
        }
    }
    entries
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(flag) => Value::Integer(i64::from(*flag)),
        serde_json::Value::Number(number) => {
            number.as_i64().map_or_else(|| Value::Real(number.as_f64().unwrap()), Value::Integer)
        }
        serde_json::Value::String(text) => Value::Text(text.clone()),
        nested => Value::Text(nested.to_string()),
    }
}

/// Nested values are compared by meaning: `[1.0]` is `[1]`.
fn plain(rows: Vec<Row>, columns: &[ResultColumn]) -> Vec<Row> {
    let canonical = |(value, column): (Value, &ResultColumn)| match (&value, column.data_type.is_nested()) {
        (Value::Text(text), true) => Value::Text(whole(serde_json::from_str(text).unwrap()).to_string()),
        _ => value,
    };
    rows.into_iter().map(|row| row.iter().cloned().zip(columns).map(canonical).collect()).collect()
}

fn whole(json: serde_json::Value) -> serde_json::Value {
    match json {
        serde_json::Value::Number(number) => match number.as_f64() {
            Some(real) if real.fract() == 0.0 => serde_json::Value::from(real as i64),
            _ => serde_json::Value::Number(number),
        },
        serde_json::Value::Array(items) => items.into_iter().map(whole).collect(),
        serde_json::Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, whole(value))).collect(),
        other => other,
    }
}

fn data_type(name: &str) -> Type {
    if name == "VOID" { Type::Null } else { read_type(name).unwrap_or_default() }
}

/// What differs from Spark's answer, if anything does.
fn difference(entry: &Entry) -> Option<String> {
    let script = Script::new(entry.sql.clone());
    if let Some((_, error)) = script.errors().first() {
        return Some(format!("syntax: {error}"));
    }
    let schema = Schema::default();
    let scopes = Scopes::resolve(&script, &schema);
    if let Some(problem) = scopes.problems().first() {
        return Some(format!("names: {:?}", problem.kind));
    }
    let translation = match Sqlite::translate(&script, &scopes, &schema, &Parameters::default()) {
        Ok(translation) => translation,
        Err(unsupported) => return Some(format!("{unsupported}: {}", unsupported.span.of(script.text()))),
    };
    let database = Sqlite::open(&schema, &Database::default()).unwrap();
    let queries = || translation.queries().collect::<Vec<_>>().join(";\n");
    let mut result = match database.run(&translation, &Limits::default()) {
        Ok(result) => result,
        Err(error) => return Some(format!("{error}\n{}", queries())),
    };
    let given = result.tables.remove(0);
    let columns: Vec<ResultColumn> = given
        .columns
        .iter()
        .zip(&entry.types)
        .map(|(column, name)| ResultColumn { data_type: data_type(name), ..column.clone() })
        .collect();
    let rows = entry.rows.iter().map(|row| row.iter().map(value).collect()).collect();
    let expected = ResultTable { rows: plain(rows, &columns), columns, ..given.clone() };
    let types: Vec<String> = given.columns.iter().map(|column| column.data_type.to_string()).collect();
    let wrong =
        expected.columns.iter().zip(&given.columns).find(|(expected, given)| expected.data_type != given.data_type);
    if let Some((expected, given)) = wrong {
        return Some(format!("column '{}' is {} where Spark says {}", given.name, given.data_type, expected.data_type));
    }
    let given = ResultTable { rows: plain(given.rows, &expected.columns), ..given };
    let comparison = compare(&ScriptResult { tables: vec![expected] }, &ScriptResult { tables: vec![given.clone()] });
    match comparison {
        Comparison::Equal => None,
        other => Some(format!("{other:?}\ngiven {:?}\ntypes {types:?}\n{}", given.rows, queries())),
    }
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark_queries").join(file);
    let entries = entries(&std::fs::read_to_string(path).unwrap());
    assert!(entries.len() >= 15);
    let failures: Vec<String> = entries
        .iter()
        .filter_map(|entry| {
            difference(entry).map(|difference| format!("== {}\n{}{difference}", entry.title, entry.sql))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), entries.len(), failures.join("\n"));
}

#[test]
fn joins_give_the_rows_of_spark() {
    check("joins.sql");
}

#[test]
fn lateral_views_and_nested_values_give_the_rows_of_spark() {
    check("lateral.sql");
}

#[test]
fn grouping_gives_the_rows_of_spark() {
    check("grouping.sql");
}

#[test]
fn windows_give_the_rows_of_spark() {
    check("windows.sql");
}

#[test]
fn queries_give_the_rows_of_spark() {
    check("queries.sql");
}

#[test]
fn pipes_give_the_rows_of_spark() {
    check("pipes.sql");
}

#[test]
fn pivots_give_the_rows_of_spark() {
    check("pivots.sql");
}

#[test]
fn expressions_give_the_values_of_spark() {
    check("expressions.sql");
}

#[test]
fn mixed_types_and_everyday_idioms_give_the_rows_of_spark() {
    check("mixed_types.sql");
}

#[test]
fn other_spellings_give_the_values_of_spark() {
    check("spellings.sql");
}

#[test]
fn functions_give_the_values_of_spark_in_whole_queries() {
    check("functions.sql");
}

#[test]
fn rare_functions_give_the_values_of_spark() {
    check("library.sql");
}

#[test]
fn null_arguments_give_what_they_give_on_spark() {
    check("nulls.sql");
}
