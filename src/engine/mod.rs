//! Service: run SQL on an engine and compare results.
//!
//! [`Engine`] is what every engine can do: [`EmbeddedEngine`] is SQLite behind Spark's rules, [`SparkSession`] is Spark.
//! [`child`] runs untrusted scripts apart from this process.

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
mod session;
pub mod spark;
pub mod spark_rules;
pub mod sqlite;
pub mod table;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use spark::{SparkError, Times};
use spark_rules::Rejection;
use table::{Database, ScriptResult};

pub use choice::{EngineChoice, SparkChoice, SyntaxJudge};
pub use compare::compare;
pub use contained::ContainedEngine;
pub use context::{ContextRef, ExecutionContext};
pub use database_file::{DatabaseFileError, DatabaseFileProblem};
pub use embedded::EmbeddedEngine;
pub use outcome::{EngineVerdict, Refusal, RunOutcome};
pub use session::SparkSession;

/// How the embedded engine is called in records.
pub const EMBEDDED: &str = concat!("sqlfault ", env!("CARGO_PKG_VERSION"), " (SQLite, Spark 4.3 rules, ANSI off)");

/// How Hive's parser is called in records.
pub const HIVE: &str = "Apache Hive 2.3 (parser)";

/// An engine that judges and runs scripts. Any thread may ask.
pub trait Engine: Debug + Send + Sync {
    /// Engine, version and settings, as records name them.
    fn name(&self) -> &str;

    /// Whether it is the embedded engine, with which databases are made and witnesses found. What another engine is to
    /// judge, it has to confirm.
    fn is_embedded(&self) -> bool {
        false
    }

    /// Whose verdict counts on syntax.
    fn judge(&self) -> SyntaxJudge {
        SyntaxJudge::Spark
    }

    /// Judges a script without running its queries.
    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome;

    /// Runs a script that the engine accepts on a database.
    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome;

    /// What every judge says of a script, the judging engine first. Policies are not asked.
    ///
    /// # Errors
    ///
    /// Why one of them is inconclusive.
    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String>;

    /// Why Hive's parser refuses a script; `None` when it reads it.
    ///
    /// # Errors
    ///
    /// Why it is inconclusive; an engine without Hive's parser always is.
    fn hive(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        let _ = (text, context);
        Err(format!("{} has no Hive parser", self.name()))
    }

    /// Limits each request from now on, in milliseconds, where the engine watches that itself.
    fn limit(&self, milliseconds: u64) {
        let _ = milliseconds;
    }

    /// How long the engine's own work on a script takes, measured anew each time; `None` when the script does not run.
    fn time(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Option<Duration> {
        let started = Instant::now();
        matches!(self.run(text, context, database), RunOutcome::Ran(_)).then(|| started.elapsed())
    }

    /// Why the engine could not be started when it was first asked; `None` when it could, or was never asked.
    fn absence(&self) -> Option<String> {
        None
    }

    /// How long all requests so far took; `None` for an engine that keeps no account or was never asked.
    fn times(&self) -> Option<Times> {
        None
    }

    /// Why the engine, or else a policy of the context, refuses a script; `None` when they accept it.
    ///
    /// # Errors
    ///
    /// Why the engine is inconclusive.
    fn rejection(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        let refused = self.check(text, context).into_rejection()?;
        Ok(refused.or_else(|| context.policy_rejection(text)))
    }

    /// What a script gives on a database.
    ///
    /// # Errors
    ///
    /// The message of what happened instead.
    fn result(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Result<ScriptResult, String> {
        self.run(text, context, database).into_result()
    }

    /// Whether two scripts both run on a database and give different rows.
    ///
    /// # Errors
    ///
    /// When one of them does not run.
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

/// Starts the engine chosen.
///
/// # Errors
///
/// When it is absent or does not start.
pub fn open(choice: &EngineChoice) -> Result<Box<dyn Engine>, SparkError> {
    Ok(match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::open(spark)?),
    })
}

/// An engine of which records say the name; it is started when it is first asked, if ever.
pub fn open_later(choice: &EngineChoice, name: &str) -> Box<dyn Engine> {
    match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::later(spark, name)),
    }
}
