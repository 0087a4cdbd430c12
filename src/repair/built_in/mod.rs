//! Solvers without a model: a baseline that every model should beat, and a filter that works offline.
//!
//! They see what a model sees, and ask the same engine. None reads the judge's record or a random seed.

mod rule_solver;
mod parts;
mod candidate;
mod analysis;
mod linter;
mod vocabulary;
mod likelihood;
mod style;
mod spelling;
mod position;

pub use linter::{LINTER, findings};
pub use position::POSITION;
use rule_solver::RuleRepair;
pub use rule_solver::RuleSolver;
pub use spelling::SPELLING;
pub use vocabulary::{is_keyword, is_type};

use super::solver::Solver;

/// The solver that hands back the script as it is: a task it solves is no task.
pub const NOTHING: RuleSolver = RuleSolver {
    name: "nothing",
    solve: |assignment, _| vec![RuleRepair { sql: assignment.issue().to_owned(), rule: None }],
};

/// All solvers without a model.
const SOLVERS: [RuleSolver; 4] = [NOTHING, SPELLING, POSITION, LINTER];

/// The names of all solvers without a model.
pub const NAMES: [&str; 4] = [NOTHING.name, SPELLING.name, POSITION.name, LINTER.name];

/// The solver of this name.
pub fn built_in(name: &str) -> Option<Box<dyn Solver>> {
    SOLVERS.into_iter().find(|solver| solver.name == name).map(|solver| Box::new(solver) as Box<dyn Solver>)
}

#[cfg(test)]
mod tests;
