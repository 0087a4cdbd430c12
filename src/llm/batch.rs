//! Batch files: requests written for a provider's batch service, results read back into the cache.
//!
//! Uploading and fetching is left to the provider's own tools. A request is known by its digest, so that results may
//! come in any order, in several files, and twice.

use serde_json::{Value, json};

use super::api;
use super::cache::ModelRequest;
use super::config::{Model, Protocol};

/// The file of requests that a model's provider takes: one JSON object for Anthropic, lines of JSON for the others.
pub fn file(model: &Model, requests: &[ModelRequest]) -> String {
    let lines = requests.iter().map(|request| line(model, request));
    match model.protocol {
        Protocol::Anthropic => json!({ "requests": lines.collect::<Vec<_>>() }).to_string() + "\n",
        _ => lines.map(|line| line.to_string() + "\n").collect(),
    }
}

/// How the name of such a file ends.
pub fn ending(model: &Model) -> &'static str {
    if model.protocol == Protocol::Anthropic { "json" } else { "jsonl" }
}

fn line(model: &Model, request: &ModelRequest) -> Value {
    let (id, body) = (request.digest(), &request.body);
    match model.protocol {
        Protocol::Chat | Protocol::Responses => {
            json!({ "custom_id": id, "method": "POST", "url": api::path(model), "body": body })
        }
        Protocol::Anthropic => json!({ "custom_id": id, "params": body }),
        Protocol::Gemini => json!({ "key": id, "request": body }),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BatchResult {
    /// Digest of the request.
    pub digest: String,
    /// The body of the answer, or what the provider says instead.
    pub body: Result<Value, String>,
}

/// Reads a line of a result file of any of the providers; `None` if it is of another form.
pub fn result(line: &str) -> Option<BatchResult> {
    let value: Value = serde_json::from_str(line).ok()?;
    let digest = value.get("custom_id").or_else(|| value.get("key"))?.as_str()?.to_owned();
    let anthropic = value.pointer("/result/type").and_then(Value::as_str);
    let status = value.pointer("/response/status_code").and_then(Value::as_u64);
    let body = match (anthropic, status) {
        (Some("succeeded"), _) => value.pointer("/result/message"),
        (Some(_), _) => None,
        (None, Some(200..=299)) => value.pointer("/response/body"),
        (None, Some(_)) => None,
        (None, None) => value.get("response").filter(|response| response.is_object()),
    };
    let body = body.cloned().ok_or_else(|| {
        let reason =
            ["/error", "/result", "/response"].iter().find_map(|at| value.pointer(at).filter(|v| !v.is_null()));
        reason.map_or_else(|| "no answer".to_owned(), Value::to_string)
    });
    Some(BatchResult { digest, body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::config::Models;

    fn model(protocol: &str) -> Model {
        let text = format!(
            "models: [{{name: a, protocol: {protocol}, base_url: 'http://x', model: m, extra_body: {{max_tokens: 5}}}}]"
        );
        Models::read(&text).unwrap().models.remove(0)
    }

    #[test]
    fn each_provider_gets_its_file() {
        let request = ModelRequest { url: "http://x".to_owned(), body: json!({ "q": 1 }) };
        let id = request.digest();
        let requests = [request.clone(), request];
        let cases = [
            ("chat", json!({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": {"q": 1}})),
            ("responses", json!({"custom_id": id, "method": "POST", "url": "/v1/responses", "body": {"q": 1}})),
            ("gemini", json!({"key": id, "request": {"q": 1}})),
        ];
        for (protocol, wanted) in cases {
            assert_eq!(file(&model(protocol), &requests), format!("{wanted}\n{wanted}\n"), "{protocol}");
        }
        let anthropic: Value = serde_json::from_str(&file(&model("anthropic"), &requests)).unwrap();
        assert_eq!(anthropic["requests"][1], json!({"custom_id": id, "params": {"q": 1}}));
        assert!(id.len() <= 64, "providers take ids of at most 64 characters");
    }

    #[test]
    fn results_of_each_provider_are_read_with_their_failures() {
        let cases = [
            (
                json!({"custom_id": "a", "response": {"status_code": 200, "body": {"x": 1}}, "error": null}),
                Ok(json!({"x": 1})),
            ),
            (
                json!({"custom_id": "a", "response": {"status_code": 500, "body": {}}, "error": {"code": 7}}),
                Err("{\"code\":7}"),
            ),
            (json!({"custom_id": "a", "result": {"type": "succeeded", "message": {"x": 1}}}), Ok(json!({"x": 1}))),
            (json!({"custom_id": "a", "result": {"type": "expired"}}), Err("{\"type\":\"expired\"}")),
            (json!({"key": "a", "response": {"x": 1}}), Ok(json!({"x": 1}))),
            (json!({"key": "a", "error": {"code": 7}}), Err("{\"code\":7}")),
            (json!({"key": "a"}), Err("no answer")),
        ];
        for (line, body) in cases {
            let read = result(&line.to_string()).unwrap();
            assert_eq!(read, BatchResult { digest: "a".to_owned(), body: body.map_err(str::to_owned) });
        }
        assert_eq!((result("{}"), result("garbage")), (None, None));
    }
}
