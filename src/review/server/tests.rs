use std::io::{Read, Write};
use std::net::TcpStream;

use super::super::test_run::test_run;
use super::*;

/// A page that is served until the test ends.
struct Served {
    _run: tempfile::TempDir,
    port: u16,
    tokens: Vec<String>,
}

fn serve(annotators: &[&str]) -> Served {
    let run = test_run(2);
    let names: Vec<String> = annotators.iter().map(|name| (*name).to_owned()).collect();
    let server = ReviewServer::bind(ReviewSession::open(run.path()).unwrap(), &names, 0).unwrap();
    let tokens = server.accesses.iter().map(|access| access.token.clone()).collect();
    let port = server.port;
    std::thread::spawn(move || server.run_until(std::future::pending()));
    Served { _run: run, port, tokens }
}

impl Served {
    /// Sends a request as it stands and gives status and body.
    fn send(&self, start: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut lines = vec![format!("{start} HTTP/1.1"), "Connection: close".to_owned()];
        lines.extend(headers.iter().map(|header| header.replace("PORT", &self.port.to_string())));
        lines.push(format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(lines.join("\r\n").as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let status = reply.split(' ').nth(1).unwrap().parse().unwrap();
        (status, reply)
    }

    fn get(&self, path: &str, headers: &[&str]) -> u16 {
        self.send(&format!("GET {path}"), headers, "").0
    }
}

const HOST: &str = "Host: 127.0.0.1:PORT";
const JSON: &str = "Content-Type: application/json";

#[test]
fn the_page_opens_with_its_token_and_never_without() {
    let served = serve(&["ann", "bob"]);
    let token = &served.tokens[0];
    assert_eq!(served.get(&format!("/{token}/"), &[HOST]), 200);
    assert_eq!(served.get(&format!("/{token}/api/overview"), &["Host: localhost:PORT"]), 200);
    let almost = format!("{}0", &token[..31]);
    let almost = if almost == *token { format!("{}1", &token[..31]) } else { almost };
    for wrong in
        ["", "/api/overview", "/x/", &format!("{}/", &token[..31]), &format!("{token}0/"), &format!("{almost}/")]
    {
        assert_eq!(served.get(&format!("/{wrong}"), &[HOST]), 403, "{wrong}");
    }
    assert_eq!(served.get("/file/app.js", &[HOST]), 403);
}

#[test]
fn other_hosts_are_refused_even_with_the_token() {
    let served = serve(&["ann"]);
    let path = format!("/{}/api/overview", served.tokens[0]);
    for host in
        ["Host: evil.example:PORT", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "Host: 127.0.0.1.evil.example:PORT", "X: y"]
    {
        assert_ne!(served.get(&path, &[host]), 200, "{host}");
    }
}

#[test]
fn other_origins_are_refused_even_with_the_token() {
    let served = serve(&["ann"]);
    let path = format!("/{}/api/overview", served.tokens[0]);
    for (headers, status) in [
        (vec![HOST, "Origin: http://127.0.0.1:PORT"], 200),
        (vec![HOST, "Sec-Fetch-Site: same-origin"], 200),
        (vec![HOST, "Origin: https://127.0.0.1:PORT"], 403),
        (vec![HOST, "Origin: http://evil.example"], 403),
        (vec![HOST, "Origin: http://127.0.0.1:1"], 403),
        (vec![HOST, "Origin: null"], 403),
        (vec![HOST, "Sec-Fetch-Site: cross-site"], 403),
        (vec![HOST, "Sec-Fetch-Site: same-site"], 403),
    ] {
        assert_eq!(served.get(&path, &headers), status, "{headers:?}");
    }
}

#[test]
fn a_click_is_on_the_disk_under_the_name_of_its_token_when_the_answer_comes() {
    let served = serve(&["ann", "bob"]);
    let start = format!("POST /{}/api/judgement", served.tokens[1]);
    let body = r#"{"instance_id":"task0001","verdict":"fair"}"#;
    let (status, reply) = served.send(&start, &[HOST, JSON], body);
    assert_eq!(status, 200, "{reply}");
    let lines = std::fs::read_to_string(crate::store::locate(served._run.path(), "review.jsonl")).unwrap();
    assert!(lines.contains(r#""annotator":"bob","verdict":"fair""#), "{lines}");
    let forged = r#"{"instance_id":"task0001","verdict":"fair","annotator":"ann"}"#;
    assert_eq!(served.send(&start, &[HOST, JSON], forged).0, 422);
    assert_eq!(served.send(&start, &[HOST, JSON], r#"{"instance_id":"no","verdict":"fair"}"#).0, 422);
    assert_eq!(served.send(&start, &[HOST, "Content-Type: text/plain"], body).0, 415);
}

#[test]
fn nothing_may_be_loaded_from_elsewhere() {
    let served = serve(&["ann"]);
    let (_, reply) = served.send(&format!("GET /{}/", served.tokens[0]), &[HOST], "");
    assert!(reply.contains("content-security-policy: default-src 'none'"), "{reply}");
    for text in [reply.as_str(), include_str!("../../../templates/review/style.css")] {
        assert!(!text.contains("//cdn") && !text.contains("https:"), "{text}");
    }
}

#[test]
fn two_servers_do_not_hold_one_run_and_tokens_differ() {
    let served = serve(&["ann", "bob"]);
    assert!(ReviewSession::open(served._run.path()).is_err());
    assert_ne!(served.tokens[0], served.tokens[1]);
    assert_eq!(served.tokens[0].len(), 32);
}
