//! The formats, side by side. Each names the loader it was proved with in `tests/loaders`.

mod axolotl;
mod harbor;
mod hub;
mod inspect;
mod llamafactory;
mod lm_eval;
mod openai;
mod rewarded;
mod trl;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{ExportError, ExportFolder, Rejected, SplitSide, TrainingExample, Trajectory};

/// A shape of rows that somebody's tool loads.
pub trait RowFormat: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What of a run the format has no place for, as one sentence.
    fn leaves_out(&self) -> &'static str;

    /// The rows of one task.
    fn rows(&self, _example: &TrainingExample<'_>, _side: SplitSide) -> Vec<ExportRow> {
        Vec::new()
    }

    /// Writes the rows of one task, or its files where the format has no rows.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let mut rows = self.rows(example, side).into_iter();
        Ok(rows.try_for_each(|ExportRow { file, row }| output.row(&file, &row))?)
    }

    /// Whether conversations of several turns have a place in it.
    fn takes_trajectories(&self) -> bool {
        false
    }

    /// The rows of one conversation.
    fn trajectory_rows(&self, _trajectory: &Trajectory<'_>, _side: SplitSide) -> Vec<ExportRow> {
        Vec::new()
    }

    /// Files that stand beside the rows, whatever those are: a reward, a configuration.
    fn files(&self) -> &'static [StaticFile] {
        &[]
    }

    /// Writes what stands beside the rows and depends on them, a card for example.
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

/// A row, and the file that it goes to.
pub struct ExportRow {
    pub(super) file: String,
    pub(super) row: Value,
}

impl ExportRow {
    fn new(file: impl Into<String>, row: Value) -> ExportRow {
        ExportRow { file: file.into(), row }
    }
}

/// Name and content of a file that is the same in every export.
pub struct StaticFile(pub &'static str, pub &'static str);

/// Every format, by name.
pub const FORMATS: &[&dyn RowFormat] = &[
    &axolotl::Axolotl,
    &harbor::Harbor,
    &hub::Hub,
    &inspect::Inspect,
    &llamafactory::LlamaFactory,
    &lm_eval::LmEval,
    &openai::OpenAi,
    &rewarded::SKYRL,
    &trl::Preference,
    &trl::OnlinePrompts,
    &trl::Labelled,
    &trl::Supervised,
    &rewarded::VERL,
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

/// The wanted answer in one file, and pairs of it with wrong ones in another.
fn wanted_and_pairs(side: SplitSide, wanted: Value, pairs: impl Iterator<Item = Value>) -> Vec<ExportRow> {
    let side = side.name();
    let pairs = pairs.map(|pair| ExportRow::new(format!("dpo_{side}.jsonl"), pair));
    std::iter::once(ExportRow::new(format!("sft_{side}.jsonl"), wanted)).chain(pairs).collect()
}

/// The file of one side of the split.
fn side_file(side: SplitSide) -> String {
    format!("{}.jsonl", side.name())
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
