//! Policies, which are rules of a platform beyond the engine's, switched on and off.

use serde_json::Value;

use crate::program::{Bench, SCRIPT};

const ROW: &str = "partition-condition-missing-in-where";

/// One script that keeps the policy, and one that reads all partitions in its correct form.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    let whole = SCRIPT.replace("o.dt = '${bizdate}'\n      AND ", "");
    assert_ne!(whole, SCRIPT);
    bench.reference_script("shop/whole", &[("script.sql", &whole)]);
    bench
}

fn build(bench: &Bench, out: &str, more: &[&str]) -> String {
    let fixed =
        ["build", "--source", "scripts", "--seed", "7", "--mix", "uniform", "--syntax", "300", "--semantic", "0"];
    bench.run(&[&fixed[..], &["--out", out], more].concat())
}

fn records(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_row(bench: &Bench, run: &str) -> Vec<Value> {
    let gold = records(bench, &format!("{run}/judge/gold.jsonl"));
    gold.into_iter().filter(|gold| gold["labels"][0]["fault"] == ROW).collect()
}

#[test]
fn a_policy_that_is_switched_on_gives_tasks_in_the_platforms_words_which_check_proves_again() {
    let bench = bench();
    let said = build(&bench, "run", &["--policy", "partition-filter"]);
    assert!(said.contains("policy partition-filter: 1 scripts keep it, 1 break it"), "{said}");
    let gold = of_row(&bench, "run");
    assert_eq!(gold.len(), 1, "{said}");
    assert_eq!(gold[0]["provenance"]["script"], "shop/paid");
    assert_eq!(gold[0]["provenance"]["policies"], serde_json::json!(["partition-filter"]));
    assert_eq!(gold[0]["evidence"]["engine"], "policy partition-filter");
    let tasks = records(&bench, "run/public/tasks.jsonl");
    let task = tasks.iter().find(|task| task["instance_id"] == gold[0]["instance_id"]).unwrap();
    let message = task["error_message"].as_str().unwrap();
    assert!(message.contains("SemanticException [Error 10056]") && message.contains("Alias \"o\""), "{message}");
    let funnel: Value =
        serde_json::from_str(&std::fs::read_to_string(bench.path("run/judge/funnel.json")).unwrap()).unwrap();
    let wanted = serde_json::json!({"partition-filter": {"kept": 1, "broken": ["shop/whole"]}});
    assert_eq!(funnel["policies"], wanted);
    let card = std::fs::read_to_string(bench.path("run/judge/run.yaml")).unwrap();
    assert!(card.contains("policies:\n- partition-filter\n"), "{card}");
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n") && checked.contains(" 0 problems"), "{checked}");
    // Without the policy on its record the issue is no error: check stands on what the record says.
    let path = bench.path("run/judge/gold.jsonl");
    let text = std::fs::read_to_string(&path).unwrap().replace(",\"policies\":[\"partition-filter\"]", "");
    std::fs::write(&path, text).unwrap();
    let checked = bench.run(&["check", "run"]);
    assert!(checked.contains("the issue is accepted"), "{checked}");
}

#[test]
fn a_run_without_policies_says_nothing_of_them() {
    let bench = bench();
    let said = build(&bench, "run", &[]);
    assert!(!said.contains("policy"), "{said}");
    assert!(of_row(&bench, "run").is_empty());
    for file in ["run.yaml", "gold.jsonl", "funnel.json", "tasks.jsonl"] {
        let text = std::fs::read_to_string(sqlfault::store::locate(&bench.path("run"), file)).unwrap();
        assert!(!text.contains("policies"), "{file}");
    }
}

#[test]
fn a_file_switches_policies_on_and_the_command_line_wins() {
    let bench = bench();
    bench.file("c.yaml", "policies: [type-safety, no-lambda]\n");
    let card = |run: &str| std::fs::read_to_string(bench.path(&format!("{run}/judge/run.yaml"))).unwrap();
    let few = ["build", "--source", "scripts", "--seed", "7", "--syntax", "1", "--semantic", "0", "--config", "c.yaml"];
    bench.run(&[&few[..], &["--out", "file"]].concat());
    assert!(card("file").contains("policies:\n- no-lambda\n- type-safety\n"), "{}", card("file"));
    bench.run(&[&few[..], &["--out", "line", "--policy", "null-comparison"]].concat());
    assert!(card("line").contains("policies:\n- null-comparison\n"), "{}", card("line"));
    bench.file("c.yaml", "policies: [no-lamda]\n");
    let said = bench.run(&[&few[..], &["--out", "none"]].concat());
    assert!(said.starts_with("exit 3\n") && said.contains("no-lamda"), "{said}");
}

#[test]
fn inject_plants_the_faults_of_a_policy_and_says_when_the_script_itself_breaks_it() {
    let bench = bench();
    let inject = |name: &str, more: &[&str]| {
        let script = format!("scripts/shop/{name}/script.sql");
        let schema = format!("scripts/shop/{name}/schema.sql");
        let fixed = ["inject", &script, "--schema", &schema, "--parameter", "bizdate=2024-03-15", "--fault", ROW];
        bench.run(&[&fixed[..], more].concat())
    };
    assert!(inject("paid", &[]).starts_with("exit 1\n"));
    let said = inject("paid", &["--policy", "partition-filter"]);
    assert!(said.starts_with("exit 0\n") && said.contains("No partition predicate for Alias \"o\""), "{said}");
    let said = inject("whole", &["--policy", "partition-filter"]);
    assert!(said.starts_with("exit 1\n") && said.contains("breaks the policy partition-filter"), "{said}");
}
