//! Chat rows as OpenAI's fine-tuning reads them.

use serde_json::json;

use super::{RowFormat, assistant, conversation, prompt, rejected};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// Supervised and preference rows.
pub struct OpenAi;

impl RowFormat for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn leaves_out(&self) -> &'static str {
        "everything but the conversation: the service refuses other fields"
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
        output.row(&format!("sft_{}.jsonl", side.name()), &json!({ "messages": conversation(example) }))?;
        for (_, wrong) in rejected(example) {
            let row = json!({
                "input": { "messages": prompt(example) },
                "preferred_output": assistant(&example.answer),
                "non_preferred_output": assistant(&wrong),
            });
            output.row(&format!("dpo_{}.jsonl", side.name()), &row)?;
        }
        Ok(())
    }
}
