//! `sqlfault query` as a user, or an agent, runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{TASKS, write_run};

fn query(run: &Path, id: &str, sql: &str, flags: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqlfault"))
        .args(["query".as_ref(), run.as_os_str(), id.as_ref()])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(sql.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String) {
    let both = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&both).into_owned())
}

fn a_run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    std::fs::create_dir(folder.path().join("samples")).unwrap();
    let rows = r#"{"tables":[{"table":"orders","rows":[[1,1,5.0,"PAID"],[2,9,7.5,"\u001b[31m"]]}]}"#;
    std::fs::write(folder.path().join("samples").join(format!("{}.json", TASKS[1].0)), rows).unwrap();
    folder
}

#[test]
fn rows_or_the_engines_message_come_out() {
    let (run, id) = (a_run(), TASKS[1].0);
    let rows = query(run.path(), id, "SELECT id, state FROM orders ORDER BY id", &[]);
    assert_eq!(said(&rows), (Some(0), "id | state\n1 | 'PAID'\n2 | '\\u{1b}[31m'\n(2 rows)\n".to_owned()));
    let json = query(run.path(), id, "SELECT SUM(amount) AS s FROM orders", &["--json"]);
    assert_eq!(
        said(&json),
        (Some(0), "{\"tables\":[{\"target\":\"\",\"columns\":[\"s\"],\"rows\":[[12.5]]}]}\n".to_owned())
    );
    let refused = said(&query(run.path(), id, "SELECT nothing FROM orders", &[]));
    assert!(refused.0 == Some(1) && refused.1.contains("UNRESOLVED_COLUMN"), "{refused:?}");
}

/// Attack | 500 calls of `levenshtein` of 16,000 characters, which look at no clock, as a query; a query of more than 1 MiB | – | ended at the time limit; refused
#[test]
fn a_query_that_never_ends_is_ended_and_one_that_is_too_large_is_refused() {
    let (run, id) = (a_run(), TASKS[1].0);
    let call = "levenshtein(repeat('a', 16000), repeat('b', 16000))";
    let long = said(&query(run.path(), id, &format!("SELECT {} AS x", vec![call; 500].join(" + ")), &[]));
    assert!(long.0 == Some(1) && long.1.contains("too long"), "{long:?}");
    let large = said(&query(run.path(), id, &" ".repeat((1 << 20) + 1), &[]));
    assert!(large.0 == Some(3) && large.1.contains("longer than"), "{large:?}");
}

#[test]
fn the_judges_databases_are_out_of_reach() {
    let run = a_run();
    for (id, word) in [(TASKS[0].0, "no public sample"), ("nothing", "no task"), ("../databases/w", "no task")] {
        let refused = said(&query(run.path(), id, "SELECT 1 AS x", &[]));
        assert!(refused.0 == Some(3) && refused.1.contains(word), "{refused:?}");
    }
}
