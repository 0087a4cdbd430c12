//! Whatever is wrong with a user's input gives one clear error with place and remedy, and its exit code.

use crate::program::{Bench, SCHEMA, SCRIPT};

const BUILD: [&str; 11] =
    ["build", "--source", "scripts", "--out", "run", "--seed", "7", "--syntax", "1", "--semantic", "1"];

/// What a build of one changed script says.
fn built(changed: &[(&str, &str)]) -> String {
    let bench = Bench::new();
    bench.reference_script("shop/paid", changed);
    let said = bench.run(&BUILD);
    assert!(!bench.path("run").exists(), "a run that cannot begin leaves nothing behind");
    said
}

/// What `inject` says to a script, asked for one fault.
fn injected(script: &str, schema: &str) -> String {
    injected_with("and-dropped", script, schema)
}

fn injected_with(fault: &str, script: &str, schema: &str) -> String {
    let bench = Bench::new();
    bench.file("my.sql", script);
    bench.file("tables.sql", schema);
    let parameter: &[&str] = if script.contains("bizdate") { &["--parameter", "bizdate=2024-03-15"] } else { &[] };
    bench.run(&[&["inject", "my.sql", "--schema", "tables.sql", "--fault", fault], parameter].concat())
}

#[test]
fn a_script_without_a_provable_fault_says_why_nothing_is_shown() {
    let tables = "CREATE TABLE t (a INT, b INT);";
    let none = injected("SELECT a FROM t", tables);
    assert!(none.starts_with("exit 1\nno fault asked for has a place"), "{none}");
    // Both branches give the same value: no row can show which one a bound takes.
    let equal =
        injected_with("bound-inclusion-changed", "SELECT CASE WHEN a > 1 THEN b ELSE b END AS b FROM t", tables);
    assert!(equal.starts_with("exit 1\nnot proved: bound-inclusion-changed, line 1: it survived "), "{equal}");
    assert!(equal.contains("\nno mutant was proved: of the places of these faults (1)"), "{equal}");
}

#[test]
fn folders_without_a_usable_script() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("scripts")).unwrap();
    let empty = bench.run(&BUILD);
    let absent = bench.run(&["build", "--source", "nowhere", "--seed", "7"]);
    let lone = Bench::new();
    lone.file("scripts/a/script.sql", SCRIPT);
    insta::assert_snapshot!([empty, absent, lone.run(&BUILD)].join("\n"));
}

#[test]
fn scripts_that_cannot_be_read() {
    let cases = [
        built(&[("script.sql", "SELECT a,\n    FROM t")]),
        built(&[("schema.sql", "CREATE TABLE t (a INT);\nCREATE TABEL u (b INT);")]),
        built(&[("schema.sql", "")]),
        built(&[("card.yaml", "domain: [a")]),
        built(&[("card.yaml", "domain: a\ntitle: b\nintention: c\nscenario: d\nowner: e")]),
        built(&[("card.yaml", "domain: a\ndomain: b")]),
        built(&[("card.yaml", "domain: a\ntitle: b\nintention: c\nscenario: d")]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn scripts_whose_reference_fails() {
    let cases = [
        built(&[("script.sql", "SELECT nope FROM dim_customer")]),
        built(&[("script.sql", "SELECT city FROM dim_customer WHERE 1 = 0")]),
        built(&[("script.sql", "SELECT rand() AS r FROM dim_customer")]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn one_bad_script_among_good_ones_is_told_and_passed_over() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    bench.reference_script("shop/zbad", &[("script.sql", "SELECT FROM")]);
    let said = bench.run(&BUILD);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(said.contains("zbad/script.sql:1:8: found 'FROM'"), "{said}");
}

#[test]
fn scripts_of_the_users_own_that_cannot_be_used() {
    let bench = Bench::new();
    bench.file("binary.sql", [0xff, 0xfe, 0x00]);
    bench.file("tables.sql", SCHEMA);
    bench.file("query.sql", "SELECT city FROM dim_customer");
    let cases = [
        injected("", SCHEMA),
        injected("SELECT (1", SCHEMA),
        injected("SELECT 'abc", SCHEMA),
        injected("SELECT city FROM dim_customer WHERE city = '${unknown}'", SCHEMA),
        injected(SCRIPT, ""),
        injected(SCRIPT, "-- nothing but a comment"),
        injected(SCRIPT, "CREATE TABLE t (a ARRAY<INT)"),
        bench.run(&["inject", "absent.sql", "--schema", "tables.sql"]),
        bench.run(&["inject", "binary.sql", "--schema", "tables.sql"]),
        bench.run(&["inject", ".", "--schema", "tables.sql"]),
        bench.run(&["inject", "query.sql", "--schema", "tables.sql", "--fault", "no-such-fault"]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn huge_and_deep_scripts_are_taken_or_refused_with_a_place() {
    let table = "CREATE TABLE t (id BIGINT)";
    let chain = |conditions: usize| vec!["id > 1"; conditions].join(" AND ");
    let refused = [
        injected(&format!("SELECT {}1{} AS x FROM t", "(".repeat(10_000), ")".repeat(10_000)), table),
        injected(&format!("SELECT id{} AS x FROM t", " + id".repeat(10_000)), table),
        injected(&format!("SELECT id AS {} FROM t; SELECT idd FROM t", "x".repeat(10 << 20)), table),
        injected(&"SELECT 1;\n".repeat(2_000_000), table),
        injected(&format!("SELECT {}id FROM t", "id, ".repeat(3_000)), table),
        injected(&format!("SELECT id FROM t WHERE {}", chain(10_000)), table),
        injected("SELECT id FROM t", &format!("CREATE TABLE t (a {}INT{})", "ARRAY<".repeat(9_000), ">".repeat(9_000))),
    ];
    insta::assert_snapshot!(refused.join("\n"));
    let said = injected(&format!("SELECT id FROM t WHERE {}", chain(4_000)), table);
    assert!(said.starts_with("exit 0\n"), "{:.400}", said);
}

#[test]
fn yaml_that_is_nested_without_end_is_refused() {
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
        let nested = format!("domain: {}{}", open.repeat(50_000), close.repeat(50_000));
        let said = built(&[("card.yaml", &nested)]);
        assert!(said.starts_with("exit 3\n") && said.contains("card.yaml:1:"), "{said}");
    }
}

#[test]
fn taxonomies_templates_and_settings_that_are_wrong() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    bench.file("taxonomy/a/b.yaml", "- id: x\n  track: sintax\n");
    std::fs::create_dir_all(bench.path("empty")).unwrap();
    bench.file("words/complaint/opening.yaml", "terse: [a]\nloud: [b]\n");
    let build = |more: &[&str]| bench.run(&[&BUILD[..], more].concat());
    bench.file("unknown.yaml", "seed: 7\nsyntaxe: 5\n");
    bench.file("wrong.yaml", "seed: seven\n");
    bench.file("none.yaml", "jobs: 0\n");
    let cases = [
        build(&["--taxonomy", "taxonomy"]),
        build(&["--taxonomy", "empty"]),
        build(&["--templates", "words"]),
        build(&["--templates", "empty"]),
        build(&["--config", "unknown.yaml"]),
        build(&["--config", "wrong.yaml"]),
        build(&["--config", "none.yaml"]),
        build(&["--config", "absent.yaml"]),
        bench.run(&["faults", "--check", "taxonomy"]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn outputs_that_cannot_be_written() {
    let bench = Bench::new();
    bench.reference_script("shop/paid", &[]);
    bench.file("used/notes.txt", "mine");
    bench.file("file", "");
    let out = |path: &str| bench.run(&["build", "--source", "scripts", "--seed", "7", "--out", path]);
    insta::assert_snapshot!([out("used"), out("file"), out("file/run")].join("\n"));
    assert_eq!(std::fs::read_to_string(bench.path("used/notes.txt")).unwrap(), "mine");
}

#[test]
fn command_lines_that_make_no_sense() {
    let bench = Bench::new();
    let cases = [
        bench.run(&["frobnicate"]),
        bench.run(&["build", "--jobs", "0"]),
        bench.run(&["build", "--syntax", "many"]),
        bench.run(&["build", "--resume"]),
        bench.run(&["inject", "a.sql"]),
        bench.run(&["check", "nowhere"]),
    ];
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let bench = Bench::new();
    let mut child = bench.command(&["faults"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
