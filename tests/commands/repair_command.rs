//! `sqlfault repair` as a user runs it: against a server on the loopback, killed and started again.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use crate::chat::Chat;
use serde_json::{Value, json};
use tempfile::TempDir;

const KEY: &str = "sk-very-secret";

/// A server that answers request `n` by `select n`, but not number `hang`.
fn server(hang: Option<usize>) -> Chat {
    Chat::hanging(hang, |number, _| Some(format!("```sql\nselect {number}\n```")))
}

/// How often each body came.
fn counts(server: &Chat) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for body in server.asked() {
        *counts.entry(body).or_default() += 1;
    }
    counts
}

fn a_run(tasks: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (0..tasks)
        .map(|number| {
            let task = json!({"instance_id": format!("t{number}"), "track": "syntax", "dialect": "hive", "domain": "x",
                "issue_sql": format!("select {number},, a from t"), "schema_ddl": "create table t (a int);",
                "error_message": "near ,", "canary": "c"});
            format!("{task}\n")
        })
        .collect();
    std::fs::write(folder.path().join("tasks.jsonl"), lines).unwrap();
    std::fs::write(folder.path().join("run.yaml"), "seed: 1\n").unwrap();
    folder
}

fn models(run: &Path, url: &str) {
    let text = format!(
        "models:\n- {{name: m, protocol: chat, base_url: '{url}', model: x, key_variable: SQLFAULT_TEST_KEY, concurrency: 1, \
         retries: 0, price: {{input: 1000, output: 1000}}}}\n"
    );
    std::fs::write(run.join("models.yaml"), text).unwrap();
}

fn command(run: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.arg("repair").arg(run).arg("--models").arg(run.join("models.yaml")).args(more);
    command.env("SQLFAULT_TEST_KEY", KEY);
    command
}

fn repair(run: &Path, more: &[&str]) -> Output {
    command(run, more).output().unwrap()
}

fn attempts(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("attempts.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn all_files(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all_files(&path, found) } else { found.push(std::fs::read_to_string(path).unwrap()) }
    }
}

#[test]
fn killed_and_started_again_no_paid_answer_is_lost_or_asked_for_twice() {
    let (run, server) = (a_run(6), server(Some(3)));
    models(run.path(), &server.url);
    let mut child = command(run.path(), &[]).spawn().unwrap();
    server.hung.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let again = repair(run.path(), &[]);
    assert!(again.status.success(), "{again:?}");
    let mut counts: Vec<usize> = counts(&server).into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 1, 1, 1, 1, 2], "only the request without an answer is asked again");
    let answers: Vec<String> = attempts(run.path()).iter().map(|a| a["predict_sql"].to_string()).collect();
    assert_eq!(answers, [0, 1, 2, 4, 5, 6].map(|number| format!("\"select {number}\\n\"")));
}

#[test]
fn a_lost_attempts_file_is_replayed_from_the_cache_byte_for_byte() {
    let (run, server) = (a_run(3), server(None));
    models(run.path(), &server.url);
    assert!(repair(run.path(), &["--mode", "whole", "agent"]).status.success());
    let (first, asked) = (std::fs::read_to_string(run.path().join("attempts.jsonl")).unwrap(), counts(&server));
    std::fs::remove_file(run.path().join("attempts.jsonl")).unwrap();
    assert!(repair(run.path(), &["--mode", "whole", "agent", "--offline"]).status.success());
    assert_eq!(std::fs::read_to_string(run.path().join("attempts.jsonl")).unwrap(), first);
    assert_eq!(counts(&server), asked);
}

#[test]
fn a_dry_run_sends_nothing_and_the_cost_limit_stops() {
    let (run, server) = (a_run(4), server(None));
    models(run.path(), &server.url);
    let dry = repair(run.path(), &["--dry-run"]);
    assert!(String::from_utf8_lossy(&dry.stdout).contains("4 requests to send"), "{dry:?}");
    assert!(counts(&server).is_empty() && !run.path().join("attempts.jsonl").exists());
    let several = repair(run.path(), &["--dry-run", "--mode", "whole", "agent", "--solver", "spelling"]);
    let told = String::from_utf8_lossy(&several.stdout).into_owned();
    let lines: Vec<&str> = told.lines().map(|line| line.split_once(", ").map_or(line, |(head, _)| head)).collect();
    let wanted =
        ["m: 4 requests to send", "m-agent: 8 requests to send", "together: 12 requests to send", "spelling: 4 tasks"];
    assert_eq!(lines, wanted, "{told}");
    assert!(told.contains(", cost ") && told.contains(" in the first round"), "{told}");
    let stopped = repair(run.path(), &["--max-cost", "0.45"]);
    assert_eq!(stopped.status.code(), Some(1), "{stopped:?}");
    assert!(String::from_utf8_lossy(&stopped.stdout).contains("cost limit"), "{stopped:?}");
    let paid = counts(&server).len();
    assert!((1..4).contains(&paid), "{paid} requests were sent");
}

#[test]
fn the_key_is_in_the_header_and_nowhere_on_disk_or_screen() {
    let (run, server) = (a_run(2), server(None));
    models(run.path(), &server.url);
    let done = repair(run.path(), &[]);
    let shown = format!("{done:?}");
    let mut files = vec![shown];
    all_files(run.path(), &mut files);
    assert!(files.len() > 4 && files.iter().all(|text| !text.contains(KEY)));
    let missing = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
        .args(["repair"])
        .arg(run.path())
        .arg("--models")
        .arg(run.path().join("models.yaml"))
        .env_remove("SQLFAULT_TEST_KEY")
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("SQLFAULT_TEST_KEY"));
}

/// Attack | a line of batch results that is not UTF-8 | the first ends the verb, the others are not read | counted and named; the others are kept
#[test]
fn a_batch_goes_out_and_its_results_come_in() {
    let (run, server) = (a_run(2), server(None));
    models(run.path(), &server.url);
    let folder = run.path().join("batch");
    let out = repair(run.path(), &["--batch-out", folder.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(told.contains("2 requests") && told.contains("Next: "), "{told}");
    let requests = std::fs::read_to_string(folder.join("m.jsonl")).unwrap();
    let result = |line: &str| {
        let request: Value = serde_json::from_str(line).unwrap();
        let body = json!({"choices": [{"message": {"content": "select 7"}, "finish_reason": "stop"}]});
        json!({"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}, "error": null})
    };
    let results: Vec<String> = requests.lines().rev().map(|line| result(line).to_string()).collect();
    let file = run.path().join("results.jsonl");
    // What is not UTF-8 costs its own line only.
    std::fs::write(&file, [b"{\"custom_id\": \"\xff\"}\n", results.join("\n").as_bytes()].concat()).unwrap();
    let read = repair(run.path(), &["--batch-in", file.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&read.stdout).into_owned();
    assert!(told.contains("2 answers kept") && told.contains("1 lines are not results"), "{read:?}");
    assert_eq!(read.status.code(), Some(1), "{read:?}");
    assert!(String::from_utf8_lossy(&read.stderr).contains("results.jsonl:1: the line is not UTF-8"), "{read:?}");
    assert!(repair(run.path(), &["--offline"]).status.success());
    assert_eq!(attempts(run.path()).len(), 2);
    assert!(attempts(run.path()).iter().all(|attempt| attempt["predict_sql"] == "select 7"));
    assert!(counts(&server).is_empty());
}

#[test]
fn what_cannot_be_used_is_told_with_exit_code_3() {
    let run = a_run(1);
    let solver = |name: &str| {
        Command::new(env!("CARGO_BIN_EXE_sqlfault"))
            .arg("repair")
            .arg(run.path())
            .args(["--solver", name])
            .output()
            .unwrap()
    };
    let unknown = solver("magic");
    assert_eq!(unknown.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("nothing, spelling, position, linter"));
    let good = solver("position");
    assert!(good.status.success(), "{good:?}");
    assert_eq!(attempts(run.path())[0]["predict_sql"], "select 0, a from t");
}
