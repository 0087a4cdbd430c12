//! The funnel of a run: how many mutants and tasks came in, how many went out, and why the others did not.

mod determination;
mod kills;
mod numbers;
mod published;
mod totals;

pub use determination::Determination;
pub use kills::KillFunnel;
pub use numbers::{FaultFunnel, Funnel, ModelFunnel, PolicyFunnel, RefillFunnel, SuiteFunnel, TrackFunnel};
pub(super) use totals::{Totals, add_up};
