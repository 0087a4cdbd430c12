//! Axolotl: chat rows and the data section of a configuration.

use std::collections::BTreeMap;

use serde_json::json;

use super::{RowFormat, assistant, conversation, prompt, rejected};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// Rows of type `chat_template`.
pub struct Axolotl;

impl RowFormat for Axolotl {
    fn name(&self) -> &'static str {
        "axolotl"
    }

    fn leaves_out(&self) -> &'static str {
        "databases and proofs"
    }

    fn takes_controls(&self) -> bool {
        true
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let id = example.task.record.instance_id.as_str();
        let row = json!({ "messages": conversation(example), "instance_id": id });
        output.row(&format!("sft_{}.jsonl", side.name()), &row)?;
        for (kind, wrong) in rejected(example) {
            let row = json!({
                "messages": prompt(example),
                "chosen": assistant(&example.answer)[0],
                "rejected": assistant(&wrong)[0],
                "rejected_kind": kind,
                "instance_id": id,
            });
            output.row(&format!("dpo_{}.jsonl", side.name()), &row)?;
        }
        Ok(())
    }

    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
        Ok(output.file("datasets.yaml", include_str!("../../../templates/export/axolotl_datasets.yaml"))?)
    }
}
