//! What every phase of a run works with.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::checkpoint::{Checkpoint, Phase};
use super::error::BuildError;
use super::secret::RunSecret;
use super::settings::BuildSettings;
use crate::engine::Engine;
use crate::fault::{Fault, Taxonomy, Track};
use crate::parallel::Progress;

/// The environment of every phase: made once, handed on by value, never changed.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// What to build.
    pub settings: &'a BuildSettings,
    /// The faults, including those of the policies that are switched on.
    pub taxonomy: &'a Taxonomy,
    /// What the public part of the run must not give away.
    pub secret: RunSecret,
    /// The judging engine.
    pub engine: &'a dyn Engine,
    /// Receives progress, and knows whether the user asked to stop.
    pub progress: &'a dyn Progress,
    /// The log of finished steps, if the run keeps one.
    pub checkpoint: Option<&'a Checkpoint>,
}

impl<'a> Context<'a> {
    /// The context of a run that keeps no log of finished steps.
    pub fn new(
        settings: &'a BuildSettings,
        taxonomy: &'a Taxonomy,
        engine: &'a dyn Engine,
        progress: &'a dyn Progress,
    ) -> Context<'a> {
        Context { settings, taxonomy, secret: RunSecret::of(settings.seed), engine, progress, checkpoint: None }
    }

    /// The fault of this id.
    pub fn fault(&self, id: &str) -> Option<&'a Fault> {
        self.taxonomy.fault(id)
    }

    /// Whether this is the id of a semantic fault.
    pub fn is_semantic(&self, fault: &str) -> bool {
        self.fault(fault).is_some_and(|fault| fault.track == Track::Semantic)
    }

    /// Returns the result of a step: read back if an earlier process finished it, computed and kept otherwise. `key`
    /// names the step's script or task.
    pub fn step<T: Serialize + DeserializeOwned>(&self, phase: Phase, key: &str, work: impl FnOnce() -> T) -> T {
        self.known(phase, key).unwrap_or_else(|| {
            let result = work();
            self.keep(phase, key, &result);
            result
        })
    }

    /// Returns the result of a step that an earlier process finished; `None` if there is none.
    pub fn known<T: DeserializeOwned>(&self, phase: Phase, key: &str) -> Option<T> {
        self.checkpoint?.known(phase, key)
    }

    /// Keeps the result of a step, unless a stop or an absent engine may have cut it short.
    pub fn keep<T: Serialize>(&self, phase: Phase, key: &str, result: &T) {
        let is_whole = !self.progress.is_stopped() && self.engine.absence().is_none();
        if let Some(checkpoint) = self.checkpoint.filter(|_| is_whole) {
            checkpoint.keep(phase, key, result);
        }
    }

    /// Checks that the run may go on.
    ///
    /// # Errors
    ///
    /// If the user asked to stop, an engine turned out to be needed that is absent, or a step could not be kept.
    pub fn go_on(&self) -> Result<(), BuildError> {
        let BuildSettings { out, seed, .. } = self.settings;
        match self.engine.absence() {
            _ if self.progress.is_stopped() => Err(BuildError::Stopped { out: out.clone(), seed: *seed }),
            Some(reason) => Err(BuildError::EngineNeeded(reason)),
            None => self.checkpoint.and_then(Checkpoint::take_error).map_or(Ok(()), |error| Err(error.into())),
        }
    }
}
