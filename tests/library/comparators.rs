//! Where the comparators of peers and ours disagree, and who is right: `docs/comparators.md`, made from cases that run.
//!
//! `UPDATE=1 cargo test --test library comparators` writes `results.json` and the document;
//! `tests/data/comparators/record.py` runs the peers' own functions on those results and writes `peers.json`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;
use sqlfault::engine::compare::{Comparison, compare};
use sqlfault::engine::sqlite::{Limits, LoadedDatabase, Sqlite};
use sqlfault::engine::table::{Database, Row, ScriptResult, TableRows};
use sqlfault::score::sql_eval::{OrderContext, ResultFrame, compare_df, subset_df};

#[derive(Deserialize)]
struct Cases {
    schema: String,
    rows: std::collections::BTreeMap<String, Vec<Row>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: u32,
    name: String,
    reference: String,
    answer: String,
    /// Whether the answer is as good as the reference, by human judgement.
    equal: bool,
    why: String,
    category: String,
}

/// The results of the two queries of a case.
#[derive(PartialEq, Serialize, Deserialize)]
struct Results {
    id: u32,
    reference: Content,
    answer: Content,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Content {
    columns: Vec<String>,
    types: Vec<String>,
    rows: Vec<Row>,
}

/// The verdicts of the peers on a case.
#[derive(Deserialize)]
struct Peers {
    id: u32,
    compare_df: String,
    subset_df: String,
    test_suite: String,
    bird_critic: String,
    spider2: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/comparators")
}

fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

fn cases() -> Cases {
    serde_json::from_str(&std::fs::read_to_string(folder().join("cases.json")).unwrap()).unwrap()
}

fn run(sql: &str, schema: &Schema, loaded: &LoadedDatabase) -> ScriptResult {
    let ResolvedScript { script, scopes } = ResolvedScript::new(sql, schema);
    let translation = Sqlite::translate(&script, &scopes, schema, &Parameters::default())
        .unwrap_or_else(|unsupported| panic!("{sql}: {unsupported:?}"));
    loaded.run(&translation, &Limits::default()).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The results of both queries of every case.
fn run_all(cases: &Cases) -> Vec<[ScriptResult; 2]> {
    let schema = Schema::read(&cases.schema).unwrap();
    let tables = cases.rows.iter().map(|(table, rows)| TableRows { table: table.clone(), rows: rows.clone() });
    let loaded = Sqlite::open(&schema, &Database { tables: tables.collect() }).unwrap();
    let both = |case: &Case| [&case.reference, &case.answer].map(|sql| run(sql, &schema, &loaded));
    cases.cases.iter().map(both).collect()
}

fn content(result: &ScriptResult) -> Content {
    let [table] = &result.tables[..] else { panic!("one query has one result") };
    Content {
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
        types: table.columns.iter().map(|column| format!("{:?}", column.data_type)).collect(),
        rows: table.rows.clone(),
    }
}

fn frame(result: &ScriptResult) -> ResultFrame {
    let Content { columns, rows, .. } = content(result);
    ResultFrame { columns, rows }
}

fn words(equal: bool) -> &'static str {
    if equal { "equal" } else { "different" }
}

fn is_ordered(case: &Case) -> bool {
    case.category == "order_by"
}

fn by_name(case: &Case, [reference, answer]: &[ScriptResult; 2]) -> [&'static str; 2] {
    let asked = OrderContext { ordered: is_ordered(case), gold_sql: &case.reference, generated_sql: &case.answer };
    let (gold, generated) = (frame(reference), frame(answer));
    [compare_df(&gold, &generated, asked), subset_df(&gold, &generated, asked.ordered)].map(words)
}

/// Compares a file with its expected text, or writes it on update.
fn held(path: &Path, text: &str) {
    if is_update() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == text, "{} is out of date", path.display());
}

#[test]
fn peers_were_asked_about_the_results_that_the_cases_give() {
    let cases = cases();
    let all: Vec<Results> = cases
        .cases
        .iter()
        .zip(run_all(&cases))
        .map(|(case, [reference, answer])| Results {
            id: case.id,
            reference: content(&reference),
            answer: content(&answer),
        })
        .collect();
    held(&folder().join("results.json"), &(serde_json::to_string_pretty(&all).unwrap() + "\n"));
}

#[test]
fn the_table_of_disagreements_is_what_the_comparators_say() {
    let cases = cases();
    let peers: Vec<Peers> =
        serde_json::from_str(&std::fs::read_to_string(folder().join("peers.json")).unwrap()).unwrap();
    assert_eq!(peers.len(), cases.cases.len());
    let mut table = String::new();
    let mut notes = String::new();
    for ((case, results), peer) in cases.cases.iter().zip(run_all(&cases)).zip(&peers) {
        assert_eq!(case.id, peer.id);
        let right = words(case.equal);
        let ours =
            words(matches!(compare(&results[0], &results[1].clone().ordered_as(&results[0])), Comparison::Equal));
        assert_eq!(ours, right, "{}: our strict comparison errs", case.name);
        let named = by_name(case, &results);
        for (mine, theirs) in named.into_iter().zip([&peer.compare_df, &peer.subset_df]) {
            assert!(mine == theirs || theirs.starts_with("fails"), "{}: SQL-Eval says {theirs}", case.name);
        }
        let all = [&peer.compare_df, &peer.subset_df, &peer.test_suite, &peer.bird_critic, &peer.spider2];
        let cells = all.map(|said| if said == right { said.clone() } else { format!("**{said}**") });
        writeln!(table, "| {}. {} | {ours} | {} |", case.id, case.name, cells.join(" | ")).unwrap();
        writeln!(
            notes,
            "{}. *{}*: {right}. {}\n   `{}`\n   `{}`",
            case.id, case.name, case.why, case.reference, case.answer
        )
        .unwrap();
    }
    let head = include_str!("../data/comparators/head.md");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/comparators.md");
    held(&path, &format!("{head}{table}\n## The cases\n\nReference first, answer second.\n\n{notes}"));
}
