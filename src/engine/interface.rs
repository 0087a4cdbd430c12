//! The interface of every engine.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use super::choice::SyntaxJudge;
use super::compare::compare;
use super::context::ContextRef;
use super::outcome::{EngineVerdict, RunOutcome};
use super::spark::Times;
use super::spark_rules::Rejection;
use super::table::{Database, ScriptResult};

/// The name of the embedded engine in records.
pub const EMBEDDED: &str = concat!("sqlfault ", env!("CARGO_PKG_VERSION"), " (SQLite, Spark 4.3 rules, ANSI off)");

/// The name of Hive's parser in records.
pub const HIVE: &str = "Apache Hive 2.3 (parser)";

/// An engine that judges and runs scripts. It can be shared between threads.
pub trait Engine: Debug + Send + Sync {
    /// Returns the engine, version and settings in the form used in records.
    fn name(&self) -> &str;

    /// Returns this engine as one outside this program; `None` for the embedded engine, with which databases are made
    /// and witnesses found.
    fn external(&self) -> Option<&dyn ExternalEngine> {
        None
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

    /// Measures the engine's own work on a script, anew at each call; `None` if the script does not run.
    fn time(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Option<Duration> {
        let started = Instant::now();
        matches!(self.run(text, context, database), RunOutcome::Ran(_)).then(|| started.elapsed())
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

/// An engine outside this program. Databases are made, and witnesses found and reduced, with the embedded engine, which
/// is a thousand times faster; an external engine then confirms what it is to judge.
pub trait ExternalEngine: Engine {
    /// Returns whose verdict counts for syntax.
    fn judge(&self) -> SyntaxJudge;

    /// Returns why Hive's parser refuses a script; `None` if it accepts it.
    ///
    /// # Errors
    ///
    /// If the parser is inconclusive or absent.
    fn hive(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String>;

    /// Sets the time limit of each further request.
    fn limit(&self, milliseconds: u64);

    /// Returns why the engine could not be started at the first request; `None` if it could or there was no request.
    fn absence(&self) -> Option<String>;

    /// Returns the time of all requests so far; `None` if there was no request.
    fn times(&self) -> Option<Times>;
}

impl dyn Engine + '_ {
    /// Returns why an external engine could not be started; `None` for the embedded one, which needs no start.
    pub fn absence(&self) -> Option<String> {
        self.external().and_then(ExternalEngine::absence)
    }

    /// Sets the time limit of each further request to an external engine. A run on the embedded one has limits of its
    /// own.
    pub fn limit(&self, milliseconds: u64) {
        if let Some(engine) = self.external() {
            engine.limit(milliseconds);
        }
    }
}
