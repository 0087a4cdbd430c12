//! The results of a run's steps other than trials, kept as soon as each is done so that a resumed
//! run repeats none of them.
//!
//! A step is one piece of work of one phase, on one script or one task. Its result depends on the settings and the
//! inputs of the run alone, so it may be read back instead of being computed again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::store::{Log, RunDirectory, StoreError};

/// The log of the steps of a run under way.
pub(super) const STEPS: &str = "steps.partial.jsonl";

/// The phases whose steps are kept. Trials and composed references have logs of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// The baseline of a script.
    Baseline,
    /// The tasks of several faults of a script.
    Combination,
    /// The suite of a script.
    Suite,
    /// Whether a rewrite of a script is a control.
    Control,
    /// The sample of a task.
    Sample,
    /// The other repairs of the tasks of a script.
    Alternatives,
    /// A task as it is published.
    Task,
}

/// One line of the log.
#[derive(Serialize, Deserialize)]
struct FinishedStep<T, R> {
    /// Digest of what decides the bytes of the run; steps recorded under another digest are ignored.
    run: T,
    phase: Phase,
    /// The script or task.
    key: T,
    result: R,
}

/// The finished steps of a run.
#[derive(Debug)]
pub(super) struct Checkpoint {
    run: String,
    log: Log,
    /// Results that an earlier process kept.
    known: HashMap<(Phase, String), Value>,
    /// The first error of writing the log, kept here because a step has no way to return it.
    error: Mutex<Option<StoreError>>,
}

impl Checkpoint {
    /// Opens the log of a run; `run` is the digest of what decides its bytes.
    ///
    /// # Errors
    ///
    /// If the log cannot be used.
    pub fn open(directory: &RunDirectory, run: String) -> Result<Checkpoint, StoreError> {
        let log = directory.log(STEPS)?;
        let steps = log.records::<FinishedStep<String, Value>>()?.into_iter().filter(|step| step.run == run);
        let known = steps.map(|step| ((step.phase, step.key), step.result)).collect();
        Ok(Checkpoint { run, log, known, error: Mutex::default() })
    }

    /// Returns the result of a step that an earlier process finished; `None` if there is none.
    pub fn known<T: DeserializeOwned>(&self, phase: Phase, key: &str) -> Option<T> {
        T::deserialize(self.known.get(&(phase, key.to_owned()))?).ok()
    }

    /// Keeps the result of a step.
    pub fn keep<T: Serialize>(&self, phase: Phase, key: &str, result: &T) {
        let step = FinishedStep { run: self.run.as_str(), phase, key, result };
        if let Err(error) = self.log.append(&step) {
            // A poisoned lock still guards a whole value.
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Takes the first error of writing the log, if there was one.
    pub fn take_error(&self) -> Option<StoreError> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
