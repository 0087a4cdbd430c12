//! Measures the text that a run shares with what is public, and its references with each other.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::code::script::Script;
use crate::code::shingles::Shingles;
use crate::parallel;
use crate::score::Task;

/// Shared text; means and greatest values are Jaccard indices of the sets of runs of five tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// Number of different references in the run.
    pub distinct_references: usize,
    /// Issue texts that are public, apart from blanks at the end.
    pub public_issues: usize,
    /// Different references that are public, apart from blanks at the end.
    pub public_references: usize,
    /// Mean over the issues, each with the public text nearest to it.
    pub public_mean: f64,
    pub public_greatest: f64,
    /// Mean over all pairs of different references of the run.
    pub inside_mean: f64,
    pub inside_greatest: f64,
}

/// Measures the overlap of a run with public texts.
pub(super) fn overlap(tasks: &[Task], public: &[String], jobs: usize) -> Overlap {
    let mut references: Vec<&str> = tasks.iter().map(|task| task.gold.reference_sql.as_str()).collect();
    references.sort_unstable();
    references.dedup();
    let issues: Vec<&str> = tasks.iter().map(|task| task.record.issue_sql.as_str()).collect();
    let shingles = |text: &str| Shingles::of(&Script::new(text));
    let of_public = parallel::map(jobs, public, |text| shingles(text));
    let nearest = parallel::map(jobs, &issues, |issue| {
        let own = shingles(issue);
        of_public.iter().map(|other| own.jaccard(other)).fold(0.0, f64::max)
    });
    // Between fences a text loses the line break at its end.
    let texts: BTreeSet<&str> = public.iter().map(|text| text.trim_end()).collect();
    let is_public = |text: &str| texts.contains(text.trim_end());
    let of_references = parallel::map(jobs, &references, |text| shingles(text));
    let inside: Vec<f64> = parallel::map(jobs, 0..references.len(), |at| {
        of_references[..at].iter().map(|other| of_references[at].jaccard(other)).collect::<Vec<_>>()
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

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
