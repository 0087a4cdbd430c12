//! Pipelines: several files that feed each other, as one reference.

use serde_json::Value;

use crate::program::{Bench, assert_same_files, files};

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts of the files of a record, which tile its SQL.
fn texts(record: &Value, sql: &str) -> Vec<(String, String)> {
    let sql = record[sql].as_str().unwrap();
    let mut end = 0;
    let mut text = |file: &Value| {
        let place = |name: &str| file[name].as_u64().unwrap() as usize;
        assert_eq!(place("start"), std::mem::replace(&mut end, place("end")));
        (file["path"].as_str().unwrap().to_owned(), sql[place("start")..place("end")].to_owned())
    };
    let found: Vec<(String, String)> = record["files"].as_array().unwrap().iter().map(&mut text).collect();
    assert_eq!(end, sql.len());
    found
}

#[test]
fn what_compose_writes_as_files_is_one_reference_of_a_run() {
    let bench = Bench::new();
    let said = bench.run(&["compose", "--count", "2", "--seed", "5", "--scripts", "5..6", "--out", "scripts"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let source = ["build", "--source", "scripts", "--seed", "1", "--syntax", "2", "--semantic", "2", "--out", "run"];
    let said = bench.run(&source);
    assert!(said.starts_with("exit 0\n"), "{said}");
    for gold in lines(&bench, "run/judge/gold.jsonl") {
        let folder = bench.path("scripts").join(gold["provenance"]["script"].as_str().unwrap());
        for (path, text) in texts(&gold, "reference_sql") {
            assert_eq!(std::fs::read_to_string(folder.join(path)).unwrap(), text);
        }
        assert!(!folder.join("script.sql").exists());
    }
}

#[test]
fn a_run_of_pipelines_is_proved_scored_repaired_and_exported() {
    let bench = Bench::new();
    let sizes = ["--seed", "4242", "--syntax", "2", "--semantic", "2", "--scripts", "5..6", "--controls", "2"];
    for (out, jobs) in [("run", "2"), ("again", "1")] {
        let said = bench.run(&[&["build", "--out", out, "--jobs", jobs], &sizes[..]].concat());
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    assert_same_files(&bench.path("run"), &bench.path("again"));
    let said = bench.run(&["check", "run"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let (tasks, gold) = (lines(&bench, "run/public/tasks.jsonl"), lines(&bench, "run/judge/gold.jsonl"));
    for (task, gold) in tasks.iter().zip(&gold) {
        let (issue, reference) = (texts(task, "issue_sql"), texts(gold, "reference_sql"));
        assert!((5..=6).contains(&issue.len()));
        let changed = issue.iter().zip(&reference).filter(|(one, other)| one != other).count();
        assert!(changed >= 1 && issue.iter().zip(&reference).all(|(one, other)| one.0 == other.0), "{changed}");
    }
    lines(&bench, "run/public/controls.jsonl").iter().for_each(|control| drop(texts(control, "sql")));
    // An answer is the one text of all files.
    let answer = |gold: &Value| {
        format!("{{\"instance_id\":{},\"predict_sql\":{}}}\n", gold["instance_id"], gold["reference_sql"])
    };
    bench.file("answers.jsonl", gold.iter().map(answer).collect::<String>());
    let said = bench.run(&["score", "run", "answers.jsonl"]);
    assert!(said.starts_with("exit 0\n") && said.contains("100.0"), "{said}");
    let said = bench.run(&["repair", "run", "--solver", "position"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let said = bench.run(&["export", "run", "--format", "hub", "--out", "rows"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let rows: String =
        files(&bench.path("rows")).into_iter().map(|(_, content)| String::from_utf8(content).unwrap()).collect();
    assert!(rows.contains("\"files\":[{"), "{rows}");
    // A record whose files do not tile its SQL is named.
    let broken = tasks.iter().map(|task| {
        let mut task = task.clone();
        task["files"][1]["start"] = (task["files"][1]["start"].as_u64().unwrap() + 1).into();
        format!("{task}\n")
    });
    bench.file("run/public/tasks.jsonl", broken.collect::<String>());
    let said = bench.run(&["check", "run"]);
    assert!(said.contains("its files are not the whole of its SQL"), "{said}");
}

#[test]
fn what_cannot_be_composed_is_one_clear_error() {
    let bench = Bench::new();
    let refused = |arguments: &[&str], words: &str| {
        for command in ["compose", "build"] {
            let said = bench.run(&[&[command, "--seed", "1"], arguments].concat());
            assert!(said.contains(words) && !said.starts_with("exit 0"), "{said}");
        }
    };
    refused(&["--scripts", "5..13"], "a pipeline has 2 to 12 scripts");
    refused(&["--scripts", "x"], "`x` is not a range such as 5..12");
    refused(&["--lines", "200..205"], "`200..205` is too narrow");
    refused(&["--scripts", "12", "--lines", "60..120"], "12 scripts have 240 lines or more, not 120 at most");
    refused(&["--profile", "paper", "--lines", "100..200"], "cannot be used with");
    let said = bench.run(&["build", "--source", "hand-written", "--profile", "paper"]);
    assert!(said.contains("--profile are about composed scripts"), "{said}");
}
