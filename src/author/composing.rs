//! What the composer composes, behind the gates.

use super::gates::Gates;
use super::gather::{AuthorAttempt, RefusedScript};
use super::refusal::{FailedGate, GateFailure};
use crate::corpus::Reference;
use crate::corpus::compose::{ComposeError, Composed, Composer, ComposerOptions};

/// The composer, what is asked of it, and the gates behind it.
#[derive(Debug)]
pub struct GatedComposer {
    pub composer: Composer,
    pub options: ComposerOptions,
    pub seed: u64,
    /// The gates that look at one script alone.
    pub gates: Gates,
}

impl GatedComposer {
    /// Composes the script of this number and lets it through the gates.
    ///
    /// # Errors
    ///
    /// If nothing at all can be composed with these options.
    pub fn attempt(&self, number: u64) -> Result<AuthorAttempt<Composed>, String> {
        let refused = |script: &str, failure: GateFailure| AuthorAttempt {
            model: None,
            made: None,
            refused: vec![RefusedScript::new(number, script, None, failure)],
        };
        let composed = match self.composer.compose(self.seed, number, &self.options) {
            Ok(composed) => composed,
            Err(error) => return of_one_script(&error).map(|failure| refused("", failure)),
        };
        if let Err(failure) = self.gates.pass(&composed.reference) {
            return Ok(refused(&composed.reference.id, failure));
        }
        Ok(AuthorAttempt { model: None, made: Some(composed), refused: Vec::new() })
    }
}

/// Returns the failure to compose one script.
///
/// # Errors
///
/// If others cannot be composed either.
pub(super) fn of_one_script(error: &ComposeError) -> Result<GateFailure, String> {
    if error.is_of_one_script() { Ok(FailedGate::Composing.with(error.to_string())) } else { Err(error.to_string()) }
}

impl AsRef<Reference> for Composed {
    fn as_ref(&self) -> &Reference {
        &self.reference
    }
}
