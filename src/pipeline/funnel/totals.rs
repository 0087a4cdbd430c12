//! Numbers of several searches, added up.

use std::collections::BTreeMap;

use super::numbers::{FaultFunnel, Funnel};
use crate::fault::{Taxonomy, Track};

/// What the searches tried and lost, by fault.
#[derive(Default)]
pub(crate) struct Totals {
    faults: BTreeMap<String, FaultFunnel>,
}

impl Totals {
    /// Adds what the last search counted for the faults of a track.
    pub fn add(&mut self, funnel: &mut Funnel, taxonomy: &Taxonomy, track: Track) {
        for fault in taxonomy.faults().iter().filter(|fault| fault.track == track) {
            let counted = std::mem::take(&mut funnel.fault(&fault.id).lost);
            let (tried, proved) = (funnel.fault(&fault.id).tried, funnel.fault(&fault.id).proved);
            let totals = self.faults.entry(fault.id.clone()).or_default();
            totals.tried += tried;
            totals.proved += proved;
            add_up(&mut totals.lost, &counted);
        }
    }

    /// Adds the mutants that could not be worded.
    pub fn add_losses(&mut self, other: &Funnel) {
        for (fault, numbers) in &other.faults {
            add_up(&mut self.faults.entry(fault.clone()).or_default().lost, &numbers.lost);
        }
    }

    /// Writes the sums into `funnel`, including the numbers of the run `before`.
    pub fn finish(self, funnel: &mut Funnel, before: &Funnel) {
        for (fault, numbers) in &mut funnel.faults {
            for earlier in [before.faults.get(fault), self.faults.get(fault)].into_iter().flatten() {
                add_up(&mut numbers.lost, &earlier.lost);
            }
            let sum = |part: fn(&FaultFunnel) -> usize| {
                [before.faults.get(fault), self.faults.get(fault)].into_iter().flatten().map(part).sum()
            };
            numbers.tried = sum(|numbers| numbers.tried);
            numbers.proved = sum(|numbers| numbers.proved);
        }
        for (track, numbers) in &mut funnel.tracks {
            let earlier = before.tracks.get(track).map(|track| track.not_together.clone()).unwrap_or_default();
            add_up(&mut numbers.not_together, &earlier);
        }
    }
}

pub(crate) fn add_up(sums: &mut BTreeMap<String, usize>, more: &BTreeMap<String, usize>) {
    for (reason, count) in more {
        *sums.entry(reason.clone()).or_default() += count;
    }
}
