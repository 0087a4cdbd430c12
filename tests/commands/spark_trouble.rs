//! A Spark process that ends, answers garbage or answers without end gives no verdict on any script, and the command
//! ends.

#![cfg(unix)]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::write_run;
use crate::program::Bench;

/// A Python that says it has Spark, comes up, and then does this with every request.
fn python(bench: &Bench, then: &str) -> String {
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *'import pyspark'*) echo 4.3.0; exit 0;; esac\n\
         echo '{{\"event\": \"ready\", \"spark\": \"4.3.0\"}}'\nwhile read -r request; do {then}; done\n"
    );
    let path = bench.file("python", text);
    let java = bench.file("java/bin/java", "#!/bin/sh\necho 'openjdk version \"17\"' >&2\n");
    for program in [&path, &java] {
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    path.display().to_string()
}

/// What `inject` says with that Python, in an address space of a gigabyte.
fn injected(then: &str) -> String {
    let bench = Bench::new();
    let named = python(&bench, then);
    bench.file("s.sql", "SELECT a FROM t WHERE a > 1");
    bench.file("t.sql", "CREATE TABLE t (a INT)");
    let inject = bench.command(&["inject", "s.sql", "--schema", "t.sql", "--engine", "spark"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 1000000; exec \"$@\"", "sh"]).arg(inject.get_program()).args(inject.get_args());
    limited.current_dir(bench.path(".")).env("SQLFAULT_PYTHON", named).env("JAVA_HOME", bench.path("java"));
    bench.shown(&limited.output().unwrap())
}

/// Attack | a Spark process that answers with garbage, with an answer to nothing, or dies at every request | – | started again once, then exit 3 with its reason; nothing is planted
#[test]
fn a_spark_that_talks_garbage_or_dies_gives_no_verdict() {
    for then in ["echo 'no JSON at all'", "echo '[[['", "exit 1", "kill -9 $$", "printf '\\377\\376\\n'"] {
        let said = injected(then);
        assert!(said.starts_with("exit 3\n"), "{then}: {said}");
        assert!(said.contains("the Spark process ended"), "{then}: {said}");
    }
}

/// Attack | a Spark process that answers with a line without end, or with lines without end that answer nothing | read until all memory is taken | at 64 MiB, or after 16 lines: ended, started again once, then exit 3 with its reason
#[test]
fn a_spark_that_talks_without_end_gives_no_verdict() {
    for (then, reason) in [
        ("tr '\\0' a </dev/zero", "the Spark process gave an answer of more than 64 MiB"),
        ("yes '{\"event\": \"other\"}'", "the Spark process talks on and answers nothing"),
    ] {
        let said = injected(then);
        assert!(said.starts_with("exit 3\n") && said.contains(reason), "{then}: {said}");
    }
}

/// Attack | a run whose references are 500 calls of `levenshtein` of 16,000 characters, which look at no clock, for `prove` | – | ended at the time limit, in the child
#[test]
fn prove_runs_scripts_of_strangers_in_the_child() {
    let bench = Bench::new();
    let accepts = r#"number=$((number + 1)); echo "{\"id\": $number, \"status\": \"ok\", \"statements\": []}""#;
    let named = python(&bench, accepts);
    write_run(&bench.path("run"));
    let call = "levenshtein(repeat('a', 16000), repeat('b', 16000))";
    let deaf = format!("SELECT {} AS n FROM users", vec![call; 500].join(" + "));
    let gold = std::fs::read_to_string(bench.path("run/gold.jsonl")).unwrap();
    let hostile = |line: &str| {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        record["reference_sql"] = deaf.as_str().into();
        format!("{record}\n")
    };
    bench.file("run/gold.jsonl", gold.lines().map(hostile).collect::<String>());
    bench.file("run/scripts.jsonl", "{\"script\": \"shop/totals\", \"key\": \"5eed\"}\n");
    bench.file("run/mutants.jsonl", "");
    bench.file("run/proofs.jsonl", "");
    let start = Instant::now();
    let mut prove = bench.command(&["prove", "run"]);
    let prove = prove.env("SQLFAULT_PYTHON", named).env("JAVA_HOME", bench.path("java"));
    let said = bench.shown(&prove.output().unwrap());
    assert!(said.starts_with("exit 1\n"), "{said}");
    let told = std::fs::read_to_string(bench.path("run/agreement.json")).unwrap();
    assert!(told.contains("embedded: it took too long"), "{told}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Attack | whoever reads the records of a `worker` is gone while its Spark never answers | it lives on for minutes, with its Spark | it ends at once
#[test]
fn a_worker_ends_with_the_reader_of_its_records() {
    let bench = Bench::new();
    bench.shops(1);
    let asked = bench.path("asked");
    let named = python(&bench, &format!("touch '{}'", asked.display()));
    let sizes = ["--source", "scripts", "--syntax", "1", "--semantic", "0", "--engine", "spark"];
    let said = bench.run(&[&["build", "--out", "plan", "--plan-only"], &sizes[..]].concat());
    assert!(said.starts_with("exit 0\n"), "{said}");
    let mut worker = bench.command(&["worker"]);
    worker.env("SQLFAULT_PYTHON", named).env("JAVA_HOME", bench.path("java"));
    let mut worker = worker.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut items = worker.stdin.take().unwrap();
    items.write_all(&std::fs::read(bench.path("plan/items.jsonl")).unwrap()).unwrap();
    until("the worker asks Spark", || asked.exists());
    drop(worker.stdout.take());
    until("the worker ends", || worker.try_wait().unwrap().is_some());
}

/// Waits until a condition holds.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "in vain: {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
