//! Gemini `generateContent`.

use serde_json::{Map, Value, json};

use super::answer_fields::{joined, number, word};
use super::prompt::Prompt;
use super::reply::{ModelReply, StopReason, TokenUsage};

pub(super) fn body(prompt: &Prompt) -> Map<String, Value> {
    let message = |(user, text): (bool, &str)| json!({ "role": if user { "user" } else { "model" }, "parts": [{ "text": text }] });
    let turns: Vec<Value> = prompt.messages().map(message).collect();
    Map::from_iter([
        ("systemInstruction".to_owned(), json!({ "parts": [{ "text": prompt.system }] })),
        ("contents".to_owned(), json!(turns)),
    ])
}

pub(super) fn read(body: &Value) -> ModelReply {
    let parts = body.pointer("/candidates/0/content/parts").and_then(Value::as_array);
    // Parts marked as thoughts are the model's reasoning, not its answer.
    let said = parts.into_iter().flatten().filter(|part| part.get("thought") != Some(&Value::Bool(true)));
    let text = joined(said);
    let blocked = word(body, "/promptFeedback/blockReason");
    let finish_reason = word(body, "/candidates/0/finishReason");
    let stop = match finish_reason.as_str() {
        _ if !blocked.is_empty() => StopReason::Refused,
        "MAX_TOKENS" => StopReason::Truncated,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => StopReason::Refused,
        _ if body.get("candidates").is_none() => StopReason::Unknown,
        _ => StopReason::Complete,
    };
    let output =
        number(body, "/usageMetadata/candidatesTokenCount") + number(body, "/usageMetadata/thoughtsTokenCount");
    let tokens = TokenUsage { input: number(body, "/usageMetadata/promptTokenCount"), output };
    ModelReply { text, stop, finish_reason: if blocked.is_empty() { finish_reason } else { blocked }, tokens }
}
