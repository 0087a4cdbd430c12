//! Compares two sets of answers to the same tasks.

use serde::{Deserialize, Serialize};

use super::outcome::Score;
use super::summary::METRICS;

/// How two solvers compare in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedTest {
    pub metric: String,
    /// Tasks that both get right.
    pub both: usize,
    /// Tasks that only the first gets right.
    pub only_first: usize,
    /// Tasks that only the second gets right.
    pub only_second: usize,
    /// Tasks that neither gets right.
    pub neither: usize,
    /// The probability of a split at least this uneven if both were equally good (McNemar's exact test, two-sided).
    pub p: f64,
}

/// Compares scores of the same tasks, which must be in the same order.
pub fn pairings(first: &[Score], second: &[Score]) -> Vec<PairedTest> {
    let pairing = |(place, metric): (usize, &&str)| {
        let mut counts = [[0usize; 2]; 2];
        for (a, b) in first.iter().zip(second) {
            counts[usize::from(a.hits()[place])][usize::from(b.hits()[place])] += 1;
        }
        let [[neither, only_second], [only_first, both]] = counts;
        let p = exact_test(only_first, only_second);
        PairedTest { metric: (*metric).to_owned(), both, only_first, only_second, neither, p }
    };
    METRICS.iter().enumerate().map(pairing).collect()
}

/// Returns the p-value of the two-sided binomial test of `a` against `b` with equal odds.
fn exact_test(a: usize, b: usize) -> f64 {
    let (n, least) = (a + b, a.min(b));
    let half = (n as f64) * 0.5f64.ln();
    // Logarithms of binomial coefficients stay finite for any number of tasks.
    let (mut coefficient, mut tail) = (0.0f64, 0.0f64);
    for k in 0..=least {
        if k > 0 {
            coefficient += ((n - k + 1) as f64).ln() - (k as f64).ln();
        }
        tail += (coefficient + half).exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_gives_the_values_of_the_binomial_distribution() {
        let cases = [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 0.0625), (1, 9, 0.021484375), (10, 0, 0.001953125)];
        for (a, b, expected) in cases {
            assert!((exact_test(a, b) - expected).abs() < 1e-12, "{a} {b} {}", exact_test(a, b));
        }
    }
}
