//! Bootstrap confidence intervals.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many resamples an interval is computed from.
const RESAMPLES: usize = 1000;

/// Returns the 95 % interval of each share: B. Efron's percentile bootstrap over tasks. The seed depends on the number
/// of tasks only, so that equal scores give equal intervals.
pub(super) fn intervals<const N: usize>(hits: &[[bool; N]]) -> [[f64; 2]; N] {
    if hits.is_empty() {
        return [[0.0; 2]; N];
    }
    let mut chance = ChaCha8Rng::seed_from_u64(hits.len() as u64);
    let mut shares = vec![Vec::with_capacity(RESAMPLES); N];
    for _ in 0..RESAMPLES {
        let mut counts = [0usize; N];
        for _ in 0..hits.len() {
            let drawn = &hits[chance.random_range(0..hits.len())];
            counts.iter_mut().zip(drawn).for_each(|(count, hit)| *count += usize::from(*hit));
        }
        for (list, count) in shares.iter_mut().zip(counts) {
            list.push(count as f64 / hits.len() as f64);
        }
    }
    std::array::from_fn(|metric| {
        let list = &mut shares[metric];
        list.sort_unstable_by(f64::total_cmp);
        [list[RESAMPLES / 40], list[RESAMPLES - 1 - RESAMPLES / 40]]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_share_and_shrinks_with_more_tasks() {
        let hits = |n: usize| -> Vec<[bool; 1]> { (0..n).map(|task| [task % 4 == 0]).collect() };
        let [[low, high]] = intervals(&hits(40));
        let [[lower, higher]] = intervals(&hits(4000));
        assert!(low < 0.25 && 0.25 < high && lower < 0.25 && 0.25 < higher);
        // The standard error of a share of 0.25 is 0.068 at 40 tasks: 95 % is about four of them wide.
        assert!((0.2..0.32).contains(&(high - low)), "{low} {high}");
        assert!((high - low) > 5.0 * (higher - lower));
        assert_eq!(intervals(&[[true], [true]]), [[1.0, 1.0]]);
    }
}
