//! The four protocols: what a request's body is, and what an answer's body says.
//!
//! Source of the shapes: the providers' own SDK types of November 2026.

mod answer_fields;
mod prompt;
mod reply;
mod anthropic;
mod chat;
mod gemini;
mod responses;

pub use prompt::Prompt;
pub use reply::{ModelReply, StopReason, TokenUsage};

use serde_json::{Map, Value};

use super::config::{Model, Protocol};

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

/// What the body of a good answer says. A body of another shape gives an empty reply with [`StopReason::Unknown`].
pub fn read(protocol: Protocol, body: &Value) -> ModelReply {
    match protocol {
        Protocol::Chat => chat::read(body),
        Protocol::Responses => responses::read(body),
        Protocol::Anthropic => anthropic::read(body),
        Protocol::Gemini => gemini::read(body),
    }
}

#[cfg(test)]
mod tests;
