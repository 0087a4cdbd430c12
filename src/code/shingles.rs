//! Runs of tokens, by which texts are told alike.

use xxhash_rust::xxh64::xxh64;

use super::script::Script;

/// Tokens in each run of tokens that is compared.
const LENGTH: usize = 5;

/// Hashes of the runs of five tokens in a script, sorted, each once; blanks, comments and letter case do not count.
#[derive(Clone, Debug)]
pub struct Shingles(Vec<u64>);

impl Shingles {
    /// Returns those of a script.
    pub fn of(script: &Script) -> Shingles {
        let tokens: Vec<&str> = (0..script.tokens().len()).map(|at| script.token_text(at)).collect();
        let mut shingles: Vec<u64> =
            tokens.windows(LENGTH).map(|run| xxh64(run.join("\u{1}").to_lowercase().as_bytes(), 0)).collect();
        shingles.sort_unstable();
        shingles.dedup();
        Shingles(shingles)
    }

    /// Returns how many runs two scripts share, of all that either has (their Jaccard index).
    pub fn jaccard(&self, other: &Shingles) -> f64 {
        let (mut left, mut right, mut shared) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.0.get(left), other.0.get(right)) {
            shared += usize::from(a == b);
            left += usize::from(a <= b);
            right += usize::from(b <= a);
        }
        shared as f64 / (self.0.len() + other.0.len() - shared).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_overlaps_wholly_and_another_not_at_all() {
        let shingles = |text: &str| Shingles::of(&Script::new(text));
        let one = shingles("SELECT a, b FROM t WHERE c = 1");
        assert_eq!(one.jaccard(&shingles("select a,b from t where c=1")), 1.0);
        assert_eq!(one.jaccard(&shingles("INSERT INTO u SELECT x FROM y JOIN z")), 0.0);
    }
}
