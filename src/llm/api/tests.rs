use serde_json::json;

use super::*;
use crate::llm::config::Models;

fn model(protocol: &str, extra: &str) -> Model {
    let text =
        format!("models: [{{name: a, protocol: {protocol}, base_url: 'http://x', model: m, extra_body: {extra}}}]");
    Models::read(&text).unwrap().models.remove(0)
}

fn prompt() -> Prompt {
    Prompt { system: "s".to_owned(), turns: vec!["q".to_owned(), "a".to_owned(), "r".to_owned()] }
}

#[test]
fn a_body_holds_what_the_protocol_needs_and_what_the_file_names_and_no_more() {
    let cases = [
        (
            model("chat", "{temperature: 0}"),
            json!({"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"},
                {"role": "assistant", "content": "a"}, {"role": "user", "content": "r"}], "temperature": 0}),
        ),
        (
            model("responses", "{reasoning: {effort: low}}"),
            json!({"model": "m", "instructions": "s", "input": [{"role": "user", "content": "q"},
                {"role": "assistant", "content": "a"}, {"role": "user", "content": "r"}], "store": false,
                "reasoning": {"effort": "low"}}),
        ),
        (
            model("anthropic", "{max_tokens: 9}"),
            json!({"model": "m", "system": "s", "messages": [{"role": "user", "content": "q"},
                {"role": "assistant", "content": "a"}, {"role": "user", "content": "r"}], "max_tokens": 9}),
        ),
        (
            model("gemini", "{generationConfig: {maxOutputTokens: 9}}"),
            json!({"systemInstruction": {"parts": [{"text": "s"}]}, "contents": [{"role": "user", "parts": [{"text": "q"}]},
                {"role": "model", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "r"}]}],
                "generationConfig": {"maxOutputTokens": 9}}),
        ),
    ];
    for (model, wanted) in cases {
        assert_eq!(body(&model, &prompt()), wanted);
    }
}

#[test]
fn each_way_an_answer_can_end_is_told_apart() {
    let cases = [
        (
            Protocol::Chat,
            json!({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
            "x",
            StopReason::Complete,
            (3, 4),
        ),
        (
            Protocol::Chat,
            json!({"choices": [{"message": {"content": "x"}, "finish_reason": "length"}]}),
            "x",
            StopReason::Truncated,
            (0, 0),
        ),
        (
            Protocol::Chat,
            json!({"choices": [{"message": {"content": null, "refusal": "no"}, "finish_reason": "stop"}]}),
            "no",
            StopReason::Refused,
            (0, 0),
        ),
        (
            Protocol::Chat,
            json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
            "",
            StopReason::Refused,
            (0, 0),
        ),
        (Protocol::Chat, json!({"hello": 1}), "", StopReason::Unknown, (0, 0)),
        (
            Protocol::Responses,
            json!({"status": "completed", "output": [{"type": "reasoning"}, {"type": "message",
            "content": [{"type": "output_text", "text": "x"}]}], "usage": {"input_tokens": 3, "output_tokens": 4}}),
            "x",
            StopReason::Complete,
            (3, 4),
        ),
        (
            Protocol::Responses,
            json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []}),
            "",
            StopReason::Truncated,
            (0, 0),
        ),
        (
            Protocol::Responses,
            json!({"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}]}),
            "no",
            StopReason::Refused,
            (0, 0),
        ),
        (
            Protocol::Anthropic,
            json!({"content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "x"}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 4}}),
            "x",
            StopReason::Complete,
            (5, 4),
        ),
        (Protocol::Anthropic, json!({"content": [], "stop_reason": "refusal"}), "", StopReason::Refused, (0, 0)),
        (
            Protocol::Anthropic,
            json!({"content": [{"type": "text", "text": "x"}], "stop_reason": "max_tokens"}),
            "x",
            StopReason::Truncated,
            (0, 0),
        ),
        (
            Protocol::Gemini,
            json!({"candidates": [{"content": {"parts": [{"text": "t", "thought": true}, {"text": "x"}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4, "thoughtsTokenCount": 5}}),
            "x",
            StopReason::Complete,
            (3, 9),
        ),
        (Protocol::Gemini, json!({"promptFeedback": {"blockReason": "SAFETY"}}), "", StopReason::Refused, (0, 0)),
        (
            Protocol::Gemini,
            json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "MAX_TOKENS"}]}),
            "x",
            StopReason::Truncated,
            (0, 0),
        ),
    ];
    for (protocol, body, text, stop, (input, output)) in cases {
        let reply = read(protocol, &body);
        assert_eq!((reply.text.as_str(), reply.stop), (text, stop), "{body}");
        assert_eq!(reply.tokens, TokenUsage { input, output }, "{body}");
    }
}
