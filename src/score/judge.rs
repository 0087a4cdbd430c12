//! One answer → its score.

use std::sync::{Mutex, PoisonError};

use super::answer::{Answer, unwrap};
use super::benchmark::{Benchmark, Task};
use super::exact::{exact_match, exact_match_normalised};
use super::graph::graph_match;
use super::outcome::{Outcome, Score};
use super::predictions::Prediction;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::engine::child::{Allowance, Bench, Reply, Request, Verdict};

/// How to judge.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Run answers, rather than compare texts and graphs alone.
    pub execute: bool,
    /// What one answer may use.
    pub allowance: Allowance,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { execute: true, allowance: Allowance::default() }
    }
}

/// Scores answers to the tasks of a benchmark. Threads may share it.
#[derive(Debug)]
pub struct Judge<'a> {
    benchmark: &'a Benchmark,
    settings: Settings,
    benches: Mutex<Vec<Bench>>,
}

impl<'a> Judge<'a> {
    /// A judge that runs answers under the default limits.
    pub fn new(benchmark: &'a Benchmark) -> Judge<'a> {
        Judge::with(benchmark, Settings::default())
    }

    /// A judge with settings of one's own.
    pub fn with(benchmark: &'a Benchmark, settings: Settings) -> Judge<'a> {
        Judge { benchmark, settings, benches: Mutex::default() }
    }

    /// The score of an answer; none when the benchmark has no such task.
    pub fn score(&self, instance_id: &str, predict_sql: &str) -> Option<Score> {
        self.benchmark.task(instance_id).map(|task| self.text(task, predict_sql))
    }

    /// The score of a line of a predictions file; `None` stands for a task without one.
    pub fn prediction(&self, task: &Task, prediction: Option<&Prediction>) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        match prediction {
            None | Some(Prediction::Absent) => zero(Outcome::Missing),
            Some(Prediction::WrongType) => zero(Outcome::WrongType),
            Some(Prediction::Duplicate) => zero(Outcome::Duplicate),
            Some(Prediction::Text(text)) => self.text(task, text),
        }
    }

    fn text(&self, task: &Task, answer: &str) -> Score {
        let zero = |outcome| Score::zero(&task.record.instance_id, task.record.track(), outcome);
        let Answer::Sql(sql) = unwrap(answer) else { return zero(Outcome::Empty) };
        let reference = Script::new(task.gold.reference_sql.as_str());
        let prediction = Script::new(sql.as_str());
        let em = exact_match(&sql, &task.gold.reference_sql);
        let em_normalised = em || exact_match_normalised(&prediction, &reference);
        let schema = Schema::read(&task.record.schema_ddl).unwrap_or_default();
        let alternatives = task.gold.alternatives.iter().map(|text| Script::new(text.as_str()));
        let gm = em_normalised || graph_match(&prediction, &reference, &schema);
        let known = gm || alternatives.into_iter().any(|other| graph_match(&prediction, &other, &schema));
        let reply = self.run(task, &sql);
        let (outcome, detail) = match &reply {
            Some(reply) => Outcome::of(&reply.verdict),
            None => (Outcome::NotRun, None),
        };
        let ex = reply.is_some_and(|reply| reply.verdict == Verdict::Equal);
        let accepted = known || ex;
        Score { detail, em, em_normalised, gm, ex, accepted, ..zero(outcome) }
    }

    fn run(&self, task: &Task, sql: &str) -> Option<Reply> {
        if !self.settings.execute {
            return None;
        }
        let request = Request {
            schema_ddl: task.record.schema_ddl.clone(),
            parameters: task.record.parameters.clone(),
            reference_sql: task.gold.reference_sql.clone(),
            predict_sql: sql.to_owned(),
            databases: task.databases.clone(),
            allowance: self.settings.allowance,
        };
        let lock = || self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bench = lock().pop().unwrap_or_default();
        let reply = bench.answer(&request);
        lock().push(bench);
        // Without a database nothing but a refusal tells anything.
        let blind = task.databases.is_empty() && reply.verdict == Verdict::Equal;
        (!blind).then_some(reply)
    }
}
