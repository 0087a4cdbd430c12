//! The language model evaluation harness: documents, a task file and its functions.

use std::collections::BTreeMap;

use serde_json::json;

use super::RowFormat;
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// A task folder.
pub struct LmEval;

impl RowFormat for LmEval {
    fn name(&self) -> &'static str {
        "lm-eval"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the scoring function opens the run that each document names; all sides of the split are in one file"
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        _side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let row = json!({
            "instance_id": example.task.record.instance_id,
            "prompt": format!("{}\n\n{}", example.system, example.instruction),
            "run": example.run,
            "track": example.track(),
        });
        Ok(output.row("documents.jsonl", &row)?)
    }

    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
        output.file("sqlfault.yaml", include_str!("../../../templates/export/lm_eval_task.yaml"))?;
        Ok(output.file("functions.py", include_str!("../../../templates/export/lm_eval_functions.py"))?)
    }
}
