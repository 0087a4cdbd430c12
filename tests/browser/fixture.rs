//! A run to judge, and the program that serves it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;

const ISSUE: &str = "SELECT COUNT(amount) AS n\nFROM shop.sales\n";
const REFERENCE: &str = "SELECT COUNT(*) AS n\nFROM shop.sales\n";
const DATABASE: &str = r#"{"tables":[{"table":"shop.sales","rows":[[1,null],[2,5.0]]}]}"#;

/// A run of this many tasks that differ in their ids.
pub fn run_of(tasks: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("databases")).unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("run.yaml", "seed: 1\n".to_owned());
    write("databases/witness.json", DATABASE.to_owned());
    let ids: Vec<String> = (0..tasks).map(|number| format!("task{number:04}")).collect();
    write("tasks.jsonl", ids.iter().map(|id| task(id)).collect());
    write("gold.jsonl", ids.iter().map(|id| gold(id)).collect());
    let attempt = json!({
        "instance_id": "task0000", "solver": "model", "mode": "whole", "prompt_hash": null, "raw": null,
        "predict_sql": ISSUE.replace("amount", "id"), "outcome": "answered", "finish_reason": null,
        "usage": { "input": 1, "output": 1 }, "cost": 0.0, "latency_ms": 1, "rounds": 1,
    });
    write("attempts.jsonl", format!("{attempt}\n"));
    let score = json!({
        "instance_id": "task0000", "solver": "model", "track": "semantic", "outcome": "other_rows", "em": false,
        "em_normalised": false, "gm": false, "mb": true, "ex": false, "accepted": false,
    });
    write("scores.jsonl", format!("{score}\n"));
    folder
}

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_sqlfault")).current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn task(id: &str) -> String {
    let record = json!({
        "instance_id": id, "track": "semantic", "dialect": "spark", "domain": "shop", "issue_sql": ISSUE,
        "schema_ddl": "CREATE TABLE shop.sales (id BIGINT, amount DOUBLE);",
        "user_query": format!("{id}: <b>too few</b> sales are counted"), "canary": "",
    });
    format!("{record}\n")
}

fn gold(id: &str) -> String {
    let result = |count: i64| json!([{ "target": "", "columns": ["n"], "rows": [[count]] }]);
    let record = json!({
        "instance_id": id, "reference_sql": REFERENCE, "alternatives": [],
        "labels": [{ "fault": "count-column", "level1": "a", "level2": "b", "level3": "c" }],
        "edits": [{ "start": 13, "end": 19, "text": "*" }],
        "location": { "line": 1, "column": 14, "statement": 1, "cte": null, "clause": "SELECT" },
        "critique": [], "patch": "@@ -1,2 +1,2 @@\n-SELECT COUNT(amount) AS n\n+SELECT COUNT(*) AS n\n FROM shop.sales\n",
        "evidence": { "kind": "killed", "engine": "test", "databases": ["databases/witness.json"],
            "reference": result(2), "issue": result(1) },
        "complexity": { "lines": 2, "tokens": 9, "functions": 1, "ast_depth": 1, "ast_width": 1 },
        "provenance": { "script": "shop/sales", "source": "seed 0", "tool": "t", "taxonomy": "t", "seed": 1 },
    });
    format!("{record}\n")
}

/// The program, serving a run.
pub struct Served {
    run: PathBuf,
    process: Child,
    port: u16,
    pub url: String,
}

impl Served {
    pub fn start(run: &Path, annotator: &str) -> Served {
        Served::on(run, annotator, 0)
    }

    fn on(run: &Path, annotator: &str, port: u16) -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
            .args(["review", "--annotator", annotator, "--port", &port.to_string()])
            .arg(run)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let url = lines.find_map(|line| line.strip_prefix(&format!("{annotator}: ")).map(str::to_owned)).unwrap();
        let port = url.split([':', '/']).nth(4).unwrap().parse().unwrap();
        Served { run: run.to_owned(), process, port, url }
    }

    /// Kills it as `kill -9` does.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again at the same port.
    pub fn again(&self) -> Served {
        Served::on(&self.run, "ann", self.port)
    }

    /// The lines of `review.jsonl`.
    pub fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.run.join("review.jsonl")).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
