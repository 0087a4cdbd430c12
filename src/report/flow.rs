//! The funnel of a run as a flow: how many places, mutants and tasks went on from each step, and why others did not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::faults::faults_of;
use crate::fault::{Taxonomy, Track};
use crate::pipeline::{FaultFunnel, Funnel};
use crate::score::Task;

/// Most reasons that are shown for a step.
const MOST: usize = 8;

#[derive(Debug, Serialize)]
pub struct TrackFlow {
    pub track: Track,
    pub steps: Vec<FlowStep>,
}

/// What reached a step.
#[derive(Debug, PartialEq, Serialize)]
pub struct FlowStep {
    /// `places`, `distinct`, `tried`, `proved` or `published`.
    pub name: &'static str,
    pub count: usize,
    /// Its width where the widest step is 1, on a logarithmic scale.
    pub width: f64,
    /// Why others of the step before are not among them, the most frequent reason first.
    pub lost: Vec<Loss>,
}

/// Why some did not reach a step.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    pub reason: String,
    pub count: usize,
}

/// Adds up the numbers of the faults of each track.
pub(super) fn flows(funnel: &Funnel, taxonomy: &Taxonomy, tasks: &[Task]) -> Vec<TrackFlow> {
    let mut tracks: BTreeMap<&str, Track> = BTreeMap::new();
    for task in tasks {
        tracks.extend(faults_of(task).into_iter().map(|fault| (fault, task.record.track())));
    }
    tracks.extend(taxonomy.faults().iter().map(|fault| (fault.id.as_str(), fault.track)));
    let found: BTreeSet<Track> = tracks.values().copied().collect();
    let flow = |track: Track| {
        let own = funnel.faults.iter().filter(|(fault, _)| tracks.get(fault.as_str()) == Some(&track));
        let steps = steps(&own.map(|(_, numbers)| numbers).collect::<Vec<_>>());
        steps.iter().any(|step| step.count > 0).then_some(TrackFlow { track, steps })
    };
    found.into_iter().filter_map(flow).collect()
}

fn steps(faults: &[&FaultFunnel]) -> Vec<FlowStep> {
    let sum = |of: fn(&FaultFunnel) -> usize| faults.iter().map(|fault| of(fault)).sum::<usize>();
    let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
    for (reason, count) in faults.iter().flat_map(|fault| &fault.lost) {
        *lost.entry(reason).or_default() += count;
    }
    let mut lost: Vec<Loss> =
        lost.into_iter().map(|(reason, count)| Loss { reason: reason.to_owned(), count }).collect();
    lost.sort_by_key(|loss| std::cmp::Reverse(loss.count));
    lost.truncate(MOST);
    let step = |name, count| FlowStep { name, count, width: 0.0, lost: Vec::new() };
    let mut steps = vec![
        step("places", sum(|fault| fault.sites)),
        step("distinct", sum(|fault| fault.sites.saturating_sub(fault.same_as_another))),
        step("tried", sum(|fault| fault.tried)),
        FlowStep { lost, ..step("proved", sum(|fault| fault.proved)) },
        step("published", sum(|fault| fault.published)),
    ];
    let size = |count: usize| (count as f64).ln_1p();
    let widest = steps.iter().map(|step| size(step.count)).fold(f64::MIN_POSITIVE, f64::max);
    for step in &mut steps {
        step.width = size(step.count) / widest;
    }
    steps
}
