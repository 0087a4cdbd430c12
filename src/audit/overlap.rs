//! Measures the text that a run shares with what is public, and its references with each other.

use std::collections::BTreeSet;

use serde::Serialize;
use xxhash_rust::xxh64::xxh64;

use crate::code::script::Script;
use crate::parallel;
use crate::score::Task;

/// Tokens in each run of tokens that is compared.
const LENGTH: usize = 5;

/// Shared text; means and greatest values are Jaccard indices of the sets of runs of five tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Overlap {
    /// Number of different references in the run.
    pub distinct_references: usize,
    /// Issue texts that are public, apart from blanks at the end.
    pub public_issues: usize,
    /// Different references that are public, apart from blanks at the end.
    pub public_references: usize,
    /// Mean over the issues, each with the public text nearest to it.
    pub public_mean: f64,
    /// The greatest of them.
    pub public_greatest: f64,
    /// Mean over all pairs of different references of the run.
    pub inside_mean: f64,
    /// The greatest of them.
    pub inside_greatest: f64,
}

/// Hashes of the runs of five tokens in a text, sorted, each once.
type Shingles = Vec<u64>;

/// Measures the overlap of a run with public texts.
pub(super) fn overlap(tasks: &[Task], public: &[String], jobs: usize) -> Overlap {
    let mut references: Vec<&str> = tasks.iter().map(|task| task.gold.reference_sql.as_str()).collect();
    references.sort_unstable();
    references.dedup();
    let issues: Vec<&str> = tasks.iter().map(|task| task.record.issue_sql.as_str()).collect();
    let of_public = parallel::map(jobs, public, |text| shingles(text));
    let nearest = parallel::map(jobs, &issues, |issue| {
        let own = shingles(issue);
        of_public.iter().map(|other| jaccard(&own, other)).fold(0.0, f64::max)
    });
    // Between fences a text loses the line break at its end.
    let texts: BTreeSet<&str> = public.iter().map(|text| text.trim_end()).collect();
    let is_public = |text: &str| texts.contains(text.trim_end());
    let of_references = parallel::map(jobs, &references, |text| shingles(text));
    let inside: Vec<f64> = parallel::map(jobs, 0..references.len(), |at| {
        of_references[..at].iter().map(|other| jaccard(&of_references[at], other)).collect::<Vec<_>>()
    })
    .concat();
    Overlap {
        distinct_references: references.len(),
        public_issues: issues.iter().filter(|issue| is_public(issue)).count(),
        public_references: references.iter().filter(|reference| is_public(reference)).count(),
        public_mean: mean(&nearest),
        public_greatest: nearest.iter().copied().fold(0.0, f64::max),
        inside_mean: mean(&inside),
        inside_greatest: inside.iter().copied().fold(0.0, f64::max),
    }
}

fn shingles(text: &str) -> Shingles {
    let script = Script::new(text);
    let tokens: Vec<&str> = (0..script.tokens().len()).map(|at| script.token_text(at)).collect();
    let mut shingles: Shingles =
        tokens.windows(LENGTH).map(|run| xxh64(run.join("\u{1}").to_lowercase().as_bytes(), 0)).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

fn jaccard(one: &Shingles, other: &Shingles) -> f64 {
    let (mut left, mut right, mut shared) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        shared += usize::from(a == b);
        left += usize::from(a <= b);
        right += usize::from(b <= a);
    }
    shared as f64 / (one.len() + other.len() - shared).max(1) as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_overlaps_wholly_and_another_not_at_all() {
        let one = shingles("SELECT a, b FROM t WHERE c = 1");
        assert_eq!(jaccard(&one, &shingles("select a,b from t where c=1")), 1.0);
        assert_eq!(jaccard(&one, &shingles("INSERT INTO u SELECT x FROM y JOIN z")), 0.0);
    }
}
