//! Spark's SQL reference, page by page: what is read, what is kept as it stands, and what is not read.
//!
//! `tests/data/spark_reference/statements.tsv` has our own examples for each section of the reference, all of which Spark
//! 4.3 takes. `docs/spark_sql.md` is made of them; with `UPDATE=1` the test writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sqlfault::code::grammar::SyntaxReason;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;
use sqlfault::code::tree::Kind;
use sqlfault::engine::spark_rules::judge;

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
    /// It is read, and faults are planted in it.
    Read,
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
        if script.statements().iter().all(is_kept) { Reading::Kept } else { Reading::Read }
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
