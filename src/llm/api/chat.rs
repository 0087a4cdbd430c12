//! OpenAI chat completions.

use serde_json::{Map, Value, json};

use super::answer_fields::{joined, number, word};
use super::prompt::Prompt;
use super::reply::{ModelReply, StopReason, TokenUsage};

pub(super) fn body(model: &str, prompt: &Prompt) -> Map<String, Value> {
    let mut messages = vec![json!({ "role": "system", "content": prompt.system })];
    messages.extend(prompt.chat());
    Map::from_iter([("model".to_owned(), json!(model)), ("messages".to_owned(), json!(messages))])
}

pub(super) fn read(body: &Value) -> ModelReply {
    let content = body.pointer("/choices/0/message/content");
    let text = match content {
        Some(Value::Array(parts)) => joined(parts.iter()),
        other => other.and_then(Value::as_str).unwrap_or_default().to_owned(),
    };
    let refusal = body.pointer("/choices/0/message/refusal").and_then(Value::as_str).filter(|words| !words.is_empty());
    let finish_reason = word(body, "/choices/0/finish_reason");
    let stop = match finish_reason.as_str() {
        _ if refusal.is_some() => StopReason::Refused,
        "length" => StopReason::Truncated,
        "content_filter" => StopReason::Refused,
        _ if body.pointer("/choices/0/message").is_none() => StopReason::Unknown,
        _ => StopReason::Complete,
    };
    let tokens =
        TokenUsage { input: number(body, "/usage/prompt_tokens"), output: number(body, "/usage/completion_tokens") };
    ModelReply { text: refusal.map_or(text, str::to_owned), stop, finish_reason, tokens }
}
