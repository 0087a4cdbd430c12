//! Repair: solvers try the tasks of a run, and every attempt is a record.

pub mod attempt;
pub mod plan;
pub mod sample;
pub mod assignment;
pub mod critique;
pub mod prompt;
pub mod solver;
pub mod built_in;
mod conversation;
pub mod model;
pub mod runner;

pub use assignment::Assignment;
pub use attempt::{Attempt, AttemptOutcome, Mode};
pub use critique::CriticSetting;
pub use model::{Estimate, ModelSolver};
pub use prompt::RepairPrompts;
pub use runner::{RepairSettings, SolverTallies, repair};
pub use sample::{QueryAnswer, SolverSample};
pub use solver::Solver;
