//! `sqlfault export` as a user runs it: every format on one small run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::chat::{Chat, question};
use crate::common::{REFERENCE, TASKS, issue, write_run};
use crate::program::Bench;

fn export(run: &Path, out: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.arg("export").arg(run).arg("--out").arg(out).args(arguments);
    command.output().unwrap()
}

/// The rows of every file of JSON lines below a folder, by path inside it.
fn rows(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
        }
    }
    found
}

/// What a row is made of: fields with the kinds of their values.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        Value::String(_) => "text".into(),
        Value::Number(_) => "number".into(),
        Value::Bool(_) => "boolean".into(),
        Value::Null => "null".into(),
    }
}

const FORMATS: [&str; 12] = [
    "axolotl", "hub", "inspect", "llamafactory", "lm-eval", "openai", "skyrl", "trl-dpo", "trl-grpo", "trl-kto",
    "trl-sft", "verl",
];

#[test]
fn every_format_has_its_rows_and_companions() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run);
    let mut shapes = BTreeMap::new();
    for format in FORMATS {
        let out = folder.path().join(format);
        let output = export(&run, &out, &["--format", format]);
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        for (file, rows) in rows(&out) {
            shapes.insert(format!("{format}/{file}"), shape(&rows[0]));
        }
        let text = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        assert!(!text.iter().any(|name| name.to_string_lossy().ends_with(".partial")), "{text:?}");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&shapes).unwrap());
}

#[test]
fn supervised_rows_mark_what_the_repair_changes_and_carry_no_canary() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("rows"));
    write_run(&run);
    assert!(export(&run, &out, &["--format", "trl-sft"]).status.success());
    let rows = &rows(&out)["train.jsonl"];
    assert_eq!(rows.len(), TASKS.len());
    let canary = std::fs::read_to_string(run.join("tasks.jsonl")).unwrap();
    let canary: Value = serde_json::from_str(canary.lines().next().unwrap()).unwrap();
    let canary = canary["canary"].as_str().unwrap();
    for row in rows {
        let id = row["instance_id"].as_str().unwrap();
        let answer = row["completion"][0]["content"].as_str().unwrap();
        assert!(answer.contains(REFERENCE.trim_end()), "{id}");
        assert!(!row.to_string().contains(canary), "{id}");
        let marked: Vec<&str> = row["changed_bytes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|range| {
                let at = |end: usize| range[end].as_u64().unwrap() as usize;
                &answer[at(0)..at(1)]
            })
            .collect();
        assert!(!marked.is_empty() && marked.iter().all(|text| !text.is_empty()), "{id}: {marked:?}");
    }
}

#[test]
fn blocks_of_an_export_are_read_back_by_the_program_itself() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run);
    for style in ["lines", "minimal"] {
        let out = folder.path().join(style);
        assert!(export(&run, &out, &["--format", "trl-sft", "--answers", style]).status.success());
        for row in &rows(&out)["train.jsonl"] {
            let id = row["instance_id"].as_str().unwrap();
            let blocks = sqlfault::reply::replacements(row["completion"][0]["content"].as_str().unwrap());
            let repaired = sqlfault::reply::apply(&issue(id), &blocks).unwrap();
            assert_eq!(repaired, REFERENCE, "{style} {id}");
        }
    }
}

#[test]
fn a_reference_is_on_one_side_of_the_split_and_bad_calls_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("rows"));
    write_run(&run);
    assert!(export(&run, &out, &["--format", "trl-sft", "--test", "0.5", "--validation", "0.5"]).status.success());
    assert_eq!(rows(&out).len(), 1, "the tasks of one reference went to several sides");
    let again = export(&run, &out, &["--format", "trl-sft"]);
    assert_eq!(again.status.code(), Some(5), "{}", String::from_utf8_lossy(&again.stderr));
    let unknown = export(&run, &folder.path().join("other"), &["--format", "parquet"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("trl-sft"));
}

#[test]
fn a_harbor_folder_judges_its_task_without_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("folders"));
    write_run(&run);
    assert!(export(&run, &out, &["--format", "harbor"]).status.success());
    std::fs::remove_dir_all(&run).unwrap();
    for (id, ..) in TASKS {
        let task = out.join("train").join(id);
        let read = |name: &str| std::fs::read_to_string(task.join(name)).unwrap();
        assert!(read("instruction.md").contains("/workspace/answer.sql"));
        assert_eq!(read("environment/issue.sql"), issue(id));
        for (answer, accepted) in [("solution/answer.sql", true), ("environment/issue.sql", false)] {
            let predictions = folder.path().join("predictions.jsonl");
            let line = serde_json::json!({ "instance_id": id, "predict_sql": read(answer) });
            std::fs::write(&predictions, line.to_string()).unwrap();
            let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
            let scores = folder.path().join("scores.jsonl");
            command.arg("score").arg(task.join("tests/run")).arg(&predictions).arg("--scores").arg(&scores);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let score: Value = serde_json::from_str(&std::fs::read_to_string(&scores).unwrap()).unwrap();
            assert_eq!(score["accepted"], accepted, "{id} {answer}");
        }
    }
}

#[test]
fn rejected_answers_are_failed_attempts_then_mutants_of_the_place_then_the_issue() {
    let bench = Bench::new();
    bench.shops(3);
    let built = bench
        .run(&["build", "--source", "scripts", "--seed", "5", "--syntax", "4", "--semantic", "12", "--out", "run"]);
    assert!(bench.path("run/judge/mutants.jsonl").is_file(), "{built}");
    // One solver that gives a near script and one that gives another query altogether.
    let near = Chat::start(|_, body| {
        let asked = question(body)?;
        let script = asked.split("```sql\n").nth(2)?.split("\n```").next()?.replace("SUM(", "MAX(");
        Some(format!("```sql\n{script}\n```"))
    });
    let far = Chat::start(|_, _| Some("```sql\nselect 1\n```".to_owned()));
    let entry = |name: &str, url: &str| {
        format!("- {{name: {name}, protocol: chat, base_url: '{url}', model: x, retries: 0}}\n")
    };
    bench.file("models.yaml", format!("models:\n{}{}", entry("near", &near.url), entry("far", &far.url)));
    assert!(bench.run(&["repair", "run", "--models", "models.yaml"]).starts_with("exit 0\n"));
    assert!(bench.run(&["sift", "run"]).starts_with("exit 0\n"));
    assert!(bench.run(&["export", "run", "--format", "trl-dpo", "--out", "rows"]).starts_with("exit 0\n"));
    let made = &rows(&bench.path("rows"))["train.jsonl"];
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in made {
        kinds.entry(row["instance_id"].as_str().unwrap()).or_default().push(row["rejected_kind"].as_str().unwrap());
        assert!(!row["rejected"].to_string().contains("select 1\\n"), "another query is no mistake: {row}");
    }
    let order = |kind: &&str| ["attempt", "sibling", "issue"].iter().position(|known| known == kind);
    assert!(kinds.values().all(|kinds| kinds.is_sorted_by_key(order)), "{kinds:?}");
    assert!(kinds.values().any(|kinds| kinds == &["attempt", "sibling", "issue"]), "{kinds:?}");
    let all = bench.run(&["export", "run", "--format", "trl-dpo", "--least-similarity", "0", "--out", "all"]);
    assert!(all.starts_with("exit 0\n"), "{all}");
    assert!(rows(&bench.path("all"))["train.jsonl"].iter().any(|row| row["rejected"].to_string().contains("select 1")));
}
