//! Chat rows as OpenAI's fine-tuning reads them.

use serde_json::json;

use super::messages::{assistant, conversation, prompt};
use super::rejected_answers::rejected;
use super::row::{ExportRow, wanted_and_pairs};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{SplitSide, TrainingExample, Trajectory};

/// Supervised and preference rows.
pub const OPENAI: RowFormat = RowFormat {
    name: "openai",
    leaves_out: "everything but the conversation, the kinds of rejected answers too: the service refuses other fields",
    tasks: TaskForm::Rows(rows),
    trajectory: Some(trajectory),
    takes_controls: true,
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let pair = |(_, wrong): (&str, String)| {
        json!({
            "input": { "messages": prompt(example) },
            "preferred_output": assistant(&example.answer),
            "non_preferred_output": assistant(&wrong),
        })
    };
    let wanted = json!({ "messages": conversation(example) });
    wanted_and_pairs(side, wanted, rejected(example).into_iter().map(pair))
}

fn trajectory(trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
    let row = json!({ "messages": trajectory.messages() });
    vec![ExportRow::new(format!("sft_{}.jsonl", side.name()), row)]
}
