//! What solvers are given.

use super::super::failure::Failure;
use super::options::RepairOptions;
use crate::code::schema::SchemaError;
use crate::repair::runner::PublicPart;
use crate::repair::{Assignment, Solver};
use crate::store::RunDirectory;

/// What the run shows to solvers, up to `--limit`.
pub(super) fn shown(options: &RepairOptions) -> Result<PublicPart, Failure> {
    Ok(PublicPart::read(&RunDirectory::open(&options.run)?, options.limit)?)
}

/// The assignments that a solver is given, in order; controls only if it takes them.
pub(super) fn assignments<'a>(shown: &'a PublicPart, solver: &dyn Solver) -> Result<Vec<Assignment<'a>>, SchemaError> {
    let count = if solver.takes_controls() { shown.records.len() } else { shown.tasks().len() };
    (0..count).map(|at| shown.assignment(at)).collect()
}
