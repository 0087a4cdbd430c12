//! A dbt project, compiled by dbt itself: `target/compiled` is read as it is. These tests say "not run" where dbt is
//! absent; with `SQLFAULT_REQUIRE_DBT=1` they fail instead. `SQLFAULT_DBT` names the program.
#![expect(clippy::print_stdout, reason = "a test that could not run must say so")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::Bench;

fn dbt() -> OsString {
    std::env::var_os("SQLFAULT_DBT").unwrap_or_else(|| "dbt".into())
}

/// Copies the project of `tests/data/dbt_project` and compiles it; `None` if dbt is absent.
fn compiled() -> Option<Bench> {
    let has_dbt = Command::new(dbt()).arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_dbt {
        println!("not run: dbt is absent");
        assert!(std::env::var_os("SQLFAULT_REQUIRE_DBT").is_none(), "dbt is required here");
        return None;
    }
    let bench = Bench::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dbt_project");
    for (name, bytes) in crate::program::files(&project) {
        bench.file(name.to_str().unwrap(), bytes);
    }
    for step in [&["compile"][..], &["docs", "generate", "--no-compile"]] {
        let output = Command::new(dbt())
            .args(step)
            .current_dir(bench.path(""))
            .env("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
            .output()
            .unwrap();
        assert!(output.status.success(), "{step:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
    Some(bench)
}

#[test]
fn a_compiled_dbt_project_is_a_source_as_it_is() {
    let Some(bench) = compiled() else { return };
    let models = PathBuf::from("target/compiled/parcel_depot");
    let late = models.join("models/marts/late_parcels.sql");
    let compiled = std::fs::read_to_string(bench.path(late.to_str().unwrap())).unwrap();
    assert!(compiled.contains(r#""main"."stg_parcels""#), "dbt writes names otherwise now: {compiled}");

    let said = bench.run(&["inject", late.to_str().unwrap(), "--fault", "left-join-made-inner", "--effort", "low"]);
    assert!(said.starts_with("exit 0\n") && said.contains("+++ issue.sql"), "{said}");
    assert!(said.contains("main.stg_parcels: no definition found; inferred depot_id "), "{said}");

    let arguments =
        ["build", "--seed", "5", "--source", "target/compiled", "--syntax", "3", "--semantic", "3", "--out", "run"];
    let said = bench.run(&arguments);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    assert_eq!(tasks.lines().count(), 6);
    // The manifest types these two, and says nothing of the third: its use does.
    for words in ["parcel_id BIGINT", "weight_kg DECIMAL(8,2)", "state STRING"] {
        assert!(tasks.contains(words), "{words}: {tasks}");
    }
    let kept: Vec<_> = std::fs::read_dir(bench.path("run/judge/inferred")).unwrap().collect();
    assert!(!kept.is_empty(), "what was inferred is kept in the run");
}
