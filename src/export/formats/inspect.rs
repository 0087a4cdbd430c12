//! Inspect: samples, and a task with an asynchronous scorer.

use serde_json::json;

use super::messages::prompt;
use super::row::{ExportRow, StaticFile};
use super::row_format::RowFormat;
use crate::export::{SplitSide, TrainingExample};

/// An Inspect task.
pub struct Inspect;

impl RowFormat for Inspect {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the scorer opens the run that the metadata name; all sides of the split are in one file"
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
        let id = example.task.record.instance_id.as_str();
        let row = json!({
            "id": id,
            "input": prompt(example),
            "target": id,
            "metadata": { "run": example.run, "track": example.track(), "split": side.name() },
        });
        vec![ExportRow::new("samples.jsonl", row)]
    }

    fn files(&self) -> &'static [StaticFile] {
        &[StaticFile("sqlfault_task.py", include_str!("../../../templates/export/inspect_task.py"))]
    }
}
