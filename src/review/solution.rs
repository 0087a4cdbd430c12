//! Whether an annotator's own solution gives what the reference gives.

use std::path::PathBuf;

use serde::Serialize;

use crate::engine::compare::{Comparison, Difference, DifferenceKind, compare};
use crate::engine::table::{Database, Row};
use crate::engine::{EmbeddedEngine, Engine, ExecutionContext};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord};
use crate::store::RunDirectory;

/// What came of a solution on one database.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OnDatabase {
    /// The database's file.
    pub database: String,
    /// Whether the results are the reference's.
    pub same: bool,
    /// What differs, or why it does not run.
    pub message: String,
    /// Rows that only the reference gives, a few.
    pub only_in_reference: Vec<Row>,
    /// Rows that only the solution gives, a few.
    pub only_in_solution: Vec<Row>,
}

/// What came of a solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// It passes Spark's rules and gives the reference's results on every database, and there is one.
    pub accepted: bool,
    /// In a sentence.
    pub message: String,
    /// Database by database, the witness first; empty when it is refused before it runs.
    pub databases: Vec<OnDatabase>,
}

impl Checked {
    /// Not accepted, and why.
    fn refused(message: impl Into<String>) -> Checked {
        Checked { accepted: false, message: message.into(), databases: Vec::new() }
    }
}

/// Judges solutions.
pub trait Checker: Send + Sync {
    /// Runs a solution of a task on everything that is known about it.
    fn check(&self, task: &TaskRecord, gold: &GoldRecord, sql: &str) -> Checked;
}

/// Runs a solution and the reference on each database of the run that belongs to the task.
#[derive(Debug)]
pub struct SuiteChecker {
    root: PathBuf,
}

impl SuiteChecker {
    /// A checker on the databases of this run.
    pub fn new(directory: &RunDirectory) -> SuiteChecker {
        SuiteChecker { root: directory.root().to_owned() }
    }

    fn on_database(&self, case: &ExecutionContext, gold: &GoldRecord, sql: &str, name: &str) -> OnDatabase {
        let done = |same: bool, message: String| OnDatabase {
            database: name.to_owned(),
            same,
            message,
            only_in_reference: Vec::new(),
            only_in_solution: Vec::new(),
        };
        let database = Database::read(&self.root.join(name)).map_err(|error| error.problem.to_string());
        let expected = database
            .and_then(|database| Ok((EmbeddedEngine.result(&gold.reference_sql, case.by_ref(), &database)?, database)));
        let (expected, database) = match expected {
            Ok(pair) => pair,
            Err(error) => return done(false, format!("the reference does not run here: {error}")),
        };
        match EmbeddedEngine.result(sql, case.by_ref(), &database) {
            Err(error) => done(false, format!("it does not run: {error}")),
            Ok(found) => match compare(&expected, &found) {
                Comparison::Equal => done(true, "same results".to_owned()),
                Comparison::OrderOnly { .. } => done(false, "the same rows in another order".to_owned()),
                Comparison::Different(difference) => OnDatabase { message: say(&difference), ..rows(done, difference) },
            },
        }
    }
}

/// How many rows of each side are shown.
const SHOWN_ROWS: usize = 5;

fn rows(done: impl Fn(bool, String) -> OnDatabase, difference: Difference) -> OnDatabase {
    let mut outcome = done(false, String::new());
    if let DifferenceKind::Rows(rows) = difference.kind {
        outcome.only_in_reference = rows.only_in_reference.into_iter().take(SHOWN_ROWS).collect();
        outcome.only_in_solution = rows.only_in_other.into_iter().take(SHOWN_ROWS).collect();
    }
    outcome
}

fn say(difference: &Difference) -> String {
    let table = if difference.target.is_empty() { "the result" } else { &difference.target };
    match &difference.kind {
        DifferenceKind::Missing => format!("it does not write {table}"),
        DifferenceKind::Unexpected => format!("only the solution writes {table}"),
        DifferenceKind::ColumnCount { reference, other } => {
            format!("{table} has {other} columns instead of {reference}")
        }
        DifferenceKind::ColumnType { column, .. } => format!("column {} of {table} has another type", column + 1),
        DifferenceKind::Rows(rows) => format!(
            "{table}: {} rows of the reference are missing, {} rows are not in the reference",
            rows.only_in_reference_count, rows.only_in_other_count
        ),
    }
}

impl Checker for SuiteChecker {
    fn check(&self, task: &TaskRecord, gold: &GoldRecord, sql: &str) -> Checked {
        if sql.trim().is_empty() {
            return Checked::refused("there is no SQL in it");
        }
        if let Some(known) = known(gold, sql) {
            return Checked::refused(format!("it is {known}, apart from blanks"));
        }
        let case = match ExecutionContext::read(&task.schema_ddl, &task.parameters, gold.provenance.policies.clone()) {
            Ok(case) => case,
            Err(error) => return Checked::refused(format!("the schema does not read: {error}")),
        };
        match EmbeddedEngine.rejection(sql, case.by_ref()) {
            Ok(None) => {}
            Ok(Some(rejection)) => return Checked::refused(rejection.message),
            Err(reason) => return Checked::refused(reason),
        }
        let names = suite(&self.root, gold);
        if names.is_empty() {
            return Checked::refused("it passes the rules, but the run has no database for this script to run it on");
        }
        let databases: Vec<OnDatabase> = names.iter().map(|name| self.on_database(&case, gold, sql, name)).collect();
        let same = databases.iter().filter(|outcome| outcome.same).count();
        let accepted = same == databases.len();
        let message = format!("same results as the reference on {same} of {} databases", databases.len());
        Checked { accepted, message, databases }
    }
}

/// The files of the databases a task is judged on: those of its proof, or for a syntax task those of its script.
pub fn suite(root: &std::path::Path, gold: &GoldRecord) -> Vec<String> {
    if let Evidence::Killed { databases, .. } = &gold.evidence {
        return databases.clone();
    }
    let key = gold.provenance.source.split_whitespace().last().unwrap_or_default();
    let numbered = (0..).map(|number| format!("databases/{key}-{number}.json"));
    numbered.take_while(|name| root.join(name).is_file()).collect()
}

/// Whether a text is the reference or a known alternative but for blanks.
fn known(gold: &GoldRecord, sql: &str) -> Option<&'static str> {
    if same_words(sql, &gold.reference_sql) {
        return Some("the reference");
    }
    gold.alternatives.iter().any(|other| same_words(sql, other)).then_some("a known alternative")
}

/// Whether two texts differ in blanks and line ends only.
pub fn same_words(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}
