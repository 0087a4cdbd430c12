//! The solver that hands back the script as it is.

use crate::repair::assignment::Assignment;
use crate::repair::attempt::{Attempt, Mode};
use crate::repair::solver::{Solver, SolverError};

/// The solver that changes nothing: a task it solves is no task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Nothing {
    pub const NAME: &'static str = "nothing";
}

impl Solver for Nothing {
    fn name(&self) -> &str {
        Nothing::NAME
    }

    fn mode(&self) -> Mode {
        Mode::BuiltIn
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        let same = assignment.issue().to_owned();
        Ok(Attempt::built_in(&assignment.task.instance_id, Nothing::NAME, Some(same)))
    }
}
