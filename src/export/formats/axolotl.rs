//! Axolotl: chat rows and the data section of a configuration.

use serde_json::json;

use super::messages::{assistant, conversation, prompt};
use super::rejected_answers::rejected;
use super::row::{ExportRow, StaticFile, wanted_and_pairs};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{SplitSide, TrainingExample, Trajectory};

/// Rows of type `chat_template`.
pub const AXOLOTL: RowFormat = RowFormat {
    name: "axolotl",
    leaves_out: "databases and proofs",
    tasks: TaskForm::Rows(rows),
    trajectory: Some(trajectory),
    files: &[StaticFile("datasets.yaml", include_str!("../../../templates/export/axolotl_datasets.yaml"))],
    takes_controls: true,
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let id = example.task.record.instance_id.as_str();
    let wanted = json!({ "messages": conversation(example), "instance_id": id });
    let pair = |(kind, wrong): (&str, String)| {
        json!({
            "messages": prompt(example),
            "chosen": assistant(&example.answer)[0],
            "rejected": assistant(&wrong)[0],
            "rejected_kind": kind,
            "instance_id": id,
        })
    };
    wanted_and_pairs(side, wanted, rejected(example).into_iter().map(pair))
}

fn trajectory(trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
    let row = json!({ "messages": trajectory.messages(), "instance_id": trajectory.task.record.instance_id });
    vec![ExportRow::new(format!("sft_{}.jsonl", side.name()), row)]
}
