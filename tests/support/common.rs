//! A run of three tasks, small enough to read.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use std::path::Path;

use serde_json::{Value, json};

/// Table definitions of all tasks.
pub const SCHEMA: &str = "CREATE TABLE orders (id INT, user_id INT, amount DOUBLE, state STRING);\n\
                          CREATE TABLE users (id INT, name STRING);";
/// The correct script of all tasks.
pub const REFERENCE: &str = "SELECT u.name, SUM(o.amount) AS total\nFROM orders o\nLEFT JOIN users u ON o.user_id = u.id\n\
                             WHERE o.state = 'PAID'\nGROUP BY u.name\n";

/// `(id, issue, fault, clause)` of each task: one of the syntax track, two of the semantic track.
pub const TASKS: [(&str, &str, &str, &str); 3] = [
    ("aa00000001", "GROUP u.name", "by-dropped", "GROUP BY"),
    ("bb00000002", "JOIN users", "left-join-made-inner", "JOIN"),
    ("cc00000003", "o.state <> 'PAID'", "equal-made-not-equal", "WHERE"),
];

/// The issue SQL of a task.
pub fn issue(id: &str) -> String {
    match id {
        "aa00000001" => REFERENCE.replace("GROUP BY", "GROUP"),
        "bb00000002" => REFERENCE.replace("LEFT JOIN", "JOIN"),
        _ => REFERENCE.replace("= 'PAID'", "<> 'PAID'"),
    }
}

fn edits(id: &str) -> Value {
    let text = issue(id);
    let (found, old, new) = match id {
        "aa00000001" => (text.find("GROUP").unwrap() + 5, "", " BY"),
        "bb00000002" => (text.find("JOIN").unwrap(), "", "LEFT "),
        _ => (text.find("<>").unwrap(), "<>", "="),
    };
    json!([{"start": found, "end": found + old.len(), "text": new}])
}

/// Writes the run into a folder.
pub fn write_run(folder: &Path) {
    std::fs::create_dir_all(folder.join("databases")).unwrap();
    std::fs::write(folder.join("run.yaml"), "seed: 1\n").unwrap();
    let rows = json!({"tables": [
        {"table": "orders", "rows": [[1, 1, 5.0, "PAID"], [2, 9, 7.5, "PAID"], [3, 1, 2.0, "OPEN"]]},
        {"table": "users", "rows": [[1, "ann"], [2, "bob"]]},
    ]});
    std::fs::write(folder.join("databases/w.json"), rows.to_string()).unwrap();
    std::fs::write(folder.join("databases/5eed-0.json"), rows.to_string()).unwrap();
    let (mut tasks, mut gold) = (String::new(), String::new());
    for (id, _, fault, clause) in TASKS {
        tasks += &(task(id).to_string() + "\n");
        gold += &(gold_record(id, fault, clause).to_string() + "\n");
    }
    std::fs::write(folder.join("tasks.jsonl"), tasks).unwrap();
    std::fs::write(folder.join("gold.jsonl"), gold).unwrap();
}

fn task(id: &str) -> Value {
    let mut task = json!({
        "instance_id": id, "track": "semantic", "dialect": "hive", "domain": if id < "cc" { "shop" } else { "bank" },
        "issue_sql": issue(id), "schema_ddl": SCHEMA, "parameters": {}, "user_query": "The totals are wrong.", "canary": "marked-5f2c",
    });
    if id == "aa00000001" {
        task["track"] = json!("syntax");
        task.as_object_mut().unwrap().remove("user_query");
        task["error_message"] = json!("[PARSE_SYNTAX_ERROR]");
    }
    task
}

fn gold_record(id: &str, fault: &str, clause: &str) -> Value {
    let evidence = match id {
        "aa00000001" => json!({"kind": "rejected", "engine": "x", "stage": "parse", "class": "PARSE", "message": "x"}),
        _ => json!({"kind": "killed", "engine": "x", "databases": ["databases/w.json"], "reference": [], "issue": []}),
    };
    json!({
        "instance_id": id, "reference_sql": REFERENCE, "alternatives": [],
        "labels": [{"fault": fault, "level1": "Semantics & Logic", "level2": clause, "level3": fault}],
        "edits": edits(id),
        "location": {"line": 1, "column": 1, "statement": 1, "cte": null, "clause": clause},
        "critique": [{"clause": clause, "explanation": "wrong"}],
        "patch": "", "evidence": evidence,
        "complexity": {"lines": 5, "tokens": 30, "functions": 1, "ast_depth": 5, "ast_width": 5},
        "provenance": {"script": "shop/totals", "source": "seed 5eed", "tool": "x", "taxonomy": "x", "seed": 1},
    })
}
