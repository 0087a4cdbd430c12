//! Tasks and answers as chat messages.

use serde_json::{Value, json};

use super::super::TrainingExample;

/// The prompt as chat messages.
pub(super) fn prompt(example: &TrainingExample<'_>) -> Value {
    json!([{ "role": "system", "content": example.system }, { "role": "user", "content": example.instruction }])
}

/// An answer as chat messages.
pub(super) fn assistant(answer: &str) -> Value {
    json!([{ "role": "assistant", "content": answer }])
}

/// Prompt and answer as chat messages.
pub(super) fn conversation(example: &TrainingExample<'_>) -> Value {
    json!([
        { "role": "system", "content": example.system },
        { "role": "user", "content": example.instruction },
        { "role": "assistant", "content": example.answer },
    ])
}
