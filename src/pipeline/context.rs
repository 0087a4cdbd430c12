//! What every phase of a run works with.

use super::error::BuildError;
use super::secret::RunSecret;
use super::settings::BuildSettings;
use crate::engine::Engine;
use crate::fault::{Fault, Taxonomy, Track};
use crate::parallel::Progress;

/// What every phase of a run works with: made once, handed on by value, changed by nobody.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// What to build.
    pub settings: &'a BuildSettings,
    /// The faults, those of the policies that are switched on among them.
    pub taxonomy: &'a Taxonomy,
    /// What the public part of the run must not give away.
    pub secret: RunSecret,
    /// The judging engine.
    pub engine: &'a dyn Engine,
    /// Where progress is reported, and whether the user asked to stop is looked up.
    pub progress: &'a dyn Progress,
}

impl<'a> Context<'a> {
    /// The fault of this id.
    pub fn fault(&self, id: &str) -> Option<&'a Fault> {
        self.taxonomy.fault(id)
    }

    /// Whether this is the id of a semantic fault.
    pub fn is_semantic(&self, fault: &str) -> bool {
        self.fault(fault).is_some_and(|fault| fault.track == Track::Semantic)
    }

    /// Goes on unless the user asked to stop, or an engine turned out to be needed that is not there.
    ///
    /// # Errors
    ///
    /// Which of the two it was.
    pub fn go_on(&self) -> Result<(), BuildError> {
        let BuildSettings { out, seed, .. } = self.settings;
        match self.engine.absence() {
            _ if self.progress.is_stopped() => Err(BuildError::Stopped { out: out.clone(), seed: *seed }),
            Some(reason) => Err(BuildError::EngineNeeded(reason)),
            None => Ok(()),
        }
    }
}
