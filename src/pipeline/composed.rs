//! A run of composed references: each gives one task, and none is used twice.
//!
//! References come in chunks, so that memory does not grow with the run: a chunk is composed, has its baselines, is
//! planned by what the faults lack, searched, defended and published, and is then forgotten. Chunks are of one size
//! whatever the number of workers, and each is planned when the one before has ended: the same random seed gives the
//! same bytes.

use serde_json::{Value, json};

use super::alternatives::Alternatives;
use super::assignment::{Planned, TrackPlan, assign};
use super::baselines::Baselines;
use super::candidates::{CandidateDraw, candidates};
use super::combine::combine;
use super::context::Context;
use super::controls;
use super::defence::repaired_by;
use super::error::BuildError;
use super::funnel::{Funnel, KillFunnel, SuiteFunnel};
use super::inputs::Inputs;
use super::manifest::ScriptRecord;
use super::policies;
use super::proven::ProvenMutant;
use super::publisher::{Publisher, TaskMaterial};
use super::quotas::{Quota, distance, ideal};
use super::records::Records;
use super::search::{MutantSearch, Searched};
use super::suites::Suites;
use crate::corpus::Reference;
use crate::corpus::compose::{Composed, Composer, ComposerOptions};
use crate::parallel::{self, shielded};
use crate::store::{RunDirectory, StoreError};

/// References that are worked on together.
const CHUNK: usize = 48;
/// References that are composed at most for each task wanted.
const MOST_REFERENCES: usize = 4;

/// What a composed run has beside its tasks.
pub(super) struct ComposedRun<'a> {
    pub publisher: Publisher<'a>,
    pub search: MutantSearch<'a>,
    pub found: Vec<ProvenMutant>,
    /// Lines of `scripts.jsonl`.
    pub scripts: Vec<Value>,
    /// Specifications of the references that have tasks.
    pub specifications: Vec<Value>,
}

/// What trying the candidates of one reference came to.
struct Tried {
    found: Vec<ProvenMutant>,
    /// Faults and why their candidates came to nothing; `None` for those that were proved.
    ended: Vec<(String, Option<String>)>,
}

/// Composes, plans, searches and publishes until both tracks are full or too many references came to nothing.
pub(super) fn run<'a>(
    context: Context<'a>,
    inputs: &Inputs,
    records: Records,
    directory: &'a RunDirectory,
    funnel: &mut Funnel,
) -> Result<ComposedRun<'a>, BuildError> {
    let settings = context.settings;
    if settings.rewrites.is_some() {
        return Err(BuildError::Compose("models plant faults in scripts that are there: give --source".to_owned()));
    }
    let composer = Composer::embedded().map_err(|error| BuildError::Compose(error.to_string()))?;
    let search = MutantSearch::new(context, records.clone(), directory)?;
    let publisher = Publisher::new(context, inputs.book.clone(), None, directory);
    let (found, scripts, specifications) = Default::default();
    let mut run = ComposedRun { publisher, search, found, scripts, specifications };
    let plan = |quota: Quota| TrackPlan::new(context.taxonomy, settings.mix, quota.track, quota.tasks);
    let mut plans = Quota::of(settings).map(plan);
    let wanted: usize = plans.iter().map(|plan| plan.wanted).sum();
    context.progress.stage("tasks", wanted);
    let mut seen = 0;
    while plans.iter().any(|plan| plan.missing() > 0) && seen < MOST_REFERENCES * wanted + CHUNK {
        let missing: usize = plans.iter().map(TrackPlan::missing).sum();
        // A small run composes a few more than it needs, not a whole chunk.
        let count = CHUNK.min(missing + missing.div_ceil(2));
        let composed = compose(context, &composer, seen..seen + count, funnel);
        seen += count;
        let (references, details): (Vec<Reference>, Vec<Composed>) =
            composed.into_iter().map(|composed| (composed.reference.clone(), composed)).unzip();
        let baselines = Baselines::run(context, &references, &records, funnel);
        run.chunk(context, &baselines, &details, &mut plans, seen, funnel)?;
        context.go_on()?;
    }
    funnel.kills = KillFunnel::of(context.taxonomy, &run.search.trials());
    funnel.controls = run_controls(context, &composer, seen, directory, funnel)?;
    funnel.complaints = run.publisher.complaints.determination;
    for plan in &plans {
        count(plan, funnel);
    }
    Ok(run)
}

/// The references of these numbers; what cannot be composed is named in the funnel.
fn compose(
    context: Context<'_>,
    composer: &Composer,
    numbers: std::ops::Range<usize>,
    funnel: &mut Funnel,
) -> Vec<Composed> {
    let options = ComposerOptions::default();
    let composed = parallel::map(context.settings.jobs, numbers, |number| {
        let name = format!("composed {number}");
        let made = shielded(&name, || composer.compose(context.settings.seed, number as u64, &options));
        match made {
            Ok(Ok(composed)) => Ok(composed),
            Ok(Err(error)) => Err((name, error.to_string())),
            Err(panic) => Err((name, panic.to_string())),
        }
    });
    let mut made = Vec::new();
    for composed in composed {
        match composed {
            Ok(composed) => made.push(composed),
            Err((name, reason)) => funnel.refuse(&name, reason),
        }
    }
    made
}

/// Controls on references of their own, behind those of the tasks.
fn run_controls(
    context: Context<'_>,
    composer: &Composer,
    seen: usize,
    directory: &RunDirectory,
    funnel: &mut Funnel,
) -> Result<std::collections::BTreeMap<String, usize>, BuildError> {
    let wanted = context.settings.controls;
    let references: Vec<Reference> = compose(context, composer, seen..seen + wanted + wanted.div_ceil(2), funnel)
        .into_iter()
        .map(|composed| composed.reference)
        .collect();
    let baselines = Baselines::run(context, &references, &Records::default(), funnel);
    controls::run(context, &baselines, &Suites::default(), directory)
}

impl ComposedRun<'_> {
    /// One chunk, from its candidates to its tasks.
    fn chunk(
        &mut self,
        context: Context<'_>,
        baselines: &Baselines<'_>,
        details: &[Composed],
        plans: &mut [TrackPlan<'_>; 2],
        seen: usize,
        funnel: &mut Funnel,
    ) -> Result<(), BuildError> {
        let references = baselines.references();
        for (policy, numbers) in policies::count(&context.settings.policies, &references) {
            let all = funnel.policies.entry(policy).or_default();
            all.kept += numbers.kept;
            all.broken.extend(numbers.broken);
        }
        let draw =
            CandidateDraw { seed: context.settings.seed, jobs: context.settings.jobs, taxonomy: context.taxonomy };
        let candidates = candidates(&draw, &references, funnel);
        let scripts: Vec<&str> = references.iter().map(|reference| reference.id.as_str()).collect();
        let planned = assign(plans, &scripts, &candidates, seen);
        let tried = parallel::map(context.settings.jobs, &planned, |planned| self.attempt(context, baselines, planned));
        let tried: Vec<Tried> = tried.into_iter().collect::<Result<_, StoreError>>()?;
        let found: Vec<ProvenMutant> = tried.iter().flat_map(|tried| tried.found.iter().cloned()).collect();
        let trials = self.search.trials_of(&scripts);
        let searched = Searched { found: &found, trials: &trials, candidates: &candidates };
        let suites = Suites::choose(context, baselines, searched);
        funnel.suites = SuiteFunnel {
            tried: funnel.suites.tried.plus(suites.tried),
            held_out: funnel.suites.held_out.plus(suites.held_out),
        };
        let alternatives = Alternatives::find(context, baselines, &suites, searched);
        let material = TaskMaterial { suites: &suites, alternatives: &alternatives };
        for tried in &tried {
            self.count_ended(plans, tried, funnel);
            for item in &tried.found {
                let Some(entry) = baselines.entry(&item.mutant.script) else { continue };
                let Some(subject) = entry.subject() else { continue };
                if self.publisher.publish(subject, item, material, funnel)? {
                    let plan = plans.iter_mut().find(|plan| plan.track == item.track);
                    plan.into_iter().for_each(|plan| plan.made(&item.parts[0].mutant.fault));
                    context.progress.step();
                    let complexity = context.settings.complexity.unwrap_or_default();
                    self.scripts.push(json!(ScriptRecord::of(entry, complexity)));
                    let own = details.iter().find(|composed| composed.reference.id == item.mutant.script);
                    self.specifications.extend(own.map(|composed| {
                        json!({ "script": composed.reference.id, "style": composed.style,
                            "specification": composed.specification_file() })
                    }));
                }
            }
        }
        self.found.extend(found);
        Ok(())
    }

    /// Tries the candidates of a reference until it has as many faults as its task should have.
    fn attempt(
        &self,
        context: Context<'_>,
        baselines: &Baselines<'_>,
        planned: &Planned<'_>,
    ) -> Result<Tried, StoreError> {
        let size = context.settings.size_on(planned.track, planned.script);
        let mut singles: Vec<ProvenMutant> = Vec::new();
        let mut ended = Vec::new();
        for mutant in &planned.candidates {
            if singles.len() == size || context.progress.is_stopped() {
                break;
            }
            let reason = match self.search.prove(baselines, planned.track, mutant)? {
                Ok(single) => {
                    let Some(subject) = baselines.subject(planned.script) else { break };
                    let fallen = if size == 1 { repaired_by(context, subject, &single) } else { None };
                    match fallen {
                        Some(solver) => Some(format!("repaired by {solver}")),
                        None => {
                            singles.push(single);
                            None
                        }
                    }
                }
                Err(reason) => Some(reason),
            };
            ended.push((mutant.fault.clone(), reason));
        }
        let found = if size == 1 {
            singles
        } else {
            combine(context, baselines, planned.track, singles, vec![size]).tasks.into_iter().take(1).collect()
        };
        Ok(Tried { found, ended })
    }

    fn count_ended(&self, plans: &mut [TrackPlan<'_>; 2], tried: &Tried, funnel: &mut Funnel) {
        for (fault, reason) in &tried.ended {
            plans.iter_mut().for_each(|plan| plan.tried(fault));
            let numbers = funnel.fault(fault);
            numbers.tried += 1;
            match reason {
                None => numbers.proved += 1,
                Some(reason) => *numbers.lost.entry(reason.clone()).or_default() += 1,
            }
        }
    }
}

/// Writes what a track came to into the funnel.
fn count(plan: &TrackPlan<'_>, funnel: &mut Funnel) {
    let shares = plan.shares();
    let numbers = funnel.tracks.entry(plan.track).or_default();
    numbers.asked = plan.wanted;
    numbers.mix_distance = distance(&shares);
    for (fault, wanted) in plan.faults().zip(ideal(plan.wanted, &shares)) {
        funnel.fault(fault).wanted = wanted;
    }
}
