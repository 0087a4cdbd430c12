//! The level of difficulty: of tasks that built-in solvers repair, and of easy and hard runs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::program::Bench;

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Of the hand-written scripts: composed runs have no task that a built-in solver repairs.
#[test]
fn what_the_built_in_solvers_repair_has_low_levels() {
    let bench = Bench::new();
    let run =
        ["build", "--source", "hand-written", "--seed", "3", "--syntax", "40", "--semantic", "40", "--out", "run"];
    // These solvers do not read complaints, so how much is told does not matter to them.
    assert!(bench.run(&[&run[..], &["--hints", "rule"]].concat()).starts_with("exit 0\n"));
    let solvers = ["position", "linter"];
    let said = bench.run(&[&["repair", "run", "--solver"][..], &solvers].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let mut repaired: BTreeSet<String> = BTreeSet::new();
    for solver in solvers {
        let (predictions, scores) = (format!("run/judge/predictions/{solver}.jsonl"), format!("{solver}.jsonl"));
        bench.run(&["score", "run", &predictions, "--scores", &scores]);
        let accepted = lines(&bench, &scores).into_iter().filter(|score| score["accepted"] == true);
        repaired.extend(accepted.map(|score| score["instance_id"].as_str().unwrap().to_owned()));
    }
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for gold in lines(&bench, "run/judge/gold.jsonl") {
        let level = gold["difficulty"]["level"].as_u64().unwrap();
        assert!((1..=5).contains(&level), "{level}");
        let is_repaired = repaired.contains(gold["instance_id"].as_str().unwrap());
        if level <= 2 { low.push(is_repaired) } else { high.push(is_repaired) }
    }
    let share = |tasks: &[bool]| tasks.iter().filter(|is_repaired| **is_repaired).count() as f64 / tasks.len() as f64;
    assert!(low.len() >= 10 && high.len() >= 10, "{} and {} tasks", low.len(), high.len());
    assert!(
        share(&low) > share(&high) + 0.1,
        "{:.2} of the low levels, {:.2} of the high ones",
        share(&low),
        share(&high)
    );
}

#[test]
fn easy_and_hard_runs_have_levels_that_are_apart() {
    let bench = Bench::new();
    let gold = |difficulty: &str| {
        let asked = ["--difficulty", difficulty, "--seed", "7105", "--syntax", "1", "--semantic", "1"];
        let said = bench.run(&[&["build", "--out", difficulty][..], &asked].concat());
        assert!(said.starts_with("exit 0\n"), "{said}");
        lines(&bench, &format!("{difficulty}/judge/gold.jsonl"))
    };
    let (easy, hard) = (gold("easy"), gold("hard"));
    let number = |gold: &Value, name: &str| gold["difficulty"]["measures"][name].as_u64().unwrap();
    for gold in &easy {
        assert!(gold["difficulty"]["level"].as_u64().unwrap() <= 3, "{}", gold["difficulty"]);
        assert!(number(gold, "places") == 1 && number(gold, "lines") < 400, "{}", gold["difficulty"]);
    }
    for gold in &hard {
        assert!(gold["difficulty"]["level"].as_u64().unwrap() >= 4, "{}", gold["difficulty"]);
        assert!(number(gold, "lines") > 400, "{}", gold["difficulty"]);
    }
    assert_eq!((easy.len(), hard.len()), (2, 2));
    let said = bench.run(&["build", "--difficulty", "hard", "--source", "hand-written", "--out", "run"]);
    assert!(said.starts_with("exit 2\n") && said.contains("about composed scripts"), "{said}");
}
