//! A solver that is a rule of this program.

use crate::repair::assignment::Assignment;
use crate::repair::attempt::{Attempt, Mode};
use crate::repair::solver::{Solver, SolverError};

/// A solver without a model.
#[derive(Clone, Copy)]
pub struct RuleSolver {
    pub name: &'static str,
    /// Returns its repair; `None` if it has none.
    pub(super) solve: fn(&Assignment<'_>) -> Option<RuleRepair>,
}

/// A repair by a rule.
pub struct RuleRepair {
    pub sql: String,
    /// The rule, where the solver has several.
    pub(super) rule: Option<&'static str>,
}

impl Solver for RuleSolver {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::BuiltIn
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        let found = (self.solve)(assignment);
        let raw = found.as_ref().and_then(|found| found.rule).map(|rule| format!("rule: {rule}"));
        let sql = found.map(|found| found.sql);
        Ok(Attempt { raw, ..Attempt::built_in(&assignment.task.instance_id, self.name, sql) })
    }
}
