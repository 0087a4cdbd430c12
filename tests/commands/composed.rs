//! Runs of composed references, and the leak attacks on them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::{Bench, assert_same_files, files};

fn build(bench: &Bench, out: &str, more: &[&str]) -> String {
    let fixed = ["build", "--source", "composed", "--seed", "7001", "--syntax", "3", "--semantic", "3", "--out", out];
    bench.run(&[&fixed[..], more].concat())
}

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_task_has_a_reference_of_its_own_and_the_public_part_tells_nothing_of_it() {
    let bench = Bench::new();
    let said = build(&bench, "run", &["--jobs", "1"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let (tasks, gold) = (lines(&bench, "run/public/tasks.jsonl"), lines(&bench, "run/judge/gold.jsonl"));
    assert_eq!(tasks.len(), 6);
    let references: BTreeSet<&str> = gold.iter().map(|gold| gold["reference_sql"].as_str().unwrap()).collect();
    assert_eq!(references.len(), 6, "two tasks share a reference");
    for (name, content) in files(&bench.path("run/public")) {
        let text = String::from_utf8(content).unwrap();
        for secret in ["7001", "composed", "provenance"] {
            assert!(!text.contains(secret), "{secret} stands in {}", name.display());
        }
        for gold in &gold {
            let fault = gold["labels"][0]["fault"].as_str().unwrap();
            assert!(!text.contains(fault), "{fault} stands in {}", name.display());
        }
    }
    assert!(build(&bench, "again", &["--jobs", "2"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("run"), &bench.path("again"));
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n"), "{checked}");
}

#[test]
fn an_audit_tells_a_run_of_public_scripts_from_a_composed_one() {
    let bench = Bench::new();
    assert!(build(&bench, "composed", &[]).starts_with("exit 0\n"));
    let seeds = ["build", "--source", "seeds", "--seed", "7", "--syntax", "3", "--semantic", "3", "--out", "seeds"];
    assert!(bench.run(&seeds).starts_with("exit 0\n"));
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
    assert_eq!((nearest("seeds"), nearest("composed")), (1.0, 0.0));
}

#[test]
fn what_a_composed_run_cannot_do_is_refused_before_work() {
    let bench = Bench::new();
    let said = build(&bench, "part", &["--shard", "1/2"]);
    assert!(said.starts_with("exit 3\n") && said.contains("a composed run is not shared out"), "{said}");
    assert!(!bench.path("part").exists());
}
