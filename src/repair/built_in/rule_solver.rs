//! A solver that is a rule of this program.

use crate::repair::assignment::Assignment;
use crate::repair::attempt::{Attempt, Mode};
use crate::repair::solver::{Solver, SolverError};

/// A solver without a model.
#[derive(Clone, Copy)]
pub struct RuleSolver {
    pub name: &'static str,
    /// Returns so many of its repairs at most, the surest first.
    pub(super) solve: fn(&Assignment<'_>, usize) -> Vec<RuleRepair>,
}

impl RuleSolver {
    /// Returns the scripts that it would answer, so many at most, the surest first.
    pub fn answers(&self, assignment: &Assignment<'_>, limit: usize) -> Vec<String> {
        (self.solve)(assignment, limit).into_iter().map(|repair| repair.sql).collect()
    }
}

/// A repair by a rule.
pub(super) struct RuleRepair {
    pub(super) sql: String,
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
        let found = (self.solve)(assignment, 1).into_iter().next();
        let raw = found.as_ref().and_then(|found| found.rule).map(|rule| format!("rule: {rule}"));
        let sql = found.map(|found| found.sql);
        Ok(Attempt { raw, ..Attempt::built_in(&assignment.task.instance_id, self.name, sql) })
    }
}
