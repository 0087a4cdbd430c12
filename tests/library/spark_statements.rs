//! The embedded judge against what Spark 4.3 (ANSI off) said of the statements of `tests/data/spark_statements`, which
//! cover the subjects of Spark's own SQL tests, section by section, in our own words. The sections called "further" were
//! written before the rules that they hold.
#![expect(clippy::print_stdout, reason = "the test tells the agreement of each section")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sqlfault::code::grammar::SyntaxReason;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;
use sqlfault::engine::spark_rules::{RejectionStage, judge};

use crate::spark_rules::SCHEMA;

const VERDICTS: &str = include_str!("../data/spark_statements/verdicts.tsv");

/// Where the judges differ today, one statement a line. With `UPDATE=1` the test writes the file anew.
const KNOWN: &str = include_str!("../data/spark_statements/known_differences.tsv");

/// Statements on which stage and class agree today. Raise this with every mend.
const MEASURED: usize = 2179;

/// What the embedded judge says, in the words of the recording.
fn ours(sql: &str, schema: &Schema) -> String {
    let ResolvedScript { script, scopes } = ResolvedScript::new(sql, schema);
    if script.errors().iter().any(|(_, error)| error.reason == SyntaxReason::Unsupported) {
        return "not read".to_owned();
    }
    match judge(&script, &scopes, schema) {
        None => "ok".to_owned(),
        Some(found) if found.stage == RejectionStage::Parse => format!("parse {}", found.class),
        Some(found) => format!("analysis {}", found.class),
    }
}

#[test]
fn the_judges_differ_on_the_known_statements_only() {
    let schema = Schema::read(SCHEMA).unwrap();
    let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut differing = "Spark\tsqlfault\tstatement\n".to_owned();
    for line in VERDICTS.lines().skip(1) {
        let [section, stage, class, sql] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let spark = format!("{stage} {class}").trim_end().to_owned();
        let ours = ours(sql, &schema);
        let (agreed, all) = sections.entry(section).or_default();
        *agreed += usize::from(ours == spark);
        *all += 1;
        if ours != spark {
            writeln!(differing, "{spark}\t{ours}\t{sql}").unwrap();
        }
    }
    sections.iter().for_each(|(section, (agreed, all))| println!("{section}: {agreed} of {all}"));
    let (agreed, all) = sections.values().fold((0, 0), |(agreed, all), (here, of)| (agreed + here, all + of));
    println!("{agreed} of {all} statements are judged alike");
    assert!(all >= 500, "only {all} statements are recorded");
    assert!(agreed >= MEASURED, "only {agreed} of {all} statements are judged alike");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/spark_statements/known_differences.tsv"),
            &differing,
        )
        .unwrap();
        return;
    }
    assert_eq!(differing, KNOWN, "the differences are others than those that are known");
}

#[test]
fn the_statements_are_those_that_spark_was_asked_about() {
    let asked = include_str!("../data/spark_statements/statements.sql");
    let asked: Vec<&str> = asked.lines().filter(|line| !line.is_empty() && !line.starts_with("--")).collect();
    let recorded: Vec<&str> = VERDICTS.lines().skip(1).filter_map(|line| line.rsplit('\t').next()).collect();
    assert_eq!(asked, recorded);
}
