//! Takes dropped tasks out of a run, with the reason on record, and puts new ones of the same track in their places.
//!
//! Tasks that stay keep their bytes, so answers to them stay valid. A mutant that was tried once is never tried again,
//! so a dropped task cannot come back. The same run with the same decisions gives the same bytes.

mod existing;
mod drops;
mod stop;
mod numbers;
mod search;
mod trials;
mod refilled;
mod files;
mod composed;

use std::collections::BTreeMap;

use super::baselines::Baselines;
use super::checkpoint::{Checkpoint, STEPS};
use super::composed::OUTCOMES;
use super::context::Context;
use super::error::BuildError;
use super::funnel::KillFunnel;
use super::inputs::{Inputs, taxonomy};
use super::manifest::{self, Manifest};
use super::publisher::Publisher;
use super::quotas::Quota;
use super::records::WorkerRecords;
use super::search::{MutantSearch, TRIALS};
use super::settings::{BuildSettings, ReferenceSource};
use super::suites::Suites;
use super::unused_files::remove_unused;
use crate::engine;
use crate::fault::Track;
use crate::parallel::Progress;
use crate::store::RunDirectory;
use drops::Drops;
use existing::ExistingRun;
use search::{RefillSearch, RefillState};
use stop::go_on;
use trials::all_trials;

pub use existing::settings_of;
pub use refilled::Refilled;

/// Refills the run in `settings.out`; `settings` come from [`settings_of`].
///
/// # Errors
///
/// If the run cannot be read or written, was built with other settings, or the user asked to stop.
pub fn refill(settings: &BuildSettings, progress: &dyn Progress) -> Result<Refilled, BuildError> {
    let mut directory = RunDirectory::resume(&settings.out)?;
    let run = ExistingRun::read(&directory)?;
    let drops = Drops::of(&run, &taxonomy(settings)?);
    let is_whole = drops.fresh == 0
        && run.count(Track::Syntax) >= settings.syntax
        && run.count(Track::Semantic) >= settings.semantic;
    let refilled = if is_whole {
        Refilled { dropped: Vec::new(), added: BTreeMap::new(), funnel: run.funnel }
    } else {
        let inputs = Inputs::read(settings)?;
        // Checked before any work: with other scripts the run could not be filled.
        if settings.source != ReferenceSource::Composed {
            run.check_scripts(directory.root(), &inputs.references)?;
        }
        let engine = engine::open(&settings.engine)?;
        let context = Context::new(settings, &inputs.taxonomy, &*engine, progress);
        match settings.source {
            ReferenceSource::Composed => composed::round(context, &inputs, run, &drops, &directory)?,
            _ => round(context, &inputs, run, &drops, &directory)?,
        }
    };
    remove_unused(&directory)?;
    directory.remove(TRIALS)?;
    directory.remove(OUTCOMES)?;
    directory.remove(STEPS)?;
    directory.unlock();
    Ok(refilled)
}

fn round(
    context: Context<'_>,
    inputs: &Inputs,
    run: ExistingRun,
    drops: &Drops,
    directory: &RunDirectory,
) -> Result<Refilled, BuildError> {
    // Checked before the baseline takes its time: only which references pass it is not known yet.
    directory.check_settings(&of_run(&run, Manifest::over(context, run.passed, run.corpus.clone())))?;
    let mut funnel = inputs.funnel.clone();
    let digest = manifest::digest(context, &inputs.references, run.digest.as_deref());
    let checkpoint = Checkpoint::open(directory, digest)?;
    let context = Context { checkpoint: Some(&checkpoint), ..context };
    context.progress.stage("baseline", inputs.references.len());
    let records = WorkerRecords::default();
    let baselines = Baselines::run(context, &inputs.references, &records, &mut funnel);
    go_on(context)?;
    let manifest = of_run(&run, Manifest::new(context, &baselines));
    directory.check_settings(&manifest)?;
    let search = MutantSearch::new(context, records, directory)?;
    let suites = Suites::kept(directory, &baselines);
    let publisher = Publisher::new(context, &inputs.book, None, directory);
    let (baselines, suites, state) = (&baselines, &suites, RefillState::default());
    let mut refill = RefillSearch { context, baselines, suites, search, publisher, funnel, state };
    refill.take_over(&run, drops);
    for quota in Quota::of(context.settings) {
        refill.fill(quota)?;
    }
    let mut found = refill.finish(&run, drops);
    found.funnel.suites = run.funnel.suites;
    found.funnel.kills = KillFunnel::of(context.taxonomy, &all_trials(&run, &found));
    if drops.fresh == 0 && found.added.is_empty() {
        return Ok(Refilled { dropped: Vec::new(), added: BTreeMap::new(), funnel: run.funnel });
    }
    files::RefillChange { context, run: &run, drops, found: &found, directory }.write(manifest)?;
    Ok(Refilled { dropped: drops.fresh().to_vec(), added: found.added, funnel: found.funnel })
}

/// Returns the manifest with what a refill takes over from the run as it is.
fn of_run(run: &ExistingRun, manifest: Manifest) -> Manifest {
    let mut manifest = manifest;
    manifest.dropped = run.digest.clone();
    manifest.models = run.models.clone();
    manifest
}
