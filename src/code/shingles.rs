//! Runs of tokens, by which texts are told alike.

use xxhash_rust::xxh64::xxh64;

use super::script::Script;

/// Tokens in each run of tokens that is compared.
const LENGTH: usize = 5;

/// The largest share of runs (Jaccard) that two scripts may have in common if each is to be new beside the other.
pub const MOST_SHARED: f64 = 0.12;

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

    /// Whether two scripts share more runs than two new ones may.
    pub fn is_near(&self, other: &Shingles) -> bool {
        let lengths = [self.0.len(), other.0.len()];
        let (shorter, longer) = (lengths[0].min(lengths[1]), lengths[0].max(lengths[1]));
        // The index is at most the share of the lengths, which is quickly known.
        shorter as f64 > MOST_SHARED * longer as f64 && self.jaccard(other) > MOST_SHARED
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

    #[test]
    fn a_script_is_near_to_its_variant_and_not_to_one_of_which_it_is_a_small_part() {
        let shingles = |text: &str| Shingles::of(&Script::new(text));
        let short = "SELECT a, b FROM t WHERE c = 1";
        let long: Vec<String> = (0..20).map(|number| format!("SELECT x{number}, y FROM u{number}")).collect();
        assert!(shingles(short).is_near(&shingles("SELECT a, b FROM t WHERE c = 2")));
        assert!(!shingles(short).is_near(&shingles(&format!("{short};{}", long.join(";")))));
    }
}
