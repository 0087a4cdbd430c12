use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::api::StopReason;
use super::super::config::Models;
use super::super::test_server::{Act, Server};
use super::*;

struct Fixture {
    folder: TempDir,
    budget: Arc<Budget>,
    server: Server,
}

impl Fixture {
    fn new(acts: Vec<Act>) -> Fixture {
        Fixture {
            folder: tempfile::tempdir().unwrap(),
            budget: Arc::new(Budget::new(None)),
            server: Server::start(acts),
        }
    }

    fn model(&self, protocol: &str) -> Model {
        let text = format!(
            "models: [{{name: a, protocol: {protocol}, base_url: '{}', model: m, extra_body: {{max_tokens: 50}}, retries: 2, \
             first_wait_ms: 1, price: {{input: 1000000, output: 2000000}}, timeout_seconds: 5}}]",
            self.server.url()
        );
        Models::read(&text).unwrap().models.remove(0)
    }

    fn client(&self, model: &Model) -> Client {
        let mut client = Client::new(model, &Arc::new(Cache::new(self.folder.path())), &self.budget, false).unwrap();
        let key = ApiKey::of("sk-secret");
        client.transport = Some(Transport::new(model, &key).unwrap());
        client.key = key;
        client
    }
}

fn prompt() -> Prompt {
    Prompt::new("be brief", "say x")
}

fn chat(text: &str) -> Act {
    let body = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    Act::Say(200, "", body.to_string())
}

#[test]
fn each_protocol_asks_its_path_with_its_key_and_reads_the_answer() {
    let cases = [
        (
            "chat",
            json!({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}),
            "/v1/chat/completions",
            "authorization: bearer sk-secret",
        ),
        (
            "responses",
            json!({"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]}),
            "/v1/responses",
            "authorization: bearer sk-secret",
        ),
        (
            "anthropic",
            json!({"content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"}),
            "/v1/messages",
            "x-api-key: sk-secret",
        ),
        (
            "gemini",
            json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]}),
            "/v1beta/models/m:generatecontent",
            "x-goog-api-key: sk-secret",
        ),
    ];
    for (protocol, body, path, key) in cases {
        let fixture = Fixture::new(vec![Act::Say(200, "", body.to_string())]);
        let answer = fixture.client(&fixture.model(protocol)).ask(&prompt(), 10).unwrap();
        assert_eq!((answer.reply.text.as_str(), answer.reply.stop), ("x", StopReason::Complete), "{protocol}");
        let seen = fixture.server.seen().remove(0);
        assert!(seen.head.contains(path) && seen.head.contains(key), "{}", seen.head);
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert!(body.get("temperature").is_none(), "{body}");
    }
}

#[test]
fn an_answer_is_paid_once_and_replayed_without_a_server_or_key() {
    let fixture = Fixture::new(vec![chat("x"), Act::HangUp]);
    let model = fixture.model("chat");
    let first = fixture.client(&model).ask(&prompt(), 10).unwrap();
    assert_eq!((first.cost, first.cached), (11.0, false));
    let offline = Model { key_variable: Some("SQLFAULT_NO_SUCH_VARIABLE".to_owned()), ..model };
    let again = Client::new(&offline, &Arc::new(Cache::new(fixture.folder.path())), &fixture.budget, true).unwrap();
    let second = again.ask(&prompt(), 10).unwrap();
    assert_eq!(second, ModelAnswer { cached: true, ..first });
    assert_eq!((fixture.server.seen().len(), fixture.budget.spent().paid), (1, 11.0));
    assert!(matches!(again.ask(&Prompt::new("", "other"), 10), Err(AskError::NotCached(_))));
}

#[test]
fn passing_trouble_is_overcome() {
    let troubles = [
        Act::Say(429, "retry-after-ms: 1", "slow".to_owned()),
        Act::Say(529, "", "overloaded".to_owned()),
        Act::Say(500, "", "oops".to_owned()),
        Act::Say(200, "", "<html>garbage".to_owned()),
        Act::BreakOff,
        Act::HangUp,
    ];
    for trouble in troubles {
        let fixture = Fixture::new(vec![trouble.clone(), chat("x")]);
        let answer = fixture.client(&fixture.model("chat")).ask(&prompt(), 10);
        assert_eq!(answer.unwrap().reply.text, "x", "{trouble:?}");
        assert_eq!(fixture.server.seen().len(), 2, "{trouble:?}");
    }
}

#[test]
fn lasting_trouble_ends_after_the_tries_and_keeps_nothing() {
    let fixture = Fixture::new(vec![Act::Say(500, "", "oops sk-secret".to_owned())]);
    let client = fixture.client(&fixture.model("chat"));
    let error = client.ask(&prompt(), 10).unwrap_err();
    assert!(matches!(&error, AskError::Unreachable { message, .. } if message.contains("oops [key]")), "{error}");
    assert_eq!((fixture.server.seen().len(), client.has(&prompt())), (3, false));
}

#[test]
fn a_slow_answer_is_given_up_after_the_time_limit() {
    let fixture = Fixture::new(vec![Act::Silence]);
    let model = Model { timeout_seconds: 0.05, retries: 0, ..fixture.model("chat") };
    let error = fixture.client(&model).ask(&prompt(), 10).unwrap_err();
    assert!(matches!(error, AskError::Unreachable { .. }), "{error}");
}

#[test]
fn money_and_permission_errors_are_not_retried_and_never_show_the_key() {
    let cases = [
        (429, r#"{"error":{"code":"insufficient_quota","message":"key sk-secret"}}"#),
        (402, "pay sk-secret"),
        (401, "Incorrect API key provided: sk-secret"),
    ];
    for (status, body) in cases {
        let fixture = Fixture::new(vec![Act::Say(status, "", body.to_owned()), chat("x")]);
        let error = fixture.client(&fixture.model("chat")).ask(&prompt(), 10).unwrap_err();
        assert!(matches!(error, AskError::Stopped { .. }), "{error}");
        assert!(!format!("{error} {error:?}").contains("sk-secret"), "{error}");
        assert_eq!(fixture.server.seen().len(), 1);
    }
}

#[test]
fn a_wrong_request_is_rejected_alone_and_a_long_wait_ends_the_matter() {
    let fixture = Fixture::new(vec![Act::Say(400, "", "context length".to_owned())]);
    let error = fixture.client(&fixture.model("chat")).ask(&prompt(), 10).unwrap_err();
    assert!(matches!(error, AskError::Rejected { status: 400, .. }), "{error}");
    let fixture = Fixture::new(vec![Act::Say(429, "retry-after: 4000", String::new())]);
    let error = fixture.client(&fixture.model("chat")).ask(&prompt(), 10).unwrap_err();
    assert!(error.to_string().contains("4000 seconds"), "{error}");
    assert_eq!(fixture.server.seen().len(), 1);
}

#[test]
fn the_cost_limit_stops_before_it_is_crossed() {
    let mut fixture = Fixture::new(vec![chat("x")]);
    fixture.budget = Arc::new(Budget::new(Some(112.0)));
    let client = fixture.client(&fixture.model("chat"));
    client.ask(&prompt(), 10).unwrap();
    let error = client.ask(&Prompt::new("other", "question"), 10).unwrap_err();
    assert!(error.to_string().contains("cost limit"), "{error}");
    assert_eq!((fixture.server.seen().len(), fixture.budget.spent().paid), (1, 11.0));
}

/// Attack | key echoed as `\u0073k…`, `\/`, `%2D`, doubly escaped | in plain in exchanges | `[key]`
#[test]
fn no_key_reaches_the_disk_in_whatever_form_the_server_says_it() {
    for said in ["your key is sk-secret", r"your key is \u0073\u006b-secret", r"\\u0073k-secret", "sk%2Dsecret"] {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"{said}"}},"finish_reason":"stop"}}]}}"#);
        let fixture = Fixture::new(vec![Act::Say(200, "x-echo: sk-secret", body)]);
        let client = fixture.client(&fixture.model("chat"));
        let answer = client.ask(&prompt(), 10).unwrap();
        assert!(answer.reply.text.contains("[key]"), "{said}: {}", answer.reply.text);
        let digest = client.request(&prompt()).digest();
        let file = fixture.folder.path().join(&digest[..2]).join(format!("{digest}.json"));
        let kept = std::fs::read_to_string(file).unwrap();
        assert!(kept.contains("[key]") && !kept.contains("secret") && !kept.contains("x-echo"), "{said}: {kept}");
    }
}

/// Attack | 200 with `{"hello": …}` | counted as an answer, kept | error with the body's start, not kept
#[test]
fn a_body_of_another_schema_is_an_error_with_its_start_and_is_not_kept() {
    for protocol in ["chat", "responses", "anthropic", "gemini"] {
        let fixture = Fixture::new(vec![Act::Say(200, "", json!({"hello": "sk-secret"}).to_string())]);
        let client = fixture.client(&fixture.model(protocol));
        let error = client.ask(&prompt(), 10).unwrap_err();
        assert!(matches!(error, AskError::Unreachable { .. }), "{error}");
        let words = error.to_string();
        assert!(words.contains(protocol) && words.contains(r#"{"hello":"[key]"}"#), "{words}");
        assert!(!client.has(&prompt()), "{protocol}");
    }
}

/// Attack | a compressed body, however small it is | – | not decompressed: error with its start
#[test]
fn a_compressed_body_is_not_decompressed() {
    let fixture = Fixture::new(vec![Act::Say(200, "content-encoding: gzip", "\u{1f}\u{8b}\u{8}".to_owned())]);
    let error = fixture.client(&fixture.model("chat")).ask(&prompt(), 10).unwrap_err();
    assert!(error.to_string().contains("not JSON"), "{error}");
}

/// Attack | server sends one byte at a time | waited for ever | error at the time limit
#[test]
fn an_answer_that_drips_ends_at_the_time_limit_of_the_whole_exchange() {
    let fixture = Fixture::new(vec![Act::Drip]);
    let model = Model { timeout_seconds: 0.3, retries: 0, ..fixture.model("chat") };
    let start = Instant::now();
    let error = fixture.client(&model).ask(&prompt(), 10).unwrap_err();
    assert!(error.to_string().contains("time limit"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// Attack | a server with a certificate that nobody has signed | – | nothing is sent to it, the key least of all
#[test]
fn nothing_is_sent_to_a_server_whose_certificate_nobody_has_signed() {
    let fixture = Fixture::new(vec![Act::HangUp]);
    let server = Server::tls(include_bytes!("../../../tests/data/tls/certificate.der"));
    let base_url = server.url().replace("http:", "https:");
    let model = Model { base_url, retries: 0, ..fixture.model("chat") };
    let error = fixture.client(&model).ask(&prompt(), 10).unwrap_err();
    assert!(matches!(error, AskError::Unreachable { .. }) && !error.to_string().contains("sk-secret"), "{error}");
    assert!(server.seen().is_empty(), "{:?}", server.seen());
}

/// Attack | a server with a signed certificate for another host | – | nothing is sent to it, the key least of all
#[test]
fn nothing_is_sent_to_a_server_whose_certificate_names_another_host() {
    let root = include_bytes!("../../../tests/data/tls/root.der");
    let here = Server::tls(include_bytes!("../../../tests/data/tls/signed_for_the_loopback.der"));
    let elsewhere = Server::tls(include_bytes!("../../../tests/data/tls/signed_for_another_host.der"));
    let fixture = Fixture::new(vec![Act::HangUp]);
    for (server, is_sent) in [(here, true), (elsewhere, false)] {
        let base_url = server.url().replace("http:", "https:");
        let model = Model { base_url, retries: 0, ..fixture.model("chat") };
        let trusting = Transport::settings(&model).tls_certs_only([reqwest::Certificate::from_der(root).unwrap()]);
        let mut client = fixture.client(&model);
        client.transport = Some(Transport::with(trusting, &model, &client.key).unwrap());
        let error = client.ask(&prompt(), 10).unwrap_err();
        assert!(matches!(error, AskError::Unreachable { .. }) && !error.to_string().contains("sk-secret"), "{error}");
        assert_eq!(server.seen().len(), usize::from(is_sent), "{error}");
    }
}

/// Attack | redirects to another host, 301 to 308 | – | not followed; the other host hears nothing
#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start(vec![chat("from another host")]);
    let location: &'static str = Box::leak(format!("location: {}/v1/chat/completions", other.url()).into_boxed_str());
    for status in [301, 302, 303, 307, 308] {
        let fixture = Fixture::new(vec![Act::Say(status, location, String::new())]);
        let client = fixture.client(&Model { retries: 0, ..fixture.model("chat") });
        assert!(client.ask(&prompt(), 10).is_err() && !client.has(&prompt()), "{status}");
        assert_eq!(fixture.server.seen().len(), 1, "{status}");
    }
    assert!(other.seen().is_empty(), "{:?}", other.seen());
}
