//! Inspect: samples, and a task with an asynchronous scorer.

use serde_json::json;

use super::messages::prompt;
use super::row::{ExportRow, StaticFile};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{SplitSide, TrainingExample};

/// An Inspect task.
pub const INSPECT: RowFormat = RowFormat {
    name: "inspect",
    leaves_out: "answers: the scorer opens the run that the metadata name; all sides of the split are in one file",
    tasks: TaskForm::Rows(rows),
    files: &[StaticFile("sqlfault_task.py", include_str!("../../../templates/export/inspect_task.py"))],
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let id = example.task.record.instance_id.as_str();
    let row = json!({
        "id": id,
        "input": prompt(example),
        "target": id,
        "metadata": { "run": example.run, "track": example.track(), "split": side.name() },
    });
    vec![ExportRow::new("samples.jsonl", row)]
}
