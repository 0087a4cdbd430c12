//! The secret of a run: whoever has only the public part can compute neither its ids nor its canary.

use sha2::{Digest, Sha256};

use crate::corpus::Reference;
use crate::store::hexadecimal;

/// The secret of a run, derived from its random seed.
///
/// Ids of tasks depend on it, so that nobody who guesses a script and a fault can check the guess against an id. It is as
/// hard to guess as the random seed: a drawn seed has 63 bits.
#[derive(Clone, Copy)]
pub(super) struct RunSecret([u8; 32]);

impl RunSecret {
    /// The secret of the run with this random seed.
    pub fn of(seed: u64) -> RunSecret {
        let mut hash = Sha256::new();
        hash.update(b"sqlfault secret of a run\0");
        hash.update(seed.to_le_bytes());
        RunSecret(hash.finalize().into())
    }

    fn derived(&self, purpose: &str, of: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(purpose);
        hash.update([0]);
        hash.update(of);
        hexadecimal(&hash.finalize())
    }

    /// Returns the key that stands for a script in the ids of its mutants.
    pub fn script_key(&self, reference: &Reference) -> String {
        self.derived("script", &reference.key())
    }

    /// Returns the mark of the run's texts, by which they can be kept out of training sets and found there.
    pub fn canary(&self) -> String {
        let digits = self.derived("canary", "");
        let uuid = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..32]].join("-");
        format!("sqlfault benchmark data; keep out of training corpora; {uuid}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::embedded;

    #[test]
    fn ids_and_canary_differ_from_run_to_run_and_say_nothing_of_the_random_seed() {
        let reference = embedded().into_iter().find_map(Result::ok).unwrap();
        let (one, other) = (RunSecret::of(7), RunSecret::of(8));
        assert_ne!(one.script_key(&reference), other.script_key(&reference));
        assert_ne!(one.script_key(&reference), reference.key());
        assert_ne!(one.canary(), other.canary());
        assert_eq!(one.canary(), RunSecret::of(7).canary());
    }
}
