//! A run of composed references: each gives one task, and none is used twice.
//!
//! First the run composes references and finds out which faults have places in them; then it plans which faults to try
//! on each. The work on one reference depends on its number and its faults alone, so any worker may do it, in any order
//! and on any machine: it composes the reference again, proves the fault, and makes the task with its databases. Tasks
//! that are still missing when all references of a round have ended are planned for the next round.

mod composer;

mod places;

mod distinct;
mod track_plan;

mod plan;

mod outcome;

mod count;
mod task_search;

mod work;

mod kept_task;
mod rounds;
mod share;

use std::collections::BTreeMap;

use super::baselines::Baselines;
use super::context::Context;
use super::controls;
use super::error::BuildError;
use super::funnel::Funnel;
use super::inputs::Inputs;
use super::records::WorkerRecords;
use super::suites::Suites;
use crate::corpus::Reference;
use crate::corpus::compose::Composer;
use crate::parallel;
use crate::store::RunDirectory;
use composer::composer;
use places::compose;
use work::WorkContext;

pub(super) use kept_task::KeptTask;
pub(super) use outcome::Outcome;
use rounds::Rounds;
pub(super) use rounds::{ComposedRun, OUTCOMES};
pub use share::{ComposedItem, ComposedRecord, ComposedWorker};
pub(super) use share::{plan, work_all};

/// Composes, plans and works until both tracks are full or too many references gave no task.
/// Outcomes in `known` are reused.
pub(super) fn run(
    context: Context<'_>,
    inputs: &Inputs,
    known: Vec<Outcome>,
    directory: &RunDirectory,
    funnel: &mut Funnel,
) -> Result<ComposedRun, BuildError> {
    let composer = composer()?;
    let work = WorkContext { context, composer: &composer, book: &inputs.book };
    let mut rounds = Rounds::new(work, directory, known)?;
    rounds.fill(funnel)?;
    funnel.controls = run_controls(context, &composer, rounds.seen, directory, funnel)?;
    // Controls use references of their own, numbered after those of the tasks.
    funnel.composed = Some(rounds.seen + references_of_controls(context));
    Ok(rounds.finish(funnel))
}

/// Makes the tasks that a run lacks, on references numbered from `from` on.
pub(super) fn fill_up(
    context: Context<'_>,
    inputs: &Inputs,
    kept: &[KeptTask<'_>],
    from: usize,
    directory: &RunDirectory,
    funnel: &mut Funnel,
) -> Result<ComposedRun, BuildError> {
    let composer = composer()?;
    let work = WorkContext { context, composer: &composer, book: &inputs.book };
    let mut rounds = Rounds::new(work, directory, Vec::new())?;
    rounds.seen = from;
    kept.iter().for_each(|task| rounds.keep(task));
    rounds.fill(funnel)?;
    funnel.composed = Some(rounds.seen);
    Ok(rounds.finish(funnel))
}

/// References composed for controls: more than are wanted, since not every one can be a control.
fn references_of_controls(context: Context<'_>) -> usize {
    let wanted = context.settings.controls;
    wanted + wanted.div_ceil(2)
}

fn run_controls(
    context: Context<'_>,
    composer: &Composer,
    seen: usize,
    directory: &RunDirectory,
    funnel: &mut Funnel,
) -> Result<BTreeMap<String, usize>, BuildError> {
    let numbers = seen..seen + references_of_controls(context);
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    context.progress.stage("controls", numbers.len());
    let composed = parallel::map(context.settings.jobs, numbers, |number| compose(context, composer, number));
    // A reference that cannot be composed is skipped.
    let references: Vec<Reference> = composed.into_iter().flatten().map(|composed| composed.reference).collect();
    let baselines = Baselines::run(context, &references, &WorkerRecords::default(), funnel);
    controls::run(context, &baselines, &Suites::default(), directory)
}
