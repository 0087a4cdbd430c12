//! A short form of the soak test and of its kills; `tests/soak/soak.py` says how to run the long form.
#![expect(clippy::print_stdout, reason = "a test that could not run must say so, and what was measured is its report")]

use std::path::Path;
use std::process::Command;

/// Runs a mode of the soak test; `None`, and a line that says so, without Python or `/proc`.
fn run(arguments: &[&str]) -> Option<String> {
    let is_there = cfg!(target_os = "linux") && Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        println!("not run: the soak needs Linux and python3");
        assert!(std::env::var_os("SQLFAULT_REQUIRE_PYTHON").is_none(), "python3 is required here");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soak/soak.py");
    let mut command = Command::new("python3");
    let output =
        command.arg(script).args(arguments).args(["--program", env!("CARGO_BIN_EXE_sqlfault")]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    println!("{told}");
    Some(told)
}

/// Attack | build, repair, sift, refill, shards, merge and check in turn, each killed, beside servers that are asked hostile things: an hour by hand, one round here | – | same bytes; memory, files, threads, children and temporary files flat (by hand)
#[test]
fn a_round_of_the_soak_leaves_nothing_behind() {
    let Some(told) = run(&["soak", "--seconds", "0"]) else { return };
    assert!(told.contains("\"rounds\": 1"), "{told}");
}

/// Attack | kills of merge, repair, sift, export, compose, a shard, a join and what reviewers decided at random moments: 100 of every verb that writes by hand, one here | merge and a join could not go on | same bytes
#[test]
fn a_verb_that_was_killed_goes_on_to_the_same_bytes() {
    let verbs = "build --shard,merge,repair,sift,compose,export,train --join,review --apply";
    let Some(told) = run(&["kills", "--kills", "1", "--only", verbs]) else { return };
    let last = told.lines().last().unwrap_or_default();
    assert_eq!(last.matches("\"kills\": 1,").count(), 8, "{told}");
}
