//! Looks for new tasks until each track has its quota, or nothing is left to try.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::alternatives::Alternatives;
use super::super::baselines::Baselines;
use super::super::candidates::{CandidateDraw, candidates};
use super::super::combine::combine;
use super::super::context::Context;
use super::super::error::BuildError;
use super::super::funnel::{Funnel, Totals, add_up};
use super::super::proven::{ProvedMutant, TriedMutant};
use super::super::publisher::{Publisher, TaskMaterial};
use super::super::quotas::Quota;
use super::super::samples::Samples;
use super::super::search::MutantSearch;
use super::super::suites::Suites;
use super::drops::{self, Drops};
use super::existing::ExistingRun;
use super::numbers::count_refill;
use super::stop::go_on;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::prove::admission::admit;
use crate::publish::record::{self, GoldRecord, TaskRecord};

/// The search of a refill.
pub(super) struct RefillSearch<'a, 's> {
    pub context: Context<'a>,
    pub baselines: &'a Baselines<'s>,
    pub suites: &'a Suites,
    pub search: MutantSearch<'a>,
    pub publisher: Publisher<'a>,
    pub funnel: Funnel,
    pub state: RefillState,
}

/// How far the search of a refill has come.
#[derive(Default)]
pub(super) struct RefillState {
    /// Mutants not tried yet, by fault.
    open: BTreeMap<String, Vec<Mutant>>,
    /// Proven faults that are in no task yet; filled only if tasks have several faults.
    spare: Vec<ProvedMutant>,
    /// Number of tasks that the run ever had, by track: the sizes of new tasks are drawn after theirs.
    ever: BTreeMap<Track, usize>,
    /// Number of faults in tasks of the run, by track.
    faults: BTreeMap<Track, usize>,
    totals: Totals,
    added: BTreeMap<Track, usize>,
    tasks: Vec<ProvedMutant>,
}

/// The run after the refill.
pub(super) struct RefilledRun {
    /// Tasks with their gold, by id.
    pub records: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// Mutants tried in this refill.
    pub trials: Vec<TriedMutant>,
    /// New tasks by track.
    pub added: BTreeMap<Track, usize>,
    /// The numbers of the run.
    pub funnel: Funnel,
    /// Lines on the references; `None` if the references stay as they were.
    pub references: Option<ReferenceLines>,
}

/// Lines on the references of a composed run.
pub(super) struct ReferenceLines {
    /// Lines of `scripts.jsonl`.
    pub scripts: Vec<Value>,
    /// Lines of `specifications.jsonl`.
    pub specifications: Vec<Value>,
}

impl RefillSearch<'_, '_> {
    /// Takes over the tasks that stay, and the mutants that are left to try.
    pub fn take_over(&mut self, run: &ExistingRun, drops: &Drops) {
        let settings = self.context.settings;
        let draw = CandidateDraw { seed: settings.seed, jobs: settings.jobs, taxonomy: self.context.taxonomy };
        let all = candidates(&draw, &self.baselines.references(), &mut self.funnel);
        self.state.open = all.into_iter().map(|(fault, mutants)| (fault, self.untried(run, mutants))).collect();
        for (task, gold) in run.tasks.values() {
            if let record::SolverContext::UserQuery(complaint) = &task.context {
                self.publisher.complaints.used.insert(complaint.clone());
            }
            let track = task.track();
            *self.state.ever.entry(track).or_default() += 1;
            if !drops.has(&task.instance_id) {
                self.keep(track, &gold.faults());
                self.publisher.records.insert(task.instance_id.clone(), (task.clone(), gold.clone()));
            }
        }
        for track in run.dropped.iter().filter_map(drops::track) {
            *self.state.ever.entry(track).or_default() += 1;
        }
    }

    /// Returns the mutants that were never tried. Those that no gate lets through are left out too if they come before
    /// the last one tried: they were counted then.
    fn untried(&self, run: &ExistingRun, mutants: Vec<Mutant>) -> Vec<Mutant> {
        let is_tried = |mutant: &Mutant| run.mutants.contains_key(&mutant.id);
        let last = mutants.iter().rposition(is_tried).map_or(0, |at| at + 1);
        let is_admitted = |mutant: &Mutant| {
            self.baselines.entry(&mutant.script).is_some_and(|it| admit(&it.reference.script, mutant).is_ok())
        };
        let rest = mutants.into_iter().enumerate();
        rest.filter(|(at, mutant)| !is_tried(mutant) && (*at >= last || is_admitted(mutant))).map(|it| it.1).collect()
    }

    fn keep(&mut self, track: Track, faults: &[&str]) {
        faults.iter().for_each(|fault| self.search.keep(fault));
        *self.state.faults.entry(track).or_default() += faults.len();
    }

    /// Fills a track. The last search, which finds nothing, counts what the run has by then.
    pub fn fill(&mut self, quota: Quota) -> Result<(), BuildError> {
        let Quota { track, tasks: wanted } = quota;
        loop {
            let has = self.publisher.records.values().filter(|(task, _)| task.track() == track).count();
            let found = self.more(track, wanted.saturating_sub(has))?;
            self.funnel.tracks.entry(track).or_default().asked = wanted;
            go_on(self.context)?;
            if found.is_empty() {
                return Ok(());
            }
            for item in found {
                self.publish(track, item)?;
                go_on(self.context)?;
            }
        }
    }

    fn publish(&mut self, track: Track, item: ProvedMutant) -> Result<(), BuildError> {
        let Some(entry) = self.baselines.entry(&item.mutant.script) else { return Ok(()) };
        let mut counted = Funnel::default();
        let alternatives = Alternatives::default();
        let samples = Samples::make(self.context, self.baselines, std::slice::from_ref(&item), &alternatives);
        let material = TaskMaterial { suites: self.suites, samples: &samples, alternatives: &alternatives };
        let is_worded = self.publisher.publish(entry, &item, material, &mut counted)?;
        self.state.totals.add_losses(&counted);
        if is_worded {
            let faults: Vec<&str> = item.parts.iter().map(|part| part.mutant.fault.as_str()).collect();
            self.keep(track, &faults);
            *self.state.added.entry(track).or_default() += 1;
        }
        self.state.tasks.push(item);
        Ok(())
    }

    /// Makes up to `missing` new tasks, each with as many faults as the settings ask for.
    fn more(&mut self, track: Track, missing: usize) -> Result<Vec<ProvedMutant>, BuildError> {
        if !self.context.settings.has_several_faults() {
            return self.singles(track, missing);
        }
        let made =
            self.state.ever.get(&track).copied().unwrap_or(0) + self.state.added.get(&track).copied().unwrap_or(0);
        let sizes = self.context.settings.sizes(track, made + missing).split_off(made);
        let mut singles: usize = sizes.iter().sum();
        loop {
            let found = self.singles(track, singles)?;
            let is_last = found.len() < singles || singles == 0;
            self.state.spare.extend(found);
            let (all, others): (Vec<ProvedMutant>, Vec<ProvedMutant>) =
                std::mem::take(&mut self.state.spare).into_iter().partition(|it| it.track == track);
            self.state.spare = others;
            let combined = combine(self.context, self.baselines, track, all.clone(), sizes.clone());
            add_up(&mut self.funnel.tracks.entry(track).or_default().not_together, &combined.lost);
            let used = |single: &ProvedMutant| {
                let id = &single.mutant.id;
                combined.tasks.iter().flat_map(|task| &task.parts).any(|part| part.mutant.id == *id)
            };
            self.state.spare.extend(all.into_iter().filter(|single| !used(single)));
            // These faults found no partners in their scripts; more single faults may bring some.
            if !combined.tasks.is_empty() || is_last {
                return Ok(combined.tasks);
            }
            singles *= 2;
        }
    }

    /// Finds up to `missing` proven mutants among those that are left to try.
    fn singles(&mut self, track: Track, missing: usize) -> Result<Vec<ProvedMutant>, BuildError> {
        let wanted = self.state.faults.get(&track).copied().unwrap_or(0) + missing;
        let not_together = self.funnel.tracks.entry(track).or_default().not_together.clone();
        let quota = Quota { track, tasks: wanted };
        let found = self.search.run(self.baselines, quota, &self.state.open, &mut self.funnel)?;
        self.funnel.tracks.entry(track).or_default().not_together = not_together;
        for fault in self.context.taxonomy.faults().iter().filter(|fault| fault.track == track) {
            let tried = self.funnel.fault(&fault.id).tried;
            if let Some(open) = self.state.open.get_mut(&fault.id) {
                open.drain(..tried.min(open.len()));
            }
        }
        self.state.totals.add(&mut self.funnel, self.context.taxonomy, track);
        Ok(found)
    }

    /// Returns the run after the refill; its numbers include those of the run before.
    pub fn finish(mut self, run: &ExistingRun, drops: &Drops) -> RefilledRun {
        let mut funnel = std::mem::take(&mut self.funnel);
        self.state.totals.finish(&mut funnel, &run.funnel);
        funnel.controls = run.funnel.controls.clone();
        funnel.policies = run.funnel.policies.clone();
        funnel.models = run.funnel.models.clone();
        for (task, gold) in self.publisher.records.values() {
            funnel.count_task(self.context.taxonomy, task, gold);
        }
        count_refill(&mut funnel, &run.funnel, drops, &self.state.added);
        let trials = self.search.recorded(&self.state.tasks);
        RefilledRun { records: self.publisher.records, trials, added: self.state.added, funnel, references: None }
    }
}
