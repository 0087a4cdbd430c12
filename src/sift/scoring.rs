//! Scores every attempt of a run, votes, and writes scores and decisions.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::leaderboard::Leaderboard;
use super::mark::AttemptMark;
use super::vote::{SiftDecision, Thresholds, Vote, vote};
use crate::parallel::{self, Progress};
use crate::repair::Attempt;
use crate::repair::built_in::NOTHING;
use crate::repair::runner::ATTEMPTS;
use crate::score::{AnswerOutcome, Benchmark, BenchmarkError, Judge, Score};
use crate::store::{RunDirectory, StoreError};

/// The file of scores in a run directory: score records with the `solver` in front.
pub const SCORES: &str = "scores.jsonl";
/// The file of decisions in a run directory.
pub const DECISIONS: &str = "decisions.jsonl";

/// Why a run cannot be sifted.
#[derive(Debug, thiserror::Error)]
pub enum SiftError {
    /// Its tasks cannot be read.
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// A file of it cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run has no attempts.
    #[error("no solver has tried this run; `sqlfault repair` lets some try")]
    NoAttempts,
}

/// The result of sifting.
#[derive(Clone, Debug, Serialize)]
pub struct Sifted {
    /// Number of tasks by decision, decisions of people included.
    pub decisions: BTreeMap<String, usize>,
    pub leaderboard: Leaderboard,
    /// For each solver, how many tasks it alone solved.
    pub alone: BTreeMap<String, usize>,
    /// Mean discrimination of the tasks that have one.
    pub discrimination: Option<f64>,
    /// Tasks that doing nothing solves: their SQL is not wrong, or the judge cannot see that it is.
    pub whole: Vec<String>,
}

/// One line of `scores.jsonl`.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedScore {
    pub solver: String,
    pub score: Score,
}

/// Scores the attempts in `attempts.jsonl`, votes on every task, and writes `scores.jsonl` and `decisions.jsonl`.
/// Decisions that people made stay as they are.
///
/// # Errors
///
/// If the run cannot be read or written, or holds no attempt.
pub fn sift(run: &Path, rule: Thresholds, jobs: usize, progress: &dyn Progress) -> Result<Sifted, SiftError> {
    let benchmark = Benchmark::open(run)?;
    let mut directory = RunDirectory::resume(run)?;
    let attempts: Vec<Attempt> =
        if directory.path(ATTEMPTS).exists() { directory.read_records(ATTEMPTS)? } else { Vec::new() };
    if attempts.is_empty() {
        return Err(SiftError::NoAttempts);
    }
    let scored = scored(&benchmark, &Judge::new(&benchmark), &attempts, jobs, progress);
    let lines: Vec<Value> = scored.iter().map(RecordedScore::line).collect();
    directory.write_records(SCORES, &lines)?;
    // An unjudged score says nothing about the answer: the run's files are damaged, or the judge panicked.
    let marks: Vec<AttemptMark> = scored
        .iter()
        .filter(|scored| scored.score.outcome != AnswerOutcome::Unjudged)
        .map(RecordedScore::mark)
        .collect();
    // Doing nothing is on the leaderboard as a control, but has no vote: as it never wins, it would shift the majority.
    let (control, voters): (Vec<AttemptMark>, Vec<AttemptMark>) =
        marks.iter().cloned().partition(|mark| mark.solver == NOTHING.name);
    let tasks: Vec<String> = benchmark.tasks().iter().map(|task| task.record.instance_id.clone()).collect();
    let votes = vote(&tasks, &voters, rule);
    let lines = with_decisions_of_people(&directory, &votes)?;
    directory.write_records(DECISIONS, &lines)?;
    directory.unlock();
    let whole = control.into_iter().filter(|mark| rule.basis.solved(mark)).map(|mark| mark.instance_id).collect();
    Ok(Sifted { whole, ..sifted(&votes, &marks, &lines) })
}

impl RecordedScore {
    /// The line of `scores.jsonl`: the score's fields after the solver.
    fn line(&self) -> Value {
        let mut line = Map::from_iter([("solver".to_owned(), Value::from(self.solver.as_str()))]);
        if let Ok(Value::Object(score)) = serde_json::to_value(&self.score) {
            line.extend(score);
        }
        Value::Object(line)
    }

    fn mark(&self) -> AttemptMark {
        let score = &self.score;
        AttemptMark {
            solver: self.solver.clone(),
            instance_id: score.instance_id.clone(),
            track: score.track,
            em: score.em,
            gm: score.gm,
            mb: score.mb,
            ex: score.ex,
            accepted: score.accepted,
        }
    }
}

/// The scores in the order of the attempts; equal answers to a task are judged once.
pub fn scored(
    benchmark: &Benchmark,
    judge: &Judge<'_>,
    attempts: &[Attempt],
    jobs: usize,
    progress: &dyn Progress,
) -> Vec<RecordedScore> {
    let mut distinct: Vec<(&str, Option<&str>)> =
        attempts.iter().map(|attempt| (attempt.instance_id.as_str(), attempt.predict_sql.as_deref())).collect();
    distinct.sort_unstable();
    distinct.dedup();
    progress.stage("score", distinct.len());
    let scores = parallel::map(jobs, &distinct, |(id, sql)| {
        let score = score(benchmark, judge, id, *sql);
        progress.step();
        ((*id, *sql), score)
    });
    let scores: HashMap<(&str, Option<&str>), Option<Score>> = scores.into_iter().collect();
    let one = |attempt: &Attempt| {
        let score = scores.get(&(attempt.instance_id.as_str(), attempt.predict_sql.as_deref()))?.clone()?;
        Some(RecordedScore { solver: attempt.solver.clone(), score })
    };
    attempts.iter().filter_map(one).collect()
}

/// The score of an answer, or of a missing one; `None` for a task that the run does not have.
fn score(benchmark: &Benchmark, judge: &Judge<'_>, id: &str, sql: Option<&str>) -> Option<Score> {
    match sql {
        Some(sql) => judge.score(id, sql),
        None => benchmark.task(id).map(|task| Score::zero(id, task.record.track(), AnswerOutcome::Missing)),
    }
}

/// The votes as lines; where people have decided on a task, their line instead.
fn with_decisions_of_people(directory: &RunDirectory, votes: &[Vote]) -> Result<Vec<Value>, StoreError> {
    let before: Vec<Value> =
        if directory.path(DECISIONS).exists() { directory.read_records(DECISIONS)? } else { Vec::new() };
    // A line that does not read as a vote is a decision of people.
    let by_people = |line: &&Value| serde_json::from_value::<Vote>((*line).clone()).is_err();
    let id = |line: &Value| line.get("instance_id").and_then(Value::as_str).map(str::to_owned);
    let people: HashMap<String, &Value> =
        before.iter().filter(by_people).filter_map(|line| Some((id(line)?, line))).collect();
    let line =
        |vote: &Vote| people.get(&vote.instance_id).map_or_else(|| serde_json::json!(vote), |line| (*line).clone());
    Ok(votes.iter().map(line).collect())
}

fn sifted(votes: &[Vote], marks: &[AttemptMark], lines: &[Value]) -> Sifted {
    let mut decisions = BTreeMap::new();
    for decision in lines.iter().filter_map(|line| line.get("decision")?.as_str()) {
        *decisions.entry(decision.to_owned()).or_default() += 1;
    }
    let mut alone = BTreeMap::new();
    for vote in votes.iter().filter(|vote| vote.decision != SiftDecision::Undecided) {
        if let [solver] = vote.solved_by.as_slice() {
            *alone.entry(solver.clone()).or_default() += 1;
        }
    }
    let known: Vec<f64> = votes.iter().filter_map(|vote| vote.discrimination).collect();
    let discrimination = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
    Sifted { decisions, leaderboard: Leaderboard::of(marks), alone, discrimination, whole: Vec::new() }
}
