//! `sqlfault repair --mode critique`: the loop, its three settings, controls among the tasks, and the preference pairs
//! of critiques that result. The models are a server on the loopback.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::chat::{Chat, question};
use crate::common::{REFERENCE, SCHEMA, TASKS, issue, write_run};

const CONTROL: &str = "dd00000004";
const CORRECT: &str = "This SQL query is correct.";
const TURNED: &str = "WHERE: The filter keeps what it should drop: `<>` must be `=`.";
const NEEDLESS: &str = "SELECT: The total must not be summed.";

/// A run with one right script more.
fn a_run(folder: &Path) {
    write_run(folder);
    let control = json!({"instance_id": CONTROL, "track": "control", "dialect": "hive", "domain": "shop",
        "sql": REFERENCE, "schema_ddl": SCHEMA, "parameters": {}, "canary": "marked-5f2c"});
    let label = json!({"fault": "control", "level1": "Control", "level2": "Untouched", "level3": "untouched"});
    let gold = json!({"instance_id": CONTROL, "labels": [label], "reference_sql": REFERENCE, "edits": [],
        "critique": CORRECT, "databases": ["databases/w.json"], "databases_tried": 1,
        "provenance": {"script": "shop/totals", "source": "seed 5eed", "tool": "x", "taxonomy": "x", "seed": 1}});
    let ids = TASKS.iter().map(|(id, ..)| *id).chain([CONTROL]);
    std::fs::write(folder.join("controls.jsonl"), format!("{control}\n")).unwrap();
    std::fs::write(folder.join("controls_gold.jsonl"), format!("{gold}\n")).unwrap();
    std::fs::create_dir(folder.join("questions")).unwrap();
    for id in ids {
        std::fs::write(folder.join(format!("questions/{id}.txt")), "Paid totals of every user.\n").unwrap();
    }
}

/// A critic that is right about two scripts and the one without a fault, and wrong about the lost LEFT; an editor that
/// does what it is told.
fn answer(body: &str) -> String {
    let asked = question(body).unwrap();
    let script = asked.split("```sql\n").nth(2).unwrap().split("\n```").next().unwrap().to_owned() + "\n";
    let corrected = |text: String| format!("```sql\n{text}```");
    if asked.contains("A reviewer writes") {
        return match () {
            () if asked.contains(TURNED) => corrected(script.replace("<>", "=")),
            () if asked.contains(NEEDLESS) => corrected(script.replace("SUM(o.amount)", "MAX(o.amount)")),
            () => corrected(script.replace("GROUP u.name", "GROUP BY u.name")),
        };
    }
    match () {
        () if script.contains("<>") => TURNED.to_owned(),
        () if script.contains("GROUP u.name") => "GROUP BY: The word BY is missing.".to_owned(),
        () if script.contains("LEFT JOIN") => CORRECT.to_owned(),
        () if script.contains("MAX(") => CORRECT.to_owned(),
        () => NEEDLESS.to_owned(),
    }
}

fn program(arguments: &[&str], run: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    command.arg(arguments[0]).arg(run).args(&arguments[1..]).output().unwrap()
}

fn repair(run: &Path, server: &Chat, more: &[&str]) -> String {
    let models = run.join("models.yaml");
    let entry = format!("models:\n- {{name: m, protocol: chat, base_url: '{}', model: x, retries: 0}}\n", server.url);
    std::fs::write(&models, entry).unwrap();
    let fixed = ["repair", "--models", models.to_str().unwrap(), "--mode", "critique"];
    let output = program(&[&fixed[..], more].concat(), run);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer of a solver to a script.
fn predicted(run: &Path, solver: &str, id: &str) -> String {
    let all = lines(&run.join(format!("predictions/{solver}.jsonl")));
    let own = all.into_iter().find(|line| line["instance_id"] == id).unwrap();
    // How many line breaks end an answer is the block's, not the critic's.
    format!("{}\n", own["predict_sql"].as_str().unwrap().trim_end())
}

#[test]
fn each_setting_asks_about_its_own_scripts_and_leaves_the_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    a_run(run);
    let server = Chat::start(|_, body| Some(answer(body)));
    repair(run, &server, &["--setting", "errors", "--rounds", "1"]);
    let asked = server.asked();
    assert_eq!(asked.len(), 2, "only the script that the engine refuses is criticised and corrected");
    assert!(asked[0].contains("PARSE_SYNTAX_ERROR") && !asked[1].contains("PARSE_SYNTAX_ERROR"), "{asked:?}");
    assert_eq!(predicted(run, "m-critique-errors", TASKS[0].0), REFERENCE);
    for id in [TASKS[1].0, TASKS[2].0] {
        assert_eq!(predicted(run, "m-critique-errors", id), issue(id));
    }
    repair(run, &server, &["--setting", "incorrect", "all"]);
    let bodies = server.asked()[2..].join("\n");
    assert!(bodies.contains("The totals are wrong."), "people have said so");
    for solver in ["m-critique-incorrect", "m-critique-all"] {
        assert_eq!(predicted(run, solver, CONTROL), REFERENCE, "{solver}");
        assert_eq!(predicted(run, solver, TASKS[2].0), REFERENCE, "{solver}");
        let shown = program(&["score", run.join(format!("predictions/{solver}.jsonl")).to_str().unwrap()], run);
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains("scripts without a fault: 1 of 1 right, 1 of them left alone"), "{shown}");
    }
    let unasked = |setting: &str| lines(&run.join(format!("critiques/m-critique-{setting}.jsonl"))).len();
    assert_eq!([unasked("errors"), unasked("incorrect"), unasked("all")], [1, 3, 4]);
    let scored = program(&["score", run.join("critiques/m-critique-all.jsonl").to_str().unwrap(), "--critiques"], run);
    let scored = String::from_utf8(scored.stdout).unwrap();
    assert!(scored.contains("controls false_alarms 0"), "{scored}");
}

#[test]
fn an_answer_about_a_right_script_is_scored_as_it_comes_and_a_format_that_takes_none_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    a_run(&run);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
        .args(["score".as_ref(), run.as_os_str(), "--stdin".as_ref()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let answers = [REFERENCE, &REFERENCE.replace("LEFT JOIN", "JOIN")];
    let line = |sql: &&str| format!("{}\n", json!({"instance_id": CONTROL, "predict_sql": sql}));
    let asked: String = answers.iter().map(line).collect();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let scores = String::from_utf8(output.stdout).unwrap();
    let accepted: Vec<Value> =
        scores.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["accepted"].clone()).collect();
    assert_eq!(accepted, [json!(true), json!(false)], "{scores}");

    let out = folder.path().join("rows");
    let exported = |more: &[&str]| {
        let _ = std::fs::remove_dir_all(&out);
        let fixed = ["export", "--format", "trl-sft", "--out", out.to_str().unwrap()];
        let output = program(&[&fixed[..], more].concat(), &run);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(exported(&[]).contains("scripts without a fault"));
    assert!(!exported(&["--answers", "critique"]).contains("scripts without a fault"));
}

#[test]
fn who_hears_no_complaint_is_told_what_the_script_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    a_run(run);
    let server = Chat::start(|_, body| Some(answer(body)));
    repair(run, &server, &[]);
    let critic: Vec<String> = server.asked().into_iter().filter(|body| body.contains("Judge the script")).collect();
    assert!(critic.len() >= 4, "{critic:?}");
    for body in &critic {
        assert!(body.contains("Paid totals of every user.") && !body.contains("The totals are wrong."), "{body}");
    }
}

#[test]
fn critiques_are_validated_by_what_they_lead_to_and_ranked_by_their_clauses() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (folder.path().join("run"), folder.path().join("rows"));
    std::fs::create_dir(&run).unwrap();
    a_run(&run);
    let server = Chat::start(|_, body| Some(answer(body)));
    repair(&run, &server, &["--rounds", "1"]);
    assert!(program(&["sift"], &run).status.success());
    let fixed = ["export", "--format", "trl-dpo", "--answers", "critique", "--out", out.to_str().unwrap()];
    let output = program(&fixed, &run);
    assert!(output.status.success(), "{output:?}");
    let rows = lines(&out.join("train.jsonl"));
    let of = |id: &str| -> Vec<(String, String, f64, f64)> {
        let own = rows.iter().filter(|row| row["instance_id"] == id);
        own.map(|row| {
            let text = |role: &str| row[role][0]["content"].as_str().unwrap().to_owned();
            let number = |name: &str| (row[name].as_f64().unwrap() * 1000.0).round() / 1000.0;
            assert!(!row["prompt"].to_string().contains("The totals are wrong."), "{row}");
            let kind = row["rejected_kind"].as_str().unwrap();
            (text("chosen"), format!("{kind}: {}", text("rejected")), number("clause_inconsistency"), number("beta"))
        })
        .collect()
    };
    // A critique that led to the right script is wanted; saying nothing is wrong conflicts with it.
    let turned = of(TASKS[2].0);
    assert_eq!(turned, [(TURNED.to_owned(), format!("overlooked: {CORRECT}"), -1.0, 0.1)]);
    // One that led nowhere is not: it has none of the label's points.
    let lost = of(TASKS[1].0);
    assert_eq!(lost[0], ("JOIN: wrong".to_owned(), format!("refuted: {NEEDLESS}"), 0.0, 0.2));
    assert!(lost.iter().any(|pair| pair.1 == format!("overlooked: {CORRECT}") && pair.2 == -1.0), "{lost:?}");
    // Of a right script an alarm is rejected.
    let control = of(CONTROL);
    assert_eq!(control.len(), 1);
    assert_eq!((control[0].0.as_str(), control[0].2), (CORRECT, -1.0));
    assert!(rows.iter().any(|row| row["track"] == "control"));
}

#[test]
fn an_answer_that_says_nothing_is_no_critique() {
    let folder = tempfile::tempdir().unwrap();
    a_run(folder.path());
    let server = Chat::start(|_, _| Some("I cannot say.".to_owned()));
    let told = repair(folder.path(), &server, &[]);
    assert!(told.contains("m-critique-all: 0 on disk before; new: 4 without SQL"), "{told}");
}
