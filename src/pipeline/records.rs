//! What workers found out: baselines of scripts and trials of mutants.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::trial::TrialRecord;
use crate::corpus::Reference;

/// The version of this program that made a record. Other versions may judge differently.
pub const TOOL: &str = concat!("sqlfault ", env!("CARGO_PKG_VERSION"));

/// What a worker writes for one work item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerRecord {
    /// The version of this program.
    pub tool: String,
    /// The item's place in the plan, from 0.
    pub number: usize,
    /// The script's id.
    pub script: String,
    /// The key of its text.
    pub key: String,
    /// The engine that decides.
    pub engine: String,
    /// Whether the script can be a reference.
    pub baseline: Baseline,
    /// The trials of its mutants, in the order of the item; empty if the script is refused. Mutants that are not
    /// admitted, and trials that panicked, are left out.
    pub trials: Vec<TrialRecord>,
}

/// The records of all workers. An item that was done twice counts once.
#[derive(Clone, Debug, Default)]
pub struct WorkerRecords {
    baselines: HashMap<String, (String, Baseline)>,
    trials: HashMap<String, TrialRecord>,
    engines: BTreeSet<String>,
}

impl WorkerRecords {
    /// Adds a record if this version made it; returns whether it did.
    pub fn add(&mut self, record: WorkerRecord) -> bool {
        if record.tool != TOOL {
            return false;
        }
        self.engines.insert(record.engine);
        self.baselines.insert(record.script, (record.key, record.baseline));
        self.trials.extend(record.trials.into_iter().map(|trial| (trial.mutant.clone(), trial)));
        true
    }

    /// Returns the engines that judged.
    pub fn engines(&self) -> &BTreeSet<String> {
        &self.engines
    }

    /// Returns how the baseline of a script ended; `None` if no worker looked at this text.
    pub(super) fn baseline(&self, reference: &Reference) -> Option<&Baseline> {
        let (key, baseline) = self.baselines.get(&reference.id)?;
        (*key == reference.key()).then_some(baseline)
    }

    /// Returns how the trial of a mutant ended; `None` if no worker made it.
    pub(super) fn trial(&self, mutant: &str) -> Option<&TrialRecord> {
        self.trials.get(mutant)
    }

    /// Adds the trials of an interrupted run's log.
    pub(super) fn remember(&mut self, trials: Vec<TrialRecord>) {
        self.trials.extend(trials.into_iter().map(|trial| (trial.mutant.clone(), trial)));
    }
}
