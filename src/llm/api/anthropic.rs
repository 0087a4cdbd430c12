//! Anthropic messages.

use serde_json::{Map, Value, json};

use super::answer_fields::{joined, number, word};
use super::prompt::Prompt;
use super::reply::{ModelReply, StopReason, TokenUsage};

pub(super) fn body(model: &str, prompt: &Prompt) -> Map<String, Value> {
    Map::from_iter([
        ("model".to_owned(), json!(model)),
        ("system".to_owned(), json!(prompt.system)),
        ("messages".to_owned(), json!(prompt.chat())),
    ])
}

pub(super) fn read(body: &Value) -> ModelReply {
    let content = body.get("content").and_then(Value::as_array);
    let blocks = content.into_iter().flatten().filter(|block| block["type"] == "text");
    let finish_reason = word(body, "/stop_reason");
    let stop = match finish_reason.as_str() {
        "max_tokens" | "model_context_window_exceeded" => StopReason::Truncated,
        "refusal" => StopReason::Refused,
        _ if content.is_none() => StopReason::Unknown,
        _ => StopReason::Complete,
    };
    let read = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    let input = read.iter().map(|field| number(body, &format!("/usage/{field}"))).sum();
    let tokens = TokenUsage { input, output: number(body, "/usage/output_tokens") };
    ModelReply { text: joined(blocks), stop, finish_reason, tokens }
}
