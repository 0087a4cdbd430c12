//! Runs of composed references: leak attacks, shards, interruption, refill.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;

use serde_json::Value;

use crate::program::{Bench, assert_same_files, files};

/// A run of composed references with its two shards: each test reads it, none changes it.
static RUN: LazyLock<Bench> = LazyLock::new(|| {
    let bench = Bench::shared("composed");
    let said = build(&bench, "whole", &["--jobs", "1"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    for part in ["1", "2"] {
        let said = build(&bench, part, &["--shard", &format!("{part}/2")]);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    bench
});

/// Tasks of a track.
const TASKS: &str = "2";

fn build(bench: &Bench, out: &str, more: &[&str]) -> String {
    let sizes = ["--seed", "7001", "--syntax", TASKS, "--semantic", TASKS, "--controls", "2"];
    bench.run(&[&["build", "--source", "composed", "--out", out], &sizes[..], more].concat())
}

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Copies a folder into a bench.
fn copy(folder: &Path, bench: &Bench, to: &str) {
    for (file, content) in files(folder) {
        bench.file(&format!("{to}/{}", file.display()), content);
    }
}

#[test]
fn every_task_has_a_reference_of_its_own_and_the_public_part_tells_nothing_of_it() {
    let bench = &*RUN;
    let (tasks, gold) = (lines(bench, "whole/public/tasks.jsonl"), lines(bench, "whole/judge/gold.jsonl"));
    assert_eq!(tasks.len(), 4);
    let references: BTreeSet<&str> = gold.iter().map(|gold| gold["reference_sql"].as_str().unwrap()).collect();
    assert_eq!(references.len(), 4, "two tasks share a reference");
    for (name, content) in files(&bench.path("whole/public")) {
        let text = String::from_utf8(content).unwrap();
        for secret in ["7001", "composed", "provenance"] {
            assert!(!text.contains(secret), "{secret} stands in {}", name.display());
        }
        for gold in &gold {
            let fault = gold["labels"][0]["fault"].as_str().unwrap();
            assert!(!text.contains(fault), "{fault} stands in {}", name.display());
        }
    }
    let card = std::fs::read_to_string(bench.path("whole/judge/card.md")).unwrap();
    let nearest = card.lines().find(|line| line.starts_with("| nearest public script | "));
    assert!(nearest.is_some_and(|line| line.ends_with(" of 4 | 0.0 % | 0.0 % |")), "{card}");
    // Every task, of either track, has a sample to query.
    for task in &tasks {
        let id = task["instance_id"].as_str().unwrap();
        let results = std::fs::read_to_string(bench.path(&format!("whole/public/samples/{id}.results.json"))).unwrap();
        let results: Value = serde_json::from_str(&results).unwrap();
        assert!(results["should_give"].as_array().is_some_and(|tables| !tables.is_empty()), "{id}");
        assert!(task["track"] == "semantic" || results.get("gives").is_none(), "no engine runs {id}");
        assert!(bench.path(&format!("whole/public/samples/{id}.json")).is_file(), "{id}");
    }
    assert!(gold.iter().all(|gold| (1..=5).contains(&gold["difficulty"]["level"].as_u64().unwrap())));
    let checked = bench.run(&["check", "whole"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
}

#[test]
fn an_audit_tells_a_run_of_public_scripts_from_a_composed_one() {
    let bench = Bench::new();
    copy(&RUN.path("whole"), &bench, "composed");
    let asked = [
        "build", "--source", "hand-written", "--seed", "7", "--syntax", "3", "--semantic", "3", "--out", "hand_written",
    ];
    assert!(bench.run(&asked).starts_with("exit 0\n"));
    let nearest = |run: &str| {
        let said = bench.run(&["audit", run]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        let audit: Value =
            serde_json::from_str(&std::fs::read_to_string(bench.path(&format!("{run}/judge/audit.json"))).unwrap())
                .unwrap();
        assert_eq!(audit["computable_ids"], 0);
        assert!(
            std::fs::read_to_string(bench.path(&format!("{run}/judge/card.md"))).unwrap().contains("## Leak attacks")
        );
        audit["attacks"][0]["gm"].as_f64().unwrap()
    };
    assert_eq!((nearest("hand_written"), nearest("composed")), (1.0, 0.0));
}

#[test]
fn shards_and_workers_merge_to_the_undivided_run() {
    let bench = Bench::new();
    for part in ["whole", "1", "2"] {
        copy(&RUN.path(part), &bench, part);
    }
    let said = bench.run(&["merge", "1", "2", "--out", "merged"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_same_files(&bench.path("whole"), &bench.path("merged"));
    // A lost shard is made up for.
    assert!(bench.run(&["merge", "2", "--out", "made-up"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("whole"), &bench.path("made-up"));
    let said = build(&bench, "plan", &["--plan-only"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let items = std::fs::read(bench.path("plan/items.jsonl")).unwrap();
    let mut worker = bench.command(&["worker"]);
    let mut worker = worker.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    worker.stdin.take().unwrap().write_all(&items).unwrap();
    let output = worker.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", bench.shown(&output));
    bench.file("plan/records/part-00000", output.stdout);
    assert!(bench.run(&["merge", "plan", "--out", "worked"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("whole"), &bench.path("worked"));
}

#[test]
fn a_run_goes_on_behind_the_references_that_were_done() {
    let bench = Bench::new();
    // What a run that was cut off leaves: its settings, and the outcomes of some references, the last one cut in two.
    let settings = std::fs::read_to_string(RUN.path("whole/judge/run.yaml")).unwrap();
    let records = ["1", "2"].map(|part| lines(&RUN, &format!("{part}/records.jsonl"))).concat();
    let outcomes: Vec<String> = records.iter().map(|record| record["outcome"].to_string()).collect();
    bench.file("cut/judge/run.partial.yaml", settings);
    let half = &outcomes[2][..outcomes[2].len() / 2];
    bench.file("cut/judge/outcomes.partial.jsonl", format!("{}\n{}\n{half}", outcomes[0], outcomes[1]));
    let said = build(&bench, "cut", &["--resume"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_same_files(&RUN.path("whole"), &bench.path("cut"));
}

#[test]
fn what_was_dropped_is_made_anew_on_references_that_nobody_has_seen() {
    let bench = Bench::new();
    copy(&RUN.path("whole"), &bench, "run");
    let ids = |run: &str| -> BTreeSet<String> {
        let tasks = lines(&bench, &format!("{run}/public/tasks.jsonl"));
        tasks.iter().map(|task| task["instance_id"].as_str().unwrap().to_owned()).collect()
    };
    let before = ids("run");
    let gone: BTreeSet<String> = before.iter().step_by(3).cloned().collect();
    let decision =
        |id: &String| format!("{{\"instance_id\":\"{id}\",\"decision\":\"too_easy\",\"tried\":3,\"solved\":3}}\n");
    bench.file("run/judge/decisions.jsonl", gone.iter().map(decision).collect::<String>());
    copy(&bench.path("run"), &bench, "again");
    let said = bench.run(&["build", "--refill", "run", "--jobs", "2"]);
    assert!(said.starts_with("exit 0\ndropped 2: too easy\nadded "), "{said}");
    let now = ids("run");
    assert_eq!(now.len(), 4);
    assert_eq!(now.intersection(&before).cloned().collect::<BTreeSet<_>>(), &before - &gone);
    let scripts = lines(&bench, "run/judge/scripts.jsonl");
    let references: BTreeSet<&str> = scripts.iter().map(|line| line["script"].as_str().unwrap()).collect();
    assert_eq!(references.len(), 4, "a reference has two tasks, or none");
    for (name, _) in files(&bench.path("run")) {
        let name = name.display().to_string();
        assert!(gone.iter().all(|id| !name.contains(id.as_str())), "{name} is of a dropped task");
    }
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
    assert!(bench.run(&["build", "--refill", "again", "--jobs", "1"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("run"), &bench.path("again"));
    let said = bench.run(&["build", "--refill", "run"]);
    assert!(said.starts_with("exit 0\nnothing to drop and nothing to add\n"), "{said}");
    assert_same_files(&bench.path("run"), &bench.path("again"));
}

/// The shape of SQLCriticBench (SQLCritic, table 1): four right scripts for each wrong one, which has several wrong clauses.
#[test]
fn a_set_for_critics_has_four_right_scripts_for_each_wrong_one() {
    let bench = Bench::new();
    let sizes = ["--seed", "7", "--syntax", "1", "--semantic", "1", "--out", "critic"];
    let said = bench.run(&[&["build", "--mix", "critic"], &sizes[..]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let wrong = lines(&bench, "critic/judge/gold.jsonl");
    let right = lines(&bench, "critic/judge/controls_gold.jsonl");
    assert_eq!((wrong.len(), right.len()), (2, 8));
    assert!(right.iter().all(|gold| gold["critique"] == "This SQL query is correct."), "{right:?}");
    let mut clauses = 0;
    for gold in &wrong {
        assert!(gold["labels"].as_array().unwrap().len() >= 5, "{gold}");
        let named = gold["critique"].as_array().unwrap().iter().map(|entry| entry["clause"].as_str().unwrap());
        clauses += named.collect::<BTreeSet<_>>().len();
    }
    // Of many scripts the mean is near the 3.67 of the document; two have several each.
    assert!((4..=10).contains(&clauses), "several wrong clauses each, found {clauses} in both");
    let scripts =
        lines(&bench, "critic/public/tasks.jsonl").len() + lines(&bench, "critic/public/controls.jsonl").len();
    let questions = std::fs::read_dir(bench.path("critic/public/questions")).unwrap().count();
    assert_eq!((scripts, questions), (10, 10), "every script says what it is for");
    let checked = bench.run(&["check", "critic"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
}
