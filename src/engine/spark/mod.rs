//! Apache Spark as the engine: a supervised Python process with pyspark that is asked line by line.
//!
//! Spark judges untrusted SQL. Before anything runs, the process checks Spark's own parsed plan against a list of what
//! is allowed, and refuses everything but queries and writes into the tables of the case. A process that dies or hangs
//! is restarted and the request repeated once.
//!
//! # Where it runs
//!
//! The process holds Spark's driver; the master may be anywhere: `local[N]`, `local-cluster[N,CORES,MEMORY]`,
//! `spark://HOST:PORT`, `yarn` or `k8s://…`. With a master on other machines the driver must be reachable from there
//! (`SPARK_LOCAL_IP` names its address), and `TMPDIR` must be a folder that all of them share, since the tables that a
//! script writes are files. The data are tiny, so a cluster makes one query no faster; to share work out, see
//! `sqlfault worker`.
//!
//! Spark Connect (`sc://…`) is refused: what may run is decided on Spark's parsed plan inside the driver, and a Connect
//! client does not see it.

pub mod find;
pub mod catalogue;
mod flags;
mod pieces;
mod answer;
mod tables;
mod times;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::code::parameters::{Parameters, UnboundPlaceholder};
use crate::code::schema::Schema;
use crate::code::span::Span;
use crate::engine::outcome::{Refusal, RunOutcome};
use crate::engine::python::{ProcessFailure, PythonProcess, PythonProgram};
use crate::engine::table::Database;

pub use find::{Installation, SparkAbsence};
pub use flags::flagged;
pub use times::Times;

use answer::JudgedText;

/// The program that runs Spark. A cold start on a busy machine takes half of what it may.
static PROGRAM: PythonProgram = PythonProgram {
    name: "Spark",
    text: include_str!("session.py"),
    start: Duration::from_secs(180),
    farewell: Duration::from_secs(20),
};

/// How Spark is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparkSettings {
    /// ANSI mode with ANSI store assignment; off is Hive's way, with legacy store assignment.
    pub ansi: bool,
    /// The time limit of one request, in milliseconds.
    pub timeout_ms: u64,
    /// Memory of the Spark process, as Java writes it.
    pub memory: String,
    /// Spark's master: `local[2]`, or the address of a cluster.
    pub master: String,
}

impl Default for SparkSettings {
    fn default() -> SparkSettings {
        SparkSettings { ansi: false, timeout_ms: 60_000, memory: "2g".to_owned(), master: "local[2]".to_owned() }
    }
}

/// Why Spark cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SparkError {
    #[error(transparent)]
    Absent(#[from] SparkAbsence),
    #[error(transparent)]
    Fault(#[from] ProcessFailure),
}

/// The time limit for opening a case, in milliseconds. Most take well under a second, but the first one in a cold
/// process takes much longer.
const OPEN_MS: u64 = 120_000;
/// How many cases are kept open in the process.
const OPEN_CASES: usize = 12;

/// A supervised Spark.
#[derive(Debug)]
pub struct Spark {
    installation: Installation,
    settings: SparkSettings,
    process: Option<PythonProcess>,
    version: String,
    /// The tables and numbers of the open cases, the one used last at the end.
    cases: Vec<(String, u64)>,
    next_case: u64,
    restarts: usize,
    times: Times,
}

impl Spark {
    /// Finds Spark and starts it.
    pub fn start(settings: SparkSettings) -> Result<Spark, SparkError> {
        let installation = find::find()?;
        let process = started(&installation, &settings)?;
        let version = process.greeting["spark"].as_str().unwrap_or_default().to_owned();
        let (process, cases) = (Some(process), Vec::new());
        Ok(Spark {
            installation,
            settings,
            process,
            version,
            cases,
            next_case: 0,
            restarts: 0,
            times: Times::default(),
        })
    }

    /// Returns the engine's name in records, with version and settings.
    pub fn name(&self) -> String {
        format!("Apache Spark {} (ANSI {})", self.version, if self.settings.ansi { "on" } else { "off" })
    }

    /// Whether it is in ANSI mode.
    pub fn is_ansi(&self) -> bool {
        self.settings.ansi
    }

    /// Returns how often the process had to be restarted.
    pub fn restarts(&self) -> usize {
        self.restarts
    }

    /// Returns how long all requests so far took, and how much of that was Spark's own work.
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// Sets the time limit of each further request, in milliseconds.
    pub fn limit(&mut self, timeout_ms: u64) {
        self.settings.timeout_ms = timeout_ms;
    }

    /// Checks a script against a schema without executing its queries.
    pub fn check(&mut self, text: &str, schema: &Schema, parameters: &Parameters) -> RunOutcome {
        self.execute(text, schema, parameters, &Database::default(), false)
    }

    /// Runs a script on a database.
    pub fn run(&mut self, text: &str, schema: &Schema, parameters: &Parameters, database: &Database) -> RunOutcome {
        self.execute(text, schema, parameters, database, true)
    }

    fn execute(
        &mut self,
        text: &str,
        schema: &Schema,
        parameters: &Parameters,
        database: &Database,
        rows: bool,
    ) -> RunOutcome {
        let bound = match parameters.bind_with_positions(text) {
            Ok(bound) => bound,
            Err(unbound) => return RunOutcome::Denied(unbound.to_string()),
        };
        let statements = pieces::statements(&bound.text);
        let texts: Vec<&str> = statements.iter().map(|span| span.of(&bound.text)).collect();
        let tables = tables::tables(schema, database).to_string();
        let request = json!({ "op": "run", "rows": rows, "statements": texts });
        match self.in_case(&tables, &request) {
            Ok(answer) => {
                let judged = JudgedText { original: text, bound: &bound, statements: &statements };
                answer::outcome(&answer, &judged, schema, database)
            }
            Err(fault) => RunOutcome::Failed(fault.to_string()),
        }
    }

    /// Returns why Hive's own parser refuses the first statement that it does not accept; `None` if it accepts all.
    pub fn hive(&mut self, text: &str, parameters: &Parameters) -> Result<Option<Refusal>, UnboundPlaceholder> {
        let bound = parameters.bind_with_positions(text)?;
        for statement in pieces::statements(&bound.text) {
            let request = json!({ "op": "hive", "sql": statement.of(&bound.text) });
            let Ok(answer) = self.ask(&request) else { continue };
            if answer["status"] == "error" {
                let statements: [Span; 1] = [statement];
                let judged = JudgedText { original: text, bound: &bound, statements: &statements };
                return Ok(Some(answer::refusal(&answer, &judged)));
            }
        }
        Ok(None)
    }

    /// Kills the process, like a crash. The next request starts another.
    pub fn kill(&mut self) {
        if let Some(process) = &mut self.process {
            process.kill();
        }
    }

    /// Sends a request in the case of these tables. If the process is lost, sends it once more to a new one.
    fn in_case(&mut self, tables: &str, request: &Json) -> Result<Json, ProcessFailure> {
        self.twice_if_lost(|this| {
            let mut request = request.clone();
            request["case"] = this.case(tables)?.into();
            this.send(&request)
        })
    }

    /// Sends a request. If the process is lost, sends it once more to a new one.
    fn ask(&mut self, request: &Json) -> Result<Json, ProcessFailure> {
        self.twice_if_lost(|this| this.send(request))
    }

    fn twice_if_lost(
        &mut self,
        send: impl Fn(&mut Self) -> Result<Json, ProcessFailure>,
    ) -> Result<Json, ProcessFailure> {
        match send(self) {
            Err(failure) if failure.is_lost() => {
                self.restart()?;
                send(self).inspect_err(|_| self.abandon())
            }
            answer => answer,
        }
    }

    fn send(&mut self, request: &Json) -> Result<Json, ProcessFailure> {
        let mut request = request.clone();
        let limit = if request["op"] == "run" { self.settings.timeout_ms } else { OPEN_MS };
        request["timeout_ms"] = limit.into();
        // The process cancels its own job at the limit; if it cannot, it is killed from here.
        let patience = Duration::from_millis(limit + 5_000);
        let process = self.process.as_mut().ok_or(ProcessFailure::Ended(PROGRAM.name))?;
        let begin = Instant::now();
        let answer = process.ask(request, patience)?;
        self.times.count(&answer, begin.elapsed());
        let lost = answer["status"] == "fault" && answer["message"].as_str().is_some_and(|it| it.contains("has ended"));
        if lost { Err(ProcessFailure::Ended(PROGRAM.name)) } else { Ok(answer) }
    }

    /// Returns the number of the open case of these tables, opening one if there is none.
    fn case(&mut self, tables: &str) -> Result<u64, ProcessFailure> {
        if let Some(position) = self.cases.iter().position(|(open, _)| open == tables) {
            let case = self.cases.remove(position);
            let number = case.1;
            self.cases.push(case);
            return Ok(number);
        }
        if self.cases.len() >= OPEN_CASES {
            let (_, oldest) = self.cases.remove(0);
            self.send(&json!({ "op": "close", "case": oldest }))?;
        }
        self.next_case += 1;
        let content: Json = serde_json::from_str(tables).map_err(|_| ProcessFailure::Ended(PROGRAM.name))?;
        let answer =
            self.send(&json!({ "op": "open", "case": self.next_case, "ansi": self.settings.ansi, "tables": content }))?;
        if answer["status"] != "ok" {
            let words = answer["message"].as_str().unwrap_or("a case cannot be opened");
            return Err(ProcessFailure::NotReady(PROGRAM.name, words.to_owned()));
        }
        self.cases.push((tables.to_owned(), self.next_case));
        Ok(self.next_case)
    }

    fn restart(&mut self) -> Result<(), ProcessFailure> {
        self.abandon();
        self.restarts += 1;
        self.process = Some(started(&self.installation, &self.settings)?);
        Ok(())
    }

    /// Kills the process, so that the next request does not wait for one that hangs.
    fn abandon(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
        self.cases.clear();
    }
}

/// Starts Spark and waits until it is ready.
fn started(installation: &Installation, settings: &SparkSettings) -> Result<PythonProcess, ProcessFailure> {
    PythonProcess::start(&PROGRAM, &installation.python, &[&settings.memory, &settings.master])
}
