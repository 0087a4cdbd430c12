//! Foreign runs, and scripts that programs wrote: paths out of a run are not opened, files without end are not read,
//! names of nothing are refused by name.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::{TASKS, write_run};
use crate::program::Bench;

fn change(file: &Path, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(file).unwrap();
    let line = |line: &str| {
        let mut value = serde_json::from_str(line).unwrap();
        change(&mut value);
        format!("{value}\n")
    };
    std::fs::write(file, text.lines().map(line).collect::<String>()).unwrap();
}

/// Attack | evidence names `/etc/passwd` or `../x` | opened | refused by name
#[test]
fn a_database_outside_the_run_is_not_opened() {
    for name in ["/etc/passwd", "../secret.json", "databases/../../secret.json", ""] {
        let bench = Bench::new();
        write_run(&bench.path("run"));
        bench.file("secret.json", r#"{"tables": [{"table": "orders", "rows": [["do not read"]]}]}"#);
        change(&bench.path("run/gold.jsonl"), |gold| {
            if gold["instance_id"] == TASKS[1].0 {
                gold["evidence"]["databases"] = json!([name]);
            }
        });
        let said = bench.run(&["check", "run"]);
        assert!(said.starts_with("exit 1\n"), "{said}");
        assert!(said.contains(&format!("{}: {name:?} leads out of the run", TASKS[1].0)), "{said}");
        let said = bench.run(&["score", "run", "secret.json"]);
        assert!(said.starts_with("exit 3\n") && said.contains("leads out of the run"), "{said}");
    }
}

/// Attack | `databases/w.json` or `tasks.jsonl` links to `/dev/zero` | read for ever | refused by name
#[test]
#[cfg(unix)]
fn a_link_to_a_file_without_end_is_not_read() {
    for file in ["databases/w.json", "tasks.jsonl"] {
        let bench = Bench::new();
        write_run(&bench.path("run"));
        std::fs::remove_file(bench.path("run").join(file)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", bench.path("run").join(file)).unwrap();
        let said = bench.run(&["check", "run"]);
        assert!(said.contains("it is not a regular file"), "{said}");
    }
}

/// Attack | `tasks.jsonl` of a terabyte of NUL; `databases` links to a folder outside | all memory; opened | refused by name
#[test]
#[cfg(unix)]
fn a_line_without_end_and_a_folder_that_leads_out_are_refused() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    let tasks = std::fs::OpenOptions::new().write(true).open(bench.path("run/tasks.jsonl")).unwrap();
    tasks.set_len(1 << 40).unwrap();
    let said = bench.run(&["check", "run"]);
    assert!(said.starts_with("exit 3\n") && said.contains("the line is longer than 64 MiB"), "{said}");
    let bench = Bench::new();
    write_run(&bench.path("run"));
    std::fs::rename(bench.path("run/databases"), bench.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("run/databases")).unwrap();
    let said = bench.run(&["check", "run"]);
    assert!(said.contains("leads out of the run"), "{said}");
}

/// Attack | line 0, column 2^64−1, ids `../x`, unknown faults and scripts in gold | 0 problems | each is a problem
#[test]
fn what_names_nothing_is_refused_by_its_name() {
    let digest = sqlfault::Taxonomy::embedded().unwrap().digest().to_owned();
    let refusals: [(&str, Value, &str); 4] = [
        ("/labels/0/fault", json!("no-such-fault"), "no fault is called \"no-such-fault\""),
        ("/location/line", json!(0), "not line 0"),
        ("/location/column", json!(u64::MAX), "column 18446744073709551615"),
        ("/provenance/script", json!("../../x"), "no script of the run is called \"../../x\""),
    ];
    for (field, value, words) in refusals {
        let bench = Bench::new();
        write_run(&bench.path("run"));
        bench.file("run/scripts.jsonl", "{\"script\": \"shop/totals\"}\n");
        change(&bench.path("run/gold.jsonl"), |gold| {
            gold["provenance"]["taxonomy"] = json!(digest);
            *gold.pointer_mut(field).unwrap() = value.clone();
        });
        let said = bench.run(&["check", "run"]);
        assert!(said.starts_with("exit 1\n") && said.contains(words), "{said}");
    }
    let bench = Bench::new();
    write_run(&bench.path("run"));
    for file in ["run/tasks.jsonl", "run/gold.jsonl"] {
        change(&bench.path(file), |record| {
            record["instance_id"] = json!(format!("../{}", record["instance_id"].as_str().unwrap()))
        });
    }
    let said = bench.run(&["check", "run"]);
    assert!(said.contains("its id is more than letters"), "{said}");
}

/// Attack | `inject` of 100,000 ANDs, 1,000,000 IN items, 20,000 or 5,000 chained CTEs, 5,000 joins, 100,000 statements | more than a minute each | located error
#[test]
fn a_script_that_a_program_has_written_is_refused_where_it_goes_too_far() {
    let many =
        |count: usize, part: &dyn Fn(usize) -> String, by: &str| (0..count).map(part).collect::<Vec<_>>().join(by);
    let scripts = [
        ("conditions", format!("select a from t where {}", many(100_000, &|at| format!("a > {at}"), " and "))),
        ("items", format!("select a from t where a in ({})", many(1_000_000, &|at| at.to_string(), ","))),
        ("tables", format!("with {} select a from c1", many(20_000, &|at| format!("c{at} as (select a from t)"), ","))),
        (
            "chain",
            format!(
                "with c0 as (select a from t),{} select a from c1",
                many(5_000, &|at| format!("c{} as (select a from c{at})", at + 1), ",")
            ),
        ),
        ("joins", format!("select a from t {}", many(5_000, &|at| format!("join t t{at} using (a)"), " "))),
        ("relations", format!("select 1 from {}", many(5_000, &|at| format!("t t{at}"), ","))),
        ("statements", many(100_000, &|_| "select a from t".to_owned(), ";")),
    ];
    let bench = Bench::new();
    bench.file("s.sql", "create table t (a int);");
    for (name, script) in scripts {
        bench.file(&format!("{name}.sql"), script);
        let said = bench.run(&["inject", &format!("{name}.sql"), "--schema", "s.sql"]);
        assert!(said.starts_with("exit 3\n"), "{name}: {said}");
        assert!(said.contains(&format!("{name}.sql:1:")) && said.contains("split the script"), "{name}: {said}");
    }
}

/// Attack | `inject` of scripts just below each limit: ANDs, arms of a CASE, IN items, sub-queries, joins, statements, VALUES | minutes, without a word | ends in about a minute, and says which faults were not tried
#[test]
fn a_script_below_the_limits_ends_with_a_result_or_a_reason() {
    let many =
        |count: usize, part: &dyn Fn(usize) -> String, by: &str| (0..count).map(part).collect::<Vec<_>>().join(by);
    let condition = |at: usize| format!("a > {at}");
    let scripts = [
        ("conditions", format!("select a from t where {}", many(400, &condition, " and "))),
        ("arms", format!("select case {} end as x from t", many(300, &|at| format!("when a = {at} then {at}"), " "))),
        ("items", format!("select a from t where a in ({})", many(2_000, &|at| at.to_string(), ","))),
        ("queries", {
            let query = |at: usize| format!("a in (select a from t where a > {at})");
            format!("select a from t where {}", many(40, &query, " and "))
        }),
        ("joins", format!("select t.a from t {}", many(8, &|at| format!("join t t{at} on t.a = t{at}.a"), " "))),
        ("statements", many(60, &|at| format!("select a from t where a > {at}"), ";\n")),
        ("values", format!("insert overwrite table u values {}", many(1_000, &|at| format!("({at})"), ","))),
    ];
    let bench = Bench::new();
    bench.file("s.sql", "create table t (a int); create table u (a int);");
    for (name, script) in scripts {
        bench.file(&format!("{name}.sql"), script);
        let file = format!("{name}.sql");
        let fault = ["--fault", "bound-inclusion-changed", "--effort", "low"];
        let said = bench.run(&[&["inject", &file, "--schema", "s.sql"], &fault[..]].concat());
        let reasons = ["===", "no mutant was proved", "no fault asked for", "gives no rows", "stopped"];
        assert!(reasons.iter().any(|reason| said.contains(reason)), "{name}: {said}");
    }
}

/// Attack | a run whose reference or issue joins 5,000 tables | minutes in `check` | a problem of that task; the others are checked
#[test]
fn scripts_of_a_run_that_go_too_far_are_not_looked_at() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    let joins: String = (0..5_000).map(|at| format!(" JOIN orders t{at} USING (id)")).collect();
    change(&bench.path("run/gold.jsonl"), |gold| {
        if gold["instance_id"] == TASKS[1].0 {
            gold["reference_sql"] = json!(format!("SELECT id FROM orders{joins}"));
        }
    });
    let said = bench.run(&["check", "run"]);
    let words = format!("{}: 1:", TASKS[1].0);
    assert!(said.starts_with("exit 1\n") && said.contains(&words) && said.contains("of one FROM"), "{said}");
}

/// A script of chained self-joins, each of which doubles the columns of the one before.
fn doubling() -> String {
    let tables = (1..40).map(|at| format!("c{at} AS (SELECT x.*, y.* FROM c{0} x CROSS JOIN c{0} y)", at - 1));
    let tables: Vec<String> = tables.collect();
    format!("WITH c0 AS (SELECT id, id AS a FROM orders), {} SELECT * FROM c39", tables.join(", "))
}

/// Attack | stars of 40 chained self-joins, each of which doubles the columns, for `inject`, and in a run for `check`, `repair` and `audit` | 8 GB, abort | refused, or a problem of that task
#[test]
fn stars_that_double_their_columns_take_no_memory() {
    let bench = Bench::new();
    bench.file("s.sql", "CREATE TABLE orders (id INT);");
    bench.file("stars.sql", doubling());
    let said = bench.run(&["inject", "stars.sql", "--schema", "s.sql"]);
    assert!(said.starts_with("exit 3\n") && said.contains("error: stars.sql: "), "{said}");
    write_run(&bench.path("run"));
    change(&bench.path("run/gold.jsonl"), |gold| gold["reference_sql"] = json!(doubling()));
    let verbs = [("check", "exit 1\n"), ("repair", "exit 0\n"), ("audit", "exit 0\n")];
    for (verb, exit) in verbs {
        // Before, each of them took more than 6 GB.
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_sqlfault"), verb, "run"]);
        let solvers: &[&str] = if verb == "repair" { &["--solver", "linter"] } else { &[] };
        let said = bench.shown(&limited.args(solvers).current_dir(bench.path(".")).output().unwrap());
        assert!(said.starts_with(exit), "{verb}: {said}");
    }
}

/// Attack | a schema of 20,000 tables, or of a table with 300,000 columns | a minute, a gigabyte | those that the script names are kept; the wide one is refused
#[test]
fn a_schema_that_goes_too_far_costs_little() {
    let bench = Bench::new();
    bench.file("q.sql", "SELECT a FROM t7");
    bench.file("many.sql", (0..20_000).map(|at| format!("CREATE TABLE t{at} (a INT);\n")).collect::<String>());
    let said = bench.run(&["inject", "q.sql", "--schema", "many.sql", "--fault", "select-dropped"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let columns: Vec<String> = (0..300_000).map(|at| format!("c{at} INT")).collect();
    bench.file("wide.sql", format!("CREATE TABLE t7 (a INT, {});", columns.join(", ")));
    let said = bench.run(&["inject", "q.sql", "--schema", "wide.sql"]);
    assert!(said.starts_with("exit 3\n") && said.contains("has more than 2000 columns"), "{said}");
}

/// Attack | a database named twice as evidence; a taxonomy of one record alone; a script of no list; a statement or clause that there is not | 0 problems | each is a problem
#[test]
fn what_a_record_claims_is_held_against_its_script() {
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 4] = [
        (
            |gold| {
                if let Some(names) = gold["evidence"].get_mut("databases").and_then(Value::as_array_mut) {
                    names.push(names[0].clone());
                }
            },
            "is named twice",
        ),
        (|gold| gold["provenance"]["script"] = json!("../../etc/passwd"), "no script of the run is called"),
        (|gold| gold["location"]["statement"] = json!(999_999), "(statement 999999"),
        (|gold| gold["location"]["clause"] = json!("BOGUS"), "BOGUS"),
    ];
    for (made, words) in changes {
        let bench = Bench::new();
        write_run(&bench.path("run"));
        change(&bench.path("run/gold.jsonl"), made);
        let said = bench.run(&["check", "run"]);
        assert!(said.starts_with("exit 1\n") && said.contains(words), "{words}: {said}");
    }
    let bench = Bench::new();
    write_run(&bench.path("run"));
    change(&bench.path("run/gold.jsonl"), |gold| {
        if gold["instance_id"] == TASKS[2].0 {
            gold["provenance"]["taxonomy"] = json!("y");
            gold["labels"][0]["fault"] = json!("no fault\u{1b}[31m");
        }
    });
    let said = bench.run(&["check", "run"]);
    assert!(said.contains("its taxonomy is not that of the run") && said.contains("no fault is called"), "{said}");
}

#[test]
fn a_run_without_a_task_is_bad_input_for_every_verb_that_reads_one() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    for file in ["run/tasks.jsonl", "run/gold.jsonl"] {
        std::fs::write(bench.path(file), "").unwrap();
    }
    for arguments in [&["check", "run"][..], &["repair", "run", "--solver", "linter"], &["audit", "run"]] {
        let said = bench.run(arguments);
        assert!(said.starts_with("exit 3\n") && said.contains("no task"), "{arguments:?}: {said}");
    }
}
