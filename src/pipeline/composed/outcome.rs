//! What the work on one composed reference came to: all that the run needs of it, and all that a process that was cut
//! off, or another machine, hands on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::funnel::{Determination, PolicyFunnel, SuiteFunnel};
use super::plan::Planned;
use super::track_plan::FaultTrial;
use crate::engine::policy::Policy;
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// What the work on one reference came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Outcome {
    /// What was asked for.
    pub planned: Planned,
    /// Why the reference cannot be used; `None` if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Every candidate that was tried, in its order, and why it came to nothing.
    pub attempts: Vec<Attempted>,
    /// The mutants that were tried, those of several faults last.
    pub trials: Vec<TriedMutant>,
    /// Why faults could not be put together, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_together: BTreeMap<String, usize>,
    /// What its databases tell from it.
    pub suites: SuiteFunnel,
    /// How far its complaint determines it.
    pub complaints: Determination,
    /// Whether it keeps the policies that are switched on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub policies: BTreeMap<Policy, PolicyFunnel>,
    /// The databases of its task by name, until they are written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Its task; `None` if no candidate became one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<MadeTask>,
}

/// A candidate that was tried.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Attempted {
    /// Its fault.
    pub fault: String,
    /// A built-in solver that repairs it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired_by: Option<String>,
    /// Why it came to nothing; `None` if it was proved and could be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// A mutant with its verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct TriedMutant {
    pub mutant: Mutant,
    pub verdict: Verdict,
}

/// A task and what the run says of its reference.
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
    /// The outcome of a reference on which nothing was tried.
    pub fn nothing(planned: Planned, refused: Option<String>) -> Outcome {
        let (attempts, trials, not_together, policies, task) = Default::default();
        let (suites, complaints, files) = Default::default();
        Outcome { planned, refused, attempts, trials, not_together, suites, complaints, policies, files, task }
    }

    /// The faults that were tried, and what came of each.
    pub(super) fn trials_by_fault(&self) -> BTreeMap<&str, FaultTrial> {
        let mut trials = BTreeMap::new();
        for Attempted { fault, repaired_by, lost } in &self.attempts {
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

    /// Writes the databases of its task and forgets them.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn write_files(&mut self, directory: &RunDirectory) -> Result<(), StoreError> {
        let files = std::mem::take(&mut self.files);
        files.into_iter().try_for_each(|(name, text)| directory.write(&name, text.as_bytes()))
    }

    /// The faults of its task; none without one.
    pub fn faults(&self) -> Vec<&str> {
        let Some(MadeTask { gold, .. }) = &self.task else { return Vec::new() };
        match gold.parts.as_slice() {
            [] => gold.labels.first().map(|label| label.fault.as_str()).into_iter().collect(),
            parts => parts.iter().map(|part| part.fault.as_str()).collect(),
        }
    }
}
