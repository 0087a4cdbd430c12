//! Which fault each reference of a composed run is tried for: one task a reference, the faults in their quotas.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::quotas::{FaultShare, shares, targets};
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::Mix;

/// Most candidates that are tried on one reference.
const MOST_TRIED: usize = 8;
/// Trials after which a fault that was never proved is given up.
const HOPELESS: usize = 12;

/// How far one fault of a track has come.
struct FaultProgress<'a> {
    fault: &'a str,
    share: FaultShare,
    tried: usize,
    /// References that had a place for it.
    places: usize,
}

/// The quotas of a track, filled reference by reference.
pub(super) struct TrackPlan<'a> {
    pub track: Track,
    /// Tasks wanted.
    pub wanted: usize,
    /// Tasks made.
    pub made: usize,
    standings: Vec<FaultProgress<'a>>,
}

/// A reference and the candidates that are tried on it, in this order, until one becomes a task.
pub(super) struct Planned<'a> {
    pub script: &'a str,
    pub track: Track,
    pub candidates: Vec<&'a Mutant>,
}

impl<'a> TrackPlan<'a> {
    pub fn new(taxonomy: &'a Taxonomy, mix: Mix, track: Track, wanted: usize) -> TrackPlan<'a> {
        let standing = |(fault, share): (&'a crate::fault::Fault, FaultShare)| FaultProgress {
            fault: &fault.id,
            share,
            tried: 0,
            places: 0,
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

    /// Counts a trial of a fault.
    pub fn tried(&mut self, fault: &str) {
        self.standings.iter_mut().filter(|standing| standing.fault == fault).for_each(|standing| standing.tried += 1);
    }

    /// Counts a task.
    pub fn made(&mut self, fault: &str) {
        self.made += 1;
        let own = self.standings.iter_mut().filter(|standing| standing.fault == fault);
        own.for_each(|standing| standing.share.proved += 1);
    }

    /// Counts the references that have places for each fault.
    fn look(&mut self, places: &Places<'_>) {
        for standing in &mut self.standings {
            standing.places += found(places, standing.fault);
        }
    }

    /// What each fault lacks, by fault: it can have what is found in `places` and what the references still to come
    /// will have, of which there are as many as tasks that are `later` planned. The `seen` ones showed how often it
    /// finds a place.
    fn lacking(&mut self, places: &Places<'_>, later: usize, seen: usize) -> Vec<(&'a str, usize)> {
        for standing in &mut self.standings {
            let hopeless = standing.tried >= HOPELESS && standing.share.proved == 0;
            let expected = found(places, standing.fault) + (standing.places * later).div_ceil(seen.max(1));
            standing.share.open = if hopeless { 0 } else { expected };
        }
        let shares = self.shares();
        let lacking = targets(self.wanted, &shares);
        let lacking = self
            .standings
            .iter()
            .zip(lacking)
            .map(|(standing, target)| (standing.fault, target.saturating_sub(standing.share.proved)));
        lacking.filter(|(_, lacking)| *lacking > 0).collect()
    }
}

/// The candidates of each fault by script, in the order in which they are tried.
type Places<'a> = HashMap<&'a str, HashMap<&'a str, Vec<&'a Mutant>>>;

/// The number of scripts that have a place for a fault.
fn found(places: &Places<'_>, fault: &str) -> usize {
    places.get(fault).map_or(0, HashMap::len)
}

/// Plans the references of a chunk; `seen` is how many there were so far, these among them.
///
/// The fault with the fewest places chooses first. What a reference is tried for besides its own fault are the others
/// that lack most.
pub(super) fn assign<'a>(
    plans: &mut [TrackPlan<'_>],
    scripts: &[&'a str],
    candidates: &'a BTreeMap<String, Vec<Mutant>>,
    seen: usize,
) -> Vec<Planned<'a>> {
    let mut places: Places<'a> = HashMap::new();
    for mutant in candidates.values().flatten() {
        places.entry(&mutant.fault).or_default().entry(&mutant.script).or_default().push(mutant);
    }
    let mut free: HashSet<&str> = scripts.iter().copied().collect();
    let missing: usize = plans.iter().map(TrackPlan::missing).sum();
    let mut planned: HashMap<&str, Planned<'a>> = HashMap::new();
    for plan in plans.iter_mut() {
        plan.look(&places);
        let mut left = (scripts.len() * plan.missing()).div_ceil(missing.max(1)).min(plan.missing());
        let mut lacking = plan.lacking(&places, plan.missing() - left, seen);
        lacking.sort_by_key(|(fault, _)| (found(&places, fault), *fault));
        let of_fault = |fault: &str, script: &str| places.get(fault).and_then(|scripts| scripts.get(script));
        // Round by round, so that no fault takes a whole chunk.
        let most = lacking.iter().map(|(_, count)| *count).max().unwrap_or(0);
        for round in 0..most {
            for (fault, count) in &lacking {
                let fits = |script: &&&'a str| free.contains(**script) && of_fault(fault, script).is_some();
                let Some(script) = scripts.iter().find(fits).filter(|_| left > 0 && round < *count) else { continue };
                free.remove(script);
                left -= 1;
                let own = of_fault(fault, script).into_iter().flatten().take(2);
                let mut others: Vec<&(&str, usize)> = lacking.iter().filter(|(other, _)| other != fault).collect();
                others.sort_by_key(|(other, count)| (std::cmp::Reverse(*count), *other));
                let others = others.iter().filter_map(|(other, _)| of_fault(other, script)?.first());
                let candidates = own.chain(others).copied().take(MOST_TRIED).collect();
                planned.insert(script, Planned { script, track: plan.track, candidates });
            }
        }
    }
    scripts.iter().filter_map(|script| planned.remove(script)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edits;

    #[test]
    fn every_reference_has_one_track_and_the_rare_fault_goes_first() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let of =
            |track: Track| taxonomy.faults().iter().filter(move |fault| fault.track == track).map(|it| it.id.clone());
        let (syntax, semantic): (Vec<_>, Vec<_>) = (of(Track::Syntax).collect(), of(Track::Semantic).collect());
        let scripts: Vec<String> = (0..12).map(|number| format!("s{number:02}")).collect();
        let mut candidates: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
        let mut add = |fault: &str, script: &str| {
            let mutant = Mutant::of_edits(script, "k", fault, Edits::default());
            candidates.entry(fault.to_owned()).or_default().push(mutant);
        };
        for script in &scripts {
            syntax[..4].iter().chain(&semantic[..4]).for_each(|fault| add(fault, script));
        }
        add(&syntax[5], "s07");
        let plan = |track| TrackPlan::new(&taxonomy, Mix::Uniform, track, 6);
        let mut plans = [plan(Track::Syntax), plan(Track::Semantic)];
        let names: Vec<&str> = scripts.iter().map(String::as_str).collect();
        let planned = assign(&mut plans, &names, &candidates, 12);
        assert_eq!(planned.iter().filter(|it| it.track == Track::Syntax).count(), 6);
        assert_eq!(planned.len(), 12, "each reference is planned once");
        let rare = planned.iter().find(|it| it.script == "s07").unwrap();
        assert_eq!(rare.candidates[0].fault, syntax[5]);
    }
}
