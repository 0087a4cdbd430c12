//! Spark as an engine: a session behind a lock, which any thread may use, one request at a time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::choice::{SparkChoice, SyntaxJudge};
use super::context::ContextRef;
use super::embedded;
use super::interface::{EMBEDDED, Engine, ExternalEngine, HIVE};
use super::outcome::{EngineVerdict, RunOutcome};
use super::spark::{Spark, SparkError, SparkSettings, Times, flagged};
use super::spark_rules::Rejection;
use super::table::Database;

fn settings(choice: &SparkChoice) -> SparkSettings {
    SparkSettings { ansi: choice.ansi, master: choice.address.clone(), ..SparkSettings::default() }
}

#[derive(Debug)]
enum SessionProcess {
    NotStarted,
    Running(Box<Spark>),
    /// It could not be started; the reason.
    Failed(String),
}

/// A Spark that is started when it is first needed and remembers answers.
#[derive(Debug)]
pub struct SparkSession {
    choice: SparkChoice,
    name: String,
    spark: Mutex<SessionProcess>,
    /// Answers to earlier requests: a reference is run again and again on the databases of its script.
    known: Mutex<HashMap<[u8; 32], RunOutcome>>,
}

/// How many answers are kept.
const MOST_KNOWN: usize = 512;

impl SparkSession {
    /// Starts Spark.
    pub(super) fn open(choice: &SparkChoice) -> Result<SparkSession, SparkError> {
        let started = Spark::start(settings(choice))?;
        let name = started.name();
        Ok(SparkSession::new(choice, name, SessionProcess::Running(Box::new(started))))
    }

    /// Returns a Spark with this name in records, which is started at the first request.
    pub(super) fn later(choice: &SparkChoice, name: &str) -> SparkSession {
        SparkSession::new(choice, name.to_owned(), SessionProcess::NotStarted)
    }

    fn new(choice: &SparkChoice, name: String, process: SessionProcess) -> SparkSession {
        SparkSession { choice: choice.clone(), name, spark: Mutex::new(process), known: Mutex::default() }
    }

    /// Returns the remembered answer or else asks. Only verdicts on scripts are remembered, not failures of the
    /// process.
    fn recall(
        &self,
        text: &str,
        context: ContextRef<'_>,
        database: Option<&Database>,
        question: impl FnOnce(&mut Spark) -> RunOutcome,
    ) -> RunOutcome {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key: [u8; 32] =
            Sha256::digest(format!("{text}\0{:?}\0{:?}\0{database:?}", context.schema, context.parameters)).into();
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let outcome = self.ask(question).unwrap_or_else(RunOutcome::Failed);
        if matches!(outcome, RunOutcome::Ran(_) | RunOutcome::Refused(_)) {
            let mut known = lock();
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert(key, outcome.clone());
        }
        outcome
    }

    fn ask<T>(&self, question: impl FnOnce(&mut Spark) -> T) -> Result<T, String> {
        let mut process = self.process();
        if matches!(*process, SessionProcess::NotStarted) {
            *process = match Spark::start(settings(&self.choice)) {
                Ok(spark) => SessionProcess::Running(Box::new(spark)),
                Err(error) => SessionProcess::Failed(error.to_string()),
            };
        }
        match &mut *process {
            SessionProcess::Running(spark) => Ok(question(spark)),
            SessionProcess::Failed(words) => Err(words.clone()),
            SessionProcess::NotStarted => Err(String::new()),
        }
    }

    fn process(&self) -> MutexGuard<'_, SessionProcess> {
        // A thread that panicked left at most an unread answer behind, which the next request skips.
        self.spark.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for SparkSession {
    fn name(&self) -> &str {
        &self.name
    }

    fn external(&self) -> Option<&dyn ExternalEngine> {
        Some(self)
    }

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        self.recall(text, context, None, |spark| spark.check(text, context.schema, context.parameters))
    }

    /// If the embedded engine runs the script too, what it knows about unordered results is added.
    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        let run = |spark: &mut Spark| spark.run(text, context.schema, context.parameters, database);
        match self.recall(text, context, Some(database), run) {
            RunOutcome::Ran(result) => RunOutcome::Ran(match embedded::run(text, context, database) {
                Ok(embedded) => flagged(result, &embedded),
                Err(_) => result,
            }),
            other => other,
        }
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        let mut verdicts = Vec::new();
        if self.choice.judge != SyntaxJudge::Hive {
            let rejection = self.check(text, context).into_rejection()?;
            verdicts.push(EngineVerdict { engine: self.name.clone(), rejection });
        }
        if self.choice.judge != SyntaxJudge::Spark {
            verdicts.push(EngineVerdict { engine: HIVE.to_owned(), rejection: self.hive(text, context)? });
        }
        let rejection = embedded::rejection(text, context);
        verdicts.push(EngineVerdict { engine: EMBEDDED.to_owned(), rejection });
        Ok(verdicts)
    }

    /// Measures Spark's own work on a script, without loading its tables.
    fn time(&self, text: &str, context: ContextRef<'_>, database: &Database) -> Option<Duration> {
        let timed = |spark: &mut Spark| {
            let before = spark.times().on_scripts();
            let outcome = spark.run(text, context.schema, context.parameters, database);
            matches!(outcome, RunOutcome::Ran(_)).then(|| spark.times().on_scripts().saturating_sub(before))
        };
        self.ask(timed).ok().flatten()
    }
}

impl ExternalEngine for SparkSession {
    fn judge(&self) -> SyntaxJudge {
        self.choice.judge
    }

    fn hive(&self, text: &str, context: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        let refusal = self.ask(|spark| spark.hive(text, context.parameters))?.map_err(|error| error.to_string())?;
        Ok(refusal.map(|refusal| refusal.rejection))
    }

    fn limit(&self, milliseconds: u64) {
        // An engine that could not be started needs no limit.
        let _ = self.ask(|spark| spark.limit(milliseconds));
    }

    fn absence(&self) -> Option<String> {
        match &*self.process() {
            SessionProcess::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }

    fn times(&self) -> Option<Times> {
        match &*self.process() {
            SessionProcess::Running(spark) => Some(spark.times().clone()),
            _ => None,
        }
    }
}
