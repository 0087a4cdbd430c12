//! What a solver is.

use super::assignment::Assignment;
use super::attempt::{Attempt, Mode};

/// Anything that tries to repair a task.
pub trait Solver: Sync {
    /// Its name in records; unique in a run.
    fn name(&self) -> &str;

    fn mode(&self) -> Mode;

    /// Tries one task.
    ///
    /// # Errors
    ///
    /// When no attempt came about (the network, the provider's limits): nothing is recorded, a later run tries again.
    /// A refusal, a truncation or a useless answer is an attempt, with its outcome.
    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError>;

    /// Whether it is shown scripts without a fault as well.
    fn takes_controls(&self) -> bool {
        false
    }

    /// How many tasks it may work on at once; `None` if only the machine limits it.
    fn concurrency(&self) -> Option<usize> {
        None
    }
}

/// Why no attempt came about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// This task could not be tried now; others may.
    #[error("{0}")]
    Task(String),
    /// No task can be tried any more: no money, no key, the cost limit.
    #[error("{0}")]
    StopReason(String),
}
