//! Novelty: how much text a script shares with those that are known.

use super::refusal::{FailedGate, GateFailure};
use crate::code::script::Script;
use crate::code::shingles::{MOST_SHARED, Shingles};
use crate::corpus::{Reference, embedded};

/// The scripts that a new one must not be near to.
#[derive(Clone, Debug, Default)]
pub struct Novelty(Vec<(String, Shingles)>);

impl Novelty {
    /// Returns the scripts that are public with this program.
    pub fn of_public() -> Novelty {
        let mut novelty = Novelty::default();
        embedded().into_iter().flatten().for_each(|reference| novelty.add(&reference));
        novelty
    }

    /// Returns one script alone.
    pub fn of(reference: &Reference) -> Novelty {
        let mut novelty = Novelty::default();
        novelty.add(reference);
        novelty
    }

    /// Makes a script a known one.
    pub fn add(&mut self, reference: &Reference) {
        self.0.push((reference.id.clone(), Shingles::of(&reference.script)));
    }

    /// Checks that a script is new.
    ///
    /// # Errors
    ///
    /// Names the nearest known script if it is too near.
    pub fn check(&self, script: &Script) -> Result<(), GateFailure> {
        let own = Shingles::of(script);
        let nearest = self.0.iter().map(|(id, known)| (own.jaccard(known), id));
        match nearest.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((shared, id)) if shared > MOST_SHARED => Err(FailedGate::Known.with(format!(
                "{shared:.2} of its runs of five tokens are those of {id}, and {MOST_SHARED} is the most"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_script_is_not_new_whatever_its_layout_and_another_is() {
        let known = Novelty::of_public();
        let reference = embedded().into_iter().flatten().next().unwrap();
        let relaid = Script::new(reference.script.text().to_uppercase().replace(',', "\n,"));
        let failure = known.check(&relaid).unwrap_err();
        assert!(failure.gate == FailedGate::Known && failure.message.contains(&reference.id), "{failure}");
        assert_eq!(known.check(&Script::new("SELECT a, b FROM nobody.knows WHERE c > 3 ORDER BY a")), Ok(()));
    }
}
