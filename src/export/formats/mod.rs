//! All formats. The scripts in `tests/loaders` check each with the tool that loads it, or with its schema.

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

/// A shape of rows or files that another tool loads.
pub trait RowFormat: Sync {
    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Returns what of a run the format has no place for, as a phrase after "leaves out".
    fn leaves_out(&self) -> &'static str;

    /// Returns the rows of one task.
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

    /// Returns whether the format has a place for conversations of several turns.
    fn takes_trajectories(&self) -> bool {
        false
    }

    /// Returns the rows of one conversation.
    fn trajectory_rows(&self, _trajectory: &Trajectory<'_>, _side: SplitSide) -> Vec<ExportRow> {
        Vec::new()
    }

    /// Returns files beside the rows that are the same in every export, such as a reward function or a configuration.
    fn files(&self) -> &'static [StaticFile] {
        &[]
    }

    /// Writes files beside the rows that depend on them, such as a card.
    ///
    /// # Errors
    ///
    /// When a file cannot be written or a template cannot be filled.
    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, _output: &ExportFolder) -> Result<(), ExportError> {
        Ok(())
    }

    /// Returns whether each row has all that a trainer needs, its id included, without other files and without the run.
    fn is_self_contained(&self) -> bool {
        false
    }

    /// Returns whether the format takes controls: rows of prompt and answer that no judge has to score.
    fn takes_controls(&self) -> bool {
        self.is_self_contained()
    }

    /// Returns whether the records keep the [`CANARY`] of their run, as whole runs do.
    fn keeps_canary(&self) -> bool {
        false
    }

    /// Returns whether the format writes rows, so that an export without any is an error.
    fn writes_rows(&self) -> bool {
        true
    }
}

/// What rows leave out whatever their format, as a phrase after "leaves out".
pub const CANARY: &str = "the canary: the rows come from a benchmark; do not train on one that you publish";

/// What rows leave out of a run that has controls, unless they are critiques.
pub const CONTROLS: &str = "scripts without a fault, which only `--answers critique` takes";

/// Returns what an export leaves out of runs, as a phrase after "left out"; `controls` says whether it leaves out any.
pub fn left_out(format: &dyn RowFormat, controls: bool) -> String {
    let controls = controls.then_some(CONTROLS);
    let canary = (!format.keeps_canary()).then_some(CANARY);
    let parts = [Some(format.leaves_out()), controls, canary];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
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

/// Every format, in the order of names.
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

/// Returns the format of this name.
pub fn format(name: &str) -> Option<&'static dyn RowFormat> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// At most so many rejected answers of a task become rows, the most useful kinds first.
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

/// The first [`REJECTED_OF_A_TASK`] rejected answers that have a text in the example's style: name of the kind, text.
fn rejected(example: &TrainingExample<'_>) -> Vec<(&'static str, String)> {
    ranked(example).map(|(one, text)| (one.kind.name(), text)).collect()
}

/// The same answers, each with its whole record.
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
