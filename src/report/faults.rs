//! The faults of a task.

use crate::score::Task;

/// Returns the faults of a task, each once.
pub(super) fn faults_of(task: &Task) -> Vec<&str> {
    let mut faults = task.gold.faults();
    faults.dedup();
    faults
}
