//! The same seed gives the same bytes, another seed gives other tasks.

use std::path::Path;

use crate::program::{Bench, assert_same_files, files};

fn build(bench: &Bench, out: &str, seed: &str, jobs: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains/insurance");
    let folder = folder.display().to_string();
    let sizes = ["--syntax", "8", "--semantic", "8"];
    let arguments =
        [&["build", "--source", &folder, "--out", out, "--seed", seed, "--jobs", jobs][..], &sizes].concat();
    let said = bench.run(&arguments);
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn the_number_of_workers_changes_no_byte_and_another_seed_changes_the_tasks() {
    let bench = Bench::new();
    build(&bench, "one", "7", "1");
    build(&bench, "two", "7", "2");
    build(&bench, "other", "8", "2");
    assert_same_files(&bench.path("one"), &bench.path("two"));
    let tasks = |out: &str| std::fs::read_to_string(bench.path(out).join("public/tasks.jsonl")).unwrap();
    let (one, other) = (tasks("one"), tasks("other"));
    assert_eq!((one.lines().count(), other.lines().count()), (16, 16));
    let shared = one.lines().filter(|task| other.contains(*task)).count();
    assert!(shared < 12, "{shared} of 16 tasks are the same under another seed");
    assert!(files(&bench.path("one")).len() > 16, "each semantic task has its databases");
    assert!(bench.run(&["check", "one"]).starts_with("exit 0\n"));
}
