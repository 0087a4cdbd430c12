//! The numbers of a run after a refill: what was tried adds up, what is published is counted anew.

use std::collections::BTreeMap;

use super::super::funnel::{Funnel, RefillFunnel};
use super::drops::{Drops, faults, track};
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::publish::record::{GoldRecord, TaskRecord};

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
