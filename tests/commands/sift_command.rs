//! `sqlfault sift` as a user runs it.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{REFERENCE, TASKS, issue, write_run};
use serde_json::{Value, json};

fn sqlfault(arguments: &[&str], run: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqlfault")).arg(arguments[0]).arg(run).args(&arguments[1..]).output().unwrap()
}

/// Sifts a run, which must succeed.
fn sift(arguments: &[&str], run: &Path) -> Output {
    let done = sqlfault(&[&["sift"], arguments].concat(), run);
    assert!(done.status.success(), "{done:?}");
    done
}

fn attempt(solver: &str, id: &str, sql: Option<&str>) -> Value {
    json!({"instance_id": id, "solver": solver, "mode": "whole", "prompt_hash": "x", "raw": "x", "predict_sql": sql,
        "outcome": if sql.is_some() { "answered" } else { "refused" }, "finish_reason": "stop",
        "usage": {"input": 1, "output": 1}, "cost": 0.0, "latency_ms": 1, "rounds": 1})
}

/// Three models: all solve the first task, one the second, none the third.
fn attempted(run: &Path) {
    write_run(run);
    let mut lines = String::new();
    for (solver, solves) in [("strong", 2), ("middle", 1), ("weak", 1)] {
        for (position, (id, ..)) in TASKS.iter().enumerate() {
            let wrong = issue(id);
            let sql =
                if position < solves { Some(REFERENCE) } else { Some(wrong.as_str()).filter(|_| solver != "weak") };
            lines += &(attempt(solver, id, sql).to_string() + "\n");
        }
    }
    std::fs::write(run.join("attempts.jsonl"), lines).unwrap();
}

fn lines(run: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_vote_follows_the_scores_and_every_attempt_has_one() {
    let folder = tempfile::tempdir().unwrap();
    attempted(folder.path());
    let done = sift(&["--json"], folder.path());
    let decisions = lines(folder.path(), "decisions.jsonl");
    let words: Vec<&str> = decisions.iter().map(|line| line["decision"].as_str().unwrap()).collect();
    assert_eq!(words, ["too_easy", "kept", "queued"]);
    assert_eq!((&decisions[1]["solved"], &decisions[1]["tried"]), (&json!(1), &json!(3)));
    assert_eq!(decisions[1]["rule"]["too_easy_above"], 0.5);
    // Apart from this task all three solve as many: it tells nobody apart.
    assert_eq!(decisions[1]["discrimination"], Value::Null);
    let scores = lines(folder.path(), "scores.jsonl");
    assert_eq!(scores.len(), 9);
    assert_eq!((&scores[0]["solver"], &scores[0]["accepted"]), (&json!("strong"), &json!(true)));
    assert_eq!(scores[8]["outcome"], "missing");
    let shown: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(shown["leaderboard"]["rows"][0][0], "strong");
    assert_eq!(shown["alone"], json!({"strong": 1}));
}

#[test]
fn sifting_again_changes_nothing_and_what_people_decided_stays() {
    let folder = tempfile::tempdir().unwrap();
    attempted(folder.path());
    sift(&[], folder.path());
    let path = folder.path().join("decisions.jsonl");
    let first = std::fs::read_to_string(&path).unwrap();
    sift(&["--jobs", "3"], folder.path());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
    let mut decisions = lines(folder.path(), "decisions.jsonl");
    decisions[2]["decision"] = json!("kept");
    decisions[2]["by"] = json!("review");
    let text: String = decisions.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, text).unwrap();
    sift(&[], folder.path());
    assert_eq!(lines(folder.path(), "decisions.jsonl")[2], decisions[2]);
}

#[test]
fn thresholds_are_the_users_and_doing_nothing_has_no_vote() {
    let folder = tempfile::tempdir().unwrap();
    attempted(folder.path());
    assert!(sqlfault(&["repair", "--solver", "nothing"], folder.path()).status.success());
    let lenient = sift(&["--too-easy-above", "0.3", "--basis", "em"], folder.path());
    assert!(String::from_utf8_lossy(&lenient.stdout).contains("| nothing | 0.00"), "{lenient:?}");
    let decisions = lines(folder.path(), "decisions.jsonl");
    assert_eq!((&decisions[1]["decision"], &decisions[1]["tried"]), (&json!("too_easy"), &json!(3)));
    assert_eq!(decisions[1]["rule"], json!({"basis": "em", "too_easy_above": 0.3, "quorum": 2}));
}

#[test]
fn a_run_that_nobody_tried_is_no_ground_for_a_vote() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let refused = sqlfault(&["sift"], folder.path());
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sqlfault repair"));
}
