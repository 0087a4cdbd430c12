//! Scripts of benchmarks that no training row may contain.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::ExportError;
use super::skeleton::skeleton_key;
use crate::score::Task;
use crate::store::RunDirectory;
use crate::store::hexadecimal;

/// The scripts of other runs, by their skeletons: references, issues and controls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptOut {
    skeletons: BTreeSet<u64>,
}

/// What is read of a line of `tasks.jsonl`, `gold.jsonl` or `controls.jsonl`.
#[derive(Deserialize)]
struct ScriptTexts {
    issue_sql: Option<String>,
    reference_sql: Option<String>,
    sql: Option<String>,
}

impl KeptOut {
    /// Reads the scripts of runs. Of a run without the judge's part only issues and controls are known.
    pub fn read(runs: &[PathBuf]) -> Result<KeptOut, ExportError> {
        let mut kept_out = KeptOut::default();
        for run in runs {
            let directory = RunDirectory::open(run)?;
            let others = ["gold.jsonl", "controls.jsonl"].into_iter().filter(|name| directory.path(name).is_file());
            for name in std::iter::once("tasks.jsonl").chain(others) {
                for line in directory.read_records::<ScriptTexts>(name)? {
                    let texts = [line.issue_sql, line.reference_sql, line.sql];
                    kept_out.skeletons.extend(texts.iter().flatten().map(|text| skeleton_key(text)));
                }
            }
        }
        Ok(kept_out)
    }

    /// Returns whether a script is one of them, names and literals aside.
    pub fn has(&self, text: &str) -> bool {
        !self.skeletons.is_empty() && self.skeletons.contains(&skeleton_key(text))
    }

    /// Returns whether a task's issue or reference is one of them, names and literals aside.
    pub fn has_task(&self, task: &Task) -> bool {
        self.has(&task.record.issue_sql) || self.has(&task.gold.reference_sql)
    }

    /// Returns 16 hex digits that stand for the set of skeletons; `None` if it is empty.
    pub fn digest(&self) -> Option<String> {
        let mut hasher = Sha256::new();
        self.skeletons.iter().for_each(|skeleton| hasher.update(skeleton.to_be_bytes()));
        let digits = hexadecimal(&hasher.finalize()[..8]);
        (!self.skeletons.is_empty()).then_some(digits)
    }
}
