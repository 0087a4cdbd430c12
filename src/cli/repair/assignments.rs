//! What solvers are given.

use super::options::RepairOptions;
use crate::repair::runner::PublicPart;
use crate::repair::{Assignment, Solver};
use crate::store::RunDirectory;

/// What the run shows to solvers, up to `--limit`.
pub(super) fn shown(options: &RepairOptions) -> Result<PublicPart, String> {
    let directory = RunDirectory::open(&options.run).map_err(|error| error.to_string())?;
    PublicPart::read(&directory, options.limit).map_err(|error| error.to_string())
}

/// The assignments that a solver is given, in order; controls only if it takes them.
pub(super) fn assignments<'a>(shown: &'a PublicPart, solver: &dyn Solver) -> Result<Vec<Assignment<'a>>, String> {
    let count = if solver.takes_controls() { shown.records.len() } else { shown.tasks().len() };
    (0..count).map(|at| shown.assignment(at).map_err(|error| error.to_string())).collect()
}
