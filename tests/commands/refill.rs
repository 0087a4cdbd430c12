//! `build --refill`: tasks that were dropped leave with their reason, and new ones come in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use sqlfault::store::locate;

use crate::program::{Bench, assert_same_files};

/// Three scripts and a run of twelve tasks in `run`.
fn built(more: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.shops(3);
    let fixed = ["build", "--source", "scripts", "--seed", "7", "--syntax", "6", "--semantic", "6", "--out", "run"];
    let arguments: Vec<&str> = fixed.iter().chain(more).copied().collect();
    let said = bench.run(&arguments);
    assert!(said.starts_with("exit 0\n"), "{said}");
    bench
}

fn lines(run: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(locate(run, name)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn texts(run: &Path, name: &str) -> BTreeMap<String, String> {
    let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["instance_id"].as_str().unwrap().to_owned();
    let text = std::fs::read_to_string(locate(run, name)).unwrap();
    text.lines().map(|line| (id(line), line.to_owned())).collect()
}

fn ids(run: &Path) -> Vec<String> {
    texts(run, "tasks.jsonl").into_keys().collect()
}

/// Decides on the tasks in turn: too easy, removed, kept, queued.
fn decide(run: &Path) -> BTreeSet<String> {
    let words = ["too_easy", "removed", "kept", "queued"];
    let line = |(id, word): (&String, &str)| {
        format!("{}\n", json!({"instance_id": id, "decision": word, "tried": 3, "solved": 2}))
    };
    let ids = ids(run);
    let decided: Vec<(&String, &str)> = ids.iter().zip(words.into_iter().cycle()).collect();
    std::fs::write(run.join("judge/decisions.jsonl"), decided.iter().copied().map(line).collect::<String>()).unwrap();
    decided.into_iter().filter(|(_, word)| ["too_easy", "removed"].contains(word)).map(|(id, _)| id.clone()).collect()
}

fn copied(bench: &Bench, from: &str, to: &str) {
    for (name, content) in crate::program::files(&bench.path(from)) {
        bench.file(&format!("{to}/{}", name.display()), content);
    }
}

fn refill(bench: &Bench, run: &str, more: &[&str]) -> String {
    let fixed = ["build", "--refill", run, "--source", "scripts"];
    bench.run(&fixed.iter().chain(more).copied().collect::<Vec<_>>())
}

fn funnel(run: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(run.join("judge/funnel.json")).unwrap()).unwrap()
}

/// Asserts that the numbers of faults add up to the tasks.
fn adds_up(run: &Path) {
    let funnel = funnel(run);
    let gold = lines(run, "gold.jsonl");
    let faults = gold.iter().map(|gold| gold["parts"].as_array().map_or(1, Vec::len)).sum::<usize>();
    let sum = |field: &str| -> u64 {
        funnel["faults"].as_object().unwrap().values().map(|fault| fault[field].as_u64().unwrap_or(0)).sum()
    };
    assert_eq!(sum("published"), faults as u64);
    let lost =
        |fault: &Value| fault["lost"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
    for (id, fault) in funnel["faults"].as_object().unwrap() {
        let [tried, proved] = ["tried", "proved"].map(|field| fault[field].as_u64().unwrap());
        assert!(proved <= tried && tried <= proved + lost(fault), "{id}: {fault}");
    }
}

#[test]
fn dropped_tasks_leave_with_their_reason_and_new_ones_come_in() {
    let bench = built(&[]);
    let run = bench.path("run");
    let (tasks, gold) = (texts(&run, "tasks.jsonl"), texts(&run, "gold.jsonl"));
    let gone = decide(&run);
    assert_eq!(gone.len(), 6);
    copied(&bench, "run", "again");
    let said = refill(&bench, "run", &["--jobs", "2"]);
    assert!(said.starts_with("exit 0\ndropped 3: too easy\ndropped 3: unfair to reviewers\nadded "), "{said}");
    let (tasks_now, gold_now) = (texts(&run, "tasks.jsonl"), texts(&run, "gold.jsonl"));
    assert_eq!((tasks_now.len(), gold_now.len()), (12, 12));
    for (id, line) in &tasks {
        assert_eq!(tasks_now.get(id) == Some(line), !gone.contains(id), "{id}");
        assert_eq!(gold_now.get(id) == gold.get(id), !gone.contains(id), "{id}");
        for file in ["databases/{id}.json", "samples/{id}.json", "samples/{id}.sql", "questions/{id}.txt"] {
            let is_there = locate(&run, &file.replace("{id}", id)).exists();
            assert!(!gone.contains(id) || !is_there, "{file} of {id} is still there");
        }
    }
    let by_track = |tasks: &BTreeMap<String, String>, track: &str| {
        tasks.values().filter(|line| line.contains(&format!("\"track\":\"{track}\""))).count()
    };
    assert_eq!((by_track(&tasks_now, "syntax"), by_track(&tasks_now, "semantic")), (6, 6));
    let dropped = lines(&run, "dropped.jsonl");
    assert_eq!(
        dropped.iter().map(|line| line["instance_id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(),
        gone
    );
    assert!(
        dropped.iter().all(|line| line["refill"] == 1 && line["track"].is_string() && line["faults"][0].is_string())
    );
    assert_eq!(dropped.iter().filter(|line| line["reason"] == "2 of 3 solvers repair it").count(), 3);
    let decisions = lines(&run, "decisions.jsonl");
    assert_eq!(decisions.len(), 6);
    assert!(decisions.iter().all(|line| ["kept", "queued"].contains(&line["decision"].as_str().unwrap())));
    let told = funnel(&run)["refill"].clone();
    assert_eq!(told["rounds"], 1);
    let count =
        |by: &str| ["syntax", "semantic"].iter().filter_map(|track| told["dropped"][track][by].as_u64()).sum::<u64>();
    assert_eq!((count("sift"), count("review")), (3, 3));
    assert!(std::fs::read_to_string(run.join("judge/card.md")).unwrap().contains("After one refill"));
    adds_up(&run);
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
    // The same run and decisions give the same bytes; another refill finds nothing to do.
    refill(&bench, "again", &["--jobs", "1"]);
    assert_same_files(&run, &bench.path("again"));
    let said = refill(&bench, "run", &[]);
    assert!(said.starts_with("exit 0\nnothing to drop and nothing to add\n"), "{said}");
    assert_same_files(&run, &bench.path("again"));
}

#[test]
fn no_round_brings_back_what_an_earlier_one_dropped() {
    let bench = built(&["--faults-per-task", "1..2"]);
    let run = bench.path("run");
    let mut ever: BTreeSet<String> = ids(&run).into_iter().collect();
    for round in 1..=3 {
        let before: BTreeSet<String> = ids(&run).into_iter().collect();
        let gone = decide(&run);
        let said = refill(&bench, "run", &[]);
        // The scripts are short: at last nothing may be left to try, which the program says by its exit code.
        assert!(said.starts_with("exit 0\n") || said.starts_with("exit 1\n"), "{said}");
        let now: BTreeSet<String> = ids(&run).into_iter().collect();
        let fresh: BTreeSet<String> = now.difference(&before).cloned().collect();
        assert!(fresh.is_disjoint(&ever) && now.is_disjoint(&gone), "round {round}");
        assert!(round > 1 || !fresh.is_empty(), "{said}");
        ever.extend(fresh);
        assert_eq!(funnel(&run)["refill"]["rounds"], round);
        adds_up(&run);
        let checked = bench.run(&["check", "run"]);
        assert!(checked.starts_with("exit 0\n"), "{checked}");
    }
}

#[test]
fn solvers_try_only_what_came_in_and_rounds_end() {
    let bench = built(&[]);
    let run = bench.path("run");
    for round in 0..12 {
        let said = bench.run(&["repair", "run", "--solver", "position", "linter", "spelling"]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        let kept: BTreeSet<String> = ids(&run).into_iter().collect();
        let attempts = lines(&run, "attempts.jsonl");
        assert_eq!(attempts.iter().filter(|line| kept.contains(line["instance_id"].as_str().unwrap())).count(), 36);
        let said = bench.run(&["sift", "run", "--too-easy-above", "0.3"]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        let said = refill(&bench, "run", &[]);
        let fresh = ids(&run).iter().filter(|id| !kept.contains(*id)).count();
        let gone = kept.len() - (ids(&run).len() - fresh);
        if gone == 0 {
            assert!(round > 0, "nothing was too easy: {said}");
            let decisions = lines(&run, "decisions.jsonl");
            assert!(decisions.iter().all(|line| line["decision"] != "too_easy"));
            return;
        }
        let said = bench.run(&["repair", "run", "--solver", "position", "linter", "spelling"]);
        let earlier = ids(&run).len() - fresh;
        assert!(said.contains(&format!("position: {earlier} on disk before")), "{earlier}: {said}");
    }
    panic!("sift and refill do not come to an end");
}

#[test]
fn what_an_engine_dropped_is_refilled_too() {
    let bench = built(&[]);
    let run = bench.path("run");
    let gone = ids(&run)[0].clone();
    for name in ["tasks.jsonl", "gold.jsonl"] {
        let mut texts = texts(&run, name);
        texts.remove(&gone);
        std::fs::write(locate(&run, name), texts.into_values().map(|line| line + "\n").collect::<String>()).unwrap();
    }
    let line = json!({"instance_id": gone, "reason": "Spark accepts it"});
    bench.file("run/judge/dropped.jsonl", format!("{line}\n"));
    let said = refill(&bench, "run", &[]);
    assert!(said.starts_with("exit 0\ndropped 1: not confirmed by Spark\nadded 1 "), "{said}");
    assert_eq!(ids(&run).len(), 12);
    assert!(!ids(&run).contains(&gone));
    let line = &lines(&run, "dropped.jsonl")[0];
    assert_eq!(
        (&line["reason"], &line["by"], &line["refill"]),
        (&json!("Spark accepts it"), &json!("engine"), &json!(1))
    );
}

/// Attack | 10 kills of a refill at random moments | – | same bytes
#[test]
fn a_refill_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let bench = built(&[]);
    decide(&bench.path("run"));
    copied(&bench, "run", "whole");
    let start = Instant::now();
    refill(&bench, "whole", &[]);
    let mut duration = start.elapsed();
    let mut chance = rand_chacha::ChaCha8Rng::seed_from_u64(21);
    let mut kills = 0;
    for attempt in 0..40 {
        let run = format!("killed-{attempt}");
        copied(&bench, "run", &run);
        let mut command = bench.command(&["build", "--refill", &run, "--source", "scripts"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + duration.mul_f64(chance.random_range(0.3..1.0));
        while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            kills += 1;
        } else {
            duration = duration.mul_f64(0.9);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let said = refill(&bench, &run, &[]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        assert_same_files(&bench.path("whole"), &bench.path(&run));
        if kills == 10 {
            return;
        }
    }
    panic!("only {kills} refills were still under way when they were killed");
}

#[test]
fn a_refill_needs_a_run_and_its_own_scripts() {
    let bench = built(&[]);
    decide(&bench.path("run"));
    let before = crate::program::files(&bench.path("run"));
    let said = bench.run(&["build", "--refill", "nowhere"]);
    assert_eq!(said, "exit 3\nerror: nowhere holds no run (no run.yaml)\n");
    assert!(!bench.path("nowhere").exists());
    let said = bench.run(&["build", "--refill", "run"]);
    assert!(said.starts_with("exit 3\n") && said.contains("is not among the references; give its --source"), "{said}");
    let said = bench.run(&["build", "--refill", "run", "--seed", "8"]);
    assert!(said.starts_with("exit 2\n"), "{said}");
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/complaint");
    for file in std::fs::read_dir(ours).unwrap().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        bench.file(&format!("words/complaint/{name}"), std::fs::read(file.path()).unwrap());
    }
    let said = refill(&bench, "run", &["--templates", "words"]);
    assert!(said.starts_with("exit 3\n") && said.contains("templates"), "{said}");
    assert!(!said.contains("baseline"), "refused only after the baseline: {said}");
    assert!(crate::program::files(&bench.path("run")) == before, "a refused refill changed the run");
}
