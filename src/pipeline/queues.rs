//! The candidates of each fault, waiting for their trials.

use std::collections::BTreeMap;

use super::quotas::{FaultShare, shares};
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::Mix;
use crate::prove::Verdict;

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
    pub proved: Vec<(Mutant, Verdict)>,
    pub lost: BTreeMap<String, usize>,
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

    /// Counts a candidate that was lost.
    pub fn lose(&mut self, reason: String) {
        *self.lost.entry(reason).or_default() += 1;
    }
}
