//! Tasks whose answers are not accepted, with what the answers change beside what the repair changes.

use serde::Serialize;

use super::benchmark::Task;
use super::outcome::Score;
use super::predictions::Prediction;
use crate::fault::Track;
use crate::page::TextDifference;
use crate::parallel::shielded;
use crate::publish::record::{SolverContext, patch};
use crate::reply;

/// Most bytes of an answer that is compared: a comparison of larger ones takes too long for what it shows.
const LARGEST: usize = 200_000;

/// Whether an answer is small enough to be compared with the issue line by line.
fn is_comparable(answer: &str, issue: &str) -> bool {
    answer.len() <= LARGEST && answer.lines().count() <= 2 * issue.lines().count() + 200
}

/// A task whose answer is not accepted.
#[derive(Clone, Debug, Serialize)]
pub struct FailingTask {
    pub id: String,
    pub track: Track,
    pub domain: String,
    pub faults: String,
    pub outcome: String,
    pub detail: Option<String>,
    /// The engine's message or the user's complaint.
    pub context: String,
    /// What the answer changes; `None` if there is no SQL in it, or too much.
    pub answer: Option<TextDifference>,
    pub repair: TextDifference,
}

impl FailingTask {
    /// Collects what is shown of an answer; `None` if it is accepted.
    pub fn of(task: &Task, score: &Score, prediction: Option<&Prediction>) -> Option<FailingTask> {
        if score.accepted {
            return None;
        }
        let record = &task.record;
        let (SolverContext::ErrorMessage(context) | SolverContext::UserQuery(context)) = &record.context;
        let mut faults = task.gold.faults();
        faults.dedup();
        let sql = match prediction {
            Some(Prediction::Text(text)) if is_comparable(text, &record.issue_sql) => {
                shielded(&record.instance_id, || reply::script(text, Some(&record.issue_sql))).ok().flatten()
            }
            _ => None,
        };
        Some(FailingTask {
            id: record.instance_id.clone(),
            track: record.track(),
            domain: record.domain.clone(),
            faults: faults.join(", "),
            outcome: score.outcome.name().replace('_', " "),
            detail: score.detail.clone(),
            context: context.clone(),
            answer: sql.map(|sql| TextDifference::read(&patch(&record.issue_sql, &sql))),
            repair: TextDifference::read(&task.gold.patch),
        })
    }
}
