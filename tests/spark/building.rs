//! Runs with Spark as the deciding engine: built, checked, scored and certified by the program itself.

use serde_json::Value as Json;

use crate::program::{Bench, assert_same_files};

/// The settings of the runs here: a handful of tasks from two small scripts.
pub const SIZES: [&str; 8] = ["--source", "scripts", "--seed", "7", "--syntax", "3", "--semantic", "3"];

/// A folder with references; `None`, and a line that says so, if Spark is absent.
pub fn bench() -> Option<Bench> {
    if let Err(absent) = sqlfault::engine::spark::find::find() {
        println!("not run: {absent}");
        assert!(std::env::var_os("SQLFAULT_REQUIRE_SPARK").is_none(), "Spark is required here: {absent}");
        return None;
    }
    let bench = Bench::new();
    bench.shops(2);
    Some(bench)
}

fn records(bench: &Bench, file: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_built_on_spark_says_so_stands_its_check_and_is_scored_there() {
    let Some(bench) = bench() else { return };
    let build = |out: &str, more: &[&str]| {
        let said =
            bench.run(&[&["build", "--engine", "spark", "--judge", "both", "--out", out], &SIZES[..], more].concat());
        assert!(said.starts_with("exit 0\n"), "{said}");
    };
    build("run", &[]);
    let card = std::fs::read_to_string(bench.path("run/judge/run.yaml")).unwrap();
    for line in ["engine: Apache Spark 4", "(ANSI off)", "ansi: false", "judge: both", "witnesses: sqlfault"] {
        assert!(card.contains(line), "{line}: {card}");
    }
    for gold in records(&bench, "run/judge/gold.jsonl") {
        let evidence = &gold["evidence"];
        assert!(evidence["engine"].as_str().unwrap().starts_with("Apache Spark"), "{evidence}");
        if evidence["kind"] == "rejected" {
            let judges = evidence["judges"].as_array().unwrap();
            let first = &judges[0]["rejection"];
            assert_eq!((&judges[0]["engine"], &first["message"]), (&evidence["engine"], &evidence["message"]));
            assert!(first["sqlstate"].as_str().is_some_and(|state| state.len() == 5), "{first}");
            assert!(first["place"]["line"].as_u64().is_some_and(|line| line >= 1), "{first}");
            assert_eq!(judges.last().unwrap()["engine"].as_str().map(|name| name.starts_with("sqlfault")), Some(true));
            assert!(judges.iter().any(|judge| judge["engine"] == "Apache Hive 2.3 (parser)"), "{evidence}");
        } else {
            assert_ne!(evidence["reference"], evidence["issue"], "{evidence}");
        }
    }
    let said = bench.run(&["check", "run", "--engine", "spark"]);
    assert!(said.contains("3 syntax and 3 semantic tasks") && said.contains(" 0 problems\n"), "{said}");
    assert!(said.contains("% of it Spark's own"), "{said}");
    let answer =
        |gold: &Json| serde_json::json!({"instance_id": gold["instance_id"], "predict_sql": gold["reference_sql"]});
    let answers: Vec<String> = records(&bench, "run/judge/gold.jsonl")
        .iter()
        .map(|gold| answer(gold).to_string().replace("SUM(", "sum( "))
        .collect();
    bench.file("answers.jsonl", answers.join("\n"));
    let said =
        bench.run(&["score", "run", "answers.jsonl", "--engine", "spark", "--ves", "2", "--scores", "scores.jsonl"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let scores = records(&bench, "scores.jsonl");
    assert_eq!(scores.len(), 6);
    assert!(scores.iter().all(|score| score["outcome"] == "equal"), "{scores:?}");
    // The answers are the references in other letters: they take as long, within the noise of measurement.
    let alike = |score: &Json| score["ves"].as_f64().is_some_and(|ves| (0.3..3.0).contains(&ves));
    assert!(scores.iter().all(alike), "{scores:?}");
    build("one", &["--shard", "1/2"]);
    build("two", &["--shard", "2/2"]);
    // Records of all trials are there, so the merge asks Spark nothing: here it could not.
    let mut merge = bench.command(&["merge", "one", "two", "--out", "merged"]);
    let said = bench.shown(&merge.env("SQLFAULT_PYTHON", "/nonexistent/python").output().unwrap());
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_same_files(&bench.path("run"), &bench.path("merged"));
}

#[test]
fn inject_tells_a_fault_in_sparks_own_words_and_in_ansi_mode_with_its_own_verdict() {
    let Some(bench) = bench() else { return };
    let script = bench.file("s.sql", "SELECT order_id, CAST('x' AS INT) AS flag FROM dwd_orders WHERE amount > 1\n");
    let schema = bench.path("scripts/shop/paid/schema.sql");
    let inject = |more: &[&str]| {
        let [script, schema] = [&script, &schema].map(|path| path.display().to_string());
        bench.run(&[&["inject", &script, "--schema", &schema, "--fault", "keyword-misspelt"], more].concat())
    };
    let said = inject(&["--engine", "spark"]);
    assert!(said.contains("[PARSE_SYNTAX_ERROR] Syntax error at or near"), "{said}");
    // The same reference cannot be one in ANSI mode: its cast fails.
    let said = inject(&["--engine", "spark", "--ansi"]);
    assert!(said.starts_with("exit 3\n") && said.contains("CAST_INVALID_INPUT"), "{said}");
}

#[test]
fn what_spark_cannot_be_asked_ends_with_one_clear_line() {
    let Some(bench) = bench() else { return };
    for (options, words) in [
        (&["--spark-address", "sc://localhost:15002"][..], "Spark Connect does not show the parsed plan"),
        (&["--engine", "sqlite", "--ansi"], "need --engine spark"),
    ] {
        let engine: &[&str] = if options[0] == "--engine" { &[] } else { &["--engine", "spark"] };
        let said = bench.run(&[&["build", "--out", "none"], engine, options, &SIZES[..]].concat());
        assert!(said.contains(words) && !bench.path("none").exists(), "{said}");
    }
}

#[test]
fn a_run_is_certified_from_its_agreement_and_after_a_refill_only_the_new_tasks_are_judged() {
    let Some(bench) = bench() else { return };
    let said = bench.run(&[&["build", "--out", "run"], &SIZES[..]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let said = bench.run(&["prove", "run"]);
    assert!(said.contains("2 references, 6 mutants"), "{said}");
    let report = || -> Json {
        serde_json::from_str(&std::fs::read_to_string(bench.path("run/judge/agreement.json")).unwrap()).unwrap()
    };
    let judged = report();
    let mutants = |report: &Json| report["basis"]["mutants"].as_object().unwrap().clone();
    assert_eq!((mutants(&judged).len(), judged["mutants"].as_u64()), (6, Some(6)));
    // Spark is not asked: here it could not be.
    let mut certify = bench.command(&["prove", "run", "--certify"]);
    let said = bench.shown(&certify.env("SQLFAULT_PYTHON", "/nonexistent/python").output().unwrap());
    assert!(said.contains("judges every task already") && said.contains("certified: 6 tasks stand, 0"), "{said}");
    // A disagreement that Spark might have found takes its task out.
    let lost = records(&bench, "run/judge/gold.jsonl")[0].clone();
    let mut doubted = judged.clone();
    doubted["disagreements"] = serde_json::json!([{
        "mutant": lost["instance_id"], "script": lost["provenance"]["script"], "fault": "f",
        "about": "accepted_by_spark_only", "database": "", "cause": "Spark takes it",
    }]);
    bench.file("run/judge/agreement.json", doubted.to_string());
    let said = bench.run(&["prove", "run", "--certify"]);
    assert!(said.contains("certified: 5 tasks stand, 1 are dropped now") && said.contains("Spark takes it"), "{said}");
    let said = bench.run(&["build", "--refill", "run", "--source", "scripts"]);
    assert!(said.contains("dropped 1: not confirmed by Spark") && said.contains("added 1 "), "{said}");
    let said = bench.run(&["prove", "run", "--certify"]);
    assert!(said.contains("judges all but 1 tasks") && said.contains("certified: 6 tasks stand, 0"), "{said}");
    assert_eq!((mutants(&report()).len(), report()["references"].as_u64()), (7, Some(2)));
    let card = std::fs::read_to_string(bench.path("run/public/README.md")).unwrap();
    assert!(
        card.contains("6 tasks stand, 1 were dropped because it does not bear them out, 1 of them before"),
        "{card}"
    );
    let said = bench.run(&["check", "run"]);
    assert!(said.contains(" 0 problems\n"), "{said}");
    // Another mode is another judge.
    let said = bench.run(&["prove", "run", "--certify", "--ansi"]);
    assert!(said.contains("other settings: ANSI off: every task is judged again"), "{said}");
}
