//! What a model is asked.

use serde_json::{Value, json};

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The system prompt: who the model is and by which rules it works.
    pub system: String,
    /// The turns: the user's and the model's alternate, the user's first.
    pub turns: Vec<String>,
}

impl Prompt {
    pub fn new(system: impl Into<String>, question: impl Into<String>) -> Prompt {
        Prompt { system: system.into(), turns: vec![question.into()] }
    }

    /// The turns as most protocols write them.
    pub(super) fn chat(&self) -> Vec<Value> {
        let role = |user: bool| if user { "user" } else { "assistant" };
        self.messages().map(|(user, text)| json!({ "role": role(user), "content": text })).collect()
    }

    /// Each turn with whether the user speaks.
    pub(super) fn messages(&self) -> impl Iterator<Item = (bool, &str)> {
        self.turns.iter().enumerate().map(|(index, turn)| (index % 2 == 0, turn.as_str()))
    }
}
