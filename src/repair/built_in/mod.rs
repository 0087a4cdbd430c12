//! Solvers without a model: a baseline that every model should beat, and a filter that works offline.
//!
//! They see what a model sees, and ask the same engine. None reads the judge's record or a random seed.

mod analysis;
mod candidate;
mod likelihood;
mod linter;
mod nothing;
mod position;
mod spelling;
mod style;
mod vocabulary;

pub use linter::{Linter, findings};
pub use nothing::Nothing;
pub use position::PositionSolver;
pub use spelling::SpellingSolver;

pub use vocabulary::{is_keyword, is_type};

use super::solver::Solver;

/// The names of all solvers without a model.
pub const NAMES: [&str; 4] = [Nothing::NAME, SpellingSolver::NAME, PositionSolver::NAME, Linter::NAME];

pub fn built_in(name: &str) -> Option<Box<dyn Solver>> {
    match name {
        Nothing::NAME => Some(Box::new(Nothing)),
        SpellingSolver::NAME => Some(Box::new(SpellingSolver)),
        PositionSolver::NAME => Some(Box::new(PositionSolver)),
        Linter::NAME => Some(Box::new(Linter)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
