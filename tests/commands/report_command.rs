//! `report`: what a run holds, as tables and as one page; what it does not hold is told as not run.

use serde_json::{Value, json};

use crate::common::{TASKS, write_run};
use crate::program::Bench;

/// What a hostile run has wherever it may have words.
const HOSTILE: &str = "</pre></style><script>alert(1)</script><img src=x onerror=alert(2)>\u{1b}[2J\u{202e}";

/// A run with what build, audit, prove, repair and sift leave, each text through `named`.
fn whole_run(bench: &Bench, named: impl Fn(&str) -> String) {
    write_run(&bench.path("run"));
    let digest = sqlfault::Taxonomy::embedded().unwrap().digest().to_owned();
    bench.file("run/run.yaml", format!("seed: 7\nmix: paper\ntaxonomy: {digest}\nengine: {}\n", json!(named("ours"))));
    let fault = json!({"wanted": 2, "sites": 40, "same_as_another": 4, "tried": 9, "proved": 5, "published": 1,
        "tokens_changed": {"1": 1}, "lost": {named("no database shows it"): 3, "names the table": 1}});
    let track = |asked: usize| json!({"asked": asked, "published": 1, "mix_distance": 0.5, "faults_per_task": {"1": 1}, "not_together": {}});
    let kills = json!({"killed": 6, "rate": 0.75, "equivalent": {named("the value is never NULL"): 1},
        "gaps": {named("left-join-made-inner"): [{"mutant": "m", "databases": 9, "seen": null}]},
        "by_fault": {}, "witnesses": {"count": 6, "median_rows": 4, "large": 0, "most_rows": 7, "median_rows_before": 28, "median_trials": 62}});
    let funnel = json!({"refused": [], "tracks": {"syntax": track(2), "semantic": track(3)}, "kills": kills,
        "faults": {"left-join-made-inner": fault, "by-dropped": fault}});
    bench.file("run/funnel.json", funnel.to_string());
    let score = json!({"attack": named("sibling vote"), "answered": 2, "em": 0.0, "gm": 0.25, "accepted": 0.5});
    let told = json!({"pairs": 2, "area": 0.51, "paired": 0.5});
    let overlap = json!({"distinct_references": 1, "public_issues": 0, "public_references": 0, "public_mean": 0.0,
        "public_greatest": 0.0, "inside_mean": 0.0, "inside_greatest": 0.0});
    bench.file(
        "run/audit.json",
        json!({"tasks": 3, "taught": 0, "public_texts": 54, "attacks": [score], "syntax": told,
        "semantic": told, "overlap": overlap, "computable_ids": 0, "in_order_of_ids": true})
        .to_string(),
    );
    let count = |same: usize, of: usize| json!({"same": same, "of": of});
    bench.file("run/agreement.json", json!({"engine": named("Spark 4.3"), "references": 1, "mutants": 3, "passed_over": 0,
        "total": {"accepted": count(3, 3), "class": count(1, 1), "place": count(0, 0), "results": count(5, 6), "kills": count(2, 2)},
        "faults": {}, "functions": {}, "restarts": 0, "disagreements": [{"mutant": "", "script": "s", "fault": "",
            "about": "results", "traced_to": "untraced", "database": "", "answers": named("rows")}]}).to_string());
    let attempt = json!({"instance_id": TASKS[0].0, "solver": named("linter"), "mode": "built_in", "prompt_hash": null, "raw": null,
        "predict_sql": "SELECT 1", "outcome": "answered", "finish_reason": null, "usage": {"input": 90, "output": 10},
        "cost": 0.25, "latency_ms": 1500, "rounds": 1});
    bench.file("run/attempts.jsonl", format!("{attempt}\n"));
    let score = json!({"solver": named("linter"), "instance_id": TASKS[0].0, "track": "syntax", "accepted": true});
    bench.file("run/scores.jsonl", format!("{score}\n"));
    bench.file(
        "run/decisions.jsonl",
        format!("{}\n", json!({"instance_id": TASKS[0].0, "decision": named("too_easy")})),
    );
    let (id, words) = (TASKS[1].0, named("ann"));
    let sample = json!({"tables": [{"table": "users", "rows": [[1, words], [2, null]]}]});
    bench.file(&format!("run/samples/{id}.json"), sample.to_string());
    let table = |name: &str| json!([{"target": "", "columns": [named("name")], "rows": [[named(name)]]}]);
    bench.file(
        &format!("run/samples/{id}.results.json"),
        json!({"gives": table("bob"), "should_give": table("ann")}).to_string(),
    );
}

/// Changes the records of a file.
fn change(bench: &Bench, file: &str, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    let line = |line: &str| {
        let mut value = serde_json::from_str(line).unwrap();
        change(&mut value);
        format!("{value}\n")
    };
    bench.file(file, text.lines().map(line).collect::<String>());
}

fn page(bench: &Bench) -> String {
    let said = bench.run(&["report", "run", "--html", "page.html"]);
    assert_eq!(said, "exit 0\n");
    std::fs::read_to_string(bench.path("page.html")).unwrap()
}

#[test]
fn what_a_run_does_not_hold_is_told_as_not_run() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    insta::assert_snapshot!(bench.run(&["report", "run"]));
    let page = page(&bench);
    for (place, words) in [
        ("attacks", "Not run."),
        ("spark", "Not run."),
        ("solvers", "Not run."),
        ("flow", "Not recorded"),
        ("proof", "Not recorded"),
    ] {
        let (_, section) = page.split_once(&format!("<h2 id=\"{place}\">")).unwrap();
        assert!(section.split("<h2").next().unwrap().contains(words), "{place}: {section}");
    }
}

#[test]
fn what_a_run_holds_stands_in_tables_and_on_the_page() {
    let bench = Bench::new();
    whole_run(&bench, str::to_owned);
    change(&bench, "run/gold.jsonl", |gold| gold["patch"] = json!("@@ -3 +3 @@\n-JOIN users u\n+LEFT JOIN users u\n"));
    let said = bench.run(&["report", "run"]);
    let (mix, rest) = said.split_once("\nSHAPE").unwrap();
    assert!(mix.contains("\nMIX, semantic: 2 tasks of 3 asked, distance 0.500\n"), "{mix}");
    let row = mix.lines().find(|line| line.starts_with("  Joins & Grouping / JOIN Type Selection")).unwrap();
    assert!(row.contains("  1  50.0  "), "{row}");
    insta::assert_snapshot!(rest);
    let page = page(&bench);
    for words in [
        "linter", "too easy", "no database shows it", "Spark 4.3, references 1, tasks 3", "sibling vote", "LEFT JOIN",
        "496.90",
    ] {
        assert!(said.contains(words) && page.contains(words), "{words}");
    }
    for element in
        ["html", "table", "tbody", "tr", "td", "th", "svg", "details", "ul", "li", "p", "div", "section", "span", "i"]
    {
        let opened = page.matches(&format!("<{element} ")).count() + page.matches(&format!("<{element}>")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page, self::page(&bench), "a report says nothing of when it was made");
}

/// Attack | `<script>`, `</style>` and commands to a terminal in every text of a run that is reported | – | text
#[test]
fn texts_of_a_run_are_no_commands() {
    let bench = Bench::new();
    whole_run(&bench, |_| HOSTILE.to_owned());
    change(&bench, "run/tasks.jsonl", |task| {
        task["domain"] = json!(HOSTILE);
        for field in ["error_message", "user_query"] {
            task.get_mut(field).into_iter().for_each(|words| *words = json!(HOSTILE));
        }
    });
    change(&bench, "run/gold.jsonl", |gold| {
        for field in ["fault", "level1", "level2", "level3"] {
            gold["labels"][0][field] = json!(HOSTILE);
        }
        gold["patch"] = json!(format!("--- a\n+++ b\n@@ -1 +1 @@ {HOSTILE}\n-{HOSTILE}\n+{HOSTILE}\n"));
        gold["critique"] = json!([{"clause": "JOIN", "explanation": HOSTILE}]);
        if gold["evidence"]["kind"] == "killed" {
            let table = json!([{"target": HOSTILE, "columns": [HOSTILE], "rows": [[HOSTILE]]}]);
            gold["evidence"]["reference"] = table.clone();
            gold["evidence"]["issue"] = table;
        }
    });
    let page = page(&bench);
    assert!(page.matches("&lt;script&gt;alert(1)").count() > 40, "{page}");
    for command in ["<script", "<img", "</pre>", "</style><"] {
        assert_eq!(page.matches(command).count(), 0, "{command}");
    }
    let said = bench.run(&["report", "run"]);
    assert!(said.contains("<script>") && !said.contains(['\u{1b}', '\u{202e}']), "{said}");
}

#[test]
fn what_cannot_be_reported_is_named() {
    let bench = Bench::new();
    assert!(bench.run(&["report", "run"]).starts_with("exit 3\nerror: "));
    write_run(&bench.path("run"));
    assert!(bench.run(&["report", "run", "--html", "nowhere/page.html"]).starts_with("exit 5\n"));
    for file in ["audit.json", "agreement.json", "funnel.json", "run.yaml", "scores.jsonl", "samples/bb00000002.json"] {
        write_run(&bench.path("run"));
        bench.file(&format!("run/{file}"), "{\"tasks\": [");
        let said = bench.run(&["report", "run"]);
        assert!(said.starts_with("exit 3\n") && said.contains(file), "{file}: {said}");
        std::fs::remove_file(bench.path("run").join(file)).unwrap();
    }
}
