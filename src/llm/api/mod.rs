//! The four protocols: what a request's body is, and what an answer's body says.
//!
//! Source of the shapes: the providers' own SDK types of November 2026.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use serde_json::{Map, Value, json};

use super::config::{Model, Protocol};

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The system prompt: who the model is and by which rules it works.
    pub system: String,
    /// The turns: the user's and the model's alternate, the user's first.
    pub turns: Vec<String>,
}

impl Prompt {
    /// One question.
    pub fn new(system: impl Into<String>, question: impl Into<String>) -> Prompt {
        Prompt { system: system.into(), turns: vec![question.into()] }
    }

    /// The turns as most protocols write them.
    fn chat(&self) -> Vec<Value> {
        let role = |user: bool| if user { "user" } else { "assistant" };
        self.messages().map(|(user, text)| json!({ "role": role(user), "content": text })).collect()
    }

    /// Each turn with whether the user speaks.
    fn messages(&self) -> impl Iterator<Item = (bool, &str)> {
        self.turns.iter().enumerate().map(|(index, turn)| (index % 2 == 0, turn.as_str()))
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was done.
    Complete,
    /// A length limit cut it off.
    Truncated,
    /// It, or a filter of its provider, refused.
    Refused,
    /// The body says nothing that the protocol knows.
    Unknown,
}

/// Tokens an answer was charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TokenUsage {
    /// Read.
    pub input: u64,
    /// Written, reasoning included.
    pub output: u64,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelReply {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub stop: Stop,
    /// The provider's word for it.
    pub finish_reason: String,
    /// The tokens it was charged for.
    pub tokens: TokenUsage,
}

/// The path of a request: the one that the models file names, or else the protocol's own.
pub fn path(model: &Model) -> String {
    if let Some(path) = &model.path {
        return path.clone();
    }
    match model.protocol {
        Protocol::Chat => "/v1/chat/completions".to_owned(),
        Protocol::Responses => "/v1/responses".to_owned(),
        Protocol::Anthropic => "/v1/messages".to_owned(),
        Protocol::Gemini => format!("/v1beta/models/{}:generateContent", model.model),
    }
}

/// The header that carries the key, and its value.
pub fn key_header(model: &Model, key: &str) -> (String, String) {
    if let Some(header) = &model.key_header {
        return (header.clone(), key.to_owned());
    }
    match model.protocol {
        Protocol::Chat | Protocol::Responses => ("authorization".to_owned(), format!("Bearer {key}")),
        Protocol::Anthropic => ("x-api-key".to_owned(), key.to_owned()),
        Protocol::Gemini => ("x-goog-api-key".to_owned(), key.to_owned()),
    }
}

/// The headers of the models file, and those that the protocol demands and the file does not name.
pub fn demanded_headers(model: &Model) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> =
        model.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let named = |name: &str| model.headers.keys().any(|own| own.eq_ignore_ascii_case(name));
    if model.protocol == Protocol::Anthropic && !named("anthropic-version") {
        headers.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
    }
    headers
}

/// The whole body of a request.
pub fn body(model: &Model, prompt: &Prompt) -> Value {
    let mut body = match model.protocol {
        Protocol::Chat => chat::body(&model.model, prompt),
        Protocol::Responses => responses::body(&model.model, prompt),
        Protocol::Anthropic => anthropic::body(&model.model, prompt),
        Protocol::Gemini => gemini::body(prompt),
    };
    merge(&mut body, &model.extra_body);
    Value::Object(body)
}

/// Puts `extra` into `body`; objects are merged, everything else replaces.
fn merge(body: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (name, value) in extra {
        match (body.get_mut(name), value) {
            (Some(Value::Object(own)), Value::Object(more)) => merge(own, more),
            _ => {
                body.insert(name.clone(), value.clone());
            }
        }
    }
}

/// What the body of a good answer says. A body of another shape gives an empty reply with [`Stop::Unknown`].
pub fn read(protocol: Protocol, body: &Value) -> ModelReply {
    match protocol {
        Protocol::Chat => chat::read(body),
        Protocol::Responses => responses::read(body),
        Protocol::Anthropic => anthropic::read(body),
        Protocol::Gemini => gemini::read(body),
    }
}

fn number(body: &Value, pointer: &str) -> u64 {
    body.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

fn word(body: &Value, pointer: &str) -> String {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The texts of blocks, joined.
fn joined<'a>(blocks: impl Iterator<Item = &'a Value>) -> String {
    blocks.filter_map(|block| block.get("text").and_then(Value::as_str)).collect()
}

#[cfg(test)]
mod tests;
