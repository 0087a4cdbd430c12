//! The numbers of a run after a refill: what was tried adds up, what is published is counted anew.

use std::collections::BTreeMap;

use super::super::funnel::{FaultFunnel, Funnel, RefillFunnel};
use super::drops::{Drops, faults, track};
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::publish::record::{GoldRecord, TaskRecord};

/// What several searches of one refill tried and lost, by fault.
#[derive(Default)]
pub(super) struct Gained {
    faults: BTreeMap<String, FaultFunnel>,
}

impl Gained {
    /// Adds what the last search counted for the faults of a track.
    pub fn add(&mut self, funnel: &mut Funnel, taxonomy: &Taxonomy, track: Track) {
        for fault in taxonomy.faults().iter().filter(|fault| fault.track == track) {
            let counted = std::mem::take(&mut funnel.fault(&fault.id).lost);
            let (tried, proved) = (funnel.fault(&fault.id).tried, funnel.fault(&fault.id).proved);
            let gained = self.faults.entry(fault.id.clone()).or_default();
            gained.tried += tried;
            gained.proved += proved;
            add_up(&mut gained.lost, &counted);
        }
    }

    /// Adds what could not be worded.
    pub fn add_losses(&mut self, other: &Funnel) {
        for (fault, numbers) in &other.faults {
            add_up(&mut self.faults.entry(fault.clone()).or_default().lost, &numbers.lost);
        }
    }

    /// Writes the sums with those of the run before into `funnel`.
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
        funnel.controls = before.controls.clone();
        funnel.policies = before.policies.clone();
        for (track, numbers) in &mut funnel.tracks {
            let earlier = before.tracks.get(track).map(|track| track.not_together.clone()).unwrap_or_default();
            add_up(&mut numbers.not_together, &earlier);
        }
    }
}

pub(super) fn add_up(sums: &mut BTreeMap<String, usize>, more: &BTreeMap<String, usize>) {
    for (reason, count) in more {
        *sums.entry(reason.clone()).or_default() += count;
    }
}

/// What all refills dropped and put in.
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

/// Counts a task as published, from its records alone.
pub(super) fn count_task(funnel: &mut Funnel, taxonomy: &Taxonomy, track: Track, task: &TaskRecord, gold: &GoldRecord) {
    let script = Script::new(gold.reference_sql.as_str());
    let planted = gold.edits.inverse(&task.issue_sql);
    let cost = |chosen: &[Edit]| {
        let pairs = gold.edits.as_slice().iter().zip(planted.as_slice());
        let own = pairs.filter(|(repair, _)| chosen.contains(repair)).map(|(_, planted)| planted.clone());
        // A part of disjoint edits is disjoint.
        let edits = Edits::new(own.collect()).unwrap_or_default();
        Mutant::of_edits("", "", "", edits).tokens_changed(&script)
    };
    let costs: Vec<(&Fault, usize)> = match gold.parts.as_slice() {
        [] => {
            let fault = gold.labels.first().and_then(|label| taxonomy.fault(&label.fault));
            fault.into_iter().map(|fault| (fault, cost(gold.edits.as_slice()))).collect()
        }
        parts => {
            let known = parts.iter().filter_map(|part| Some((taxonomy.fault(&part.fault)?, part)));
            known.map(|(fault, part)| (fault, cost(part.edits.as_slice()))).collect()
        }
    };
    funnel.publish(track, &costs);
}
