//! Spark's SQL reference, page by page: what is read, what is kept as it stands, and what is not read.
//!
//! `tests/data/spark_reference/statements.tsv` has our own examples for each section of the reference, all of which Spark
//! 4.3 takes. `docs/spark_sql.md` is made of them; with `UPDATE=1` the test writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sqlfault::code::grammar::SyntaxReason;
use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;
use sqlfault::code::tree::Kind;
use sqlfault::engine::spark_rules::judge;
use sqlfault::engine::sqlite::Sqlite;

/// The page for users, which the test holds against what is read.
const PAGE: &str = include_str!("../../docs/spark_sql.md");

const STATEMENTS: &str = include_str!("../data/spark_reference/statements.tsv");

/// The tables that the examples read.
const SCHEMA: &str = "
CREATE TABLE t1 (id INT, name STRING, amt DECIMAL(10,2), d DATE, ts TIMESTAMP, flag BOOLEAN, arr ARRAY<INT>,
    m MAP<STRING,INT>, st STRUCT<a:INT,b:STRING>, js STRING);
CREATE TABLE t2 (id INT, city STRING, qty INT, price DOUBLE, dt STRING);
CREATE TABLE t3 (id INT, grp STRING, v BIGINT, arr ARRAY<STRING>);
CREATE TABLE fbt.nt (id BIGINT, name STRING);
CREATE TABLE fbt.pt (id BIGINT, name STRING) PARTITIONED BY (dt STRING);
CREATE TABLE v1 (id INT, name STRING);
CREATE TABLE tv1 (id INT);";

/// What becomes of an example here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    /// It is read, and runs in the embedded engine.
    Read,
    /// It is read and does not run in the embedded engine, for this reason.
    NotRun(String),
    /// It is kept as text: no faults are planted in it, and it does not run.
    Kept,
    /// It is legal and not read; the message says what to write instead.
    NotRead(String),
    /// It is taken for an error.
    Refused(String),
}

impl Reading {
    fn of(sql: &str, schema: &Schema) -> Reading {
        let ResolvedScript { script, scopes } = ResolvedScript::new(sql, schema);
        let unread = script.errors().iter().find(|(_, error)| error.reason == SyntaxReason::Unsupported);
        if let Some((_, error)) = unread {
            return Reading::NotRead(error.to_string());
        }
        if let Some(rejection) = judge(&script, &scopes, schema) {
            return Reading::Refused(format!("{}: {}", rejection.class, rejection.message));
        }
        let is_kept = |statement: &_| matches!(script.tree().kind(*statement), Kind::Opaque | Kind::Command);
        if script.statements().iter().all(is_kept) {
            return Reading::Kept;
        }
        match Sqlite::translate(&script, &scopes, schema, &Parameters::default()) {
            Ok(_) => Reading::Read,
            Err(unsupported) => Reading::NotRun(unsupported.to_string()),
        }
    }
}

/// The examples by page and section, in the order of the reference.
fn sections() -> Vec<((&'static str, &'static str), Vec<&'static str>)> {
    let mut sections: Vec<((&str, &str), Vec<&str>)> = Vec::new();
    for line in STATEMENTS.lines().skip(1) {
        let [page, section, sql] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        match sections.iter_mut().find(|(place, _)| *place == (page, section)) {
            Some((_, examples)) => examples.push(sql),
            None => sections.push(((page, section), vec![sql])),
        }
    }
    sections
}

/// The page: what is not read, and how much of each page of the reference is.
fn page(schema: &Schema) -> String {
    let mut lists = [String::new(), String::new()];
    let mut pages: Vec<(&str, [usize; 4])> = Vec::new();
    for ((page, section), examples) in sections() {
        if pages.last().is_none_or(|(last, _)| *last != page) {
            pages.push((page, [0; 4]));
        }
        let (_, counts) = pages.last_mut().unwrap();
        for sql in examples {
            let mut list = |place: usize, message: &str| {
                counts[place] += 1;
                let cells = [section, &format!("`{sql}`"), message].map(|cell| cell.replace('|', "\\|"));
                writeln!(lists[place - 2], "| {} |", cells.join(" | ")).unwrap();
            };
            match Reading::of(sql, schema) {
                Reading::Read => counts[0] += 1,
                Reading::Kept => counts[1] += 1,
                Reading::NotRun(message) => list(2, &message),
                Reading::NotRead(message) => list(3, &message),
                Reading::Refused(_) => {}
            }
        }
    }
    let rows =
        pages.iter().map(|(page, counts)| format!("| {page} | {} |\n", counts.map(|n| n.to_string()).join(" | ")));
    let sums = pages.iter().fold([0; 4], |sums, (_, counts)| [0, 1, 2, 3].map(|at| sums[at] + counts[at]));
    let [not_run, unread] = lists;
    format!(
        "{HEAD}\nOf {} examples {} are read and run, {} are kept as text, {} are read and not run, and {} are not read.\n\n\
         ## What is not read\n\n| section | example | what is said |\n| --- | --- | --- |\n{unread}\n\
         ## What is read and not run\n\n| section | example | why |\n| --- | --- | --- |\n{not_run}\n\
         ## Page by page\n\n| page | read | kept as text | not run | not read |\n| --- | --- | --- | --- | --- |\n{}",
        sums.iter().sum::<usize>(),
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        rows.collect::<String>()
    )
}

const HEAD: &str = "\
# Spark's SQL reference, section by section

Each section of the [SQL reference of Spark 4](https://spark.apache.org/docs/latest/sql-ref.html) has examples in
`tests/data/spark_reference`, all of which Spark 4.3 takes. What becomes of them here:

- *read*: faults are planted in it, and it runs in the embedded engine;
- *read and not run*: a script with it becomes no reference under the embedded engine, and the refusal says why;
- *kept as text*: statements about tables, settings and users, which do not change what a script computes;
- *not read*: a message names the place and what to write instead; Spark is never said to refuse it.

Whether statements are judged as Spark does is another question: `tests/data/spark_statements` has its answers.
";

#[test]
fn the_page_tells_what_is_read() {
    let page = page(&Schema::read(SCHEMA).unwrap());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/spark_sql.md"), page).unwrap();
        return;
    }
    assert_eq!(page, PAGE, "docs/spark_sql.md is old: UPDATE=1 cargo test --test library spark_reference");
}

#[test]
fn what_the_reference_has_is_read_or_said_to_be_unread() {
    let schema = Schema::read(SCHEMA).unwrap();
    let mut refused = BTreeMap::new();
    for (place, examples) in sections() {
        for sql in examples {
            if let Reading::Refused(message) = Reading::of(sql, &schema) {
                refused.insert((place, sql), message);
            }
        }
    }
    let mut words = String::new();
    refused.iter().for_each(|((_, sql), message)| writeln!(words, "{sql}\n    {message}").unwrap());
    assert!(refused.is_empty(), "{} of what Spark takes is called wrong:\n{words}", refused.len());
}
