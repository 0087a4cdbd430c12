//! Summarises many scores as shares.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::benchmark::{Benchmark, Task};
use super::interval::intervals;
use super::outcome::Score;
use crate::fault::Track;

/// The names of the metrics that are true or false for each answer, in the order of [`Score::hits`].
pub const METRICS: [&str; 6] = ["em", "em_normalised", "gm", "mb", "ex", "accepted"];

/// Shares of a group of scores, each from 0 to 1.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MetricShares {
    /// Tasks.
    pub n: usize,
    /// Exact match.
    pub em: f64,
    /// Exact match of tokens.
    pub em_normalised: f64,
    /// Graph match.
    pub gm: f64,
    /// Modify-better.
    pub mb: f64,
    /// Execution accuracy.
    pub ex: f64,
    /// Accepted repairs.
    pub accepted: f64,
    /// Valid efficiency score, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ves: Option<f64>,
    /// The share of answers that change something at the place of every edit of the repair.
    pub localised: f64,
    /// The number of tokens changed at other places, averaged over answers that contain SQL.
    pub elsewhere: f64,
    /// 95 % bootstrap interval of each metric.
    pub intervals: BTreeMap<String, [f64; 2]>,
    /// How many answers had each outcome.
    pub outcomes: BTreeMap<String, usize>,
}

impl MetricShares {
    /// Computes the shares of some scores.
    pub fn of<'a>(scores: impl IntoIterator<Item = &'a Score>) -> MetricShares {
        let scores: Vec<&Score> = scores.into_iter().collect();
        let n = scores.len();
        let hits: Vec<[bool; 6]> = scores.iter().map(|score| score.hits()).collect();
        let share = |count: usize| count as f64 / n.max(1) as f64;
        let [em, em_normalised, gm, mb, ex, accepted] =
            std::array::from_fn(|metric| share(hits.iter().filter(|hits| hits[metric]).count()));
        let placed: Vec<_> = scores.iter().filter_map(|score| score.place).collect();
        let elsewhere: usize = placed.iter().map(|place| place.elsewhere).sum();
        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for score in &scores {
            *outcomes.entry(score.outcome.name().to_owned()).or_default() += 1;
        }
        let timed = scores.iter().any(|score| score.ves.is_some());
        let ves = scores.iter().filter_map(|score| score.ves).sum::<f64>() / n.max(1) as f64;
        MetricShares {
            n,
            em,
            em_normalised,
            gm,
            mb,
            ex,
            accepted,
            ves: timed.then_some(ves),
            localised: share(placed.iter().filter(|place| place.hit).count()),
            elsewhere: elsewhere as f64 / placed.len().max(1) as f64,
            intervals: METRICS.iter().map(|metric| (*metric).to_owned()).zip(intervals(&hits)).collect(),
            outcomes,
        }
    }
}

/// Shares of all tasks, of each track and of each group of tasks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    pub overall: MetricShares,
    pub syntax: MetricShares,
    pub semantic: MetricShares,
    /// Dimension (`level1`, `level2`, `level3`, `fault`, `domain`, `length`) → group → shares.
    pub by: BTreeMap<String, BTreeMap<String, MetricShares>>,
}

impl Summary {
    /// Summarises the scores of a benchmark's tasks, which must be in the order of [`Benchmark::tasks`].
    pub fn of(benchmark: &Benchmark, scores: &[Score]) -> Summary {
        let track = |track: Track| MetricShares::of(scores.iter().filter(|score| score.track == track));
        let mut groups: BTreeMap<&str, BTreeMap<String, Vec<&Score>>> = BTreeMap::new();
        for (task, score) in benchmark.tasks().iter().zip(scores) {
            for (dimension, group) in groups_of(task) {
                groups.entry(dimension).or_default().entry(group).or_default().push(score);
            }
        }
        let tallies = |groups: BTreeMap<String, Vec<&Score>>| {
            groups.into_iter().map(|(group, scores)| (group, MetricShares::of(scores))).collect()
        };
        Summary {
            overall: MetricShares::of(scores),
            syntax: track(Track::Syntax),
            semantic: track(Track::Semantic),
            by: groups.into_iter().map(|(dimension, groups)| (dimension.to_owned(), tallies(groups))).collect(),
        }
    }
}

/// Returns the groups that a task belongs to. A task with several faults counts in the groups of each of them.
fn groups_of(task: &Task) -> Vec<(&'static str, String)> {
    let mut groups = vec![("domain", task.record.domain.clone()), ("length", band(task.gold.complexity.lines))];
    for label in &task.gold.labels {
        let levels =
            [("level1", &label.level1), ("level2", &label.level2), ("level3", &label.level3), ("fault", &label.fault)];
        groups.extend(levels.map(|(dimension, group)| (dimension, group.clone())));
    }
    groups.sort();
    groups.dedup();
    groups
}

/// Length bands, named so that they sort by length.
fn band(lines: usize) -> String {
    let name = match lines {
        0..50 => "000-049 lines",
        50..100 => "050-099 lines",
        100..150 => "100-149 lines",
        150..200 => "150-199 lines",
        _ => "200 lines and more",
    };
    name.to_owned()
}
