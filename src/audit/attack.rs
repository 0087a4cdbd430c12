//! What an attack has, and what it gives.

use crate::publish::record::TaskRecord;

/// The answers of an attack, in the order of the tasks; `None` where it has no answer of its own.
pub type AttackAnswers = Vec<Option<String>>;

/// What every attacker has.
#[derive(Clone, Copy)]
pub(super) struct Public<'a> {
    /// The public records of the run.
    pub tasks: &'a [TaskRecord],
    /// Scripts that anybody can read: those of this repository, of other runs and folders.
    pub scripts: &'a [String],
}

/// Returns the answer; `None` if it is what the task shows.
pub(super) fn changed(task: &TaskRecord, answer: String) -> Option<String> {
    (answer != task.issue_sql).then_some(answer)
}
