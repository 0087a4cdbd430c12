//! `sqlfault export` as a user runs it: every format on one small run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sqlfault::export::formats::FORMATS;

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

#[test]
fn every_format_has_its_rows_and_companions() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run);
    let mut shapes = BTreeMap::new();
    for format in FORMATS.iter().filter(|format| format.writes_rows()).map(|format| format.name) {
        let out = folder.path().join(format);
        let output = export(&run, &out, &["--format", format]);
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8_lossy(&output.stdout);
        // `tasks` of `hub` is the benchmark itself; rows to train on have no canary.
        assert_eq!(said.contains("; the canary: "), format != "hub", "{format}: {said}");
        let marked = |(file, rows): (&String, &Vec<Value>)| {
            rows.iter().any(|row| row.to_string().contains("marked-5f2c")).then(|| file.clone())
        };
        let marked: Vec<String> = rows(&out).iter().filter_map(marked).collect();
        assert_eq!(marked, if format == "hub" { vec!["tasks/train.jsonl"] } else { vec![] }, "{format}");
        let loses_kinds = ["llamafactory", "openai"].contains(&format);
        assert_eq!(said.contains("kinds of rejected answers"), loses_kinds, "{format}: {said}");
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
            let asked = row["prompt"][1]["content"].as_str().unwrap();
            assert!(asked.contains("<<<<<<< SEARCH\n") && asked.contains(">>>>>>> REPLACE"), "{asked}");
            let promises_lines = asked.contains("lines of the script as they stand");
            assert_eq!((promises_lines, !asked.contains("within a line")), (style == "lines", style == "lines"));
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
fn trajectories_are_those_of_agents_whose_answer_was_accepted_turn_by_turn() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run);
    // A planner whose first plan the engine refuses, and an editor that mends all but one script with the second.
    let lost = issue(TASKS[2].0);
    let server = Chat::start(move |_, body| {
        let asked = question(body)?;
        let script = asked.split("```sql\n").last()?.split("\n```").next()?.trim_end().to_owned();
        Some(match () {
            () if asked.contains("The engine now says") => "<instruction>SECOND</instruction>".to_owned(),
            () if asked.contains("FIRST") => {
                format!("```sql\n{}\n```", script.replace("SELECT", "-- ") + " GROUP GROUP")
            }
            () if asked.contains("SECOND") && body.contains("<> 'PAID'") => format!("```sql\n{lost}\n```"),
            () if asked.contains("SECOND") => format!("```sql\n{REFERENCE}\n```"),
            () => "<instruction>FIRST</instruction>".to_owned(),
        })
    });
    let models = folder.path().join("models.yaml");
    let entry = format!("models:\n- {{name: m, protocol: chat, base_url: '{}', model: x, retries: 0}}\n", server.url);
    std::fs::write(&models, entry).unwrap();
    let program = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
        command.arg(arguments[0]).arg(&run).args(&arguments[1..]).output().unwrap()
    };
    let none = export(&run, &folder.path().join("none"), &["--format", "trl-sft", "--trajectories"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("no agent's answer was accepted"), "{none:?}");
    assert!(program(&["repair", "--models", models.to_str().unwrap(), "--mode", "agent"]).status.success());
    assert!(program(&["sift"]).status.success());
    let turns = folder.path().join("turns");
    assert!(export(&run, &turns, &["--format", "trl-sft", "--trajectories"]).status.success());
    let turns = &rows(&turns)["train.jsonl"];
    let seen: Vec<(&str, u64, usize, &str)> = turns
        .iter()
        .map(|row| {
            let said = row["completion"][0]["content"].as_str().unwrap();
            let before = row["prompt"].as_array().unwrap().len();
            (row["instance_id"].as_str().unwrap(), row["turn"].as_u64().unwrap(), before, said)
        })
        .collect();
    let (first, second) = ("<instruction>FIRST</instruction>", "<instruction>SECOND</instruction>");
    let of = |id| [(id, 1, 2, first), (id, 2, 4, second)];
    assert_eq!(seen, [of(TASKS[0].0), of(TASKS[1].0)].concat());
    assert!(turns[1]["prompt"][3]["content"].as_str().unwrap().contains("The engine now says"));
    for format in ["openai", "axolotl"] {
        let out = folder.path().join(format);
        assert!(export(&run, &out, &["--format", format, "--trajectories"]).status.success());
        let whole = &rows(&out)["sft_train.jsonl"];
        let roles = |row: &Value| row["messages"].as_array().unwrap().iter().map(|one| one["role"].clone()).collect();
        let roles: Vec<Vec<Value>> = whole.iter().map(roles).collect();
        assert_eq!(roles, vec![vec!["system", "user", "assistant", "user", "assistant"]; 2], "{format}");
    }
    let refused = export(&run, &folder.path().join("verl"), &["--format", "verl", "--trajectories"]);
    assert_eq!(refused.status.code(), Some(3));
}

#[test]
fn a_task_that_another_run_keeps_out_has_no_row() {
    let folder = tempfile::tempdir().unwrap();
    let (run, public, out) = (folder.path().join("run"), folder.path().join("public"), folder.path().join("rows"));
    write_run(&run);
    std::fs::create_dir(&public).unwrap();
    std::fs::write(public.join("run.yaml"), "seed: 1\n").unwrap();
    // Its public part alone: the issue of the first task, under another name.
    let issue = serde_json::json!({ "issue_sql": issue(TASKS[0].0).replace("orders", "sales") });
    std::fs::write(public.join("tasks.jsonl"), issue.to_string()).unwrap();
    let without = ["--format", "trl-sft", "--without"];
    let done = export(&run, &out, &[&without[..], &[public.to_str().unwrap()]].concat());
    assert!(String::from_utf8_lossy(&done.stdout).contains("kept out: 1 tasks"), "{done:?}");
    let ids: Vec<Value> = rows(&out)["train.jsonl"].iter().map(|row| row["instance_id"].clone()).collect();
    assert_eq!(ids, [TASKS[1].0, TASKS[2].0]);
    // All tasks stand on one reference, which the judge's part of the run itself has.
    let none = export(&run, &folder.path().join("none"), &[&without[..], &[run.to_str().unwrap()]].concat());
    assert_eq!(none.status.code(), Some(3));
}

/// All tasks of the run stand on one reference, so a split by domain gives it to the learner.
#[test]
fn an_audit_against_training_rows_attacks_what_they_hold_out() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("rows"));
    write_run(&run);
    assert!(export(&run, &out, &["--format", "openai", "--split-by", "domain", "--test", "0.5"]).status.success());
    let held_out = rows(&out)["sft_test.jsonl"].len();
    assert!((1..TASKS.len()).contains(&held_out));
    let audit = |against: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
        command.args(["audit", "--json"]).arg(&run).arg("--against").arg(against).output().unwrap()
    };
    let found: Value = serde_json::from_slice(&audit(&out).stdout).unwrap();
    assert_eq!(
        (found["tasks"].as_u64(), found["taught"].as_u64()),
        (Some(held_out as u64), Some((TASKS.len() - held_out) as u64))
    );
    assert_eq!((&found["overlap"]["public_issues"], &found["overlap"]["public_references"]), (&0.into(), &1.into()));
    // Rows that hold nothing out: every task is attacked, and every issue is known.
    let found: Value = serde_json::from_slice(&audit(&out.join("sft_train.jsonl")).stdout).unwrap();
    assert_eq!((found["tasks"].as_u64(), found["taught"].as_u64()), (Some(TASKS.len() as u64), Some(0)));
    assert_eq!(found["overlap"]["public_issues"], TASKS.len() - held_out);
    // Environments are held out by the folder around them, and a learner of the others has seen their scripts.
    let environments = folder.path().join("environments");
    let split = ["--format", "harbor", "--split-by", "domain", "--test", "0.5"];
    assert!(export(&run, &environments, &split).status.success());
    let folders = std::fs::read_dir(environments.join("test")).unwrap().count();
    assert!((1..TASKS.len()).contains(&folders));
    let found: Value = serde_json::from_slice(&audit(&environments).stdout).unwrap();
    assert_eq!(
        (found["tasks"].as_u64(), found["taught"].as_u64()),
        (Some(folders as u64), Some((TASKS.len() - folders) as u64))
    );
    assert_eq!((&found["overlap"]["public_issues"], &found["overlap"]["public_references"]), (&0.into(), &1.into()));
    let empty = tempfile::tempdir().unwrap();
    let refused = audit(empty.path());
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no rows of a trainer (.jsonl) and no Harbor task"));
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
fn a_harbor_environment_answers_queries_on_the_sample_and_holds_nothing_of_the_judges() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("folders"));
    write_run(&run);
    std::fs::write(run.join("run.yaml"), "seed: 4711\n").unwrap();
    std::fs::create_dir(run.join("samples")).unwrap();
    let rows = r#"{"tables":[{"table":"orders","rows":[[1,1,5.0,"PAID"]]},{"table":"users","rows":[[1,"eve"]]}]}"#;
    let (sampled, other) = (TASKS[1].0, TASKS[0].0);
    std::fs::write(run.join(format!("samples/{sampled}.json")), rows).unwrap();
    assert!(export(&run, &out, &["--format", "harbor"]).status.success());
    let task = |id: &str| out.join("train").join(id);
    let read = |id: &str, name: &str| std::fs::read_to_string(task(id).join(name)).unwrap();
    let image = read(sampled, "environment/Dockerfile");
    assert!(image.ends_with("\nCOPY issue.sql schema.sql ./\nCOPY run ./run\n"), "{image}");
    assert!(read(sampled, "instruction.md").contains(&format!("`sqlfault query run {sampled} < query.sql`")));
    let bench = Bench::new();
    bench.file("query.sql", "SELECT name FROM users");
    let environment = task(sampled).join("environment");
    let query = |id: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
        command.args(["query", "run", id]).current_dir(&environment);
        command.stdin(std::fs::File::open(bench.path("query.sql")).unwrap()).output().unwrap()
    };
    assert_eq!(String::from_utf8_lossy(&query(sampled).stdout), "name\n'eve'\n(1 row)\n");
    assert_eq!(query(other).status.code(), Some(3));
    let files = crate::program::files(&environment.join("run"));
    let text: String = files.iter().map(|(_, content)| String::from_utf8_lossy(content).into_owned()).collect();
    assert_eq!(files.len(), 3, "{text}");
    assert!(!text.contains("4711") && !text.contains("reference_sql") && !text.contains("ann"), "{text}");
    assert!(!task(other).join("environment/run").exists());
    assert!(read(other, "environment/Dockerfile").ends_with("\nCOPY issue.sql schema.sql ./\n"));
    assert!(!read(other, "instruction.md").contains("sqlfault query"));
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
    // With a critique before the script, both sides begin with one.
    let reasoned = ["export", "run", "--format", "trl-dpo", "--answers", "reasoned", "--out", "reasoned"];
    assert!(bench.run(&reasoned).starts_with("exit 0\n"));
    for row in &rows(&bench.path("reasoned"))["train.jsonl"] {
        let asked = row["prompt"][1]["content"].as_str().unwrap();
        assert!(asked.contains("a line for each fault"), "{asked}");
        let parts = |side: &str| {
            let (reason, script) = row[side][0]["content"].as_str().unwrap().split_once("\n\n```sql\n").unwrap();
            (reason.to_owned(), script.to_owned())
        };
        let ((right, chosen), (reason, rejected)) = (parts("chosen"), parts("rejected"));
        let gives_issue_back = row["rejected_kind"] == "issue";
        assert_eq!(reason, if gives_issue_back { "This SQL query is correct." } else { &right });
        assert_ne!(chosen, rejected);
    }
    let all = bench.run(&["export", "run", "--format", "trl-dpo", "--least-similarity", "0", "--out", "all"]);
    assert!(all.starts_with("exit 0\n"), "{all}");
    assert!(rows(&bench.path("all"))["train.jsonl"].iter().any(|row| row["rejected"].to_string().contains("select 1")));
}
