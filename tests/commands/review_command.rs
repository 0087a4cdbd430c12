//! `sqlfault review` with hostile SQL from an annotator.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::{REFERENCE, TASKS, write_run};

/// A review page that is served for one annotator.
struct Page {
    server: Child,
    /// Read no more, and kept open: a server whose reader left could not print.
    _output: BufReader<ChildStdout>,
    host: String,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Page {
    fn open(run: &std::path::Path) -> Page {
        let mut server = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
            .args(["review".as_ref(), run.as_os_str(), "--annotator".as_ref(), "ann".as_ref()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let mut line = String::new();
        let url = loop {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "no address");
            if let Some(at) = line.find("http://") {
                break line[at + "http://".len()..].trim().to_owned();
            }
        };
        let (host, token) = url.trim_end_matches('/').split_once('/').unwrap();
        Page { server, _output: output, host: host.to_owned(), token: token.to_owned() }
    }

    /// The answer to a solution that the annotator has run.
    fn check(&self, id: &str, sql: &str) -> Value {
        self.post("check", &json!({ "instance_id": id, "sql": sql }))
    }

    fn post(&self, route: &str, content: &Value) -> Value {
        let body = content.to_string();
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, token, length) = (&self.host, &self.token, body.len());
        write!(
            stream,
            "POST /{token}/api/{route} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\nsec-fetch-site: same-origin\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

/// Attack | `databases` of a run links to a folder outside, before or while its page is open | the page is served; the databases are not opened | refused by name; no solution is accepted by it
#[test]
#[cfg(unix)]
fn a_linked_folder_of_databases_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (run, outside) = (folder.path().join("run"), folder.path().join("outside"));
    write_run(&run);
    let page = Page::open(&run);
    std::fs::rename(run.join("databases"), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, run.join("databases")).unwrap();
    let id = TASKS[1].0;
    page.post("judgement", &json!({ "instance_id": id, "verdict": "fair", "why": "", "note": "" }));
    let checked = page.check(id, &REFERENCE.replace("SUM(o.amount)", "SUM(o.amount) + 0"));
    assert_eq!(checked["accepted"], false, "{checked}");
    assert!(checked["databases"][0]["message"].as_str().unwrap().contains("lies outside the run"), "{checked}");
    drop(page);
    let mut again = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    let again = again.arg("review").arg(&run).arg("--agreement").output().unwrap();
    assert_eq!(again.status.code(), Some(3), "{again:?}");
    assert!(String::from_utf8_lossy(&again.stderr).contains("databases: it is not a regular file"), "{again:?}");
}

/// Attack | `concat_ws(repeat('a',1e6), sequence(1,1e5))`, 500 calls of `levenshtein` of 16,000 characters as an annotator's solution | server aborts; thread held for ever | not accepted; next check answers
#[test]
fn hostile_sql_ends_neither_the_server_nor_the_next_check() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let page = Page::open(folder.path());
    let id = TASKS[1].0;
    let call = "levenshtein(repeat('a', 16000), repeat('b', 16000))";
    let deaf = format!("SELECT 'x' AS name, CAST({} AS DOUBLE) AS total", vec![call; 500].join(" + "));
    for hostile in
        ["SELECT concat_ws(repeat('a', 1000000), sequence(1, 100000)) AS name, CAST(1 AS DOUBLE) AS total", &deaf]
    {
        let checked = page.check(id, hostile);
        assert_eq!(checked["accepted"], false, "{checked}");
    }
    let right = page.check(id, &REFERENCE.replace("SUM(o.amount)", "SUM(o.amount) + 0"));
    assert_eq!(right["accepted"], true, "{right}");
    let wrong = REFERENCE.replace("LEFT JOIN", "JOIN");
    let blind = page.check(id, &wrong);
    assert_eq!((&blind["accepted"], &blind["databases"]), (&json!(false), &json!([])), "{blind}");
    page.post("judgement", &json!({ "instance_id": id, "verdict": "fair", "why": "", "note": "" }));
    let wrong = page.check(id, &wrong);
    assert_eq!(wrong["accepted"], false, "{wrong}");
    assert_eq!(wrong["databases"][0]["only_in_reference"].as_array().map(Vec::len), Some(1), "{wrong}");
}
