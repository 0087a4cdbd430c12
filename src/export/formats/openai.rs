//! Chat rows as OpenAI's fine-tuning reads them.

use serde_json::json;

use super::messages::{assistant, conversation, prompt};
use super::rejected_answers::rejected;
use super::row::{ExportRow, wanted_and_pairs};
use super::row_format::RowFormat;
use crate::export::{SplitSide, TrainingExample, Trajectory};

/// Supervised and preference rows.
pub struct OpenAi;

impl RowFormat for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn leaves_out(&self) -> &'static str {
        "everything but the conversation, the kinds of rejected answers too: the service refuses other fields"
    }

    fn takes_controls(&self) -> bool {
        true
    }

    fn takes_trajectories(&self) -> bool {
        true
    }

    fn trajectory_rows(&self, trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
        let row = json!({ "messages": trajectory.messages() });
        vec![ExportRow::new(format!("sft_{}.jsonl", side.name()), row)]
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
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
}
