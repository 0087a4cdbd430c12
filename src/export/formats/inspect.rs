//! Inspect: samples, and a task with an asynchronous scorer.

use std::collections::BTreeMap;

use serde_json::json;

use super::{RowFormat, prompt};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// An Inspect task.
pub struct Inspect;

impl RowFormat for Inspect {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the scorer opens the run that the metadata name; all sides of the split are in one file"
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let id = example.task.record.instance_id.as_str();
        let row = json!({
            "id": id,
            "input": prompt(example),
            "target": id,
            "metadata": { "run": example.run, "track": example.track(), "split": side.name() },
        });
        Ok(output.row("samples.jsonl", &row)?)
    }

    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
        Ok(output.file("sqlfault_task.py", include_str!("../../../templates/export/inspect_task.py"))?)
    }
}
