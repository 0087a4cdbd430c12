//! A service for the stages: runs SQL on an engine and compares results.
//!
//! [`Engine`] is the interface of every engine: [`EmbeddedEngine`] is SQLite behind Spark's rules, [`SparkSession`] is
//! Spark. [`child`] runs untrusted scripts in a process of their own.

pub mod child;
mod choice;
pub mod compare;
mod contained;
mod context;
mod database_file;
pub mod embedded;
mod outcome;
#[cfg(test)]
pub mod panicking;
pub mod policy;
pub mod python;
pub mod row;
mod session;
pub mod spark;
pub mod spark_rules;
pub mod sqlite;
pub mod table;
pub mod translation;
pub mod value;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use spark::{SparkError, Times};
use spark_rules::Rejection;
use table::{Database, ScriptResult};

pub use choice::{EngineChoice, SparkChoice, SyntaxJudge};
pub use compare::compare;
pub use contained::ContainedEngine;
pub use context::{ContextRef, ExecutionContext};
pub use database_file::DatabaseFileError;
pub use embedded::EmbeddedEngine;
pub use outcome::{EngineVerdict, Refusal, RunOutcome};
pub use session::SparkSession;

/// The name of the embedded engine in records.
pub const EMBEDDED: &str = concat!("sqlfault ", env!("CARGO_PKG_VERSION"), " (SQLite, Spark 4.3 rules, ANSI off)");

/// The name of Hive's parser in records.
pub const HIVE: &str = "Apache Hive 2.3 (parser)";

/// An engine that judges and runs scripts. It can be shared between threads.
pub trait Engine: Debug + Send + Sync {
    /// Returns the engine, version and settings in the form used in records.
    fn name(&self) -> &str;

    /// Whether it is the embedded engine, which is used to generate databases and find witnesses. Any other engine has
    /// to confirm what it is to judge.
    fn is_embedded(&self) -> bool {
        false
    }

    /// Returns whose verdict counts for syntax.
    fn judge(&self) -> SyntaxJudge {
        SyntaxJudge::Spark
    }

    /// Judges a script without running its queries.
    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome;

    /// Runs a script that the engine accepts on a database.
    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome;

    /// As [`Engine::run`], but reads every table from end to end where the engine can be told to, so that a result that
    /// depends on the order of rows shows it.
    fn run_scanning(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        self.run(text, context, database)
    }

    /// Returns every judge's verdict on a script, the judging engine's first. Policies are not checked.
    ///
    /// # Errors
    ///
    /// If one of them is inconclusive; the error says why.
    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String>;

    /// Returns why Hive's parser refuses a script; `None` if it accepts it.
    ///
    /// # Errors
    ///
    /// If the parser is inconclusive, which it always is for an engine without Hive's parser.
    fn hive(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        let _ = (text, context);
        Err(format!("{} has no Hive parser", self.name()))
    }

    /// Sets the time limit of each further request, for an engine that enforces it itself.
    fn limit(&self, milliseconds: u64) {
        let _ = milliseconds;
    }

    /// Measures the engine's own work on a script, anew at each call; `None` if the script does not run.
    fn time(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Option<Duration> {
        let started = Instant::now();
        matches!(self.run(text, context, database), RunOutcome::Ran(_)).then(|| started.elapsed())
    }

    /// Returns why the engine could not be started at the first request; `None` if it could or there was no request.
    fn absence(&self) -> Option<String> {
        None
    }

    /// Returns the time of all requests so far; `None` if the engine does not measure it or there was no request.
    fn times(&self) -> Option<Times> {
        None
    }

    /// Returns why the engine, or else a policy of the context, refuses a script; `None` if they accept it.
    ///
    /// # Errors
    ///
    /// If the engine is inconclusive; the error says why.
    fn rejection(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        let refused = self.check(text, context).into_rejection()?;
        Ok(refused.or_else(|| context.policy_rejection(text)))
    }

    /// Runs a script on a database and returns its result.
    ///
    /// # Errors
    ///
    /// If it gives no result; the error says why.
    fn result(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Result<ScriptResult, String> {
        self.run(text, context, database).into_result()
    }

    /// Whether two scripts give different rows on a database.
    ///
    /// # Errors
    ///
    /// If one of them does not run.
    fn differ(
        &self,
        reference: &str,
        issue: &str,
        context: ContextRef<'_>,
        database: &Database,
    ) -> Result<bool, String> {
        let expected = self.result(reference, context, database)?;
        let found = self.result(issue, context, database)?;
        Ok(compare(&expected, &found).is_different())
    }
}

/// Starts the chosen engine.
///
/// # Errors
///
/// If it is not installed or does not start.
pub fn open(choice: &EngineChoice) -> Result<Box<dyn Engine>, SparkError> {
    Ok(match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::open(spark)?),
    })
}

/// Returns the embedded engine for untrusted scripts: in child processes, but in this one where this program is a
/// test harness, which has no such child.
pub fn for_untrusted() -> Box<dyn Engine> {
    match child::Worker::program() {
        Some(program) => Box::new(ContainedEngine::new(&program, child::Allowance::default())),
        None => Box::new(EmbeddedEngine),
    }
}

/// Returns the chosen engine under the name that records have for it. It is started only at the first request.
pub fn open_later(choice: &EngineChoice, name: &str) -> Box<dyn Engine> {
    match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::later(spark, name)),
    }
}
