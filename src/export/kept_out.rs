//! Scripts of benchmarks that no row for training may have.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::ExportError;
use super::skeleton::skeleton_key;
use crate::score::Task;
use crate::store::RunDirectory;

/// Scripts that no row may have: references and issues of other runs, by their skeletons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptOut {
    skeletons: BTreeSet<u64>,
}

/// What is read of a line of `tasks.jsonl`, `controls.jsonl`, or their judge's parts.
#[derive(Deserialize)]
struct Line {
    issue_sql: Option<String>,
    reference_sql: Option<String>,
    sql: Option<String>,
}

impl KeptOut {
    /// The scripts of runs. Of a run without the judge's part only the issues are known.
    ///
    /// # Errors
    ///
    /// When one cannot be read.
    pub fn read(runs: &[PathBuf]) -> Result<KeptOut, ExportError> {
        let mut kept_out = KeptOut::default();
        for run in runs {
            let directory = RunDirectory::open(run)?;
            let others = ["gold.jsonl", "controls.jsonl"].into_iter().filter(|name| directory.path(name).is_file());
            for name in std::iter::once("tasks.jsonl").chain(others) {
                for line in directory.read_records::<Line>(name)? {
                    let texts = [line.issue_sql, line.reference_sql, line.sql];
                    kept_out.skeletons.extend(texts.iter().flatten().map(|text| skeleton_key(text)));
                }
            }
        }
        Ok(kept_out)
    }

    /// Whether a script is one of them but for names and literals.
    pub fn has(&self, text: &str) -> bool {
        !self.skeletons.is_empty() && self.skeletons.contains(&skeleton_key(text))
    }

    /// Whether a task's issue or reference is.
    pub fn has_task(&self, task: &Task) -> bool {
        self.has(&task.record.issue_sql) || self.has(&task.gold.reference_sql)
    }

    /// A text that is the same for the same scripts; `None` without any.
    pub fn digest(&self) -> Option<String> {
        let mut hasher = Sha256::new();
        self.skeletons.iter().for_each(|skeleton| hasher.update(skeleton.to_be_bytes()));
        let digits = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        (!self.skeletons.is_empty()).then_some(digits)
    }
}
