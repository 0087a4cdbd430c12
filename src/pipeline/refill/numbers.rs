//! The numbers of a run after a refill: what was dropped and put in.

use std::collections::BTreeMap;

use super::super::funnel::{Funnel, RefillFunnel};
use super::drops::{Drops, faults, track};
use crate::fault::Track;

/// Counts what all refills dropped and put in.
pub(super) fn count_refill(funnel: &mut Funnel, before: &Funnel, drops: &Drops, added: &BTreeMap<Track, usize>) {
    let mut refill = before.refill.clone().unwrap_or_default();
    refill.rounds += 1;
    for (track, count) in added {
        *refill.refilled.entry(*track).or_default() += count;
    }
    let mut refill = RefillFunnel { dropped: BTreeMap::new(), ..refill };
    for line in &drops.lines {
        if let Some(track) = track(line) {
            *refill.dropped.entry(track).or_default().entry(line.by).or_default() += 1;
        }
        for fault in faults(line) {
            funnel.fault(fault).dropped += 1;
        }
    }
    funnel.refill = Some(refill);
}
