//! Which faults each reference of a composed run is tried for: one task a reference, the faults in their quotas.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::places::Places;
use super::track_plan::{Shortfall, TrackPlan};
use crate::fault::Track;

/// Maximum number of faults tried on a reference beyond those that its task is to have.
const OTHERS: usize = 3;
/// At the end of a run, one in this many of its tasks may go to any fault.
const LAST_SHARE: usize = 40;
/// In a small run, at least this many tasks may.
const LAST_TASKS: usize = 4;

/// A reference and the faults that are tried on it, in this order, until it has its task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Planned {
    /// The number from which the reference is composed.
    pub number: usize,
    /// The track of its task.
    pub track: Track,
    /// How many faults its task is to have.
    pub size: usize,
    /// Ids of faults; the reference's own come first.
    pub faults: Vec<String>,
}

/// A reference that is planned for a track, and the faults of its own so far.
struct OpenReference<'p> {
    places: &'p Places,
    size: usize,
    /// Positions of its own faults among the faults that lack tasks.
    own: Vec<usize>,
}

/// The planning of one round of a track.
struct TrackRound<'a, 'p> {
    plan: &'a TrackPlan<'a>,
    /// Tasks that may still be planned, by the number of their faults.
    slots: BTreeMap<usize, usize>,
    open: Vec<OpenReference<'p>>,
    /// Whether tasks of any size will do.
    is_last: bool,
}

/// Plans the work on free references: for each track, as many as it lacks tasks, if that many are free.
///
/// The fault with the fewest places for what it lacks chooses first. Faults with places everywhere may get no
/// references of their own; they are tried on references whose own faults fail, those that lack most first.
pub(super) fn assign(plans: &mut [TrackPlan<'_>], free: &[Places]) -> Vec<Planned> {
    let mut shortfalls: Vec<Shortfall<'_>> = plans.iter_mut().flat_map(|plan| plan.shortfalls(free)).collect();
    let scarcity = |shortfall: &Shortfall<'_>| shortfall.places as f64 / shortfall.left;
    shortfalls.sort_by(|one, other| scarcity(one).total_cmp(&scarcity(other)).then_with(|| one.fault.cmp(other.fault)));
    let wanted: usize = plans.iter().map(|plan| plan.wanted).sum();
    let missing: usize = plans.iter().map(TrackPlan::missing).sum();
    // The last tasks of a run go to any fault rather than to yet another round.
    let is_last = missing <= (wanted / LAST_SHARE).max(LAST_TASKS);
    let new = |plan| TrackRound { plan, slots: plan.missing_sizes(), open: Vec::new(), is_last };
    let mut rounds: Vec<TrackRound<'_, '_>> = plans.iter().map(new).collect();
    let mut used: HashSet<usize> = HashSet::new();
    for at in 0..shortfalls.len() {
        let round = rounds.iter_mut().find(|it| it.plan.track == shortfalls[at].track);
        if is_last {
            shortfalls[at].references = shortfalls[at].references.max(missing);
        }
        if (shortfalls[at].left > 0.0 || is_last)
            && let Some(round) = round
        {
            let own = round.give(at, &shortfalls, free, &mut used);
            shortfalls[at].left -= own as f64 * shortfalls[at].success;
        }
    }
    let mut open: Vec<OpenReference<'_>> = rounds.into_iter().flat_map(|round| round.open).collect();
    open.sort_by_key(|reference| reference.places.number);
    open.iter().map(|reference| planned(&mut shortfalls, reference, is_last)).collect()
}

impl<'p> TrackRound<'_, 'p> {
    /// Gives a fault references of its own: first planned ones that have room for it, then free ones. Returns how many.
    fn give(
        &mut self,
        at: usize,
        shortfalls: &[Shortfall<'_>],
        free: &'p [Places],
        used: &mut HashSet<usize>,
    ) -> usize {
        let shortfall = &shortfalls[at];
        let mut given = 0;
        for reference in self.open.iter_mut().filter(|reference| reference.has_room(shortfall, shortfalls)) {
            if given == shortfall.references {
                break;
            }
            reference.own.push(at);
            given += 1;
        }
        for places in free {
            if given == shortfall.references {
                break;
            }
            if used.contains(&places.number) || !places.faults.contains(shortfall.fault) {
                continue;
            }
            let size = self.plan.size_on(places);
            if (size > 1 || !shortfall.needs_partner) && self.take_slot(size) {
                used.insert(places.number);
                self.open.push(OpenReference { places, size, own: vec![at] });
                given += 1;
            }
        }
        given
    }

    /// Takes a slot for a task of this size, or of any size at the end of a run; returns whether there was one.
    fn take_slot(&mut self, size: usize) -> bool {
        let is_last = self.is_last;
        let slot = self.slots.iter_mut().find(|(it, left)| (is_last || **it == size) && **left > 0);
        slot.map(|(_, left)| *left -= 1).is_some()
    }
}

impl OpenReference<'_> {
    /// Whether one more fault fits on this reference: one of its faults must be able to stand alone.
    fn has_room(&self, shortfall: &Shortfall<'_>, shortfalls: &[Shortfall<'_>]) -> bool {
        let with_partners = self.own.iter().filter(|at| shortfalls[**at].needs_partner).count();
        let fits = !shortfall.needs_partner || with_partners + 1 < self.size;
        fits && self.own.len() < self.size
            && shortfalls[self.own[0]].track == shortfall.track
            && self.places.faults.contains(shortfall.fault)
    }
}

/// Plans one reference: its own faults, then those with a place in it that lack most.
fn planned(shortfalls: &mut [Shortfall<'_>], reference: &OpenReference<'_>, is_last: bool) -> Planned {
    let OpenReference { places, size, own } = reference;
    let track = shortfalls[own[0]].track;
    let mut others: Vec<usize> = (0..shortfalls.len())
        .filter(|at| !own.contains(at) && shortfalls[*at].track == track && (is_last || shortfalls[*at].left > 0.0))
        .filter(|at| places.faults.contains(shortfalls[*at].fault) && (*size > 1 || !shortfalls[*at].needs_partner))
        .collect();
    let worth = |at: &usize| shortfalls[*at].weight * shortfalls[*at].success;
    others.sort_by(|one, other| {
        let by_lack = shortfalls[*other].left.max(0.0).total_cmp(&shortfalls[*one].left.max(0.0));
        by_lack.then_with(|| worth(other).total_cmp(&worth(one))).then(one.cmp(other))
    });
    others.truncate(OTHERS + size - own.len());
    // The probability that the reference has no task yet when the next fault is tried.
    let mut open = 1.0 - own.iter().map(|at| shortfalls[*at].success).product::<f64>();
    for at in &others {
        shortfalls[*at].left -= open * shortfalls[*at].success;
        open *= 1.0 - shortfalls[*at].success;
    }
    let faults = own.iter().chain(&others).map(|at| shortfalls[*at].fault.to_owned()).collect();
    Planned { number: places.number, track, size: *size, faults }
}

#[cfg(test)]
mod tests {
    use super::super::super::quotas::Quota;
    use super::super::super::settings::BuildSettings;
    use super::super::track_plan::FaultTrial;
    use super::*;
    use crate::fault::Taxonomy;
    use crate::inject::plan::Mix;

    fn references(count: usize, faults: &[String]) -> Vec<Places> {
        (0..count).map(|number| Places { number, faults: faults.iter().cloned().collect() }).collect()
    }

    fn faults_of(taxonomy: &Taxonomy, track: Track) -> Vec<String> {
        taxonomy.faults().iter().filter(|fault| fault.track == track).map(|fault| fault.id.clone()).collect()
    }

    fn settings() -> BuildSettings {
        BuildSettings { mix: Mix::Uniform, faults_per_task: Some(1..=1), ..BuildSettings::new("run".into(), 1) }
    }

    #[test]
    fn every_reference_has_one_track_and_the_rare_fault_goes_first() {
        let (taxonomy, settings) = (Taxonomy::embedded().unwrap(), settings());
        let (syntax, semantic) = (faults_of(&taxonomy, Track::Syntax), faults_of(&taxonomy, Track::Semantic));
        let mut free = references(12, &[&syntax[..4], &semantic[..4]].concat());
        free[7].faults.insert(syntax[5].clone());
        let plan = |track| TrackPlan::new(&taxonomy, &settings, Quota { track, tasks: 6 });
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
        let (taxonomy, settings) = (Taxonomy::embedded().unwrap(), settings());
        let syntax = faults_of(&taxonomy, Track::Syntax);
        let free = references(10, &syntax[..2]);
        let mut plans = [TrackPlan::new(&taxonomy, &settings, Quota { track: Track::Syntax, tasks: 10 })];
        let names = |planned: &[Planned], fault: &str| planned.iter().any(|it| it.faults.iter().any(|it| it == fault));
        assert!(names(&assign(&mut plans, &free), &syntax[0]));
        (0..8).for_each(|_| plans[0].tried(&syntax[0], FaultTrial::NotProved));
        let planned = assign(&mut plans, &free);
        assert!(!names(&planned, &syntax[0]) && names(&planned, &syntax[1]));
    }

    #[test]
    fn a_fault_that_solvers_repair_stands_beside_one_that_they_do_not() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let settings = BuildSettings { faults_per_task: Some(1..=2), ..settings() };
        let syntax = faults_of(&taxonomy, Track::Syntax);
        let free = references(40, &syntax[..2]);
        let mut plans = [TrackPlan::new(&taxonomy, &settings, Quota { track: Track::Syntax, tasks: 10 })];
        (0..3).for_each(|_| plans[0].tried(&syntax[0], FaultTrial::Repaired));
        let planned = assign(&mut plans, &free);
        let (several, single): (Vec<&Planned>, Vec<&Planned>) = planned.iter().partition(|it| it.size > 1);
        assert_eq!((several.len(), single.len()), (5, 5));
        assert!(several.iter().all(|it| it.faults[..2].contains(&syntax[0]) && it.faults[..2].contains(&syntax[1])));
        assert!(single.iter().all(|it| !it.faults.contains(&syntax[0])));
    }
}
