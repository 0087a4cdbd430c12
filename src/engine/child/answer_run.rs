//! Runs a script beside a reference, with the same algorithm for every engine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::engines::TrialEngine;
use super::request::{RunVerdict, TrialReply, TrialRequest};
use super::tally::{PairTimes, TrialTally};
use crate::code::parameters::Parameters;
use crate::engine::compare::{Comparison, DifferenceKind, compare};
use crate::engine::context::ExecutionContext;
use crate::engine::sqlite::Limits;
use crate::engine::table::{Database, ScriptResult};

/// In how many other orders of rows a reference must give the same result before a difference counts against a script.
const ORDERS: usize = 4;

/// Runs requests one after another, keeping what a request shares with the last one.
#[derive(Debug, Default)]
pub struct TrialRunner<E: TrialEngine> {
    engine: E,
    task: Option<ReferenceTrial<E>>,
}

/// The state that requests about one task share.
#[derive(Debug)]
struct ReferenceTrial<E: TrialEngine> {
    schema_ddl: String,
    reference_sql: String,
    /// The tables whose rows count, in lower case; all if none is named.
    tables: Vec<String>,
    context: ExecutionContext,
    reference: E::PreparedScript,
    expected: HashMap<PathBuf, Expected<E>>,
}

/// A database, what the reference gives on it in the tables that count, and how long that took.
#[derive(Debug)]
struct Expected<E: TrialEngine> {
    data: E::PreparedDatabase,
    result: ScriptResult,
    time: Duration,
}

/// A database that is part of the request, with a name for messages.
#[derive(Debug)]
struct OtherDatabase<'a, E: TrialEngine> {
    name: PathBuf,
    database: &'a Database,
    expected: Expected<E>,
}

impl<E: TrialEngine> TrialRunner<E> {
    pub fn new(engine: E) -> TrialRunner<E> {
        TrialRunner { engine, task: None }
    }

    /// Runs the script under test and returns how it ended. Calls `begins` when everything trusted is ready.
    pub fn answer(&mut self, request: &TrialRequest, begins: impl FnOnce()) -> TrialReply {
        let engine = &self.engine;
        let unjudged = |message: String| TrialReply::of(RunVerdict::Unjudged { message });
        let parameters: Parameters = request.parameters.iter().collect();
        let known = self.task.take().filter(|task| task.serves(request, &parameters));
        let task = match known.map_or_else(|| ReferenceTrial::new(engine, request), Ok) {
            Ok(task) => self.task.insert(task),
            Err(message) => return unjudged(message),
        };
        for path in &request.databases {
            if let Err(message) = task.prepare(engine, path) {
                return unjudged(message);
            }
        }
        let others = task.others(engine, &request.others);
        begins();
        engine.limit(&request.allowance);
        let started = Instant::now();
        match task.accepted(engine, request) {
            Ok(script) => task.judge(engine, &script, request, &others, started.elapsed()),
            Err(verdict) => TrialReply::of(verdict),
        }
    }
}

impl<E: TrialEngine> ReferenceTrial<E> {
    fn new(engine: &E, request: &TrialRequest) -> Result<ReferenceTrial<E>, String> {
        let context = ExecutionContext::read(&request.schema_ddl, &request.parameters, request.policies.clone())
            .map_err(|error| format!("the schema does not read: {error}"))?;
        let reference = engine
            .prepare_reference(&request.reference_sql, context.by_ref())
            .map_err(|verdict| format!("the reference does not run: {verdict:?}"))?;
        Ok(ReferenceTrial {
            schema_ddl: request.schema_ddl.clone(),
            reference_sql: request.reference_sql.clone(),
            tables: request.tables.clone(),
            context,
            reference,
            expected: HashMap::new(),
        })
    }

    fn serves(&self, request: &TrialRequest, parameters: &Parameters) -> bool {
        self.schema_ddl == request.schema_ddl
            && self.reference_sql == request.reference_sql
            && self.tables == request.tables
            && self.context.policies == request.policies
            && self.context.parameters.iter().eq(parameters.iter())
    }

    /// Loads a database and runs the reference on it, unless that was done before.
    fn prepare(&mut self, engine: &E, path: &Path) -> Result<(), String> {
        if self.expected.contains_key(path) {
            return Ok(());
        }
        let database = Database::read(path).map_err(|error| error.to_string())?;
        let expected = self.expect(engine, &database).map_err(|error| format!("{}: {error}", path.display()))?;
        self.expected.insert(path.to_owned(), expected);
        Ok(())
    }

    fn expect(&self, engine: &E, database: &Database) -> Result<Expected<E>, String> {
        let data = engine.load(&self.context.schema, database)?;
        let started = Instant::now();
        let result = engine.run_trusted(&self.reference, self.context.by_ref(), &data)?;
        let time = started.elapsed();
        Ok(Expected { data, result: self.counted(result), time })
    }

    /// Returns the tables of a result that count.
    fn counted(&self, result: ScriptResult) -> ScriptResult {
        result.only(|table| self.tables.is_empty() || self.tables.contains(&table.target.to_lowercase()))
    }

    /// Returns those of the databases on which the reference runs.
    fn others<'d>(&self, engine: &E, databases: &'d [Database]) -> Vec<OtherDatabase<'d, E>> {
        let numbered = databases.iter().enumerate();
        let ready = numbered.filter_map(|(number, database)| {
            let name = PathBuf::from(format!("others database {number}"));
            Some(OtherDatabase { name, database, expected: self.expect(engine, database).ok()? })
        });
        ready.collect()
    }

    /// Whether the reference gives the same result on a database if its rows are read in other orders.
    fn is_stable(&self, engine: &E, others: &OtherDatabase<'_, E>) -> bool {
        others.database.orders().take(ORDERS).all(|other| {
            let other = self.expect(engine, &other);
            other.is_ok_and(|other| compare(&others.expected.result, &other.result).is_equal())
        })
    }

    /// Prepares the script under test.
    ///
    /// # Errors
    ///
    /// If the engine or a policy of the platform refuses it.
    fn accepted(&self, engine: &E, request: &TrialRequest) -> Result<E::PreparedScript, RunVerdict> {
        let script = engine.prepare(&request.predict_sql, self.context.by_ref())?;
        match self.context.by_ref().policy_rejection(&request.predict_sql) {
            None => Ok(script),
            Some(rejection) => Err(RunVerdict::Rejected { rejection: Box::new(rejection) }),
        }
    }

    fn judge(
        &self,
        engine: &E,
        script: &E::PreparedScript,
        request: &TrialRequest,
        others: &[OtherDatabase<'_, E>],
        mut spent: Duration,
    ) -> TrialReply {
        let mut tally = TrialTally::new();
        let suite = request.databases.iter().filter_map(|path| Some((path, self.expected.get(path)?, None)));
        let others = others.iter().map(|others| (&others.name, &others.expected, Some(others)));
        let all: Vec<_> = suite.chain(others).collect();
        for (path, expected, others) in &all {
            let limits = request.allowance.limits(spent);
            let started = Instant::now();
            let found = engine.run(script, self.context.by_ref(), &expected.data, &limits);
            let elapsed = started.elapsed();
            spent += elapsed;
            let outcome = match found {
                Ok(found) => {
                    let found = self.counted(found).ordered_as(&expected.result);
                    compared(&compare(&expected.result, &found), path)
                }
                Err(verdict) => verdict,
            };
            // If the reference's result depends on the order of rows, another result says nothing about the script.
            if outcome != RunVerdict::Equal && others.is_some_and(|others| !self.is_stable(engine, others)) {
                continue;
            }
            let once = PairTimes { reference: expected.time, predict: elapsed };
            let times = match outcome {
                RunVerdict::Equal if request.repeats > 0 => {
                    self.best_times(engine, script, request, expected, &mut spent, once)
                }
                _ => once,
            };
            tally.add(outcome, times);
            if !tally.is_open() {
                break;
            }
        }
        tally.reply(all.len())
    }

    /// Returns the shortest times of the reference and of the script under test on a database, run in turn.
    fn best_times(
        &self,
        engine: &E,
        script: &E::PreparedScript,
        request: &TrialRequest,
        expected: &Expected<E>,
        spent: &mut Duration,
        once: PairTimes,
    ) -> PairTimes {
        let context = self.context.by_ref();
        let mut best = E::FIRST_RUN_COUNTS.then_some(once);
        for _ in 0..request.repeats {
            // Both ran to their end before, so a run that now fails counts as taking all the time it has.
            let whole = request.allowance.time();
            let trusted = Limits::default();
            let reference = engine.time(&self.reference, context, &expected.data, &trusted).unwrap_or(whole);
            let limits = request.allowance.limits(*spent);
            let predict = engine.time(script, context, &expected.data, &limits).unwrap_or(whole);
            *spent += predict;
            best = Some(match best {
                None => PairTimes { reference, predict },
                Some(best) => {
                    PairTimes { reference: best.reference.min(reference), predict: best.predict.min(predict) }
                }
            });
        }
        best.unwrap_or(once)
    }
}

impl RunVerdict {
    pub(super) fn is_order(&self) -> bool {
        matches!(self, RunVerdict::OtherOrder { .. })
    }
}

fn compared(comparison: &Comparison, database: &Path) -> RunVerdict {
    let database = database.to_owned();
    match comparison {
        Comparison::Equal => RunVerdict::Equal,
        Comparison::OrderOnly { target, .. } => RunVerdict::OtherOrder { target: target.clone(), database },
        Comparison::Different(difference) => {
            let target = difference.target.clone();
            match difference.kind {
                DifferenceKind::Missing | DifferenceKind::Unexpected => RunVerdict::OtherTables { target },
                DifferenceKind::ColumnCount { .. } | DifferenceKind::ColumnType { .. } => {
                    RunVerdict::OtherColumns { target }
                }
                DifferenceKind::Rows(_) => RunVerdict::OtherRows { target, database },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::child::{Allowance, InProcess};
    use crate::engine::policy::Policies;

    #[test]
    fn tables_on_the_way_count_unless_it_is_said_which_are_read() {
        let reference =
            "CREATE TABLE stage AS SELECT a, b FROM t; INSERT OVERWRITE TABLE o SELECT a FROM stage WHERE b > 1";
        let verdict = |answer: &str, tables: &[&str]| {
            let request = TrialRequest {
                schema_ddl: "CREATE TABLE t (a INT, b INT); CREATE TABLE o (a INT)".to_owned(),
                parameters: Default::default(),
                reference_sql: reference.to_owned(),
                predict_sql: answer.to_owned(),
                tables: tables.iter().map(|table| (*table).to_owned()).collect(),
                databases: Vec::new(),
                others: vec![
                    serde_json::from_str(r#"{"tables": [{"table": "t", "rows": [[1, 1], [2, 2]]}]}"#).unwrap(),
                ],
                allowance: Allowance::default(),
                policies: Policies::default(),
                repeats: 0,
            };
            TrialRunner::new(InProcess).answer(&request, || {}).verdict
        };
        let earlier = "CREATE TABLE stage AS SELECT a FROM t WHERE b > 1; INSERT OVERWRITE TABLE o SELECT a FROM stage";
        assert_eq!(verdict(earlier, &["o"]), RunVerdict::Equal);
        assert!(matches!(verdict(earlier, &[]), RunVerdict::OtherColumns { target } if target == "stage"));
        let wrong = "INSERT OVERWRITE TABLE O SELECT a FROM t";
        assert!(
            matches!(verdict(wrong, &["o"]), RunVerdict::OtherRows { target, .. } if target.eq_ignore_ascii_case("o"))
        );
        assert!(matches!(verdict("SELECT a FROM t", &["o"]), RunVerdict::OtherTables { .. }), "o is not written");
    }
}
