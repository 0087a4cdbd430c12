//! The tasks of a run against its target mix.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::faults::faults_of;
use crate::fault::{Taxonomy, Track};
use crate::inject::Mix;
use crate::pipeline::{Funnel, TrackFunnel, weights};
use crate::score::Task;

/// The tasks of a track against the mix.
#[derive(Debug, Serialize)]
pub struct MixPart {
    pub track: Track,
    pub tasks: usize,
    /// What the build says of it; `None` without `funnel.json`.
    pub build: Option<TrackFunnel>,
    /// Its faults by the second level of the taxonomy, the largest target first. Empty if the mix is not known.
    pub rows: Vec<MixRow>,
    /// The largest share of them.
    pub largest: f64,
}

/// Faults of one second level.
#[derive(Debug, PartialEq, Serialize)]
pub struct MixRow {
    pub level1: String,
    pub level2: String,
    /// The share that the mix asks for, from 0 to 1.
    pub target: f64,
    /// The share of the planted faults.
    pub share: f64,
    /// The planted faults.
    pub count: usize,
}

/// Compares the tasks of each track with the mix of the run.
pub(super) fn parts(
    tasks: &[Task],
    taxonomy: &Taxonomy,
    settings: &Map<String, Value>,
    funnel: Option<&Funnel>,
) -> Vec<MixPart> {
    // Weights of another taxonomy are not those that the build followed.
    let is_ours = settings.get("taxonomy").and_then(Value::as_str) == Some(taxonomy.digest());
    let mix = settings.get("mix").and_then(|mix| serde_json::from_value::<Mix>(mix.clone()).ok());
    [Track::Syntax, Track::Semantic]
        .into_iter()
        .map(|track| {
            let own: Vec<&Task> = tasks.iter().filter(|task| task.record.track() == track).collect();
            let build = funnel.and_then(|funnel| funnel.tracks.get(&track).cloned());
            let rows = mix.filter(|_| is_ours).map(|mix| rows(&own, weights(taxonomy, mix, track)));
            let rows = rows.unwrap_or_default();
            let largest = rows.iter().map(|row| row.target.max(row.share)).fold(0.0, f64::max);
            MixPart { track, tasks: own.len(), build, rows, largest }
        })
        .filter(|part| part.tasks > 0 || part.build.as_ref().is_some_and(|build| build.asked > 0))
        .collect()
}

fn rows(tasks: &[&Task], target: Vec<(&crate::fault::Fault, f64)>) -> Vec<MixRow> {
    let total: f64 = target.iter().map(|(_, weight)| weight).sum();
    let mut rows: BTreeMap<(&str, &str), (f64, usize)> = BTreeMap::new();
    let mut places: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for (fault, weight) in &target {
        if let Some(leaf) = fault.leaves.first() {
            rows.entry((&leaf.level1, &leaf.level2)).or_default().0 += weight / total;
            places.insert(&fault.id, (&leaf.level1, &leaf.level2));
        }
    }
    for task in tasks {
        for fault in faults_of(task) {
            // A fault that the mix does not ask for stands where its task puts it.
            let label = task.gold.labels.iter().find(|label| label.fault == fault);
            let own = label.map(|label| (label.level1.as_str(), label.level2.as_str()));
            if let Some(place) = places.get(fault).copied().or(own) {
                rows.entry(place).or_default().1 += 1;
            }
        }
    }
    let planted: usize = rows.values().map(|(_, count)| count).sum();
    let mut rows: Vec<MixRow> = rows
        .into_iter()
        .map(|((level1, level2), (target, count))| {
            let share = count as f64 / planted.max(1) as f64;
            MixRow { level1: level1.to_owned(), level2: level2.to_owned(), target, share, count }
        })
        .collect();
    rows.sort_by(|left, right| right.target.total_cmp(&left.target));
    rows
}
