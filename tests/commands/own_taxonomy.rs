//! A user's own fault, written as data, goes through `faults --check`, `inject` and `build` without compiling.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The entry that `CONTRIBUTING.md` shows.
fn fault() -> String {
    let page = include_str!("../../CONTRIBUTING.md");
    let entry = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    entry.expect("CONTRIBUTING.md has a block of YAML").to_owned()
}

fn sqlfault(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqlfault")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn folder(content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("house-rules")).unwrap();
    fs::write(folder.path().join("house-rules/totals.yaml"), content).unwrap();
    folder
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_declarative_fault_of_the_users_is_checked_injected_and_built() {
    let taxonomy = folder(&fault());
    let checked = sqlfault(&["faults", "--check", path(taxonomy.path())]);
    assert!(checked.status.success() && text(&checked).contains("sum-made-maximum"), "{}", text(&checked));

    let scripts = tempfile::tempdir().unwrap();
    let (script, schema) = (scripts.path().join("totals.sql"), scripts.path().join("schema.sql"));
    fs::write(&script, "SELECT city, SUM(amount) AS amount FROM sales GROUP BY city;\n").unwrap();
    fs::write(&schema, "CREATE TABLE sales (city STRING, amount DOUBLE);\n").unwrap();
    let own = ["--taxonomy", path(taxonomy.path())];
    let injected = sqlfault(&["inject", path(&script), "--schema", path(&schema), own[0], own[1]]);
    let shown = text(&injected);
    assert!(injected.status.success(), "{shown}");
    let rules = ["is the total of everything, not its largest part", "total is asked for, not the largest part of it"];
    assert!(rules.iter().all(|rule| fault().contains(rule)), "CONTRIBUTING.md has the rules");
    assert!(rules.iter().any(|rule| shown.contains(rule)), "{shown}");
    assert!(shown.contains("+SELECT city, MAX(amount) AS amount"), "{shown}");

    let folder = tempfile::tempdir().unwrap();
    copy(&hand_written("retail"), &folder.path().join("retail"));
    let run = scripts.path().join("run");
    let built = sqlfault(&[
        "build",
        "--out",
        path(&run),
        "--seed",
        "1",
        "--syntax",
        "0",
        "--semantic",
        "1",
        "--source",
        path(folder.path()),
        own[0],
        own[1],
    ]);
    assert!(built.status.success(), "{}", text(&built));
    let gold = fs::read_to_string(run.join("judge/gold.jsonl")).unwrap();
    assert!(gold.contains("sum-made-maximum") && gold.contains("House Rules"), "{gold}");
    let again = sqlfault(&["check", path(&run)]);
    assert!(again.status.success(), "{}", text(&again));
}

#[test]
fn mistakes_in_a_users_file_are_told_with_file_and_line() {
    for (old, new, wanted) in [
        ("rename_function", "rename_functoin", ["house-rules/totals.yaml:9", "rename_functoin"]),
        ("  clause: select", "  clause: select\n  clause: where", ["house-rules/totals.yaml:15", "duplicate"]),
        ("  why_missed", "  colour: red\n  why_missed", ["house-rules/totals.yaml:7", "colour"]),
        ("MAX(v) AS v FROM t GROUP", "MIN(v) AS v FROM t GROUP", ["house-rules/totals.yaml:1", "example"]),
        ("    - SELECT city FROM t", "    - SELECT SUM(v) AS v FROM t", ["house-rules/totals.yaml:1", "never"]),
    ] {
        let fault = fault();
        assert!(fault.contains(old), "{old}");
        let taxonomy = folder(&fault.replacen(old, new, 1));
        let checked = sqlfault(&["faults", "--check", path(taxonomy.path())]);
        assert_eq!(checked.status.code(), Some(3), "{}", text(&checked));
        assert!(wanted.iter().all(|words| text(&checked).contains(words)), "{}", text(&checked));
    }
}

#[test]
fn hostile_nesting_is_refused_and_does_not_hang() {
    let deep = format!("- id: a-b\n  labels: {}{}\n", "[".repeat(20_000), "]".repeat(20_000));
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
                d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n";
    for content in [deep.as_str(), bomb] {
        let taxonomy = folder(content);
        let checked = sqlfault(&["faults", "--check", path(taxonomy.path())]);
        assert_eq!(checked.status.code(), Some(3), "{}", text(&checked));
        assert!(text(&checked).contains("house-rules/totals.yaml:"), "{}", text(&checked));
    }
}

fn hand_written(domain: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("domains").join(domain)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
