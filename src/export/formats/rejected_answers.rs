//! The rejected answers that become rows.

use super::super::{Rejected, TrainingExample};

/// At most so many rejected answers of a task become rows, the most useful kinds first.
const REJECTED_OF_A_TASK: usize = 3;

/// The first [`REJECTED_OF_A_TASK`] rejected answers that have a text in the example's style: name of the kind, text.
pub(super) fn rejected(example: &TrainingExample<'_>) -> Vec<(&'static str, String)> {
    ranked(example).map(|(one, text)| (one.kind.name(), text)).collect()
}

/// The same answers, each with its whole record.
pub(super) fn ranked<'a>(example: &'a TrainingExample<'_>) -> impl Iterator<Item = (&'a Rejected, String)> {
    let texts = example.rejected.iter().filter_map(|one| Some((one, example.rejected_answer(one)?)));
    texts.take(REJECTED_OF_A_TASK)
}
