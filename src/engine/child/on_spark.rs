//! The same trial on Spark: a script beside a reference. The Spark process is the one that is ended at its limits.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::request::{Exceeded, QueryReply, Reply, Request, Verdict};
use super::tally::{Tally, judging};
use super::trial::compared;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::engine::compare::compare;
use crate::engine::policy::Policies;
use crate::engine::spark::Outcome;
use crate::engine::spark_rules::Stage;
use crate::engine::table::{Database, ScriptResult};
use crate::engine::{Desk, Executor, Ground, silence};

/// Runs scripts on Spark and keeps what belongs to the last reference.
#[derive(Debug)]
pub struct SparkBench {
    executor: Arc<Executor>,
    known: Option<Known>,
}

/// What does not depend on the script in question.
#[derive(Debug)]
struct Known {
    schema_ddl: String,
    reference_sql: String,
    schema: Schema,
    parameters: Parameters,
    policies: Policies,
    expected: HashMap<PathBuf, Expected>,
}

/// A database, what the reference gives on it, and how long that took.
#[derive(Debug)]
struct Expected {
    database: Database,
    result: ScriptResult,
    time: Duration,
}

impl AsRef<ScriptResult> for Expected {
    fn as_ref(&self) -> &ScriptResult {
        &self.result
    }
}

impl SparkBench {
    /// A bench on an engine that others may use too.
    pub fn new(executor: Arc<Executor>) -> SparkBench {
        SparkBench { executor, known: None }
    }

    /// Judges a script.
    pub fn answer(&mut self, request: &Request) -> Reply {
        let Executor::Spark(desk) = &*self.executor else {
            return Reply::of(Verdict::Unjudged { message: "Spark was not asked for".to_owned() });
        };
        let parameters: Parameters = request.parameters.iter().collect();
        let known = self.known.take().filter(|known| known.serves(request, &parameters));
        let known = match known.map_or_else(|| Known::new(request, parameters), Ok) {
            Ok(known) => self.known.insert(known),
            Err(message) => return Reply::of(Verdict::Unjudged { message }),
        };
        for path in &request.databases {
            if let Err(message) = known.prepare(desk, path) {
                return Reply::of(Verdict::Unjudged { message });
            }
        }
        let further = judging(&request.further, |database| known.expect(desk, database.clone()));
        desk.limit(request.allowance.milliseconds);
        known.judge(desk, request, &further)
    }
}

impl Known {
    fn new(request: &Request, parameters: Parameters) -> Result<Known, String> {
        let schema = Schema::read(&request.schema_ddl).map_err(|error| format!("the schema does not read: {error}"))?;
        let (schema_ddl, reference_sql) = (request.schema_ddl.clone(), request.reference_sql.clone());
        let policies = request.policies.clone();
        Ok(Known { schema_ddl, reference_sql, schema, parameters, policies, expected: HashMap::new() })
    }

    fn serves(&self, request: &Request, parameters: &Parameters) -> bool {
        self.schema_ddl == request.schema_ddl
            && self.reference_sql == request.reference_sql
            && self.policies == request.policies
            && self.parameters.iter().eq(parameters.iter())
    }

    fn ground(&self) -> Ground<'_> {
        Ground { schema: &self.schema, parameters: &self.parameters, policies: &self.policies }
    }

    /// Runs the reference on a database, unless that is done.
    fn prepare(&mut self, desk: &Desk, path: &Path) -> Result<(), String> {
        if self.expected.contains_key(path) {
            return Ok(());
        }
        let database = Database::read(path).map_err(|error| error.to_string())?;
        let expected = self.expect(desk, database).map_err(|error| format!("{}: {error}", path.display()))?;
        self.expected.insert(path.to_owned(), expected);
        Ok(())
    }

    fn expect(&self, desk: &Desk, database: Database) -> Result<Expected, String> {
        let started = Instant::now();
        let result = match desk.run(&self.reference_sql, self.ground(), &database) {
            Outcome::Ran(result) => result,
            Outcome::Refused(refusal) => return Err(format!("the reference: {}", refusal.rejection.message)),
            other => return Err(format!("the reference: {}", silence(&other))),
        };
        Ok(Expected { database, result, time: started.elapsed() })
    }

    fn judge(&self, desk: &Desk, request: &Request, further: &[(PathBuf, Expected)]) -> Reply {
        let refusal = failed(desk.check(&request.predict_sql, self.ground()));
        if let Some(verdict) = refusal {
            return Reply::of(verdict);
        }
        if let Some(rejection) = self.policies.refuse(&request.predict_sql, self.ground()) {
            return Reply::of(Verdict::Rejected { rejection: Box::new(rejection) });
        }
        let mut tally = Tally::new();
        let suite = request.databases.iter().filter_map(|path| Some((path, self.expected.get(path)?)));
        let all: Vec<(&PathBuf, &Expected)> = suite.chain(further.iter().map(|(path, known)| (path, known))).collect();
        for (path, expected) in &all {
            let started = Instant::now();
            let outcome = match desk.run(&request.predict_sql, self.ground(), &expected.database) {
                Outcome::Ran(found) => compared(&compare(&expected.result, &found.ordered_as(&expected.result)), path),
                other => failed(other).unwrap_or(Verdict::Equal),
            };
            let times = match outcome {
                Verdict::Equal if request.repeats > 0 => self.times(desk, request, &expected.database),
                _ => (expected.time, started.elapsed()),
            };
            tally.add(outcome, times);
            if !tally.is_open() {
                break;
            }
        }
        tally.reply(all.len())
    }

    /// The shortest times of the reference and of the script in question on a database, run in turn. Only Spark's own
    /// work counts: most of what passes beside it is the loading of tables, and an answer known before takes no time.
    fn times(&self, desk: &Desk, request: &Request, database: &Database) -> (Duration, Duration) {
        let timed = |text: &str| desk.time(text, self.ground(), database).unwrap_or(request.allowance.time());
        let pairs = (0..request.repeats).map(|_| (timed(&self.reference_sql), timed(&request.predict_sql)));
        let best = pairs.reduce(|best, next| (best.0.min(next.0), best.1.min(next.1)));
        best.unwrap_or_default()
    }
}

/// Runs a query on tables that Spark loads.
pub fn query_on_spark(desk: &Desk, sql: &str, ground: Ground<'_>, database: &Database) -> QueryReply {
    let result = match desk.run(sql, ground, database) {
        Outcome::Ran(result) => result,
        other => return QueryReply::Ended(failed(other).unwrap_or(Verdict::Equal)),
    };
    match result.tables.into_iter().rfind(|table| table.target.is_empty()) {
        Some(table) => QueryReply::Result {
            columns: table.columns.into_iter().map(|column| column.name).collect(),
            rows: table.rows,
        },
        None => QueryReply::Ended(Verdict::Failed { message: "it is no query".to_owned() }),
    }
}

/// How a script ended that did not run; none when it did.
fn failed(outcome: Outcome) -> Option<Verdict> {
    match outcome {
        Outcome::Ran(_) => None,
        Outcome::Refused(refusal) if refusal.rejection.stage == Stage::Run => {
            Some(Verdict::Failed { message: refusal.rejection.message })
        }
        Outcome::Refused(refusal) => Some(Verdict::Rejected { rejection: Box::new(refusal.rejection) }),
        Outcome::Denied(what) => Some(Verdict::Unsupported { what }),
        Outcome::TimedOut => Some(Verdict::Exceeded { limit: Exceeded::Time }),
        Outcome::Failed(message) => Some(Verdict::Crashed { message }),
    }
}
