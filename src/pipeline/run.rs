//! The run as a whole: every phase in its order.

use std::collections::BTreeMap;

use super::alternatives::Alternatives;
use super::baselines::{Baselines, ReadyReference};
use super::candidates::{CandidateDraw, candidates};
use super::cards::{JUDGE_CARD, PUBLIC_CARD, judge_card, public_card};
use super::checkpoint::{Checkpoint, STEPS};
use super::combine::{combine, gathered};
use super::composed::{self, ComposedRun, OUTCOMES, Outcome};
use super::context::Context;
use super::controls;
use super::error::BuildError;
use super::funnel::{Funnel, KillFunnel, SuiteFunnel, Totals};
use super::inputs::Inputs;
use super::manifest::{self, Manifest, ScriptRecord};
use super::model_authors::{AuthorContext, ModelAuthors, SearchNumbers};
use super::policies;
use super::proven::{ProvedMutant, TriedMutant};
use super::publisher::{Publisher, TaskMaterial};
use super::quotas::Quota;
use super::records::WorkerRecords;
use super::samples::Samples;
use super::search::{MutantSearch, Searched, TRIALS};
use super::settings::{BuildSettings, ReferenceSource};
use super::suites::Suites;
use super::unused_files::remove_unused;
use crate::engine::{self, Engine};
use crate::inject::Mutant;
use crate::parallel::Progress;
use crate::publish::format::{PublishedTask, write_records};
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError, pretty};

/// Builds a run and returns its funnel.
///
/// # Errors
///
/// If inputs, the engine or the run directory cannot be used. Mutants that fail are data in the funnel, never errors.
pub fn build(settings: &BuildSettings, progress: &dyn Progress) -> Result<Funnel, BuildError> {
    let inputs = Inputs::read(settings)?;
    let engine = engine::open(&settings.engine)?;
    from_inputs(&*engine, &inputs, settings, progress)
}

/// The same on an engine that is not chosen by the settings.
#[cfg(test)]
pub fn build_on(engine: &dyn Engine, settings: &BuildSettings, progress: &dyn Progress) -> Result<Funnel, BuildError> {
    from_inputs(engine, &Inputs::read(settings)?, settings, progress)
}

fn from_inputs(
    engine: &dyn Engine,
    inputs: &Inputs,
    settings: &BuildSettings,
    progress: &dyn Progress,
) -> Result<Funnel, BuildError> {
    let context = Context::new(settings, &inputs.taxonomy, engine, progress);
    assemble(context, inputs, WorkerRecords::default()).map(|assembled| assembled.funnel)
}

/// A finished run.
pub(super) struct Assembled {
    pub funnel: Funnel,
    /// Mutants tried, or composed references worked on, by this process because no record held them.
    pub tried_here: usize,
}

/// Makes the run itself. Mutants that the records hold are not tried again.
pub(super) fn assemble(context: Context<'_>, inputs: &Inputs, records: WorkerRecords) -> Result<Assembled, BuildError> {
    let settings = context.settings;
    if settings.source == ReferenceSource::Composed {
        return assemble_composed(context, inputs, Vec::new());
    }
    let mut funnel = inputs.funnel.clone();
    let mut directory = open(settings)?;
    let checkpoint = Checkpoint::open(&directory, manifest::digest(context, &inputs.references, None))?;
    let context = Context { checkpoint: Some(&checkpoint), ..context };
    context.progress.stage("baseline", inputs.references.len());
    let baselines = Baselines::run(context, &inputs.references, &records, &mut funnel);
    context.go_on()?;
    if baselines.entries().is_empty() {
        // A run that cannot begin leaves nothing behind.
        directory.remove(STEPS)?;
        let reasons: Vec<String> = funnel.refused.iter().map(|(id, reason)| format!("  {id}: {reason}")).collect();
        return Err(BuildError::NoScript(reasons.join("\n")));
    }
    let manifest = Manifest::new(context, &baselines);
    directory.check_settings(&manifest)?;
    let tried_here =
        Assembly { context, inputs, baselines: &baselines, directory: &directory }.run(records, &mut funnel)?;
    directory.finish(&manifest, &[TRIALS, STEPS])?;
    Ok(Assembled { funnel, tried_here })
}

/// Makes a run of composed references. The outcomes in `known` are reused.
pub(super) fn assemble_composed(
    context: Context<'_>,
    inputs: &Inputs,
    known: Vec<Outcome>,
) -> Result<Assembled, BuildError> {
    if context.settings.models.is_some() {
        let words =
            "models plant faults in scripts that are there: give `--source hand-written` or a folder of your own";
        return Err(BuildError::Compose(words.to_owned()));
    }
    let mut funnel = inputs.funnel.clone();
    let mut directory = open(context.settings)?;
    let manifest = Manifest::composed(context);
    directory.check_settings(&manifest)?;
    let composed = composed::run(context, inputs, known, &directory, &mut funnel)?;
    let tried_here = composed.worked_here;
    write_composed(context, &composed, &directory, &funnel)?;
    remove_unused(&directory)?;
    directory.finish(&manifest, &[OUTCOMES])?;
    Ok(Assembled { funnel, tried_here })
}

fn open(settings: &BuildSettings) -> Result<RunDirectory, StoreError> {
    if settings.resume { RunDirectory::resume(&settings.out) } else { RunDirectory::create(&settings.out) }
}

/// Writes the files of a composed run; tasks are sorted by id.
fn write_composed(
    context: Context<'_>,
    run: &ComposedRun,
    directory: &RunDirectory,
    funnel: &Funnel,
) -> Result<(), BuildError> {
    write_trials(&run.trials, directory)?;
    directory.write_records("scripts.jsonl", &run.scripts)?;
    directory.write_records("specifications.jsonl", &run.specifications)?;
    write_tasks(context, &run.records, directory, funnel)
}

fn write_trials(trials: &[TriedMutant], directory: &RunDirectory) -> Result<(), StoreError> {
    let (mutants, proofs) = TriedMutant::lines(trials);
    directory.write_records("mutants.jsonl", &mutants)?;
    directory.write_records("proofs.jsonl", &proofs)
}

/// Writes the tasks, the funnel and the cards.
fn write_tasks(
    context: Context<'_>,
    records: &BTreeMap<String, (TaskRecord, GoldRecord)>,
    directory: &RunDirectory,
    funnel: &Funnel,
) -> Result<(), BuildError> {
    let tasks: Vec<PublishedTask<'_>> = records.values().map(|(task, gold)| PublishedTask { task, gold }).collect();
    write_records(&tasks, directory)?;
    directory.write("funnel.json", pretty(funnel).as_bytes())?;
    directory.write(JUDGE_CARD, judge_card(context, funnel, records).as_bytes())?;
    directory.write(PUBLIC_CARD, public_card(context, funnel, tasks.len()).as_bytes())?;
    Ok(())
}

/// A run whose references are ready.
struct Assembly<'a, 's> {
    context: Context<'a>,
    inputs: &'a Inputs,
    baselines: &'a Baselines<'s>,
    directory: &'a RunDirectory,
}

impl Assembly<'_, '_> {
    /// Runs all phases from the candidates to the files; returns how many mutants were tried.
    fn run(&self, records: WorkerRecords, funnel: &mut Funnel) -> Result<usize, BuildError> {
        let Assembly { context, baselines, directory, .. } = *self;
        let Context { settings, taxonomy, .. } = context;
        funnel.policies = policies::count(&settings.policies, &baselines.references());
        let draw = CandidateDraw { seed: settings.seed, jobs: settings.jobs, taxonomy };
        let mut candidates = candidates(&draw, &baselines.references(), funnel);
        let mut search = MutantSearch::new(context, records, directory)?;
        let mut authors = settings.models.as_ref().map(ModelAuthors::new).transpose()?;
        let found = self.search(&mut search, authors.as_mut(), &mut candidates, funnel)?;
        let trials = search.trials();
        let searched = Searched { found: &found, trials: &trials, candidates: &candidates };
        let suites = Suites::choose(context, baselines, searched);
        funnel.kills = KillFunnel::of(taxonomy, &trials);
        let subjects = baselines.entries().iter().filter_map(ReadyReference::subject_at_hand);
        funnel.kills.timed(subjects.flat_map(|it| it.reductions.times()).collect());
        funnel.suites = SuiteFunnel { tried: suites.tried, held_out: suites.held_out };
        funnel.controls = controls::run(context, baselines, &suites, directory)?;
        context.go_on()?;
        let alternatives = Alternatives::find(context, baselines, &suites, searched);
        let samples = Samples::make(context, baselines, &found, &alternatives);
        context.go_on()?;
        let material = TaskMaterial { suites: &suites, samples: &samples, alternatives: &alternatives };
        self.publish(&found, material, authors.as_ref(), funnel)?;
        write_trials(&search.recorded(&found), directory)?;
        Ok(search.made())
    }

    /// Finds proven mutants of both tracks, each with as many faults as the settings ask for; models come first.
    fn search(
        &self,
        search: &mut MutantSearch<'_>,
        mut authors: Option<&mut ModelAuthors>,
        candidates: &mut BTreeMap<String, Vec<Mutant>>,
        funnel: &mut Funnel,
    ) -> Result<Vec<ProvedMutant>, BuildError> {
        let Assembly { context, baselines, .. } = *self;
        let mut totals = Totals::default();
        let mut found = Vec::new();
        for quota in Quota::of(context.settings) {
            let mut singles = Vec::new();
            if let Some(authors) = &mut authors {
                let faults = Quota { tasks: quota.faults(context.settings), ..quota };
                let asked = AuthorContext { context, baselines, candidates };
                singles = authors.find(faults, &asked, search, SearchNumbers { funnel, totals: &mut totals })?;
                authors.without_drafts(candidates, search);
            }
            found.extend(self.tasks(search, quota, singles, candidates, funnel)?);
            totals.add(funnel, context.taxonomy, quota.track);
            context.go_on()?;
        }
        totals.finish(funnel, &Funnel::default());
        Ok(found)
    }

    /// Finds proven mutants of one track.
    fn tasks(
        &self,
        search: &MutantSearch<'_>,
        quota: Quota,
        mut singles: Vec<ProvedMutant>,
        candidates: &BTreeMap<String, Vec<Mutant>>,
        funnel: &mut Funnel,
    ) -> Result<Vec<ProvedMutant>, BuildError> {
        let Assembly { context, baselines, .. } = *self;
        let candidates = gathered(context.settings, quota, candidates);
        let faults = Quota { tasks: quota.faults(context.settings), ..quota };
        singles.extend(search.run(baselines, faults, &candidates, funnel)?);
        if !context.settings.has_several_faults() {
            return Ok(singles);
        }
        let sizes = context.settings.sizes(quota.track, quota.tasks);
        let combined = combine(context, baselines, quota.track, singles, sizes);
        let numbers = funnel.tracks.entry(quota.track).or_default();
        numbers.asked = quota.tasks;
        numbers.not_together = combined.lost;
        Ok(combined.tasks)
    }

    /// Makes tasks of what was found and writes the files of the run; tasks are sorted by id.
    fn publish(
        &self,
        found: &[ProvedMutant],
        material: TaskMaterial<'_>,
        authors: Option<&ModelAuthors>,
        funnel: &mut Funnel,
    ) -> Result<(), BuildError> {
        let Assembly { context, inputs, baselines, directory } = *self;
        let mut publisher = Publisher::new(context, &inputs.book, authors, directory);
        for item in found {
            let Some(entry) = baselines.entry(&item.mutant.script) else { continue };
            publisher.publish(entry, item, material, funnel)?;
            context.go_on()?;
        }
        funnel.complaints = publisher.complaints.determination;
        funnel.models = authors.map(ModelAuthors::numbers);
        let complexity = context.settings.complexity.unwrap_or_default();
        let scripts: Vec<ScriptRecord<'_>> =
            baselines.entries().iter().map(|entry| ScriptRecord::of(entry, complexity)).collect();
        directory.write_records("scripts.jsonl", &scripts)?;
        write_tasks(context, &publisher.records, directory, funnel)
    }
}
