//! The Language Model Evaluation Harness: documents, a task file and its functions.

use serde_json::json;

use super::row::{ExportRow, StaticFile};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{SplitSide, TrainingExample};

/// A task folder.
pub const LM_EVAL: RowFormat = RowFormat {
    name: "lm-eval",
    leaves_out: "answers: the scoring function opens the run that each document names; all sides of the split are in one file",
    tasks: TaskForm::Rows(rows),
    files: &[
        StaticFile("sqlfault.yaml", include_str!("../../../templates/export/lm_eval_task.yaml")),
        StaticFile("functions.py", include_str!("../../../templates/export/lm_eval_functions.py")),
    ],
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, _side: SplitSide) -> Vec<ExportRow> {
    let row = json!({
        "instance_id": example.task.record.instance_id,
        "prompt": format!("{}\n\n{}", example.system, example.instruction),
        "run": example.run,
        "track": example.track(),
    });
    vec![ExportRow::new("documents.jsonl", row)]
}
