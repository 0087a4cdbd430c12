//! OpenAI responses.

use serde_json::{Map, Value, json};

use super::answer_fields::{joined, number, word};
use super::prompt::Prompt;
use super::reply::{ModelReply, StopReason, TokenUsage};

pub(super) fn body(model: &str, prompt: &Prompt) -> Map<String, Value> {
    Map::from_iter([
        ("model".to_owned(), json!(model)),
        ("instructions".to_owned(), json!(prompt.system)),
        ("input".to_owned(), json!(prompt.chat())),
        // Without it the provider keeps a copy of every script.
        ("store".to_owned(), json!(false)),
    ])
}

pub(super) fn read(body: &Value) -> ModelReply {
    let output = body.get("output").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let messages = output.iter().filter(|item| item.get("type").and_then(Value::as_str) == Some("message"));
    let blocks: Vec<&Value> = messages.filter_map(|item| item.get("content")?.as_array()).flatten().collect();
    let of_type = |wanted: &str| blocks.iter().filter(|block| block["type"] == wanted).copied().collect::<Vec<_>>();
    let text = joined(of_type("output_text").into_iter());
    let refused: String =
        of_type("refusal").iter().filter_map(|block| block.get("refusal").and_then(Value::as_str)).collect();
    let status = word(body, "/status");
    let reason = word(body, "/incomplete_details/reason");
    let stop = match (status.as_str(), reason.as_str()) {
        _ if !refused.is_empty() => StopReason::Refused,
        (_, "content_filter") => StopReason::Refused,
        ("incomplete", _) => StopReason::Truncated,
        _ if body.get("output").is_none() => StopReason::Unknown,
        _ => StopReason::Complete,
    };
    let tokens =
        TokenUsage { input: number(body, "/usage/input_tokens"), output: number(body, "/usage/output_tokens") };
    let finish_reason = if reason.is_empty() { status } else { reason };
    ModelReply { text: if refused.is_empty() { text } else { refused }, stop, finish_reason, tokens }
}
