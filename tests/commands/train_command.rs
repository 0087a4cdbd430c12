//! `sqlfault train` as a user runs it: parts, kills, shards, and every pair proved again.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlfault::corpus::compose::{Composer, ComposerOptions};

use crate::program::{Bench, assert_same_files, files};

fn train(bench: &Bench, out: &str, more: &[&str]) -> String {
    let fixed = ["train", "--seed", "11", "--pairs-per-script", "6", "--out", out];
    bench.run(&[&fixed[..], more].concat())
}

/// The rows of one file name in all parts, in order.
fn rows(bench: &Bench, out: &str, name: &str) -> Vec<Value> {
    let mut found: Vec<_> = files(&bench.path(out)).into_iter().filter(|(path, _)| path.ends_with(name)).collect();
    found.sort();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let lines = found.into_iter().flat_map(|(_, bytes)| text(bytes).lines().map(str::to_owned).collect::<Vec<_>>());
    lines.map(|line| serde_json::from_str(&line).unwrap()).collect()
}

fn texts(rows: &[Value], role: &str) -> Vec<String> {
    rows.iter()
        .map(|row| row[role].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn pairs_are_proved_again_and_no_two_are_alike_whatever_the_workers() {
    let bench = Bench::new();
    let said = train(&bench, "one", &["--pairs", "40", "--jobs", "1"]);
    assert!(said.starts_with("exit 0\n") && said.contains("40 pairs of"), "{said}");
    let made = rows(&bench, "one", "train.jsonl");
    assert_eq!(made.len(), 40);
    let prompts: BTreeSet<String> = texts(&made, "prompt").into_iter().collect();
    let ids: BTreeSet<&str> = made.iter().map(|row| row["instance_id"].as_str().unwrap()).collect();
    assert_eq!((prompts.len(), ids.len()), (40, 40));
    let tracks: BTreeSet<&str> = made.iter().map(|row| row["track"].as_str().unwrap()).collect();
    assert_eq!(tracks.len(), 2);
    assert!(made.iter().all(|row| row.to_string().find("keep out of training").is_none()));
    // References without pairs may repeat an earlier skeleton: that is why they have none.
    let mut skeletons = rows(&bench, "one", "references.jsonl");
    skeletons.retain(|line| line["pairs"].as_u64() > Some(0));
    let distinct: BTreeSet<&str> = skeletons.iter().map(|line| line["skeleton"].as_str().unwrap()).collect();
    assert_eq!(distinct.len(), skeletons.len());
    assert!(train(&bench, "two", &["--pairs", "40", "--jobs", "2"]).starts_with("exit 0\n"));
    assert_same_files(&bench.path("one"), &bench.path("two"));
    let checked = bench.run(&["check", "one"]);
    assert!(checked.starts_with("exit 0\n40 pairs proved again, 40 rows read, 0 problems"), "{checked}");
}

#[test]
fn a_pair_that_does_not_hold_is_found_by_check() {
    let bench = Bench::new();
    assert!(train(&bench, "run", &["--pairs", "8"]).starts_with("exit 0\n"));
    let proofs = bench.path("run/parts/000000/proofs.jsonl");
    let mut lines: Vec<Value> = rows(&bench, "run", "proofs.jsonl");
    let at = lines.iter().position(|line| line["shown"]["differs"].is_number()).unwrap();
    // An edit that only adds a blank changes nothing.
    lines[at]["edits"] = serde_json::json!([{"start": 0, "end": 0, "text": " "}]);
    std::fs::write(&proofs, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 1\n"), "{checked}");
    let id = lines[at]["instance_id"].as_str().unwrap();
    assert!(checked.contains(id) && checked.contains("does not tell it from the reference"), "{checked}");
}

#[test]
fn a_run_that_was_cut_off_goes_on_with_the_same_bytes_and_refuses_other_settings() {
    let bench = Bench::new();
    let wanted = ["--pairs", "220"];
    assert!(train(&bench, "whole", &wanted).starts_with("exit 0\n"));
    assert!(train(&bench, "cut", &wanted).starts_with("exit 0\n"));
    // As a kill leaves it: the last part half-written, the one before gone as well.
    std::fs::remove_dir_all(bench.path("cut/parts/000001")).unwrap();
    std::fs::create_dir(bench.path("cut/parts/000001.partial")).unwrap();
    std::fs::write(bench.path("cut/parts/000001.partial/train.jsonl.partial"), "{\"prompt\":").unwrap();
    let again = train(&bench, "cut", &["--pairs", "220", "--resume"]);
    assert!(again.starts_with("exit 0\n"), "{again}");
    assert_same_files(&bench.path("whole"), &bench.path("cut"));
    let other = train(&bench, "cut", &["--pairs", "220", "--resume", "--syntax-share", "0.1"]);
    assert!(other.starts_with("exit 3\n") && other.contains("other settings"), "{other}");
    let taken = train(&bench, "cut", &wanted);
    assert!(taken.starts_with("exit 5\n") && taken.contains("--resume"), "{taken}");
}

#[test]
fn shards_have_no_script_in_common_and_join_to_one_run() {
    let bench = Bench::new();
    for (shard, out) in [("1/2", "s1"), ("2/2", "s2")] {
        let said = train(&bench, out, &["--pairs", "150", "--shard", shard]);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    let joined = bench.run(&["train", "--join", "s1", "s2", "--out", "all"]);
    assert!(joined.starts_with("exit 0\n300 pairs in ") && joined.contains(" 0 scripts left out"), "{joined}");
    assert_eq!(rows(&bench, "all", "train.jsonl").len(), 300);
    let checked = bench.run(&["check", "all"]);
    assert!(checked.starts_with("exit 0\n300 pairs"), "{checked}");
    // What a join has left that was killed before its last part.
    let whole = crate::program::files(&bench.path("all"));
    std::fs::remove_dir_all(bench.path("all/parts/000001")).unwrap();
    bench.file("all/parts/000001.partial/train.jsonl", "{");
    let joined = bench.run(&["train", "--join", "s1", "s2", "--out", "all"]);
    assert!(joined.starts_with("exit 0\n300 pairs in "), "{joined}");
    assert!(crate::program::files(&bench.path("all")) == whole, "a join that goes on gives other bytes");
    // A script that two shards have in common stays once.
    let first = rows(&bench, "s1/parts/000000", "references.jsonl");
    let mut second = rows(&bench, "s2/parts/000001", "references.jsonl");
    let at = second.iter().position(|line| line["pairs"].as_u64() > Some(0)).unwrap();
    second[at]["skeleton"] = first[0]["skeleton"].clone();
    let lines: String = second.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(bench.path("s2/parts/000001/references.jsonl"), lines).unwrap();
    let joined = bench.run(&["train", "--join", "s1", "s2", "--out", "fewer"]);
    assert!(joined.contains(" 1 scripts left out"), "{joined}");
    let left = 300 - second[at]["pairs"].as_u64().unwrap() as usize;
    assert_eq!(rows(&bench, "fewer", "train.jsonl").len(), left);
    assert!(bench.run(&["check", "fewer"]).starts_with(&format!("exit 0\n{left} pairs")));
    // What was left out is not missed when the joined run is joined itself.
    let again = bench.run(&["train", "--join", "fewer", "--out", "again"]);
    assert!(again.starts_with(&format!("exit 0\n{left} pairs in ")), "{again}");
}

#[test]
fn a_join_wants_every_shard_of_one_run_once() {
    let bench = Bench::new();
    for (shard, out) in [("1/2", "s1"), ("2/2", "s2"), ("2/3", "other")] {
        let said = train(&bench, out, &["--pairs", "2", "--shard", shard]);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    let cases: [(&[&str], &str); 4] = [
        (&["s1"], "missing: 2/2"),
        (&["s2"], "missing: 1/2"),
        (&["s1", "s1", "s2"], "shard 1/2 is given twice: s1 and s1"),
        (&["s1", "other"], "one of 2 shards and one of 3"),
    ];
    for (shards, wanted) in cases {
        let said = bench.run(&[&["train", "--out", "no", "--join"], shards].concat());
        assert!(said.starts_with("exit 3\n") && said.contains(wanted), "{said}");
        assert!(!bench.path("no").exists());
    }
    let joined = bench.run(&["train", "--out", "all", "--join", "s2", "s1"]);
    assert!(joined.starts_with("exit 0\n4 pairs in 2 parts"), "{joined}");
    // As a shard stands that was cut off in its first part.
    std::fs::remove_dir_all(bench.path("s2/parts")).unwrap();
    let unfinished = bench.run(&["train", "--out", "no", "--join", "s1", "s2"]);
    assert!(unfinished.starts_with("exit 3\n") && unfinished.contains("s2 has 0 of 2 pairs"), "{unfinished}");
    assert!(unfinished.contains("--resume") && !bench.path("no").exists(), "{unfinished}");
}

/// The script in an answer.
fn answered(row: &Value) -> String {
    let answer = row["completion"][0]["content"].as_str().unwrap();
    answer.split("```sql\n").nth(1).unwrap().split("\n```").next().unwrap().to_owned() + "\n"
}

#[test]
fn no_pair_has_a_script_of_a_benchmark() {
    let bench = Bench::new();
    assert!(train(&bench, "one", &["--pairs", "12"]).starts_with("exit 0\n"));
    let scripts: BTreeSet<String> = rows(&bench, "one", "train.jsonl").iter().map(answered).collect();
    // What `build` composes with the same seed are other scripts.
    let composer = Composer::embedded().unwrap();
    let composed = (0..20).map(|number| composer.compose(11, number, &ComposerOptions::default()).unwrap());
    let composed: BTreeSet<String> = composed.map(|it| it.reference.script.text().to_owned()).collect();
    assert!(composed.len() == 20 && composed.is_disjoint(&scripts), "{} of 20", composed.len());
    // A run with the first of the scripts, in which a table has another name.
    let first = scripts.first().unwrap();
    let words: Vec<&str> = first.split_whitespace().collect();
    let read = words.windows(2).find(|pair| pair[0].eq_ignore_ascii_case("from") && pair[1].contains('.')).unwrap()[1];
    bench.file("benchmark/run.yaml", "seed: 1\n");
    bench.file("benchmark/tasks.jsonl", serde_json::json!({ "issue_sql": "SELECT 1" }).to_string());
    let renamed =
        serde_json::json!({ "reference_sql": first.replace(read.trim_end_matches([',', ')', ';']), "x.other") })
            .to_string();
    bench.file("benchmark/gold.jsonl", renamed);
    let said = train(&bench, "two", &["--pairs", "12", "--without", "benchmark"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let left: BTreeSet<String> = rows(&bench, "two", "train.jsonl").iter().map(answered).collect();
    let gone: Vec<&String> = scripts.difference(&left).collect();
    assert_eq!(gone, [first]);
    assert!(bench.run(&["check", "two"]).starts_with("exit 0\n12 pairs"));
}

#[test]
fn pairs_of_several_faults_are_proved_again_and_name_each() {
    let bench = Bench::new();
    let said = train(&bench, "run", &["--faults-per-pair", "3", "--answers", "critique", "--pairs", "8"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let proofs = rows(&bench, "run", "proofs.jsonl");
    let faults = |proof: &Value| proof["fault"].as_str().unwrap().split('+').count();
    let edits = |proof: &Value| proof["edits"].as_array().unwrap().len();
    assert!(proofs.iter().any(|proof| faults(proof) == 3), "{proofs:?}");
    assert!(proofs.iter().all(|proof| faults(proof) <= 3 && edits(proof) >= faults(proof)), "{proofs:?}");
    for (row, proof) in rows(&bench, "run", "train.jsonl").iter().zip(&proofs) {
        // A line of the critique for every fault; one that reaches into several clauses has more.
        let said = row["completion"][0]["content"].as_str().unwrap();
        assert!(said.lines().count() >= faults(proof), "{said}");
    }
    let checked = bench.run(&["check", "run"]);
    assert!(checked.starts_with("exit 0\n8 pairs proved again, 8 rows read, 0 problems"), "{checked}");
}

#[test]
fn critics_learn_from_right_scripts_as_well_and_hear_no_complaint() {
    let bench = Bench::new();
    let critics = ["--mix", "critic", "--pairs", "15", "--format", "trl-dpo"];
    let said = train(&bench, "run", &critics);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let made = rows(&bench, "run", "train.jsonl");
    let right: Vec<&Value> = made.iter().filter(|row| row["track"] == "control").collect();
    // Four right scripts for each wrong one, of which each has five or six faults where they can be had.
    let proofs = rows(&bench, "run", "proofs.jsonl");
    let shown = |how: &str| proofs.iter().filter(|proof| proof["shown"] == how).count();
    assert_eq!((shown("untouched"), shown("rewritten"), proofs.len()), (3, 9, 15), "{proofs:?}");
    let wrong = proofs.iter().filter(|proof| proof["fault"] != "control");
    assert!(wrong.clone().any(|proof| proof["fault"].as_str().unwrap().split('+').count() >= 5), "{proofs:?}");
    for row in &made {
        let asked = row["prompt"][1]["content"].as_str().unwrap();
        assert!(asked.contains("What it is for:") && !asked.contains("writes:"), "{asked}");
        assert!(asked.contains("a line for each fault") && !asked.contains("for each clause"), "{asked}");
        let is_right = row["chosen"][0]["content"] == "This SQL query is correct.";
        assert_eq!(is_right, row["track"] == "control");
    }
    assert!(right.iter().all(|row| row["rejected_kind"] == "other_task" && row["clause_inconsistency"] == -1.0));
    assert!(bench.run(&["check", "run"]).starts_with("exit 0\n15 pairs"));
    for refused in [&["--controls", "1"][..], &["--mix", "critic", "--answers", "whole"]] {
        let said = train(&bench, "no", refused);
        assert!(said.starts_with("exit 2\n"), "{said}");
    }
}

#[test]
fn preference_rows_have_wrong_answers_of_the_same_place() {
    let bench = Bench::new();
    let said = bench.run(&["train", "--pairs", "60", "--format", "trl-dpo", "--syntax-share", "0", "--out", "rows"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let made = rows(&bench, "rows", "train.jsonl");
    let kinds: BTreeSet<&str> = made.iter().map(|row| row["rejected_kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, BTreeSet::from(["issue", "sibling"]));
    for (chosen, rejected) in texts(&made, "chosen").into_iter().zip(texts(&made, "rejected")) {
        assert_ne!(chosen, rejected);
    }
    let refused = bench.run(&["train", "--format", "harbor", "--out", "no"]);
    assert!(refused.starts_with("exit 2\n") && refused.contains("trl-dpo"), "{refused}");
}
