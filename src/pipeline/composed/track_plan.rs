//! How far a track of a composed run has come: its faults in their quotas, its tasks by the number of their faults.

use std::collections::BTreeMap;

use super::super::quotas::{FaultShare, Quota, shares, targets};
use super::super::settings::BuildSettings;
use super::places::Places;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::plan::quotas;

/// References tried without a usable proof after which a fault is given up.
const HOPELESS: usize = 8;
/// Most references that a fault gets of its own in the first round, when it is not known yet how often it is proved.
const FIRST: usize = 20;
/// Proofs needed to judge whether built-in solvers repair a fault.
const KNOWN: usize = 3;

/// The result of trying a fault on one reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FaultTrial {
    NotProved,
    /// Proved, but a built-in solver repairs it alone: it needs a partner that no such solver repairs.
    Repaired,
    /// Proved, and no built-in solver repairs it.
    Resists,
}

/// How far one fault of a track has come.
#[derive(Debug)]
struct FaultProgress<'a> {
    fault: &'a str,
    share: FaultShare,
    /// References on which it was tried.
    tried: usize,
    /// References on which it was proved.
    proved: usize,
    /// References on which no built-in solver repaired it.
    resisted: usize,
}

impl FaultProgress<'_> {
    /// Whether it hardly ever makes a task alone, because built-in solvers repair it.
    fn needs_partner(&self) -> bool {
        self.proved >= KNOWN && 4 * self.resisted < self.proved
    }

    /// Estimates the share of references tried for the fault that give a task; two thirds before anything is known.
    fn success(&self) -> f64 {
        let usable = if self.needs_partner() { self.proved } else { self.resisted };
        (usable as f64 + 2.0) / (self.tried as f64 + 3.0)
    }

    /// Returns how many references to try for the tasks that the fault lacks: at first one each, later more, since not
    /// every reference gives a task.
    fn references(&self, missing: usize) -> usize {
        if self.tried == 0 {
            return missing.min(FIRST);
        }
        let wanted = (missing as f64 / self.success()).round() as usize;
        wanted.min(FIRST + 2 * self.tried)
    }
}

/// The quotas of a track, filled round by round.
#[derive(Debug)]
pub(super) struct TrackPlan<'a> {
    pub track: Track,
    /// Tasks wanted.
    pub wanted: usize,
    /// Tasks made, by the number of their faults.
    made: BTreeMap<usize, usize>,
    settings: &'a BuildSettings,
    faults: Vec<FaultProgress<'a>>,
}

/// A fault that has places, and how many tasks it lacks.
#[derive(Clone, Debug)]
pub(super) struct Shortfall<'a> {
    pub track: Track,
    pub fault: &'a str,
    /// Free references with a place for it.
    pub places: usize,
    /// The share of references tried for it that give a task.
    pub success: f64,
    /// References that it is to have of its own in this round.
    pub references: usize,
    /// Its weight in the mix.
    pub weight: f64,
    /// Tasks that it lacks, less those expected from what is planned so far.
    pub left: f64,
    /// Whether it can only stand beside another fault.
    pub needs_partner: bool,
}

impl<'a> TrackPlan<'a> {
    pub fn new(taxonomy: &'a Taxonomy, settings: &'a BuildSettings, quota: Quota) -> TrackPlan<'a> {
        let Quota { track, tasks } = quota;
        let progress = |(fault, share): (&'a Fault, FaultShare)| FaultProgress {
            fault: &fault.id,
            share,
            tried: 0,
            proved: 0,
            resisted: 0,
        };
        let faults = shares(taxonomy, settings.mix, track).into_iter().map(progress).collect();
        TrackPlan { track, wanted: tasks, made: BTreeMap::new(), settings, faults }
    }

    /// The faults of the track, in the order of their shares.
    pub fn faults(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.faults.iter().map(|progress| progress.fault)
    }

    /// Tasks that are still missing.
    pub fn missing(&self) -> usize {
        self.wanted.saturating_sub(self.made.values().sum())
    }

    /// Tasks that are still missing, by the number of their faults.
    pub fn missing_sizes(&self) -> BTreeMap<usize, usize> {
        let shares = self.settings.size_shares(self.track);
        let weights: Vec<f64> = shares.iter().map(|it| it.share).collect();
        let wanted = quotas(self.wanted, &weights, &vec![usize::MAX; weights.len()]);
        let made = |size: usize| self.made.get(&size).copied().unwrap_or(0);
        let short: Vec<usize> =
            shares.iter().zip(wanted).map(|(it, wanted)| wanted.saturating_sub(made(it.size))).collect();
        let weights: Vec<f64> = short.iter().map(|short| *short as f64).collect();
        // Tasks that came out smaller than planned are not made up for.
        let missing = quotas(self.missing(), &weights, &short);
        shares.iter().map(|it| it.size).zip(missing).collect()
    }

    /// How many faults the task of a reference is to have.
    pub fn size_on(&self, reference: &Places) -> usize {
        self.settings.size_on(self.track, reference.number)
    }

    /// Returns how many faults all tasks of the track have together, made and missing.
    pub fn wanted_faults(&self) -> usize {
        let made: usize = self.faults.iter().map(|progress| progress.share.proved).sum();
        made + self.missing_sizes().into_iter().map(|(size, tasks)| size * tasks).sum::<usize>()
    }

    /// How far each fault has come.
    pub fn shares(&self) -> Vec<FaultShare> {
        self.faults.iter().map(|progress| progress.share.clone()).collect()
    }

    /// Counts a reference on which a fault was tried.
    pub fn tried(&mut self, fault: &str, trial: FaultTrial) {
        for progress in self.faults.iter_mut().filter(|progress| progress.fault == fault) {
            progress.tried += 1;
            progress.proved += usize::from(trial != FaultTrial::NotProved);
            progress.resisted += usize::from(trial == FaultTrial::Resists);
        }
    }

    /// Counts a task.
    pub fn made(&mut self, faults: &[&str]) {
        *self.made.entry(faults.len()).or_default() += 1;
        let own = self.faults.iter_mut().filter(|progress| faults.contains(&progress.fault));
        own.for_each(|progress| progress.share.proved += 1);
    }

    /// Limits the places of faults that need a partner to the room for them in the missing tasks; the tasks that they
    /// cannot have go to others.
    fn hold_to_partners(&mut self) {
        let room = self.missing_sizes().into_iter().map(|(size, tasks)| (size - 1) * tasks).sum();
        let mut dependent: Vec<&mut FaultProgress<'_>> =
            self.faults.iter_mut().filter(|progress| progress.needs_partner()).collect();
        let weights: Vec<f64> = dependent.iter().map(|progress| progress.share.weight).collect();
        let places: Vec<usize> = dependent.iter().map(|progress| progress.share.open).collect();
        for (progress, share) in dependent.iter_mut().zip(quotas(room, &weights, &places)) {
            progress.share.open = share;
        }
    }

    /// Returns what each fault with places in the free references lacks, possibly nothing.
    pub fn shortfalls(&mut self, free: &[Places]) -> Vec<Shortfall<'a>> {
        let with_partner: Vec<bool> = free.iter().map(|reference| self.size_on(reference) > 1).collect();
        let has_partners = self.settings.size_shares(self.track).iter().any(|it| it.size > 1);
        for progress in &mut self.faults {
            let fits = |reference: &Places, partner: bool| {
                reference.faults.contains(progress.fault) && (partner || !progress.needs_partner())
            };
            let places = free.iter().zip(&with_partner).filter(|(it, partner)| fits(it, **partner)).count();
            let usable = if has_partners { progress.proved } else { progress.resisted };
            progress.share.open = if progress.tried >= HOPELESS && usable == 0 { 0 } else { places };
        }
        self.hold_to_partners();
        let targets = targets(self.wanted_faults(), &self.shares());
        let shortfall = |(progress, target): (&FaultProgress<'a>, usize)| {
            let missing = target.saturating_sub(progress.share.proved);
            Shortfall {
                track: self.track,
                fault: progress.fault,
                places: progress.share.open,
                success: progress.success(),
                references: progress.references(missing),
                weight: progress.share.weight,
                left: missing as f64,
                needs_partner: progress.needs_partner(),
            }
        };
        let all = self.faults.iter().zip(targets).map(shortfall);
        all.filter(|shortfall| shortfall.places > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_solvers_always_repair_needs_a_partner() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let settings = BuildSettings::new("run".into(), 1);
        let mut plan = TrackPlan::new(&taxonomy, &settings, Quota { track: Track::Syntax, tasks: 100 });
        assert_eq!(plan.missing_sizes(), BTreeMap::from([(1, 60), (2, 31), (3, 9)]));
        assert_eq!(plan.wanted_faults(), 149);
        let fault = plan.faults().next().unwrap().to_owned();
        let references: Vec<Places> = (0..40).map(|number| Places { number, faults: [fault.clone()].into() }).collect();
        let several = references.iter().filter(|reference| plan.size_on(reference) > 1).count();
        assert_eq!(plan.shortfalls(&references)[0].places, 40);
        (0..KNOWN).for_each(|_| plan.tried(&fault, FaultTrial::Repaired));
        let shortfall = &plan.shortfalls(&references)[0];
        assert!(shortfall.needs_partner && shortfall.places == several && several < 40, "{shortfall:?}");
    }

    #[test]
    fn what_is_missing_is_shared_out_by_size_though_tasks_stayed_smaller() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let settings = BuildSettings::new("run".into(), 1);
        let mut plan = TrackPlan::new(&taxonomy, &settings, Quota { track: Track::Syntax, tasks: 10 });
        (0..8).for_each(|_| plan.made(&["a"]));
        let missing = plan.missing_sizes();
        assert_eq!(missing.values().sum::<usize>(), plan.missing());
        assert!(missing[&2] + missing[&3] == 2, "{missing:?}");
    }
}
