//! The formats, side by side. Each names the loader it was proved with in `tests/loaders`.

mod axolotl;
mod harbor;
mod hub;
mod inspect;
mod llamafactory;
mod lm_eval;
mod openai;
mod skyrl;
mod trl;
mod verl;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{ExportError, ExportFolder, Rejected, SplitSide, TrainingExample};

/// A shape of rows that somebody's tool loads.
pub trait RowFormat: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What of a run the format has no place for, as one sentence.
    fn leaves_out(&self) -> &'static str;

    /// Writes the rows or files of one task.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError>;

    /// Writes what stands beside the rows: a card, a reward, a configuration.
    ///
    /// # Errors
    ///
    /// When a file cannot be written or a template cannot be filled.
    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, _output: &ExportFolder) -> Result<(), ExportError> {
        Ok(())
    }

    /// Whether its rows say all that a trainer needs, their ids among it: nothing stands beside them, nobody opens the run.
    fn is_self_contained(&self) -> bool {
        false
    }

    /// Whether rows about scripts without a fault have a place in it: prompt and answer, and no judge.
    fn takes_controls(&self) -> bool {
        self.is_self_contained()
    }

    /// Whether an export without any row is an error.
    fn has_rows(&self) -> bool {
        true
    }
}

/// Every format, by name.
pub const FORMATS: &[&dyn RowFormat] = &[
    &axolotl::Axolotl,
    &harbor::Harbor,
    &hub::Hub,
    &inspect::Inspect,
    &llamafactory::LlamaFactory,
    &lm_eval::LmEval,
    &openai::OpenAi,
    &skyrl::SkyRl,
    &trl::Preference,
    &trl::OnlinePrompts,
    &trl::Labelled,
    &trl::Supervised,
    &verl::Verl,
];

/// The format of this name.
pub fn format(name: &str) -> Option<&'static dyn RowFormat> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// How many rejected answers of a task become rows: the most useful kinds come first.
const REJECTED_OF_A_TASK: usize = 3;

/// The prompt as chat messages.
fn prompt(example: &TrainingExample<'_>) -> Value {
    json!([{ "role": "system", "content": example.system }, { "role": "user", "content": example.instruction }])
}

/// An answer as chat messages.
fn assistant(answer: &str) -> Value {
    json!([{ "role": "assistant", "content": answer }])
}

/// Prompt and answer as chat messages.
fn conversation(example: &TrainingExample<'_>) -> Value {
    json!([
        { "role": "system", "content": example.system },
        { "role": "user", "content": example.instruction },
        { "role": "assistant", "content": example.answer },
    ])
}

/// Rejected answers that have a text in the example's style, with the name of their kind.
fn rejected(example: &TrainingExample<'_>) -> Vec<(&'static str, String)> {
    ranked(example).map(|(one, text)| (one.kind.name(), text)).collect()
}

/// The same with all that is known of them.
fn ranked<'a>(example: &'a TrainingExample<'_>) -> impl Iterator<Item = (&'a Rejected, String)> {
    let texts = example.rejected.iter().filter_map(|one| Some((one, example.rejected_answer(one)?)));
    texts.take(REJECTED_OF_A_TASK)
}

/// The file of one side of the split.
fn side_file(side: SplitSide) -> String {
    format!("{}.jsonl", side.name())
}

/// Writes a row for reinforcement learning: the prompt, the columns of its trainer, and what a reward needs to open the run.
fn rewarded_row(
    example: &TrainingExample<'_>,
    side: SplitSide,
    output: &mut ExportFolder,
    columns: [(&str, Value); 2],
) -> Result<(), ExportError> {
    let name = side_file(side);
    let mut row = json!({ "data_source": "sqlfault", "prompt": prompt(example) });
    for (column, value) in columns {
        row[column] = value;
    }
    row["extra_info"] = json!({
        "split": side.name(),
        "index": next_index(output, &name),
        "run": example.run,
        "track": example.track(),
    });
    Ok(output.row(&name, &row)?)
}

/// The number that the next row of a file has, from 0.
fn next_index(output: &ExportFolder, name: &str) -> usize {
    output.counts().get(name).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_stand_in_order_and_each_name_once() {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        assert!(names.iter().all(|name| format(name).is_some()));
    }
}
