//! The embedded function library against values recorded from Spark; the file's first line names the version.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;
use sqlfault::code::functions::{self, Embedded, UnsupportedReason};
use sqlfault::code::parameters::Parameters;
use sqlfault::code::script::Script;
use sqlfault::code::tree::Kind;
use sqlfault::corpus::embedded;

/// How far the embedded engine supports a function of Spark.
#[derive(PartialEq)]
enum FunctionState {
    Works,
    Refused(UnsupportedReason),
    Unknown,
}

fn function_state(name: &str) -> FunctionState {
    match functions::lookup(name).map(|function| function.embedded) {
        None | Some(Embedded::Unknown) => FunctionState::Unknown,
        Some(Embedded::Refused(why)) => FunctionState::Refused(why),
        Some(_) => FunctionState::Works,
    }
}

/// What Spark gives where the embedded engine gives NULL, as SQLite has no NaN.
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
    let recorded = include_str!("../data/spark_functions.tsv");
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

/// Functions for which a value of Spark's is recorded, alone or within a query.
fn recorded() -> BTreeSet<String> {
    let values = include_str!("../data/spark_functions.tsv").lines().skip(1);
    let expressions = values.filter_map(|line| line.split('\t').next()).map(|spark| format!("SELECT {spark}"));
    let mut names: BTreeSet<String> = expressions.flat_map(|query| called(&query)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark_queries");
    for file in std::fs::read_dir(folder).unwrap() {
        names.extend(called(&std::fs::read_to_string(file.unwrap().path()).unwrap()));
    }
    names
}

#[test]
fn every_function_of_the_references_has_recorded_values() {
    let recorded = recorded();
    let used: BTreeSet<String> =
        embedded().into_iter().flatten().flat_map(|reference| called(reference.script.text())).collect();
    assert!(used.len() >= 50, "the references use only {} functions", used.len());
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

/// The groups of functions that a Hive pipeline uses; the others are sketches, XML, variants, vectors and the like.
const GROUPS: [&str; 20] = [
    "agg_funcs", "array_funcs", "bitwise_funcs", "collection_funcs", "conditional_funcs", "conversion_funcs",
    "csv_funcs", "datetime_funcs", "generator_funcs", "hash_funcs", "json_funcs", "lambda_funcs", "map_funcs",
    "math_funcs", "misc_funcs", "predicate_funcs", "string_funcs", "struct_funcs", "url_funcs", "window_funcs",
];

/// Words of the language that Spark lists as functions; the grammar has them.
const WORDS: [&str; 8] = ["and", "or", "not", "in", "between", "when", "cast", "div"];

/// Functions without an argument that could be NULL.
const WITHOUT_ARGUMENTS: &str =
    "e pi current_timezone row_number rank dense_rank percent_rank cume_dist grouping grouping_id";

/// Group and name of every function of Spark's.
fn names() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("../data/spark_function_names.tsv").lines().skip(1);
    lines.map(|line| line.split_once('\t').unwrap()).collect()
}

fn is_word(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_alphabetic()) || WORDS.contains(&name)
}

#[test]
fn every_function_of_spark_is_in_the_catalogue_and_works_or_is_refused_with_a_reason() {
    let names = names();
    assert!(names.len() > 500);
    let of_groups = |group: &str| GROUPS.contains(&group);
    let unknown: Vec<_> = names
        .iter()
        .filter(|(group, name)| {
            let known = !of_groups(group) || function_state(name) != FunctionState::Unknown;
            !is_word(name) && (!known || functions::lookup(name).is_none())
        })
        .collect();
    assert!(unknown.is_empty(), "nothing is known of {unknown:?}");
}

/// Functions of Hive and old Spark that Spark's list lacks.
const UNLISTED: [&str; 3] = ["grouping__id", "timestampadd", "timestampdiff"];

#[test]
fn every_function_of_the_catalogue_has_a_group_under_which_the_page_shows_it() {
    let names: BTreeSet<&str> = names().into_iter().map(|(_, name)| name).chain(UNLISTED).collect();
    let missing: Vec<_> = functions::all().map(|function| function.name).filter(|name| !names.contains(name)).collect();
    assert!(missing.is_empty(), "tests/data/spark_function_names.tsv has no line for {missing:?}");
}

/// Functions for which a call with a NULL among its arguments is recorded.
fn recorded_with_null() -> BTreeSet<String> {
    let values = include_str!("../data/spark_functions.tsv").lines().skip(1);
    let mut queries: Vec<String> =
        values.filter_map(|line| line.split('\t').next()).map(|spark| format!("SELECT {spark}")).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark_queries");
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        queries.extend(text.split("-- title: ").map(|entry| format!("-- {entry}")));
    }
    let with_null = queries.iter().filter(|query| query.contains("NULL") || query.contains("null"));
    with_null.flat_map(|query| called(query)).collect()
}

#[test]
fn every_function_that_works_has_recorded_values_with_null_among_its_arguments() {
    let (recorded, with_null) = (recorded(), recorded_with_null());
    let works = |(group, name): &(&str, &'static str)| {
        GROUPS.contains(group) && !is_word(name) && function_state(name) == FunctionState::Works
    };
    let works: Vec<&str> = names().into_iter().filter(works).map(|(_, name)| name).collect();
    let missing: Vec<&&str> = works.iter().filter(|name| !recorded.contains(**name)).collect();
    assert!(missing.is_empty(), "nothing is recorded of {missing:?}");
    let plain: Vec<&str> = WITHOUT_ARGUMENTS.split_whitespace().collect();
    let missing: Vec<&&str> =
        works.iter().filter(|name| !with_null.contains(**name) && !plain.contains(*name)).collect();
    assert!(missing.is_empty(), "nothing with NULL is recorded of {missing:?}");
}

/// Whether a call is bound to the clock of the run.
fn is_pinned(name: &str) -> bool {
    let refused = matches!(function_state(name), FunctionState::Refused(_));
    refused && !Parameters::default().with_clock(&Script::new(format!("SELECT {name}()"))).is_empty()
}

/// The page of all functions, by group.
fn page() -> String {
    let version = include_str!("../data/spark_function_names.tsv").lines().next().unwrap();
    let version = version.trim_start_matches("# ").split(':').next().unwrap();
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (group, name) in names() {
        groups.entry(group).or_default().push(name);
    }
    let mut page = format!(
        "# Functions of {version} on the embedded engine\n\nGenerated by `tests/library/spark_functions.rs` from the names that \
         Spark lists, the rules of the engine and the refusals in the table of functions (`src/code/functions/table/`). What \
         works gives the values recorded from Spark (`tests/data/spark_functions.tsv`, `tests/data/spark_queries`). What \
         is refused is no error in a script: its faults are judged by rules alone, and nothing is claimed of its rows.\n"
    );
    for (group, names) in groups {
        let name = group.trim_end_matches("_funcs");
        let names = || names.iter().filter(|name| !is_word(name));
        if !GROUPS.contains(&group) {
            let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            let _ = write!(page, "\n## {name}\n\nKnown by name, not supported: {}.\n", all.join(" "));
            continue;
        }
        let works: Vec<String> = names()
            .filter(|name| function_state(name) == FunctionState::Works)
            .map(|name| format!("`{name}`"))
            .collect();
        let _ = write!(
            page,
            "\n## {name}\n\nWorks: {}.\n",
            if works.is_empty() { "none".to_owned() } else { works.join(" ") }
        );
        let pinned: Vec<String> = names().filter(|name| is_pinned(name)).map(|name| format!("`{name}`")).collect();
        if !pinned.is_empty() {
            let _ = write!(
                page,
                "\nWorks without arguments, by the moment and the user that a run pins: a literal takes the place of the call before any \
                 engine sees the script: {}.\n",
                pinned.join(" ")
            );
        }
        let mut refused: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for name in names().filter(|name| !is_pinned(name)) {
            if let FunctionState::Refused(why) = function_state(name) {
                refused.entry(why.words()).or_default().push(format!("`{name}`"));
            }
        }
        if !refused.is_empty() {
            page.push_str("\n| refused because it | functions |\n|---|---|\n");
        }
        for (why, names) in refused {
            let _ = writeln!(page, "| {why} | {} |", names.join(" "));
        }
    }
    page
}

#[test]
fn the_page_of_functions_is_what_the_engine_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/functions.md");
    let wanted = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == wanted, "docs/functions.md is not current; run this test with UPDATE=1");
}
