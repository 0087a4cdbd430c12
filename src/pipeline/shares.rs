//! How many tasks of each fault a track should have.
//!
//! The paper counts rows of its taxonomy; several of our faults may stand for one row. A row's share is met first, by
//! whichever of its faults still have candidates, so that a fault without sites leaves its part to its siblings.

use std::collections::BTreeMap;

use crate::inject::plan::quotas;

/// What the mix knows of one fault.
#[derive(Clone, Debug)]
pub struct Part {
    /// The row of the taxonomy that it counts for.
    pub row: String,
    /// Its weight in the mix.
    pub weight: f64,
    /// Mutants proved so far.
    pub found: usize,
    /// Candidates not yet tried.
    pub open: usize,
}

/// The number of proved mutants that each fault should come to, out of `wanted` in all; never fewer than it has.
pub fn shares(wanted: usize, parts: &[Part]) -> Vec<usize> {
    let rows = rows(parts);
    let weights: Vec<f64> = rows.values().map(|members| members.iter().map(|at| parts[*at].weight).sum()).collect();
    let available: Vec<usize> =
        rows.values().map(|members| members.iter().map(|at| reachable(&parts[*at])).sum()).collect();
    let mut shares: Vec<usize> = parts.iter().map(|part| part.found).collect();
    for (members, quota) in rows.values().zip(quotas(wanted, &weights, &available)) {
        let weights: Vec<f64> = members.iter().map(|at| parts[*at].weight).collect();
        let available: Vec<usize> = members.iter().map(|at| reachable(&parts[*at])).collect();
        for (at, share) in members.iter().zip(quotas(quota, &weights, &available)) {
            shares[*at] = shares[*at].max(share);
        }
    }
    shares
}

/// The same targets, lowered so that together they ask for no more than `wanted`: where some faults have more than their
/// share, the others do not all get theirs.
pub(super) fn within(wanted: usize, parts: &[Part], targets: Vec<usize>) -> Vec<usize> {
    let missing = wanted.saturating_sub(parts.iter().map(|part| part.found).sum());
    let short: Vec<usize> = targets.iter().zip(parts).map(|(target, part)| target - part.found).collect();
    if short.iter().sum::<usize>() <= missing {
        return targets;
    }
    let weights: Vec<f64> = short.iter().map(|short| *short as f64).collect();
    parts.iter().zip(quotas(missing, &weights, &short)).map(|(part, more)| part.found + more).collect()
}

/// Half the sum of the differences between the rows' shares wanted and found: 0 is a perfect mix.
pub fn distance(parts: &[Part]) -> f64 {
    let found: usize = parts.iter().map(|part| part.found).sum();
    let weight: f64 = parts.iter().map(|part| part.weight).sum();
    let difference = rows(parts).into_values().map(|members| {
        let found_here: usize = members.iter().map(|at| parts[*at].found).sum();
        let weight_here: f64 = members.iter().map(|at| parts[*at].weight).sum();
        (found_here as f64 / found.max(1) as f64 - weight_here / weight.max(f64::MIN_POSITIVE)).abs()
    });
    // Not `sum`: without rows it would be the minus zero that sums start from.
    let sum = difference.fold(0.0, |sum: f64, difference| sum + difference);
    (sum / 2.0 * 1e4).round() / 1e4
}

fn reachable(part: &Part) -> usize {
    part.found + part.open
}

fn rows(parts: &[Part]) -> BTreeMap<&str, Vec<usize>> {
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        rows.entry(&part.row).or_default().push(at);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(row: &str, weight: f64, found: usize, open: usize) -> Part {
        Part { row: row.to_owned(), weight, found, open }
    }

    #[test]
    fn siblings_of_a_fault_without_sites_take_its_share() {
        let parts = [part("a", 5.0, 0, 0), part("a", 1.0, 0, 99), part("b", 4.0, 0, 99)];
        assert_eq!(shares(10, &parts), [0, 6, 4]);
    }

    #[test]
    fn what_was_found_is_never_given_back() {
        let parts = [part("a", 1.0, 7, 0), part("b", 1.0, 0, 3)];
        assert_eq!(shares(8, &parts), [7, 3]);
    }

    #[test]
    fn where_some_have_too_much_the_others_share_what_is_missing() {
        let parts = [part("a", 1.0, 9, 99), part("b", 1.0, 0, 99), part("c", 1.0, 1, 99)];
        let targets = shares(12, &parts);
        assert_eq!(targets, [9, 4, 4]);
        assert_eq!(within(12, &parts, targets), [9, 1, 2]);
        assert_eq!(within(20, &parts, vec![9, 4, 4]), [9, 4, 4]);
    }

    #[test]
    fn a_track_that_nobody_asked_for_is_at_no_distance() {
        assert!(distance(&[]).is_sign_positive());
        assert!(distance(&[part("a", 0.0, 0, 0)]).is_sign_positive());
    }

    #[test]
    fn the_distance_is_that_of_rows() {
        assert_eq!(distance(&[part("a", 1.0, 4, 0), part("a", 1.0, 0, 0), part("b", 2.0, 4, 0)]), 0.0);
        assert_eq!(distance(&[part("a", 1.0, 4, 0), part("b", 1.0, 0, 0)]), 0.5);
    }
}
