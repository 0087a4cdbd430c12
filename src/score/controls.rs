//! Scores answers about control scripts, which have no fault: it is right to leave one alone or to give the same rows.

use serde::{Deserialize, Serialize};

use super::benchmark::Benchmark;
use super::exact::exact_match_normalised;
use super::judge::Judge;
use super::outcome::Score;
use super::predictions::{Prediction, Predictions};
use crate::code::script::Script;

/// How answers treated the control scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlTally {
    /// Control scripts.
    pub n: usize,
    /// Answers that are right.
    pub accepted: usize,
    /// How many of these give the script back unchanged, blanks and comments aside.
    pub left_alone: usize,
    /// Control scripts without an answer.
    pub missing: usize,
}

impl ControlTally {
    /// Counts the answers of a file; `None` if it has no answer about any control script, because solvers that only
    /// repair are not shown any.
    pub fn of(benchmark: &Benchmark, judge: &Judge<'_>, predictions: &Predictions) -> Option<ControlTally> {
        let mut tally = ControlTally::default();
        for task in benchmark.controls().iter().filter_map(|id| benchmark.control(id)) {
            tally.n += 1;
            let answer = predictions.answers.get(&task.record.instance_id);
            if answer.is_none() {
                tally.missing += 1;
                continue;
            }
            let given = Script::new(task.record.issue_sql.as_str());
            let is_same = |text: &String| exact_match_normalised(&Script::new(text.as_str()), &given);
            let left_alone = matches!(answer, Some(Prediction::Text(text)) if is_same(text));
            let right = || -> Score { judge.prediction(task, answer) };
            tally.left_alone += usize::from(left_alone);
            tally.accepted += usize::from(left_alone || right().accepted);
        }
        (tally.missing < tally.n).then_some(tally)
    }
}
