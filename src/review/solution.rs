//! Whether an annotator's own solution gives what the reference gives.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::engine::ExecutionContext;
use crate::engine::child::{Allowance, RunVerdict, Sandbox, TrialRequest};
use crate::engine::compare::{Comparison, Difference, DifferenceKind, compare};
use crate::engine::table::{Database, Row};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord, shared_database};
use crate::store::{RunDirectory, locate};

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

/// Runs a solution and the reference on each database of the run that belongs to the task, in a sandbox: an annotator's
/// SQL is as untrusted as any other.
#[derive(Debug)]
pub struct SuiteChecker {
    root: PathBuf,
    /// Sandboxes that no request uses at the moment.
    idle: Mutex<Vec<Sandbox>>,
}

/// One solution of one task.
struct Solution<'a> {
    task: &'a TaskRecord,
    gold: &'a GoldRecord,
    sql: &'a str,
}

impl Solution<'_> {
    fn request(&self, databases: Vec<PathBuf>) -> TrialRequest {
        TrialRequest {
            schema_ddl: self.task.schema_ddl.clone(),
            parameters: self.task.parameters.clone(),
            reference_sql: self.gold.reference_sql.clone(),
            predict_sql: self.sql.to_owned(),
            tables: self.gold.read_tables.clone(),
            databases,
            others: Vec::new(),
            allowance: Allowance::default(),
            policies: self.gold.provenance.policies.clone(),
            repeats: 0,
        }
    }
}

impl SuiteChecker {
    /// A checker on the databases of this run.
    pub fn new(directory: &RunDirectory) -> SuiteChecker {
        SuiteChecker { root: directory.root().to_owned(), idle: Mutex::default() }
    }

    fn on_database(&self, sandbox: &mut Sandbox, solution: &Solution<'_>, name: &str) -> OnDatabase {
        let done = |same: bool, message: String| OnDatabase {
            database: name.to_owned(),
            same,
            message,
            only_in_reference: Vec::new(),
            only_in_solution: Vec::new(),
        };
        let inside = RunDirectory::open(&self.root).ok().and_then(|directory| directory.inside(name));
        let Some(path) = inside else { return done(false, "the database lies outside the run".to_owned()) };
        match sandbox.answer(&solution.request(vec![path.clone()])).verdict {
            RunVerdict::Equal => done(true, "same results".to_owned()),
            RunVerdict::OtherOrder { .. } => done(false, "the same rows in another order".to_owned()),
            RunVerdict::Unjudged { message } => done(false, format!("the reference does not run here: {message}")),
            verdict => match verdict.failure() {
                Some(reason) => done(false, format!("it does not run: {reason}")),
                None => match difference(sandbox, solution, &path) {
                    Ok(difference) => OnDatabase { message: say(&difference), ..rows(done, difference) },
                    Err(reason) => done(false, format!("other results; they cannot be shown: {reason}")),
                },
            },
        }
    }
}

/// What differs between the results of reference and solution, which are known to differ.
fn difference(sandbox: &mut Sandbox, solution: &Solution<'_>, path: &Path) -> Result<Difference, String> {
    let database = Database::read(path).map_err(|error| error.problem.to_string())?;
    let (task, policies) = (solution.task, solution.gold.provenance.policies.clone());
    let context = ExecutionContext::read(&task.schema_ddl, &task.parameters, policies);
    let context = context.map_err(|error| error.to_string())?;
    let mut result = |sql: &str| sandbox.run(sql, context.by_ref(), &database).into_result();
    let expected = result(&solution.gold.reference_sql)?;
    let found = result(solution.sql)?.ordered_as(&expected);
    match compare(&expected, &found) {
        Comparison::Different(difference) => Ok(difference),
        Comparison::Equal | Comparison::OrderOnly { .. } => Err("they differ in values that have no text".to_owned()),
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

impl SuiteChecker {
    /// Runs a solution of a task on everything that is known about it.
    pub fn check(&self, task: &TaskRecord, gold: &GoldRecord, sql: &str) -> Checked {
        if sql.trim().is_empty() {
            return Checked::refused("there is no SQL in it");
        }
        if let Some(known) = known(gold, sql) {
            return Checked::refused(format!("it is {known}, apart from blanks"));
        }
        let names = suite(&self.root, gold);
        let solution = Solution { task, gold, sql };
        let idle = self.lock().pop();
        let mut sandbox = idle.unwrap_or_else(Sandbox::open);
        let checked = checked(self, &mut sandbox, &solution, &names);
        self.lock().push(sandbox);
        checked
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Sandbox>> {
        // A sandbox is taken out while it is used: what is in the list is whole.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn checked(checker: &SuiteChecker, sandbox: &mut Sandbox, solution: &Solution<'_>, names: &[String]) -> Checked {
    let refusal = sandbox.answer(&solution.request(Vec::new())).verdict.failure();
    if let Some(reason) = refusal {
        return Checked::refused(reason);
    }
    if names.is_empty() {
        return Checked::refused("it passes the rules, but the run has no database for this script to run it on");
    }
    let databases: Vec<OnDatabase> = names.iter().map(|name| checker.on_database(sandbox, solution, name)).collect();
    let same = databases.iter().filter(|outcome| outcome.same).count();
    let accepted = same == databases.len();
    let message = format!("same results as the reference on {same} of {} databases", databases.len());
    Checked { accepted, message, databases }
}

/// The files of the databases a task is judged on: those of its proof, or for a syntax task those of its script.
pub fn suite(root: &std::path::Path, gold: &GoldRecord) -> Vec<String> {
    if let Evidence::Killed { databases, .. } = &gold.evidence {
        return databases.clone();
    }
    let numbered = (0..).map(|number| shared_database(gold.provenance.key(), number));
    numbered.take_while(|name| locate(root, name).is_file()).collect()
}

/// What a text is but for blanks: the reference or a known alternative; `None` if it is neither.
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
