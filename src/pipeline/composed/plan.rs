//! Which faults each reference of a composed run is tried for: one task a reference, the faults in their quotas.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::super::quotas::{FaultShare, shares, targets};
use super::places::Places;
use crate::fault::{Taxonomy, Track};
use crate::inject::plan::Mix;

/// Faults that a reference is tried for besides its own.
const OTHERS: usize = 3;
/// References after which a fault that was never proved is given up.
const HOPELESS: usize = 8;
/// Tasks that may go to any fault at the end of a run, or in a small one.
const LAST: usize = 24;
/// References that a fault has of its own in the first round: how often it is proved is not known yet.
const FIRST: usize = 20;

/// How far one fault of a track has come.
#[derive(Debug)]
struct FaultProgress<'a> {
    fault: &'a str,
    share: FaultShare,
    /// References on which it was tried.
    tried: usize,
    /// References on which it was proved and could be used.
    proved: usize,
}

impl FaultProgress<'_> {
    /// How often a reference that is tried for the fault gives a task; two of three before anything is known.
    fn success(&self) -> f64 {
        (self.proved as f64 + 2.0) / (self.tried as f64 + 3.0)
    }

    fn is_hopeless(&self) -> bool {
        self.tried >= HOPELESS && self.proved == 0
    }
}

/// The quotas of a track, filled round by round.
#[derive(Debug)]
pub(super) struct TrackPlan<'a> {
    pub track: Track,
    /// Tasks wanted.
    pub wanted: usize,
    /// Tasks made.
    pub made: usize,
    standings: Vec<FaultProgress<'a>>,
}

/// A reference and the faults that are tried on it, in this order, until it has its task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Planned {
    /// The number from which the reference is composed.
    pub number: usize,
    /// The track of its task.
    pub track: Track,
    /// Ids of faults; its own comes first.
    pub faults: Vec<String>,
}

impl<'a> TrackPlan<'a> {
    pub fn new(taxonomy: &'a Taxonomy, mix: Mix, track: Track, wanted: usize) -> TrackPlan<'a> {
        let standing = |(fault, share): (&'a crate::fault::Fault, FaultShare)| FaultProgress {
            fault: &fault.id,
            share,
            tried: 0,
            proved: 0,
        };
        let standings = shares(taxonomy, mix, track).into_iter().map(standing).collect();
        TrackPlan { track, wanted, made: 0, standings }
    }

    /// The faults of the track, in the order of their shares.
    pub fn faults(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.standings.iter().map(|standing| standing.fault)
    }

    /// Tasks that are still missing.
    pub fn missing(&self) -> usize {
        self.wanted - self.made.min(self.wanted)
    }

    /// How far each fault has come.
    pub fn shares(&self) -> Vec<FaultShare> {
        self.standings.iter().map(|standing| standing.share.clone()).collect()
    }

    /// Counts a reference on which a fault was tried, and whether it was proved and could be used.
    pub fn tried(&mut self, fault: &str, proved: bool) {
        for standing in self.standings.iter_mut().filter(|standing| standing.fault == fault) {
            standing.tried += 1;
            standing.proved += usize::from(proved);
        }
    }

    /// Counts a task.
    pub fn made(&mut self, faults: &[&str]) {
        self.made += 1;
        let own = self.standings.iter_mut().filter(|standing| faults.contains(&standing.fault));
        own.for_each(|standing| standing.share.proved += 1);
    }

    /// What each fault lacks, nothing perhaps, where the references that are free have places for it.
    fn lacking(&mut self, free: &[Places]) -> Vec<Lack<'a>> {
        for standing in &mut self.standings {
            let places = free.iter().filter(|places| places.faults.contains(standing.fault)).count();
            standing.share.open = if standing.is_hopeless() { 0 } else { places };
        }
        // A task may have several faults.
        let proved: usize = self.standings.iter().map(|standing| standing.share.proved).sum();
        let targets = targets(proved + self.missing(), &self.shares());
        let lack = |(standing, target): (&FaultProgress<'a>, usize)| Lack {
            track: self.track,
            fault: standing.fault,
            places: standing.share.open,
            success: standing.success(),
            most: FIRST + 2 * standing.tried,
            weight: standing.share.weight,
            left: target.saturating_sub(standing.share.proved) as f64,
        };
        let all = self.standings.iter().zip(targets).map(lack);
        all.filter(|lack| lack.places > 0).collect()
    }
}

/// A fault with places, and the tasks that it lacks.
#[derive(Clone, Debug)]
struct Lack<'a> {
    track: Track,
    fault: &'a str,
    /// Free references with a place for it.
    places: usize,
    /// The share of references tried for it that give a task.
    success: f64,
    /// Most references of its own in this round.
    most: usize,
    /// Its weight in the mix.
    weight: f64,
    /// The tasks that it lacks, less those that are to be expected of what is planned.
    left: f64,
}

/// Plans the work on free references: as many of each track as tasks are missing, where there are so many.
///
/// The fault with the fewest places for what it lacks chooses first, and has more references than it lacks tasks, for not
/// each of them gives one. So the faults with places everywhere come short of references of their own: a reference whose
/// own fault comes to nothing is tried for those that lack most.
pub(super) fn assign(plans: &mut [TrackPlan<'_>], free: &[Places]) -> Vec<Planned> {
    let mut slots: Vec<(Track, usize)> = plans.iter().map(|plan| (plan.track, plan.missing())).collect();
    let mut lacks: Vec<Lack<'_>> = plans.iter_mut().flat_map(|plan| plan.lacking(free)).collect();
    // The last tasks of a run go to any fault rather than to yet another round.
    let is_last = slots.iter().map(|(_, slot)| slot).sum::<usize>() <= LAST;
    let scarcity = |lack: &Lack<'_>| lack.places as f64 / lack.left;
    lacks.sort_by(|one, other| scarcity(one).total_cmp(&scarcity(other)).then_with(|| one.fault.cmp(other.fault)));
    let mut used: HashSet<usize> = HashSet::new();
    let mut owned: Vec<(usize, &Places)> = Vec::new();
    for (at, lack) in lacks.iter_mut().enumerate() {
        let Lack { track, fault, success, left, most, .. } = *lack;
        if left <= 0.0 {
            continue;
        }
        let references = ((left / success).ceil() as usize).min(most);
        let slot = slots.iter_mut().find(|(other, _)| *other == track).map(|(_, slot)| slot);
        let Some(slot) = slot else { continue };
        let fits = |places: &&Places| !used.contains(&places.number) && places.faults.contains(fault);
        let own: Vec<&Places> = free.iter().filter(fits).take(references.min(*slot)).collect();
        *slot -= own.len();
        lack.left -= own.len() as f64 * success;
        used.extend(own.iter().map(|places| places.number));
        owned.extend(own.into_iter().map(|places| (at, places)));
    }
    owned.sort_by_key(|(_, places)| places.number);
    owned.into_iter().map(|(own, places)| planned(&mut lacks, own, places, is_last)).collect()
}

/// The faults of one reference: its own, then those with a place in it that lack most.
fn planned(lacks: &mut [Lack<'_>], own: usize, places: &Places, is_last: bool) -> Planned {
    let Lack { track, fault, success, .. } = lacks[own];
    let mut others: Vec<usize> = (0..lacks.len())
        .filter(|at| *at != own && lacks[*at].track == track && (is_last || lacks[*at].left > 0.0))
        .filter(|at| places.faults.contains(lacks[*at].fault))
        .collect();
    let worth = |at: &usize| lacks[*at].weight * lacks[*at].success;
    others.sort_by(|one, other| {
        let by_lack = lacks[*other].left.max(0.0).total_cmp(&lacks[*one].left.max(0.0));
        by_lack.then_with(|| worth(other).total_cmp(&worth(one))).then(one.cmp(other))
    });
    others.truncate(OTHERS);
    // What the faults before leave over is tried for the next one.
    let mut open = 1.0 - success;
    for at in &others {
        lacks[*at].left -= open * lacks[*at].success;
        open *= 1.0 - lacks[*at].success;
    }
    let others = others.into_iter().map(|at| lacks[at].fault);
    let faults = std::iter::once(fault).chain(others).map(str::to_owned).collect();
    Planned { number: places.number, track, faults }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(count: usize, faults: &[String]) -> Vec<Places> {
        (0..count).map(|number| Places { number, faults: faults.iter().cloned().collect() }).collect()
    }

    fn faults_of(taxonomy: &Taxonomy, track: Track) -> Vec<String> {
        taxonomy.faults().iter().filter(|fault| fault.track == track).map(|fault| fault.id.clone()).collect()
    }

    #[test]
    fn every_reference_has_one_track_and_the_rare_fault_goes_first() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let (syntax, semantic) = (faults_of(&taxonomy, Track::Syntax), faults_of(&taxonomy, Track::Semantic));
        let mut free = references(12, &[&syntax[..4], &semantic[..4]].concat());
        free[7].faults.insert(syntax[5].clone());
        let plan = |track| TrackPlan::new(&taxonomy, Mix::Uniform, track, 6);
        let mut plans = [plan(Track::Syntax), plan(Track::Semantic)];
        let planned = assign(&mut plans, &free);
        for track in [Track::Syntax, Track::Semantic] {
            assert_eq!(planned.iter().filter(|it| it.track == track).count(), 6);
        }
        let numbers: HashSet<usize> = planned.iter().map(|it| it.number).collect();
        assert_eq!(numbers.len(), 12, "each reference is planned once");
        assert_eq!(planned[7].faults[0], syntax[5]);
    }

    #[test]
    fn a_fault_that_is_never_proved_is_given_up_and_others_take_its_tasks() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let syntax = faults_of(&taxonomy, Track::Syntax);
        let free = references(10, &syntax[..2]);
        let mut plans = [TrackPlan::new(&taxonomy, Mix::Uniform, Track::Syntax, 10)];
        let names = |planned: &[Planned], fault: &str| planned.iter().any(|it| it.faults.iter().any(|it| it == fault));
        assert!(names(&assign(&mut plans, &free), &syntax[0]));
        (0..HOPELESS).for_each(|_| plans[0].tried(&syntax[0], false));
        let planned = assign(&mut plans, &free);
        assert!(!names(&planned, &syntax[0]) && names(&planned, &syntax[1]));
    }
}
