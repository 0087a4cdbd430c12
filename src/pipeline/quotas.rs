//! How many tasks of each fault a track should have: the one place that computes the mix.
//!
//! The paper counts rows of its taxonomy; several of our faults may stand for one row. Each row gets its share from
//! whichever of its faults still have candidates, so a fault without sites leaves its part to its siblings.

use std::collections::BTreeMap;

use super::settings::BuildSettings;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::plan::{Mix, quotas};

/// What the mix gives one fault, and how far the fault has come.
#[derive(Clone, Debug)]
pub(super) struct FaultShare {
    /// The row of the taxonomy that it counts for.
    pub row: String,
    /// Its weight in the mix.
    pub weight: f64,
    /// Mutants proved so far.
    pub proved: usize,
    /// Candidates not yet tried.
    pub open: usize,
}

/// The tasks of a track that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quota {
    pub track: Track,
    pub tasks: usize,
}

impl Quota {
    /// The quotas of a run, in the order in which they are filled.
    pub fn of(settings: &BuildSettings) -> [Quota; 2] {
        let quota = |track, tasks| Quota { track, tasks };
        [quota(Track::Syntax, settings.syntax), quota(Track::Semantic, settings.semantic)]
    }

    /// How many faults the tasks have together.
    pub fn faults(self, settings: &BuildSettings) -> usize {
        settings.sizes(self.track, self.tasks).iter().sum()
    }
}

/// The faults of a track in order of their ids, each with its share of the mix, none of them proved yet.
pub(super) fn shares(taxonomy: &Taxonomy, mix: Mix, track: Track) -> Vec<(&Fault, FaultShare)> {
    let paper = taxonomy.prevalence();
    let weight = |at: usize, fault: &Fault| match mix {
        Mix::Paper | Mix::Critic => paper[at],
        Mix::Shipped => f64::from(u8::from(fault.is_shipped())),
        Mix::Uniform => 1.0,
    };
    let weights: BTreeMap<&str, f64> =
        taxonomy.faults().iter().enumerate().map(|(at, fault)| (fault.id.as_str(), weight(at, fault))).collect();
    let row = |fault: &Fault| match (mix, fault.counted_leaves().first()) {
        (Mix::Paper | Mix::Critic, Some(leaf)) => format!("{} / {} / {}", leaf.level1, leaf.level2, leaf.level3),
        _ => fault.id.clone(),
    };
    let share = |fault: &Fault| FaultShare { row: row(fault), weight: weights[fault.id.as_str()], proved: 0, open: 0 };
    let faults = taxonomy.by_id().map(|(_, fault)| fault).filter(|fault| fault.track == track);
    faults.map(|fault| (fault, share(fault))).collect()
}

/// Returns the faults of a track in order of their ids, each with its weight in the mix; faults
/// of weight 0 are left out.
pub fn weights(taxonomy: &Taxonomy, mix: Mix, track: Track) -> Vec<(&Fault, f64)> {
    let shares = shares(taxonomy, mix, track).into_iter();
    shares.map(|(fault, share)| (fault, share.weight)).filter(|(_, weight)| *weight > 0.0).collect()
}

/// Returns how many of `wanted` tasks each fault would have if every fault found enough places, rounded.
pub(super) fn ideal(wanted: usize, shares: &[FaultShare]) -> Vec<usize> {
    let sum: f64 = shares.iter().map(|share| share.weight).sum();
    let part = |share: &FaultShare| (wanted as f64 * share.weight / sum.max(f64::MIN_POSITIVE)).round() as usize;
    shares.iter().map(part).collect()
}

/// Returns how many proved mutants each fault should reach, out of `wanted` in all; never fewer than it has.
pub(super) fn targets(wanted: usize, shares: &[FaultShare]) -> Vec<usize> {
    let rows = rows(shares);
    let weights: Vec<f64> = rows.values().map(|members| members.iter().map(|at| shares[*at].weight).sum()).collect();
    let available: Vec<usize> =
        rows.values().map(|members| members.iter().map(|at| reachable(&shares[*at])).sum()).collect();
    let mut targets: Vec<usize> = shares.iter().map(|share| share.proved).collect();
    for (members, quota) in rows.values().zip(quotas(wanted, &weights, &available)) {
        let weights: Vec<f64> = members.iter().map(|at| shares[*at].weight).collect();
        let available: Vec<usize> = members.iter().map(|at| reachable(&shares[*at])).collect();
        for (at, share) in members.iter().zip(quotas(quota, &weights, &available)) {
            targets[*at] = targets[*at].max(share);
        }
    }
    targets
}

/// Lowers the targets so that together they ask for no more than `wanted`: where some faults have more than their
/// share, the others do not all get theirs.
pub(super) fn capped(wanted: usize, shares: &[FaultShare], targets: Vec<usize>) -> Vec<usize> {
    let missing = wanted.saturating_sub(shares.iter().map(|share| share.proved).sum());
    let short: Vec<usize> = targets.iter().zip(shares).map(|(target, share)| target - share.proved).collect();
    if short.iter().sum::<usize>() <= missing {
        return targets;
    }
    let weights: Vec<f64> = short.iter().map(|short| *short as f64).collect();
    shares.iter().zip(quotas(missing, &weights, &short)).map(|(share, more)| share.proved + more).collect()
}

/// Returns half the sum of the differences between the rows' shares wanted and proved: 0 is a perfect mix.
pub(super) fn distance(shares: &[FaultShare]) -> f64 {
    let proved: usize = shares.iter().map(|share| share.proved).sum();
    let weight: f64 = shares.iter().map(|share| share.weight).sum();
    let difference = rows(shares).into_values().map(|members| {
        let proved_here: usize = members.iter().map(|at| shares[*at].proved).sum();
        let weight_here: f64 = members.iter().map(|at| shares[*at].weight).sum();
        (proved_here as f64 / proved.max(1) as f64 - weight_here / weight.max(f64::MIN_POSITIVE)).abs()
    });
    // Not `sum`: without rows it would be the minus zero that sums start from.
    let sum = difference.fold(0.0, |sum: f64, difference| sum + difference);
    (sum / 2.0 * 1e4).round() / 1e4
}

fn reachable(share: &FaultShare) -> usize {
    share.proved + share.open
}

fn rows(shares: &[FaultShare]) -> BTreeMap<&str, Vec<usize>> {
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, share) in shares.iter().enumerate() {
        rows.entry(&share.row).or_default().push(at);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(row: &str, weight: f64, proved: usize, open: usize) -> FaultShare {
        FaultShare { row: row.to_owned(), weight, proved, open }
    }

    #[test]
    fn siblings_of_a_fault_without_sites_take_its_share() {
        let shares = [share("a", 5.0, 0, 0), share("a", 1.0, 0, 99), share("b", 4.0, 0, 99)];
        assert_eq!(targets(10, &shares), [0, 6, 4]);
    }

    #[test]
    fn what_was_found_is_never_given_back() {
        let shares = [share("a", 1.0, 7, 0), share("b", 1.0, 0, 3)];
        assert_eq!(targets(8, &shares), [7, 3]);
    }

    #[test]
    fn where_some_have_too_much_the_others_share_what_is_missing() {
        let shares = [share("a", 1.0, 9, 99), share("b", 1.0, 0, 99), share("c", 1.0, 1, 99)];
        let all = targets(12, &shares);
        assert_eq!(all, [9, 4, 4]);
        assert_eq!(capped(12, &shares, all), [9, 1, 2]);
        assert_eq!(capped(20, &shares, vec![9, 4, 4]), [9, 4, 4]);
    }

    #[test]
    fn a_track_that_nobody_asked_for_is_at_no_distance() {
        assert!(distance(&[]).is_sign_positive());
        assert!(distance(&[share("a", 0.0, 0, 0)]).is_sign_positive());
    }

    #[test]
    fn the_distance_is_that_of_rows() {
        assert_eq!(distance(&[share("a", 1.0, 4, 0), share("a", 1.0, 0, 0), share("b", 2.0, 4, 0)]), 0.0);
        assert_eq!(distance(&[share("a", 1.0, 4, 0), share("b", 1.0, 0, 0)]), 0.5);
    }
}
