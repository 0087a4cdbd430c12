//! One script run beside a reference, in the process that calls it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::request::{Allowance, Exceeded, Query, QueryReply, Reply, Request, Verdict};
use super::tally::{Tally, judging};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::engine::compare::{Comparison, DifferenceKind, compare};
use crate::engine::spark_rules::judge;
use crate::engine::sqlite::{Limits, LoadedDatabase, RunErrorKind, Sqlite, Translation, query_file};
use crate::engine::table::{Database, ScriptResult};

/// Runs requests one after another; what they have in common with the last one is kept.
#[derive(Debug, Default)]
pub struct Bench {
    ground: Option<Ground>,
}

/// What the requests about one task share.
#[derive(Debug)]
struct Ground {
    schema_ddl: String,
    reference_sql: String,
    schema: Schema,
    parameters: Parameters,
    reference: Translation,
    expected: HashMap<PathBuf, Prepared>,
}

impl Bench {
    /// Runs the script in question and says how it ended. `begins` is called when everything trusted is ready.
    pub fn answer(&mut self, request: &Request, begins: impl FnOnce()) -> Reply {
        let parameters: Parameters = request.parameters.iter().collect();
        let known = self.ground.take().filter(|ground| ground.serves(request, &parameters));
        let ground = match known.map_or_else(|| Ground::new(request, parameters), Ok) {
            Ok(ground) => self.ground.insert(ground),
            Err(message) => return Reply::of(Verdict::Unjudged { message }),
        };
        for path in &request.databases {
            if let Err(message) = ground.prepare(path) {
                return Reply::of(Verdict::Unjudged { message });
            }
        }
        let further = judging(&request.further, |database| ground.prepared(database));
        begins();
        let started = Instant::now();
        let translation = ground.translated(&request.predict_sql);
        match translation.and_then(|translation| ground.kept(request).map(|()| translation)) {
            Ok(translation) => ground.runs(&translation, request, &further, started.elapsed()),
            Err(verdict) => Reply::of(verdict),
        }
    }
}

impl Ground {
    fn new(request: &Request, parameters: Parameters) -> Result<Ground, String> {
        let schema = Schema::read(&request.schema_ddl).map_err(|error| format!("the schema does not read: {error}"))?;
        let reference = translated(&schema, &parameters, &request.reference_sql)
            .map_err(|verdict| format!("the reference does not run: {verdict:?}"))?;
        Ok(Ground {
            schema_ddl: request.schema_ddl.clone(),
            reference_sql: request.reference_sql.clone(),
            schema,
            parameters,
            reference,
            expected: HashMap::new(),
        })
    }

    fn serves(&self, request: &Request, parameters: &Parameters) -> bool {
        self.schema_ddl == request.schema_ddl
            && self.reference_sql == request.reference_sql
            && self.parameters.iter().eq(parameters.iter())
    }

    /// Whether the script in question keeps the platform's policies.
    fn kept(&self, request: &Request) -> Result<(), Verdict> {
        let policies = &request.policies;
        let ground = crate::engine::Ground { schema: &self.schema, parameters: &self.parameters, policies };
        let refused = policies.refuse(&request.predict_sql, ground);
        refused.map_or(Ok(()), |rejection| Err(Verdict::Rejected { rejection: Box::new(rejection) }))
    }

    fn translated(&self, text: &str) -> Result<Translation, Verdict> {
        translated(&self.schema, &self.parameters, text)
    }

    fn runs(
        &self,
        translation: &Translation,
        request: &Request,
        further: &[(PathBuf, Prepared)],
        mut spent: Duration,
    ) -> Reply {
        let mut tally = Tally::new();
        let suite = request.databases.iter().filter_map(|path| Some((path, self.expected.get(path)?)));
        let all: Vec<(&PathBuf, &Prepared)> = suite.chain(further.iter().map(|(path, known)| (path, known))).collect();
        for (path, prepared) in &all {
            let (outcome, predict) = prepared.compare(path, translation, &request.allowance, spent);
            spent += predict;
            let mut best = (prepared.time, predict);
            if outcome == Verdict::Equal {
                for _ in 0..request.repeats {
                    let (reference, predict) = prepared.again(&self.reference, translation, &request.allowance, spent);
                    best = (best.0.min(reference), best.1.min(predict));
                    spent += predict;
                }
            }
            tally.add(outcome, best);
            if !tally.is_open() {
                break;
            }
        }
        tally.reply(all.len())
    }

    /// Loads a database and runs the reference on it, unless that is done.
    fn prepare(&mut self, path: &Path) -> Result<(), String> {
        if self.expected.contains_key(path) {
            return Ok(());
        }
        let database = Database::read(path).map_err(|error| error.to_string())?;
        let prepared = self.prepared(&database).map_err(|error| format!("{}: {error}", path.display()))?;
        self.expected.insert(path.to_owned(), prepared);
        Ok(())
    }

    fn prepared(&self, database: &Database) -> Result<Prepared, String> {
        let loaded = Sqlite::open(&self.schema, database).map_err(|error| error.to_string())?;
        let started = Instant::now();
        let result = loaded.run(&self.reference, &Limits::default()).map_err(|error| error.to_string())?;
        Ok(Prepared { loaded, result, time: started.elapsed() })
    }
}

/// A database, and what the reference gives on it.
#[derive(Debug)]
struct Prepared {
    loaded: LoadedDatabase,
    result: ScriptResult,
    time: Duration,
}

impl AsRef<ScriptResult> for Prepared {
    fn as_ref(&self) -> &ScriptResult {
        &self.result
    }
}

impl Prepared {
    /// The times of one more run of the reference and of the script in question.
    fn again(
        &self,
        reference: &Translation,
        translation: &Translation,
        allowance: &Allowance,
        spent: Duration,
    ) -> (Duration, Duration) {
        let timed = |translation: &Translation, limits: &Limits| {
            let started = Instant::now();
            // Both ran to their end before; a run that now does not takes all the time it has.
            let failed = self.loaded.run(translation, limits).is_err();
            if failed { Duration::MAX } else { started.elapsed() }
        };
        let first = timed(reference, &Limits::default());
        let second = timed(translation, &allowance.limits(spent));
        (first, if second == Duration::MAX { allowance.time() } else { second })
    }

    /// The outcome on this database, and the time of the run.
    fn compare(
        &self,
        path: &Path,
        translation: &Translation,
        allowance: &Allowance,
        spent: Duration,
    ) -> (Verdict, Duration) {
        let started = Instant::now();
        let found = self.loaded.run(translation, &allowance.limits(spent));
        let time = started.elapsed();
        let verdict = match found {
            Err(error) => failed(error.kind),
            Ok(found) => compared(&compare(&self.result, &found.ordered_as(&self.result)), path),
        };
        (verdict, time)
    }
}

impl Verdict {
    pub(super) fn is_order(&self) -> bool {
        matches!(self, Verdict::OtherOrder { .. })
    }
}

/// Runs a query on a SQLite file, in the process that calls it.
pub fn query(request: &Query) -> QueryReply {
    match query_file(&request.file, &request.sql, &request.allowance.limits(Duration::ZERO)) {
        Ok((columns, rows)) => QueryReply::Result { columns, rows },
        Err(kind) => QueryReply::Ended(failed(kind)),
    }
}

/// The text, accepted by Spark's rules and ready to run.
fn translated(schema: &Schema, parameters: &Parameters, text: &str) -> Result<Translation, Verdict> {
    let bound = parameters.bind(text).map_err(|error| Verdict::Unsupported { what: error.to_string() })?;
    let ResolvedScript { script, scopes } = ResolvedScript::new(bound, schema);
    if let Some(rejection) = judge(&script, &scopes, schema) {
        return Err(Verdict::Rejected { rejection: Box::new(rejection) });
    }
    Sqlite::translate(&script, &scopes, schema, parameters)
        .map_err(|unsupported| Verdict::Unsupported { what: unsupported.what.to_string() })
}

fn failed(kind: RunErrorKind) -> Verdict {
    match kind {
        RunErrorKind::Time | RunErrorKind::Instructions => Verdict::Exceeded { limit: Exceeded::Time },
        RunErrorKind::Memory => Verdict::Exceeded { limit: Exceeded::Memory },
        RunErrorKind::Rows => Verdict::Exceeded { limit: Exceeded::Rows },
        other => Verdict::Failed { message: other.to_string() },
    }
}

pub(super) fn compared(comparison: &Comparison, database: &Path) -> Verdict {
    let database = database.to_owned();
    match comparison {
        Comparison::Equal => Verdict::Equal,
        Comparison::OrderOnly { target, .. } => Verdict::OtherOrder { target: target.clone(), database },
        Comparison::Different(difference) => {
            let target = difference.target.clone();
            match difference.kind {
                DifferenceKind::Missing | DifferenceKind::Unexpected => Verdict::OtherTables { target },
                DifferenceKind::ColumnCount { .. } | DifferenceKind::ColumnType { .. } => {
                    Verdict::OtherColumns { target }
                }
                DifferenceKind::Rows(_) => Verdict::OtherRows { target, database },
            }
        }
    }
}
