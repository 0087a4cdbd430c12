//! Which of several phrases a complaint has.

use sha2::{Digest, Sha256};

/// Pseudo-random choices, keyed by the task and the part of the complaint.
pub(super) struct PhraseChance<'a> {
    pub instance_id: &'a str,
    pub attempt: u32,
}

impl PhraseChance<'_> {
    /// Returns a number below `count`; 0 if there is nothing to choose.
    pub fn of(&self, part: &str, count: usize) -> usize {
        let digest = Sha256::digest(format!("{}\u{1f}{part}\u{1f}{}", self.instance_id, self.attempt));
        let number = digest.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        (number % count.max(1) as u64) as usize
    }
}
