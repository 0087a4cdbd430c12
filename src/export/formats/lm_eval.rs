//! The Language Model Evaluation Harness: documents, a task file and its functions.

use serde_json::json;

use super::row::{ExportRow, StaticFile};
use super::row_format::RowFormat;
use crate::export::{SplitSide, TrainingExample};

/// A task folder.
pub struct LmEval;

impl RowFormat for LmEval {
    fn name(&self) -> &'static str {
        "lm-eval"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the scoring function opens the run that each document names; all sides of the split are in one file"
    }

    fn rows(&self, example: &TrainingExample<'_>, _side: SplitSide) -> Vec<ExportRow> {
        let row = json!({
            "instance_id": example.task.record.instance_id,
            "prompt": format!("{}\n\n{}", example.system, example.instruction),
            "run": example.run,
            "track": example.track(),
        });
        vec![ExportRow::new("documents.jsonl", row)]
    }

    fn files(&self) -> &'static [StaticFile] {
        &[
            StaticFile("sqlfault.yaml", include_str!("../../../templates/export/lm_eval_task.yaml")),
            StaticFile("functions.py", include_str!("../../../templates/export/lm_eval_functions.py")),
        ]
    }
}
