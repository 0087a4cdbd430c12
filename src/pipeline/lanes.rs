//! The candidates of each fault side by side, and what the mix wants of each.

use std::collections::BTreeMap;

use super::shares::Part;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::Mix;
use crate::prove::Verdict;

/// One fault's part of a round.
pub(super) struct Lane<'a> {
    pub fault: &'a Fault,
    /// What the mix gives it.
    pub weight: f64,
    pub candidates: &'a [Mutant],
    pub next: usize,
    /// Tasks of the fault that the run has already.
    pub kept: usize,
    pub quota: usize,
    pub found: Vec<(Mutant, Verdict)>,
    pub lost: BTreeMap<String, usize>,
}

impl Lane<'_> {
    /// Tasks that the fault has.
    pub fn reached(&self) -> usize {
        self.kept + self.found.len()
    }
}

/// The faults of a track, each with its candidates, none of them tried yet.
pub(super) fn lanes<'a>(
    (mix, track): (Mix, Track),
    taxonomy: &'a Taxonomy,
    candidates: &'a BTreeMap<String, Vec<Mutant>>,
) -> Vec<Lane<'a>> {
    let paper = taxonomy.prevalence();
    let weight = |at: usize, fault: &Fault| match mix {
        Mix::Paper => paper[at],
        Mix::Shipped => f64::from(u8::from(fault.is_shipped())),
        Mix::Uniform => 1.0,
    };
    let weights = taxonomy.faults().iter().enumerate().map(|(at, fault)| (fault.id.as_str(), weight(at, fault)));
    let weights: BTreeMap<&str, f64> = weights.collect();
    let faults = taxonomy.by_id().map(|(_, fault)| fault).filter(|fault| fault.track == track);
    let lane = |fault: &'a Fault| Lane {
        fault,
        weight: weights[fault.id.as_str()],
        candidates: candidates.get(&fault.id).map_or(&[], Vec::as_slice),
        next: 0,
        kept: 0,
        quota: 0,
        found: Vec::new(),
        lost: BTreeMap::new(),
    };
    faults.map(lane).collect()
}

/// How far each lane has come, and the row of the taxonomy that it counts for.
pub(super) fn parts(mix: Mix, lanes: &[Lane<'_>]) -> Vec<Part> {
    let row = |fault: &Fault| match (mix, fault.labels.first()) {
        (Mix::Paper, Some(label)) => format!("{} / {} / {}", label.level1, label.level2, label.level3),
        _ => fault.id.clone(),
    };
    let part = |lane: &Lane<'_>| Part {
        row: row(lane.fault),
        weight: lane.weight,
        found: lane.reached(),
        open: lane.candidates.len() - lane.next,
    };
    lanes.iter().map(part).collect()
}
