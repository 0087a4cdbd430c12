//! A run in parts: any number of them, made by shards or workers, merges to the bytes of the undivided run.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{Bench, assert_same_files};

const SIZES: [&str; 8] = ["--source", "scripts", "--seed", "7", "--syntax", "6", "--semantic", "6"];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.shops(2);
    bench.reference_script("shop/refused", &[("script.sql", "SELECT order_id FROM dwd_orders WHERE 1 = 0")]);
    bench
}

fn build(bench: &Bench, out: &str, more: &[&str]) -> String {
    bench.run(&[&["build", "--out", out], &SIZES[..], more].concat())
}

fn merged(bench: &Bench, folders: &[&str], out: &str) -> String {
    bench.run(&[&["merge"], folders, &["--out", out]].concat())
}

#[test]
fn any_number_of_shards_merges_to_the_undivided_run() {
    let bench = bench();
    for (name, more) in [("plain", &[][..]), ("rich", &["--faults-per-task", "1..2", "--controls", "4"])] {
        let whole = format!("{name}-whole");
        assert!(build(&bench, &whole, more).starts_with("exit "));
        for of in [1, 2, 3] {
            let folders: Vec<String> = (1..=of).map(|number| format!("{name}-{number}-of-{of}")).collect();
            for (number, folder) in folders.iter().enumerate() {
                let shard = format!("{}/{of}", number + 1);
                let said = build(&bench, folder, &[more, &["--shard", &shard]].concat());
                assert!(said.starts_with("exit 0\n"), "{said}");
            }
            let (folders, out): (Vec<&str>, _) = (folders.iter().map(String::as_str).collect(), format!("{name}-{of}"));
            let said = merged(&bench, &folders, &out);
            assert!(said.contains("records; "), "{said}");
            assert_same_files(&bench.path(&whole), &bench.path(&out));
        }
    }
}

#[test]
fn what_a_lost_shard_would_have_tried_is_tried_by_the_merge() {
    let bench = bench();
    build(&bench, "whole", &[]);
    assert!(build(&bench, "second", &["--shard", "2/2"]).starts_with("exit 0\n"));
    assert!(!merged(&bench, &["second"], "out").contains("; 0 mutants tried here"));
    assert_same_files(&bench.path("whole"), &bench.path("out"));
}

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Does the items of a plan in a worker, in this order.
fn worked(bench: &Bench, items: &[&str]) -> String {
    let mut worker = bench.command(&["worker"]);
    let mut worker = worker.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = worker.stdin.take().unwrap();
    let text = items.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = worker.wait_with_output().unwrap();
    // A worker that ends at a bad line reads no further.
    let _ = writer.join().unwrap();
    bench.shown(&output)
}

#[test]
fn workers_may_do_items_in_any_order_and_twice() {
    let bench = bench();
    build(&bench, "whole", &[]);
    assert!(build(&bench, "plan", &["--plan-only"]).starts_with("exit 0\n"));
    let items = std::fs::read_to_string(bench.path("plan/items.jsonl")).unwrap();
    let mut order: Vec<&str> = items.lines().rev().collect();
    order.push(order[0]);
    let said = worked(&bench, &order);
    let records: Vec<&str> = said.strip_prefix("exit 0\n").unwrap().lines().collect();
    assert_eq!(records.len(), order.len());
    assert_eq!(records[0], records[records.len() - 1], "an item done again gives the same bytes");
    bench.file("plan/records/0/part-00000", records[..2].join("\n"));
    bench.file("plan/records/0/_temporary/0/part-00001", &records[2][..9]);
    bench.file("plan/records/1/part-00000", records[2..].join("\n") + "\n");
    bench.file("plan/records/1/_SUCCESS", "");
    // The merge tries what the run needs beyond the plan, and nothing else.
    let planned: BTreeSet<String> = lines(&bench, "plan/items.jsonl")
        .iter()
        .flat_map(|item| item["attempts"].as_array().unwrap())
        .map(|attempt| attempt["mutant"]["id"].as_str().unwrap().to_owned())
        .collect();
    let tried = lines(&bench, "whole/judge/proofs.jsonl");
    let beyond = tried.iter().filter(|proof| !planned.contains(proof["mutant"].as_str().unwrap())).count();
    assert!(beyond < tried.len() / 2, "the plan foresaw little: {beyond} of {} were not planned", tried.len());
    let said = merged(&bench, &["plan"], "out");
    assert!(said.contains(&format!("; {beyond} mutants tried here")), "{beyond}: {said}");
    assert_same_files(&bench.path("whole"), &bench.path("out"));
}

/// Attack | garbage lines and items of another version for a worker | – | exit 3
#[test]
fn a_worker_refuses_what_is_no_item_of_its_version() {
    let bench = bench();
    build(&bench, "plan", &["--plan-only"]);
    let items = std::fs::read_to_string(bench.path("plan/items.jsonl")).unwrap();
    let mut item: Value = serde_json::from_str(items.lines().next().unwrap()).unwrap();
    item["tool"] = "sqlfault 99".into();
    for (line, words) in [("{}", "this is not a work item"), (&item.to_string(), "was planned by sqlfault 99")] {
        let said = worked(&bench, &[line]);
        assert!(said.starts_with("exit 3\n") && said.contains(words), "{said}");
    }
}

/// Attack | a line without end for a worker | all memory, abort | exit 3 at 64 MiB
#[test]
#[cfg(unix)]
fn a_worker_reads_no_line_without_end() {
    let bench = Bench::new();
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 2000000; \"$0\" worker < /dev/zero", env!("CARGO_BIN_EXE_sqlfault")]);
    let said = bench.shown(&limited.output().unwrap());
    assert_eq!(said, "exit 3\nerror: the line is longer than 64 MiB\n");
}

#[test]
fn parts_of_different_runs_do_not_merge() {
    let bench = bench();
    build(&bench, "first", &["--shard", "1/2"]);
    build(&bench, "second", &["--shard", "2/2", "--mix", "uniform"]);
    let said = merged(&bench, &["first", "second"], "out");
    assert!(said.contains("second belongs to another run than the first folder"), "{said}");
    assert!(merged(&bench, &["scripts"], "out").contains("give folders made by `build --shard`"));
    assert!(!bench.path("out").exists());
}

#[test]
fn a_shard_goes_on_where_it_was_cut_off() {
    let bench = bench();
    build(&bench, "whole", &["--shard", "1/1"]);
    let all = std::fs::read_to_string(bench.path("whole/records.jsonl")).unwrap();
    let plan = std::fs::read_to_string(bench.path("whole/plan.yaml")).unwrap();
    let (first, rest) = all.split_once('\n').unwrap();
    bench.file("cut/plan.yaml", plan);
    bench.file("cut/records.jsonl", format!("{first}\n{}", &rest[..rest.len() / 2]));
    assert!(build(&bench, "cut", &["--shard", "1/1", "--resume"]).starts_with("exit 0\n"));
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&std::fs::read_to_string(bench.path("cut/records.jsonl")).unwrap()), sorted(&all));
}
