//! The candidates of each fault, waiting for their trials.

use std::collections::BTreeMap;

use super::proven::ProvedMutant;
use super::quotas::{FaultShare, shares};
use super::trial::{GIVEN_UP, SURVIVED};
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::Mix;

/// Mutants of a fault that may survive in a script before its others there are passed over.
pub(super) const MOST_SURVIVALS: usize = 8;

/// The candidates of one fault, and what became of those tried so far.
pub(super) struct FaultQueue<'a> {
    pub fault: &'a Fault,
    share: FaultShare,
    pub candidates: &'a [Mutant],
    /// The next candidate to try.
    pub next: usize,
    /// Tasks of the fault that the run has already.
    pub kept: usize,
    /// Tasks of the fault to reach in this round.
    pub quota: usize,
    pub proved: Vec<ProvedMutant>,
    pub lost: BTreeMap<String, usize>,
    /// How many of its mutants survived, by script.
    survived: BTreeMap<String, usize>,
}

impl<'a> FaultQueue<'a> {
    /// Returns the queues of a track in order of the faults' ids; no candidate is tried yet.
    pub fn all(
        taxonomy: &'a Taxonomy,
        mix: Mix,
        track: Track,
        candidates: &'a BTreeMap<String, Vec<Mutant>>,
    ) -> Vec<FaultQueue<'a>> {
        let queue = |(fault, share): (&'a Fault, FaultShare)| FaultQueue {
            fault,
            share,
            candidates: candidates.get(&fault.id).map_or(&[], Vec::as_slice),
            next: 0,
            kept: 0,
            quota: 0,
            proved: Vec::new(),
            lost: BTreeMap::new(),
            survived: BTreeMap::new(),
        };
        shares(taxonomy, mix, track).into_iter().map(queue).collect()
    }

    /// Returns the number of tasks that the fault has.
    pub fn reached(&self) -> usize {
        self.kept + self.proved.len()
    }

    /// How far the fault has come.
    pub fn share(&self) -> FaultShare {
        FaultShare { proved: self.reached(), open: self.candidates.len() - self.next, ..self.share.clone() }
    }

    /// Whether so many of its mutants survived in a script that the others there are passed over.
    pub fn is_hopeless_in(&self, script: &str) -> bool {
        self.survived.get(script).is_some_and(|survived| *survived >= MOST_SURVIVALS)
    }

    /// Counts a candidate of a script that was lost for this reason, if the reason is that it survived.
    pub fn survive(&mut self, script: &str, reason: &str) {
        if [SURVIVED, GIVEN_UP].contains(&reason) {
            *self.survived.entry(script.to_owned()).or_default() += 1;
        }
    }

    /// Counts a candidate that was lost.
    pub fn lose(&mut self, reason: String) {
        *self.lost.entry(reason).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::load_taxonomy;

    #[test]
    fn a_fault_whose_mutants_survive_in_a_script_is_passed_over_there() {
        let taxonomy = load_taxonomy(None).unwrap();
        let candidates = BTreeMap::new();
        let mut queue = FaultQueue::all(&taxonomy, Mix::Paper, Track::Semantic, &candidates).remove(0);
        for reason in [SURVIVED, GIVEN_UP, "equivalent"].into_iter().cycle().take(3 * MOST_SURVIVALS / 2 - 1) {
            assert!(!queue.is_hopeless_in("a"));
            queue.survive("a", reason);
        }
        assert!(queue.is_hopeless_in("a") && !queue.is_hopeless_in("b"));
    }
}
