//! What solvers did with a run, and what it took them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::files::RunFiles;
use crate::fault::Track;
use crate::repair::runner::ATTEMPTS;
use crate::repair::{Attempt, AttemptOutcome};
use crate::sift::scoring::{DECISIONS, SCORES};
use crate::store::StoreError;

/// All attempts on a run.
#[derive(Debug, Serialize)]
pub struct Trials {
    pub solvers: BTreeMap<String, SolverNumbers>,
    /// Whether the attempts are scored.
    pub are_scored: bool,
    /// Tasks by what was decided of them.
    pub decisions: BTreeMap<String, usize>,
}

/// What one solver did.
#[derive(Debug, Default, Serialize)]
pub struct SolverNumbers {
    pub attempts: usize,
    /// Attempts with SQL to judge.
    pub answered: usize,
    /// Accepted answers to syntax tasks.
    pub syntax: usize,
    /// Accepted answers to semantic tasks.
    pub semantic: usize,
    /// Tokens read and written.
    pub tokens: u64,
    pub cost: f64,
    /// Seconds that providers took.
    pub seconds: f64,
}

/// The part of a line of `scores.jsonl` that is counted.
#[derive(Deserialize)]
struct CountedScore {
    solver: String,
    track: Track,
    accepted: bool,
}

/// The part of a line of `decisions.jsonl` that is counted.
#[derive(Deserialize)]
struct CountedDecision {
    decision: String,
}

/// Adds up the attempts on a run; `None` if there is none.
pub(super) fn trials(files: &RunFiles<'_>) -> Result<Option<Trials>, StoreError> {
    let attempts: Vec<Attempt> = files.records(ATTEMPTS)?;
    let scores: Vec<CountedScore> = files.records(SCORES)?;
    let mut solvers: BTreeMap<String, SolverNumbers> = BTreeMap::new();
    for attempt in &attempts {
        let numbers = solvers.entry(attempt.solver.clone()).or_default();
        numbers.attempts += 1;
        numbers.answered += usize::from(attempt.outcome == AttemptOutcome::Answered);
        numbers.tokens += attempt.usage.input + attempt.usage.output;
        numbers.cost += attempt.cost;
        numbers.seconds += attempt.latency_ms as f64 / 1000.0;
    }
    for score in scores.iter().filter(|score| score.accepted) {
        let numbers = solvers.entry(score.solver.clone()).or_default();
        match score.track {
            Track::Syntax => numbers.syntax += 1,
            Track::Semantic => numbers.semantic += 1,
        }
    }
    let mut decisions: BTreeMap<String, usize> = BTreeMap::new();
    for line in files.records::<CountedDecision>(DECISIONS)? {
        *decisions.entry(line.decision).or_default() += 1;
    }
    Ok((!solvers.is_empty()).then_some(Trials { solvers, are_scored: !scores.is_empty(), decisions }))
}
