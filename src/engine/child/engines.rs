//! What a trial needs from an engine, implemented for both engines.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::request::{Allowance, Exceeded, Execution, Query, QueryReply, RunVerdict};
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::engine::policy::Policies;
use crate::engine::spark_rules::{RejectionStage, judge};
use crate::engine::sqlite::{Limits, LoadedDatabase, RunErrorKind, Sqlite, Translation, query_file};
use crate::engine::table::{Database, ScriptResult};
use crate::engine::{ContextRef, EmbeddedEngine, Engine, RunOutcome, embedded};

/// An engine as a trial uses it. Scripts and databases are prepared once for many runs where possible.
pub trait TrialEngine: Debug {
    /// A script, ready to run.
    type PreparedScript: Debug;
    /// A database, ready for runs.
    type PreparedDatabase: Debug;
    /// Whether the time of a first run can be compared with that of later ones.
    const FIRST_RUN_COUNTS: bool;

    /// Prepares a script.
    ///
    /// # Errors
    ///
    /// If the engine does not accept it; the error is the verdict.
    fn prepare(&self, text: &str, context: ContextRef<'_>) -> Result<Self::PreparedScript, RunVerdict>;

    /// Prepares the reference. An engine may rely on its being accepted.
    fn prepare_reference(&self, text: &str, context: ContextRef<'_>) -> Result<Self::PreparedScript, RunVerdict> {
        self.prepare(text, context)
    }

    /// Prepares a database.
    ///
    /// # Errors
    ///
    /// If its rows do not fit the schema.
    fn load(&self, schema: &Schema, database: &Database) -> Result<Self::PreparedDatabase, String>;

    /// Runs a script under limits.
    ///
    /// # Errors
    ///
    /// If it gives no result; the error is the verdict.
    fn run(
        &self,
        script: &Self::PreparedScript,
        context: ContextRef<'_>,
        data: &Self::PreparedDatabase,
        limits: &Limits,
    ) -> Result<ScriptResult, RunVerdict>;

    /// Runs the reference under the limits of trusted scripts.
    ///
    /// # Errors
    ///
    /// If it gives no result; the error is a message.
    fn run_trusted(
        &self,
        script: &Self::PreparedScript,
        context: ContextRef<'_>,
        data: &Self::PreparedDatabase,
    ) -> Result<ScriptResult, String> {
        let described = |verdict| match verdict {
            RunVerdict::Failed { message } | RunVerdict::Crashed { message } => message,
            RunVerdict::Rejected { rejection } => rejection.message,
            RunVerdict::Unsupported { what } => what,
            other => format!("{other:?}"),
        };
        let found = self.run(script, context, data, &Limits::default());
        found.map_err(|verdict| format!("the reference: {}", described(verdict)))
    }

    /// Measures one more run; `None` if it gives no result.
    fn time(
        &self,
        script: &Self::PreparedScript,
        context: ContextRef<'_>,
        data: &Self::PreparedDatabase,
        limits: &Limits,
    ) -> Option<Duration> {
        let started = Instant::now();
        self.run(script, context, data, limits).ok().map(|_| started.elapsed())
    }

    /// Sets the limits of the following runs, for an engine that enforces them itself.
    fn limit(&self, allowance: &Allowance) {
        let _ = allowance;
    }
}

/// SQLite in this process. Scripts are translated once and databases loaded once.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl TrialEngine for InProcess {
    type PreparedScript = Translation;
    type PreparedDatabase = LoadedDatabase;
    const FIRST_RUN_COUNTS: bool = true;

    fn prepare(&self, text: &str, context: ContextRef<'_>) -> Result<Translation, RunVerdict> {
        let ContextRef { schema, parameters, .. } = context;
        let bound = parameters.bind(text).map_err(|error| RunVerdict::Unsupported { what: error.to_string() })?;
        let ResolvedScript { script, scopes } = ResolvedScript::new(bound, schema);
        if let Some(rejection) = judge(&script, &scopes, schema) {
            return Err(RunVerdict::Rejected { rejection: Box::new(rejection) });
        }
        Sqlite::translate(&script, &scopes, schema, parameters)
            .map_err(|unsupported| RunVerdict::Unsupported { what: unsupported.what.to_string() })
    }

    fn load(&self, schema: &Schema, database: &Database) -> Result<LoadedDatabase, String> {
        Sqlite::open(schema, database).map_err(|error| error.to_string())
    }

    fn run(
        &self,
        script: &Translation,
        _: ContextRef<'_>,
        data: &LoadedDatabase,
        limits: &Limits,
    ) -> Result<ScriptResult, RunVerdict> {
        data.run(script, limits).map_err(|error| failed(error.kind))
    }

    fn run_trusted(
        &self,
        script: &Translation,
        _: ContextRef<'_>,
        data: &LoadedDatabase,
    ) -> Result<ScriptResult, String> {
        data.run(script, &Limits::default()).map_err(|error| error.to_string())
    }
}

impl TrialEngine for Arc<dyn Engine> {
    type PreparedScript = String;
    type PreparedDatabase = Database;
    // A first run includes loading tables, whereas a remembered answer takes no time.
    const FIRST_RUN_COUNTS: bool = false;

    fn prepare(&self, text: &str, context: ContextRef<'_>) -> Result<String, RunVerdict> {
        ended(self.check(text, context)).map_or_else(|| Ok(text.to_owned()), Err)
    }

    fn prepare_reference(&self, text: &str, _: ContextRef<'_>) -> Result<String, RunVerdict> {
        Ok(text.to_owned())
    }

    fn load(&self, _: &Schema, database: &Database) -> Result<Database, String> {
        Ok(database.clone())
    }

    fn run(
        &self,
        script: &String,
        context: ContextRef<'_>,
        data: &Database,
        _: &Limits,
    ) -> Result<ScriptResult, RunVerdict> {
        match Engine::run(&**self, script, context, data) {
            RunOutcome::Ran(result) => Ok(result),
            other => Err(ended(other).unwrap_or(RunVerdict::Equal)),
        }
    }

    fn time(&self, script: &String, context: ContextRef<'_>, data: &Database, _: &Limits) -> Option<Duration> {
        Engine::time(&**self, script, context, data)
    }

    fn limit(&self, allowance: &Allowance) {
        (**self).limit(allowance.milliseconds);
    }
}

/// Checks or runs a script, in the process that calls it.
pub(super) fn execute(request: &Execution) -> RunOutcome {
    let Execution { schema, parameters, text, database, scanning, allowance } = request;
    let policies = Policies::default();
    let context = ContextRef { schema, parameters, policies: &policies };
    match database {
        None => EmbeddedEngine.check(text, context),
        Some(database) => {
            let limits = allowance.limits(Duration::ZERO);
            let run = if *scanning { embedded::run_scanning } else { embedded::run_within };
            match run(text, context, database, &limits) {
                Ok(result) => RunOutcome::Ran(result.writable()),
                Err(error) => error.into(),
            }
        }
    }
}

/// Runs a query on a SQLite file, in the process that calls it.
pub fn query(request: &Query) -> QueryReply {
    match query_file(&request.file, &request.sql, &request.allowance.limits(Duration::ZERO)) {
        Ok((columns, rows)) => QueryReply::Result { columns, rows },
        Err(kind) => QueryReply::Ended(failed(kind)),
    }
}

/// Runs a query on tables that another engine loads.
pub fn query_on(engine: &dyn Engine, sql: &str, context: ContextRef<'_>, database: &Database) -> QueryReply {
    let result = match engine.run(sql, context, database) {
        RunOutcome::Ran(result) => result,
        other => return QueryReply::Ended(ended(other).unwrap_or(RunVerdict::Equal)),
    };
    match result.tables.into_iter().rfind(|table| table.target.is_empty()) {
        Some(table) => QueryReply::Result {
            columns: table.columns.into_iter().map(|column| column.name).collect(),
            rows: table.rows,
        },
        None => QueryReply::Ended(RunVerdict::Failed { message: "it is not a query".to_owned() }),
    }
}

fn failed(kind: RunErrorKind) -> RunVerdict {
    match kind {
        kind if kind.is_of_time() => RunVerdict::Exceeded { limit: Exceeded::Time },
        RunErrorKind::Memory => RunVerdict::Exceeded { limit: Exceeded::Memory },
        RunErrorKind::Rows => RunVerdict::Exceeded { limit: Exceeded::Rows },
        other => RunVerdict::Failed { message: other.to_string() },
    }
}

/// Returns the verdict on a script that did not run; `None` if it ran.
fn ended(outcome: RunOutcome) -> Option<RunVerdict> {
    match outcome {
        RunOutcome::Ran(_) => None,
        RunOutcome::Refused(refusal) if refusal.rejection.stage == RejectionStage::Run => {
            Some(RunVerdict::Failed { message: refusal.rejection.message })
        }
        RunOutcome::Refused(refusal) => Some(RunVerdict::Rejected { rejection: Box::new(refusal.rejection) }),
        RunOutcome::Denied(what) => Some(RunVerdict::Unsupported { what }),
        RunOutcome::TimedOut => Some(RunVerdict::Exceeded { limit: Exceeded::Time }),
        RunOutcome::Failed(message) => Some(RunVerdict::Crashed { message }),
    }
}
