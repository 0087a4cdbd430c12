use std::collections::HashSet;

use rusqlite::Connection;

use super::translate::written_functions;
use super::*;
use crate::code::functions::{Embedded, Function, all};

fn registered() -> HashSet<String> {
    let connection = Connection::open_in_memory().unwrap();
    functions::register(&connection).unwrap();
    failures::register(&connection).unwrap();
    let mut statement = connection.prepare("SELECT name FROM pragma_function_list").unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}

#[test]
fn every_function_that_translations_write_is_registered() {
    let registered = registered();
    let missing: Vec<String> = written_functions().into_iter().filter(|name| !registered.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The files of the translation and the recorded values, where functions are named.
fn sources() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(root.join("src/engine/sqlite/translate")).unwrap().map(|entry| entry.unwrap().path());
    let recorded = root.join("tests/data/spark_functions.tsv");
    let runner = root.join("src/engine/sqlite/run.rs");
    files.chain([recorded, runner]).map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// A row whose rule writes `h_<its own name>`.
fn written_by_rules() -> HashSet<String> {
    let by_rule = |function: &&Function| matches!(function.embedded, Embedded::Rule(_));
    all().filter(by_rule).map(|function| format!("h_{}", function.name)).collect()
}

#[test]
fn every_function_of_the_library_is_reached_by_a_row_of_the_catalogue_or_by_a_translation() {
    let rows: HashSet<String> = written_functions().into_iter().chain(written_by_rules()).collect();
    let sources = sources();
    let named = |name: &String| {
        let places = sources.match_indices(name.as_str()).map(|(at, found)| at + found.len());
        let mut ends = places.map(|end| sources[end..].chars().next());
        ends.any(|next| next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != '_'))
    };
    let ours = registered().into_iter().filter(|name| name.starts_with("h_"));
    let mut unreached: Vec<String> = ours.filter(|name| !rows.contains(name) && !named(name)).collect();
    unreached.sort();
    // `first_value` and `last_value` write their own names before `_ignore_nulls`.
    unreached.retain(|name| !name.ends_with("_value_ignore_nulls"));
    assert!(unreached.is_empty(), "{unreached:?}");
}
