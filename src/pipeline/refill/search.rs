//! Looks for new tasks until each track has its quota, or nothing is left to try.

use std::collections::BTreeMap;

use super::super::funnel::Funnel;
use super::super::gained::{Gained, add_up};
use super::super::hunt::{Found, Hunt, Proof};
use super::super::write::{Writer, trials};
use super::super::{BuildError, Progress, Settings, candidates, combine};
use super::drops::{self, Drops};
use super::go_on;
use super::kept::{Kept, track_of};
use super::numbers::{count_refill, count_task};
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::sizes;
use crate::prove::admission::admit;
use crate::publish::record::{Context, GoldRecord, TaskRecord};

/// A search under way.
pub(super) struct Search<'a, 's> {
    settings: &'a Settings,
    taxonomy: &'a Taxonomy,
    hunt: Hunt<'a, 's>,
    writer: Writer<'a>,
    funnel: Funnel,
    /// What is not tried yet, by fault.
    open: BTreeMap<String, Vec<Mutant>>,
    /// Proved faults that are in no task yet; only when tasks have several.
    spare: Vec<Found>,
    /// Tasks that the run ever had, by track: draws of sizes go on behind them.
    ever: BTreeMap<Track, usize>,
    /// Faults in tasks of the run, by track.
    faults: BTreeMap<Track, usize>,
    gained: Gained,
    added: BTreeMap<Track, usize>,
    tasks: Vec<Found>,
}

/// The run as it should be.
pub(super) struct Outcome {
    /// Tasks with their gold, by id.
    pub records: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// Everything that was tried since.
    pub trials: (Vec<Mutant>, Vec<Proof>),
    /// New tasks by track.
    pub added: BTreeMap<Track, usize>,
    /// The numbers.
    pub funnel: Funnel,
}

impl<'a, 's> Search<'a, 's> {
    pub fn new(
        (settings, taxonomy): (&'a Settings, &'a Taxonomy),
        hunt: Hunt<'a, 's>,
        writer: Writer<'a>,
        funnel: Funnel,
    ) -> Search<'a, 's> {
        let (open, spare, ever, faults, gained, added, tasks) = Default::default();
        Search { settings, taxonomy, hunt, writer, funnel, open, spare, ever, faults, gained, added, tasks }
    }

    /// Takes over the tasks that stay, and what is left to try.
    pub fn take_over(&mut self, run: &Kept, drops: &Drops) {
        let scripts = self.hunt.roster().references();
        let key = (self.settings.seed, self.settings.jobs);
        let all = candidates(key, self.taxonomy, &scripts, &mut self.funnel);
        self.open = all.into_iter().map(|(fault, mutants)| (fault, self.untried(run, mutants))).collect();
        for (task, gold) in run.tasks.values() {
            if let Context::UserQuery(complaint) = &task.context {
                self.writer.wording.told.insert(complaint.clone());
            }
            let track = track_of(task);
            *self.ever.entry(track).or_default() += 1;
            if !drops.has(&task.instance_id) {
                self.keep(track, &faults_of(gold));
                self.writer.records.insert(task.instance_id.clone(), (task.clone(), gold.clone()));
            }
        }
        for track in run.dropped.iter().filter_map(drops::track) {
            *self.ever.entry(track).or_default() += 1;
        }
    }

    /// Mutants that were never tried. Those in front of the last one that was tried and no gate lets through were
    /// counted then.
    fn untried(&self, run: &Kept, mutants: Vec<Mutant>) -> Vec<Mutant> {
        let is_tried = |mutant: &Mutant| run.mutants.contains_key(&mutant.id);
        let last = mutants.iter().rposition(is_tried).map_or(0, |at| at + 1);
        let is_admitted = |mutant: &Mutant| {
            self.hunt.roster().entry(&mutant.script).is_some_and(|it| admit(&it.reference.script, mutant).is_ok())
        };
        let rest = mutants.into_iter().enumerate();
        rest.filter(|(at, mutant)| !is_tried(mutant) && (*at >= last || is_admitted(mutant))).map(|it| it.1).collect()
    }

    fn keep(&mut self, track: Track, faults: &[&str]) {
        faults.iter().for_each(|fault| self.hunt.keep(fault));
        *self.faults.entry(track).or_default() += faults.len();
    }

    /// Fills a track; the last search finds nothing, and so counts what the run then has.
    pub fn fill(&mut self, track: Track, wanted: usize, progress: &dyn Progress) -> Result<(), BuildError> {
        loop {
            let has = self.writer.records.values().filter(|(task, _)| track_of(task) == track).count();
            let found = self.more(track, wanted.saturating_sub(has), progress)?;
            self.funnel.tracks.entry(track).or_default().asked = wanted;
            go_on(self.settings, progress)?;
            if found.is_empty() {
                return Ok(());
            }
            found.into_iter().try_for_each(|item| self.publish(track, item))?;
        }
    }

    fn publish(&mut self, track: Track, item: Found) -> Result<(), BuildError> {
        let Some(subject) = self.hunt.roster().subject(&item.mutant.script) else { return Ok(()) };
        let mut counted = Funnel::default();
        let is_worded = self.writer.publish(subject, &item, &mut counted)?;
        self.gained.add_losses(&counted);
        if is_worded {
            let faults: Vec<&str> = item.parts.iter().map(|part| part.mutant.fault.as_str()).collect();
            self.keep(track, &faults);
            *self.added.entry(track).or_default() += 1;
        }
        self.tasks.push(item);
        Ok(())
    }

    /// Up to `missing` new tasks, each with as many faults as the settings ask for.
    fn more(&mut self, track: Track, missing: usize, progress: &dyn Progress) -> Result<Vec<Found>, BuildError> {
        if !combine::asks_for_several(&self.settings.faults_per_task) {
            return self.singles(track, missing, progress);
        }
        let made = self.ever.get(&track).copied().unwrap_or(0) + self.added.get(&track).copied().unwrap_or(0);
        let sizes = sizes(self.settings.seed, track, made + missing, &self.settings.faults_per_task).split_off(made);
        let mut singles: usize = sizes.iter().sum();
        loop {
            let found = self.singles(track, singles, progress)?;
            let is_last = found.len() < singles || singles == 0;
            self.spare.extend(found);
            let (spare, others) = std::mem::take(&mut self.spare).into_iter().partition(|it: &Found| it.track == track);
            self.spare = others;
            let pool: Vec<Found> = spare;
            let combined = combine::combine(self.settings, &self.hunt, track, pool.clone(), sizes.clone());
            add_up(&mut self.funnel.tracks.entry(track).or_default().not_together, &combined.lost);
            let used = |single: &Found| {
                let id = &single.mutant.id;
                combined.tasks.iter().flat_map(|task| &task.parts).any(|part| part.mutant.id == *id)
            };
            self.spare.extend(pool.into_iter().filter(|single| !used(single)));
            // Single faults of scripts that have no partner for them: more of them bring partners.
            if !combined.tasks.is_empty() || is_last {
                return Ok(combined.tasks);
            }
            singles *= 2;
        }
    }

    /// Up to `missing` proved mutants that are taken from what is left to try.
    fn singles(&mut self, track: Track, missing: usize, progress: &dyn Progress) -> Result<Vec<Found>, BuildError> {
        let wanted = self.faults.get(&track).copied().unwrap_or(0) + missing;
        let not_together = self.funnel.tracks.entry(track).or_default().not_together.clone();
        let found = self.hunt.run(track, wanted, &self.open, progress, &mut self.funnel)?;
        self.funnel.tracks.entry(track).or_default().not_together = not_together;
        for fault in self.taxonomy.faults().iter().filter(|fault| fault.track == track) {
            let tried = self.funnel.fault(&fault.id).tried;
            if let Some(open) = self.open.get_mut(&fault.id) {
                open.drain(..tried.min(open.len()));
            }
        }
        self.gained.add(&mut self.funnel, self.taxonomy, track);
        Ok(found)
    }

    /// The run as it should be; the numbers add up with those of the run before.
    pub fn finish(mut self, run: &Kept, drops: &Drops) -> Outcome {
        let mut funnel = std::mem::take(&mut self.funnel);
        self.gained.finish(&mut funnel, &run.funnel);
        funnel.controls = run.funnel.controls.clone();
        funnel.policies = run.funnel.policies.clone();
        funnel.rewrites = run.funnel.rewrites.clone();
        for (task, gold) in self.writer.records.values() {
            count_task(&mut funnel, self.taxonomy, track_of(task), task, gold);
        }
        count_refill(&mut funnel, &run.funnel, drops, &self.added);
        let trials = trials(&self.hunt, &self.tasks);
        Outcome { records: self.writer.records, trials, added: self.added, funnel }
    }
}

/// The faults of a task.
fn faults_of(gold: &GoldRecord) -> Vec<&str> {
    match gold.parts.as_slice() {
        [] => gold.labels.first().map(|label| label.fault.as_str()).into_iter().collect(),
        parts => parts.iter().map(|part| part.fault.as_str()).collect(),
    }
}
