//! Decides which mutants are tried, in which order, and how many of each fault are wanted.
//!
//! Each draw is keyed by the seed and by what it is about (script, fault, site or task), so that the plan does not
//! depend on the order of faults or scripts, on the number of workers, or on what else is planned.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::mutant::Mutant;
use crate::fault::Track;

/// How tasks are shared out among the faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Mix {
    /// The counts of the paper's tables.
    #[default]
    Paper,
    /// Faults that real pipelines shipped, evenly.
    Shipped,
    /// All faults evenly.
    Uniform,
    /// A set for critics, as SQLCriticBench is: the counts of the paper's tables, several faults a task, and four right
    /// scripts for each wrong one.
    Critic,
}

impl Mix {
    /// The least and the most faults of a wrong script, where the mix says so. 5 or 6 faults give the 3.67 wrong clauses of
    /// SQLCriticBench (SQLCritic, table 1), since every third falls into a clause that is wrong already.
    pub(crate) fn faults(self) -> Option<[usize; 2]> {
        (self == Mix::Critic).then_some([5, 6])
    }

    /// Right scripts for each wrong one.
    pub(crate) fn controls(self) -> usize {
        if self == Mix::Critic { 4 } else { 0 }
    }
}

/// Derives the seed of a draw from the run's seed and a key.
fn keyed(seed: u64, key: [&str; 3]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    for part in key {
        hash.update([0]);
        hash.update(part);
    }
    hash.finalize().into()
}

/// Draws a number in `0.0..1.0` for a mutant.
fn draw(seed: u64, mutant: &Mutant) -> f64 {
    let key = [mutant.script.as_str(), mutant.fault.as_str(), mutant.id.as_str()];
    ChaCha8Rng::from_seed(keyed(seed, key)).random::<f64>()
}

/// Draws a number in `0.0..1.0` for a fault as a whole in one script.
pub fn fault_draw(seed: u64, script: &str, fault: &str) -> f64 {
    ChaCha8Rng::from_seed(keyed(seed, ["fault of training pairs", script, fault])).random::<f64>()
}

/// Draws a number in `0.0..1.0` that decides how much a task gives away.
pub fn hint_draw(seed: u64, task: &str) -> f64 {
    ChaCha8Rng::from_seed(keyed(seed, ["hints of task", task, ""])).random::<f64>()
}

/// The most sites of one fault that are tried in one script, so that ten thousand conditions do not take all day.
const MOST_SITES: usize = 400;

/// Returns how many faults each of `count` tasks gets, drawn evenly from `range`. The draws of two tracks are
/// independent.
pub fn sizes(seed: u64, track: Track, count: usize, range: &RangeInclusive<usize>) -> Vec<usize> {
    let size = |task: usize| {
        let key = ["faults of task", &format!("{track:?}"), &task.to_string()];
        ChaCha8Rng::from_seed(keyed(seed, key)).random_range(range.clone())
    };
    (0..count).map(size).collect()
}

/// A number of faults in a task, and the share of tasks that have this number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeShare {
    /// How many faults.
    pub size: usize,
    /// The share, from 0 to 1.
    pub share: f64,
}

/// Sizes of the paper's syntax tasks: 699 labels on 469 tasks.
pub const PAPER_SIZES: [SizeShare; 3] =
    [SizeShare { size: 1, share: 0.6 }, SizeShare { size: 2, share: 0.31 }, SizeShare { size: 3, share: 0.09 }];

/// Sizes of hard syntax tasks.
pub const HARD_SIZES: [SizeShare; 2] = [SizeShare { size: 2, share: 0.4 }, SizeShare { size: 3, share: 0.6 }];

/// Sizes of hard semantic tasks.
pub const HARD_SEMANTIC_SIZES: [SizeShare; 3] =
    [SizeShare { size: 3, share: 0.3 }, SizeShare { size: 4, share: 0.4 }, SizeShare { size: 5, share: 0.3 }];

/// Tasks with one fault each.
pub const SINGLE: [SizeShare; 1] = [SizeShare { size: 1, share: 1.0 }];

/// Returns how many faults the task `task` gets, drawn by `shares`, which must add up to 1; 1 if `shares` is empty.
pub fn size_of(seed: u64, track: Track, task: &str, shares: &[SizeShare]) -> usize {
    let key = ["faults of task", &format!("{track:?}"), task];
    let mut left = ChaCha8Rng::from_seed(keyed(seed, key)).random::<f64>();
    let drawn = shares.iter().find(|it| {
        left -= it.share;
        left < 0.0
    });
    drawn.or(shares.last()).map_or(1, |it| it.size)
}

/// Puts the candidates of `scripts` scripts, drawn by seed and track, before all others.
///
/// The faults of one task must be in the same script, and a few faults spread over all scripts would rarely meet.
pub fn gather(
    candidates: &BTreeMap<String, Vec<Mutant>>,
    seed: u64,
    track: Track,
    scripts: usize,
) -> BTreeMap<String, Vec<Mutant>> {
    let all: BTreeSet<&str> = candidates.values().flatten().map(|mutant| mutant.script.as_str()).collect();
    let mut drawn: Vec<&str> = all.into_iter().collect();
    drawn.sort_by_key(|script| keyed(seed, ["scripts of several faults", &format!("{track:?}"), script]));
    drawn.truncate(scripts);
    let gathered = |mutants: &Vec<Mutant>| {
        let (mut near, far): (Vec<_>, Vec<_>) =
            mutants.iter().cloned().partition(|mutant| drawn.contains(&mutant.script.as_str()));
        near.extend(far);
        near
    };
    candidates.iter().map(|(fault, mutants)| (fault.clone(), gathered(mutants))).collect()
}

/// Orders the candidates of one fault: scripts take turns, and the sites of each script come in the order of their
/// draws.
pub fn order(seed: u64, candidates: Vec<Mutant>) -> Vec<Mutant> {
    let mut by_script: BTreeMap<String, Vec<(f64, Mutant)>> = BTreeMap::new();
    for mutant in candidates {
        by_script.entry(mutant.script.clone()).or_default().push((draw(seed, &mutant), mutant));
    }
    let mut turns: Vec<(usize, f64, Mutant)> = Vec::new();
    for list in by_script.values_mut() {
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
        list.truncate(MOST_SITES);
        turns.extend(list.drain(..).enumerate().map(|(turn, (draw, mutant))| (turn, draw, mutant)));
    }
    turns.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then_with(|| a.2.id.cmp(&b.2.id)));
    turns.into_iter().map(|(_, _, mutant)| mutant).collect()
}

/// Splits `total` by `weights` with the largest-remainder method. No fault gets more than is `available`.
pub fn quotas(total: usize, weights: &[f64], available: &[usize]) -> Vec<usize> {
    let mut quotas = vec![0; weights.len()];
    let mut left = total;
    while left > 0 {
        let open: Vec<usize> =
            (0..weights.len()).filter(|at| weights[*at] > 0.0 && quotas[*at] < available[*at]).collect();
        let sum: f64 = open.iter().map(|at| weights[*at]).sum();
        if open.is_empty() {
            break;
        }
        let given = share_out(left, &open, weights, sum, available, &mut quotas);
        left -= given;
    }
    quotas
}

fn share_out(
    left: usize,
    open: &[usize],
    weights: &[f64],
    sum: f64,
    available: &[usize],
    quotas: &mut [usize],
) -> usize {
    let mut given = 0;
    let mut remainders: Vec<(f64, usize)> = Vec::new();
    for at in open {
        let exact = left as f64 * weights[*at] / sum;
        let whole = (exact.floor() as usize).min(available[*at] - quotas[*at]);
        quotas[*at] += whole;
        given += whole;
        remainders.push((exact.fract(), *at));
    }
    remainders.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, at) in remainders {
        if given < left && quotas[at] < available[at] {
            quotas[at] += 1;
            given += 1;
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quotas_add_up_to_what_is_wanted_or_what_is_there(
            total in 0usize..200,
            faults in prop::collection::vec((0.1f64..50.0, 0usize..40), 1..12),
        ) {
            let weights: Vec<f64> = faults.iter().map(|fault| fault.0).collect();
            let available: Vec<usize> = faults.iter().map(|fault| fault.1).collect();
            let shares = quotas(total, &weights, &available);
            prop_assert!(shares.iter().zip(&available).all(|(share, available)| share <= available));
            prop_assert_eq!(shares.iter().sum::<usize>(), total.min(available.iter().sum()));
        }
    }

    #[test]
    fn sizes_stay_in_their_range_and_hang_on_seed_and_track() {
        let sizes = |seed, track| super::sizes(seed, track, 400, &(1..=3));
        let drawn = sizes(7, Track::Syntax);
        assert!((1..=3).all(|size| drawn.iter().filter(|drawn| **drawn == size).count() > 80));
        assert_eq!(drawn, sizes(7, Track::Syntax));
        assert_ne!(drawn, sizes(8, Track::Syntax));
        assert_ne!(drawn, sizes(7, Track::Semantic));
    }

    #[test]
    fn the_paper_has_three_labels_on_two_syntax_tasks() {
        let drawn = (0..2000).map(|task| size_of(7, Track::Syntax, &task.to_string(), &PAPER_SIZES)).sum::<usize>();
        assert!((1.44..1.56).contains(&(drawn as f64 / 2000.0)), "{drawn}");
        assert_eq!(size_of(7, Track::Semantic, "1", &[]), 1);
    }

    #[test]
    fn shares_follow_the_weights() {
        assert_eq!(quotas(10, &[3.0, 1.0, 1.0], &[99, 99, 99]), [6, 2, 2]);
        assert_eq!(quotas(10, &[3.0, 1.0, 0.0], &[4, 99, 99]), [4, 6, 0]);
    }
}
