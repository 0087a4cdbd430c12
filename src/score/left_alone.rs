//! Answers about scripts without a fault: leaving one alone is a success, and so is any answer that gives its rows.

use serde::{Deserialize, Serialize};

use super::benchmark::Benchmark;
use super::exact::exact_match_normalised;
use super::judge::Judge;
use super::outcome::Score;
use super::predictions::{Prediction, Predictions};
use crate::code::script::Script;

/// What became of the scripts without a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlTally {
    /// Scripts without a fault.
    pub n: usize,
    /// Answers that are right.
    pub accepted: usize,
    /// Of them, those that give the script back as it was, blanks and comments aside.
    pub left_alone: usize,
    /// Scripts without an answer.
    pub missing: usize,
}

impl ControlTally {
    /// Counts the answers of a file. `None` if it has no answer about any script without a fault: solvers that repair
    /// are not shown them.
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
