//! The outcome of the work on one composed reference: all that the run needs of it, whether this process did the work,
//! an interrupted one, or another machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::funnel::{Determination, PolicyFunnel, SuiteFunnel};
use super::super::proven::TriedMutant;
use super::plan::Planned;
use super::track_plan::FaultTrial;
use crate::engine::policy::Policy;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// The outcome of the work on one reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Outcome {
    /// The plan that was worked on.
    pub planned: Planned,
    /// Why the reference cannot be used; `None` if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Every candidate that was tried, in order, with the reason if it was lost.
    pub attempts: Vec<TriedCandidate>,
    /// The mutants that were tried, those of several faults last.
    pub trials: Vec<TriedMutant>,
    /// Failed attempts to put faults together, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_together: BTreeMap<String, usize>,
    /// How many other mutants the task's databases tell apart from the reference.
    pub suites: SuiteFunnel,
    /// How far the task's complaint determines the reference.
    pub complaints: Determination,
    /// Whether the reference keeps the policies that are switched on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub policies: BTreeMap<Policy, PolicyFunnel>,
    /// The databases of the task by file name, until they are written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The task; `None` if no candidate became one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<MadeTask>,
}

/// A candidate that was tried.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct TriedCandidate {
    /// Its fault.
    pub fault: String,
    /// A built-in solver that repairs it when it stands alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired_by: Option<String>,
    /// Why it was lost; `None` if it was proved and could be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// A task and the run's lines on its reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct MadeTask {
    /// The public record.
    pub task: TaskRecord,
    /// The judge's record.
    pub gold: GoldRecord,
    /// Its line of `scripts.jsonl`.
    pub script: Value,
    /// Its line of `specifications.jsonl`.
    pub specification: Value,
}

impl Outcome {
    /// Returns the outcome of a reference on which nothing was tried.
    pub fn nothing(planned: Planned, refused: Option<String>) -> Outcome {
        Outcome {
            planned,
            refused,
            attempts: Vec::new(),
            trials: Vec::new(),
            not_together: BTreeMap::new(),
            suites: SuiteFunnel::default(),
            complaints: Determination::default(),
            policies: BTreeMap::new(),
            files: BTreeMap::new(),
            task: None,
        }
    }

    /// Returns the faults that were tried, each with its best result.
    pub(super) fn trials_by_fault(&self) -> BTreeMap<&str, FaultTrial> {
        let mut trials = BTreeMap::new();
        for TriedCandidate { fault, repaired_by, lost } in &self.attempts {
            let trial = match (repaired_by, lost) {
                (Some(_), _) => FaultTrial::Repaired,
                (None, None) => FaultTrial::Resists,
                (None, Some(_)) => FaultTrial::NotProved,
            };
            let best = trials.entry(fault.as_str()).or_insert(trial);
            *best = trial.max(*best);
        }
        trials
    }

    /// Writes the databases of the task and drops them from memory.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn write_files(&mut self, directory: &RunDirectory) -> Result<(), StoreError> {
        let files = std::mem::take(&mut self.files);
        files.into_iter().try_for_each(|(name, text)| directory.write(&name, text.as_bytes()))
    }

    /// Returns the faults of the task; empty if there is none.
    pub fn faults(&self) -> Vec<&str> {
        self.task.as_ref().map(|task| task.gold.faults()).unwrap_or_default()
    }
}
