//! Hostile answers: none escapes, none outlives its limit, and the next answer is judged as usual.
#![expect(clippy::print_stdout, reason = "the longest life is the report of this test")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlfault::engine::child::{Allowance, Exceeded, RunVerdict, TrialRequest, Worker};
use sqlfault::engine::policy::Policies;
use sqlfault::engine::table::{Database, Row, ScriptResult, TableRows, Value};
use sqlfault::engine::{ContainedEngine, EmbeddedEngine, Engine, ExecutionContext, RunOutcome};

/// The limit under which every attack is tried.
const LIMIT: Duration = Duration::from_secs(1);
/// The limit under which lifetimes are measured. A tenth of it is far above what load adds by delaying the supervisor
/// or the end of a process, so that one try is enough.
const MEASURED: Duration = Duration::from_secs(6);
/// How many times its limit a statement may live, from its start until its process is gone.
const LONGEST: f64 = 1.1;
/// Attacks that are measured at once.
const TOGETHER: usize = 4;
const REFERENCE: &str = "SELECT a, s FROM t WHERE a > 1";

/// What an attack must end as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It never runs.
    Refused,
    /// It runs until a limit or an error stops it.
    Stopped,
    /// It ends by itself and does no harm.
    Harmless,
}

fn request(folder: &Path, sql: &str, limit: Duration) -> TrialRequest {
    TrialRequest {
        schema_ddl: "CREATE TABLE t (a INT, s STRING)".to_owned(),
        parameters: BTreeMap::new(),
        reference_sql: REFERENCE.to_owned(),
        predict_sql: sql.to_owned(),
        tables: Vec::new(),
        databases: vec![folder.join("rows.json")],
        others: Vec::new(),
        allowance: Allowance { milliseconds: limit.as_millis() as u64, bytes: 200 << 20, rows: 100_000 },
        policies: Policies::default(),
        repeats: 0,
    }
}

fn end(verdict: &RunVerdict) -> End {
    match verdict {
        RunVerdict::Rejected { .. } | RunVerdict::Unsupported { .. } => End::Refused,
        RunVerdict::Failed { .. } | RunVerdict::Exceeded { .. } | RunVerdict::Crashed { .. } => End::Stopped,
        _ => End::Harmless,
    }
}

fn attacks(folder: &Path) -> Vec<(String, &'static [End])> {
    use End::*;
    let path = folder.join("escaped").display().to_string();
    let big = "repeat('a', 1000000)";
    let cross = vec!["t"; 60].iter().enumerate().map(|(n, t)| format!("{t} x{n}")).collect::<Vec<_>>().join(", ");
    let unions = vec!["SELECT a, s FROM t"; 5000].join(" UNION ALL ");
    let list = (0..150_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let doubling: String =
        (1..26).map(|n| format!(", c{n} AS (SELECT * FROM c{} UNION ALL SELECT * FROM c{})", n - 1, n - 1)).collect();
    let attack = |sql: &str, ends: &'static [End]| (sql.to_owned(), ends);
    vec![
        attack(&format!("ATTACH DATABASE '{path}' AS x; {REFERENCE}"), &[Refused, Harmless]),
        attack(&format!("VACUUM INTO '{path}'"), &[Refused, Harmless]),
        attack(&format!("INSERT OVERWRITE LOCAL DIRECTORY '{path}' SELECT a, s FROM t"), &[Refused, Harmless]),
        attack(&format!("EXPORT TABLE t TO '{path}'"), &[Refused, Harmless]),
        attack(&format!("SELECT writefile('{path}', 'x')"), &[Refused]),
        attack("SELECT readfile('/etc/passwd')", &[Refused]),
        attack("SELECT load_extension('x.so')", &[Refused]),
        attack("SELECT reflect('java.lang.Runtime', 'exit', 1)", &[Refused]),
        attack("SELECT java_method('java.lang.System', 'exit', 1)", &[Refused]),
        attack("PRAGMA writable_schema = 1", &[Refused, Harmless]),
        attack("SELECT * FROM sqlite_master", &[Refused]),
        attack("SELECT * FROM pragma_table_info('t')", &[Refused]),
        attack("ADD JAR /tmp/x.jar; SELECT a, s FROM t", &[Refused, Harmless]),
        attack("SELECT randomblob(1000000000)", &[Refused]),
        attack(
            "WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c) SELECT count(*), 'x' FROM c",
            &[Refused, Stopped],
        ),
        attack(&format!("SELECT count(*), 'x' FROM {cross}"), &[Refused, Stopped]),
        attack(
            &format!("WITH c0 AS (SELECT a, s FROM t){doubling} SELECT count(*), 'x' FROM c25"),
            &[Refused, Stopped],
        ),
        attack("SELECT length(repeat('a', 2000000000)), 'x'", &[Stopped, Refused, Harmless]),
        attack("SELECT length(rpad('a', 2000000000, 'b')), 'x'", &[Stopped, Refused, Harmless]),
        attack("SELECT length(space(2000000000)), 'x'", &[Stopped, Refused, Harmless]),
        attack(&format!("SELECT instr({big}, concat(repeat('a', 500000), 'b')), 'x'"), &[Stopped, Harmless]),
        attack(
            &format!("SELECT length(replace({big}, concat(repeat('a', 500000), 'b'), '')), 'x'"),
            &[Stopped, Harmless],
        ),
        attack(&format!("SELECT levenshtein({big}, repeat('b', 1000000)), 'x'"), &[Stopped, Refused]),
        attack(&format!("SELECT {big} RLIKE '(a+)+(a+)+(a+)+b', 'x'"), &[Stopped, Harmless, Refused]),
        attack("SELECT size(sequence(1, 2000000000)), 'x'", &[Stopped, Refused]),
        attack("SELECT sum(e), 'x' FROM (SELECT explode(sequence(1, 100000000)) AS e) q", &[Stopped, Refused]),
        attack(
            &format!("SELECT length(concat_ws(',', collect_list({big}))), 'x' FROM t a, t b, t c, t d"),
            &[Stopped, Refused, Harmless],
        ),
        attack(&unions, &[Refused, Stopped, Harmless]),
        attack(&format!("SELECT a, s FROM t WHERE a IN ({list})"), &[Refused, Stopped, Harmless]),
        attack(&format!("SELECT {}a{}, s FROM t", "(".repeat(50_000), ")".repeat(50_000)), &[Refused, Stopped]),
        attack(&format!("SELECT a, s FROM t WHERE {} a > 1", "NOT ".repeat(50_000)), &[Refused, Stopped]),
        attack(&format!("SELECT {} a, s FROM t", "CASE WHEN a > 0 THEN ".repeat(20_000)), &[Refused, Stopped]),
        attack(&format!("SELECT a{}, s FROM t", " + 1".repeat(50_000)), &[Refused, Stopped]),
        attack("\u{0}\u{1}'", &[Refused, Harmless]),
    ]
    .into_iter()
    .chain(further(&cross))
    .collect()
}

/// More statements that other judges were tried with.
fn further(cross: &str) -> Vec<(String, &'static [End])> {
    use End::*;
    let attack = |sql: &str, ends: &'static [End]| (sql.to_owned(), ends);
    let many = "(SELECT explode(sequence(1, 2000)) AS e) ";
    let four = ["p", "q", "r", "v"].map(|name| format!("{many}{name}")).join(", ");
    let nested = format!("{}t{}", "(SELECT a, s FROM ".repeat(150), ") x".repeat(150));
    let doubling = "INSERT INTO t SELECT x.a, x.s FROM t x, t y;".repeat(12);
    let frame = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW";
    vec![
        attack("SELECT zeroblob(1000000000)", &[Refused]),
        attack("SELECT printf('%.*c', 1000000000, 'x'), 'x'", &[Refused, Stopped, Harmless]),
        attack("SELECT fts3_tokenizer('x'), 'x'", &[Refused]),
        attack("PRAGMA hard_heap_limit = 0", &[Refused, Harmless]),
        attack("PRAGMA temp_store_directory = '/tmp'", &[Refused, Harmless]),
        attack("CREATE VIRTUAL TABLE v USING fts5(a)", &[Refused]),
        attack("UPDATE sqlite_master SET sql = 'x'", &[Refused]),
        attack("DROP TABLE t; SELECT a, s FROM t WHERE a > 1", &[Refused, Harmless, Stopped]),
        attack(&format!("SELECT count(*), 'x' FROM {four}"), &[Refused, Stopped]),
        attack(&format!("SELECT DISTINCT p.e + q.e * r.e, 'x' FROM {four}"), &[Refused, Stopped]),
        attack(&format!("SELECT p.e % 3, max('x') FROM {four} GROUP BY p.e % 3"), &[Refused, Stopped]),
        attack(
            &format!("SELECT a, s FROM t WHERE EXISTS (SELECT 1 FROM {four} WHERE p.e + q.e + r.e + v.e < 0)"),
            &[Refused, Stopped],
        ),
        attack(
            &format!("SELECT sum(levenshtein(repeat('a', p.e), repeat('b', q.e))), 'x' FROM {four}"),
            &[Refused, Stopped],
        ),
        attack(&format!("SELECT p.e, 'x' FROM {four} ORDER BY p.e * q.e + r.e"), &[Refused, Stopped]),
        attack(&format!("SELECT size(collect_list(p.e)), 'x' FROM {four}"), &[Refused, Stopped]),
        attack(&format!("SELECT to_json(collect_set(p.e * q.e)), 'x' FROM {four}"), &[Refused, Stopped]),
        attack(
            "WITH RECURSIVE c AS (SELECT 'x' AS s UNION SELECT concat(s, repeat('y', 100000)) FROM c) SELECT 1, s FROM c",
            &[Refused, Stopped],
        ),
        attack(&doubling, &[Refused, Stopped, Harmless]),
        attack(&format!("SELECT sum(p.e) OVER (ORDER BY q.e {frame}), 'x' FROM {many}p, {many}q"), &[Refused, Stopped]),
        attack(
            &format!(
                "SELECT max(p.e) OVER (ORDER BY q.e ROWS BETWEEN 9999 PRECEDING AND 9999 FOLLOWING), 'x' FROM {many}p, {many}q"
            ),
            &[Refused, Stopped],
        ),
        attack(&format!("SELECT a, s FROM {nested}"), &[Refused, Stopped, Harmless]),
        attack(
            &format!("SELECT a, s FROM t WHERE {}a > 1", "a > 0 AND ".repeat(50_000)),
            &[Refused, Stopped, Harmless],
        ),
        attack(&format!("SELECT {}a FROM {cross}", "*, ".repeat(2_000)), &[Refused, Stopped]),
        attack(
            &format!("SELECT get_json_object('{}', '$.a'), 'x'", "[".repeat(100_000)),
            &[Refused, Stopped, Harmless],
        ),
        attack(
            &format!("SELECT repeat('a', 1000000) LIKE '{}b', 'x'", "%a".repeat(100)),
            &[Refused, Stopped, Harmless],
        ),
    ]
}

/// A folder with a small database.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"{"tables":[{"table":"t","rows":[[1,"x"],[2,"y"],[3,null]]}]}"#;
    std::fs::write(folder.path().join("rows.json"), rows).unwrap();
    folder
}

fn worker() -> Worker {
    Worker::new(Path::new(env!("CARGO_BIN_EXE_sqlfault")))
}

fn shown(sql: &str) -> String {
    sql.chars().take(90).collect()
}

/// Attack | 59 scripts as answers: files, settings, extensions, endless joins, recursion, sizes, depth | – | refused or ended; nothing written; the next answer is judged
#[test]
fn no_attack_escapes_or_harms_the_next_answer() {
    let folder = folder();
    let (mut worker, mut wrong) = (worker(), Vec::new());
    for (sql, allowed) in attacks(folder.path()) {
        let shown = shown(&sql);
        let reply = worker.answer(&request(folder.path(), &sql, LIMIT));
        if !allowed.contains(&end(&reply.verdict)) {
            wrong.push(format!("{shown}: {:?}", reply.verdict));
        }
        if folder.path().join("escaped").exists() {
            wrong.push(format!("{shown}: wrote a file"));
        }
        let next = worker.answer(&request(folder.path(), REFERENCE, LIMIT));
        assert!(worker.lived().is_some());
        if next.verdict != RunVerdict::Equal {
            wrong.push(format!("after {shown}: {:?}", next.verdict));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Attack | the same scripts, measured | – | none outlives its limit by more than a tenth
#[test]
fn no_attack_outlives_its_limit_by_more_than_a_tenth() {
    let folder = folder();
    let attacks = attacks(folder.path());
    let next = AtomicUsize::new(0);
    let measure = || {
        let (mut worker, mut lives) = (worker(), Vec::new());
        while let Some((sql, _)) = attacks.get(next.fetch_add(1, Ordering::Relaxed)) {
            worker.answer(&request(folder.path(), sql, MEASURED));
            lives.extend(worker.lived().map(|life| (life, shown(sql))));
        }
        lives
    };
    let mut lives: Vec<(Duration, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..TOGETHER).map(|_| scope.spawn(measure)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    lives.sort();
    // The engine interrupts itself a moment before the limit; a kill from outside comes a moment after it.
    let ended = lives.iter().filter(|(life, _)| *life >= MEASURED.mul_f64(0.95)).count();
    println!("{} attacks began, {ended} lived until their limit; the longest: {:?}", lives.len(), lives.last());
    assert!(ended >= 4, "hardly any attack tries the limit: {lives:?}");
    let longer: Vec<_> = lives.iter().filter(|(life, _)| *life > MEASURED.mul_f64(LONGEST)).collect();
    assert!(longer.is_empty(), "{longer:#?}");
}

/// Each call is as large as one may be and looks at no clock itself; what it takes is accounted for before it is made.
fn long_calls(count: usize) -> String {
    let call = "levenshtein(repeat('a', 16000), repeat('b', 16000))";
    format!("SELECT {}, 'x'", vec![call; count].join(" + "))
}

#[test]
fn long_calls_end_at_the_limit() {
    let (folder, mut worker) = (folder(), worker());
    let reply = worker.answer(&request(folder.path(), &long_calls(40), LIMIT));
    assert_eq!(reply.verdict, RunVerdict::Exceeded { limit: Exceeded::Time });
}

/// Attack | a child that has begun and is deaf to every limit of its own | runs on | its parent ends it
#[test]
#[cfg(unix)]
fn a_child_that_looks_at_no_clock_is_ended_by_its_parent() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    let program = folder.path().join("deaf");
    std::fs::write(&program, "#!/bin/sh\nread request\necho begins\nwhile :; do :; done\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut worker = Worker::new(&program);
    let reply = worker.answer(&request(folder.path(), REFERENCE, LIMIT));
    assert_eq!(reply.verdict, RunVerdict::Exceeded { limit: Exceeded::Time });
    let life = worker.lived().unwrap();
    assert!(life >= LIMIT && life < LIMIT * 3, "{life:?}");
}

#[test]
fn a_program_that_cannot_be_started_is_no_verdict_on_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut worker = Worker::new(Path::new("/nowhere/sqlfault"));
    let reply = worker.answer(&request(folder.path(), REFERENCE, LIMIT));
    assert!(matches!(reply.verdict, RunVerdict::Unjudged { .. }), "{:?}", reply.verdict);
}

/// A child that nobody watches, its pipes, and the request of a script that runs for this long at most.
fn unwatched(sql: &str, rows: &[serde_json::Value], milliseconds: u64) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
    let mut child = command.arg("__child").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let request = serde_json::json!({ "execution": {
        "schema": sqlfault::code::schema::Schema::read("CREATE TABLE t (a INT, s STRING)").unwrap(),
        "parameters": {},
        "text": sql,
        "database": { "tables": [{ "table": "t", "rows": rows }] },
        "allowance": Allowance { milliseconds, ..Allowance::default() },
    }});
    let mut requests = child.stdin.take().unwrap();
    writeln!(requests, "{request}").unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut begins = String::new();
    answers.read_line(&mut begins).unwrap();
    assert_eq!(begins.trim(), "begins");
    (child, requests, answers)
}

const ENDLESS: &str =
    "SELECT count(*) AS n FROM t a, t b, t c, t d, t e, t f, t g, t h WHERE levenshtein(a.s, h.s) > 3";

fn long_rows() -> Vec<serde_json::Value> {
    (0..500).map(|number| serde_json::json!([number, "a".repeat(100)])).collect()
}

/// Attack | the parent is killed while its child is busy | child lives on | child ends
#[test]
fn a_child_ends_with_its_parent_whatever_it_is_busy_with() {
    let (mut child, requests, _answers) = unwatched(ENDLESS, &long_rows(), 60_000);
    // As when the parent is killed: nobody holds the other end of the pipe any more.
    drop(requests);
    let started = Instant::now();
    child.wait().unwrap();
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// Attack | long calls in a child whose parent hangs | runs on | the child ends the script itself, within its limits of processor time and address space
#[test]
#[cfg(target_os = "linux")]
fn a_child_that_nobody_watches_ends_its_script() {
    let (mut child, requests, mut answers) = unwatched(&long_calls(400), &[serde_json::json!([1, "x"])], 1_000);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let soft = |name: &str| -> u64 {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().parse().unwrap_or_else(|_| panic!("{line}"))
    };
    assert!((1..=10).contains(&soft("Max cpu time")), "{limits}");
    assert!(soft("Max address space") < 4 << 30, "{limits}");
    let mut answer = String::new();
    answers.read_line(&mut answer).unwrap();
    assert!(answer.contains("timed_out"), "{answer}");
    drop(requests);
    child.wait().unwrap();
}

/// Attack | a child that uses more processor time than the system grants it | runs on | the system ends it
#[test]
#[cfg(target_os = "linux")]
fn a_child_beyond_its_processor_time_is_ended_by_the_system() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    use std::os::unix::process::ExitStatusExt;

    let (mut child, requests, _answers) = unwatched(ENDLESS, &long_rows(), 60_000);
    // The child sets a limit of its own, which lies behind that of its script: one that it cannot know stands for it.
    let limit = Rlimit { current: Some(1), maximum: None };
    prlimit(Pid::from_raw(i32::try_from(child.id()).unwrap()), Resource::Cpu, limit).unwrap();
    // Its pipe stays open, as that of a parent that hangs does.
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(24), "SIGXCPU: {status}");
    drop(requests);
}

#[test]
fn the_contained_engine_answers_as_the_embedded_one_and_outlives_what_a_script_does() {
    let allowance = Allowance { milliseconds: 1_000, ..Allowance::default() };
    let contained = ContainedEngine::new(Path::new(env!("CARGO_BIN_EXE_sqlfault")), allowance);
    let schema = sqlfault::code::schema::Schema::read("CREATE TABLE t (a INT, s STRING)").unwrap();
    let context = ExecutionContext { schema, ..ExecutionContext::default() };
    let row = |number: i64| Row::from([Value::Integer(number), Value::Text("é".to_owned())]);
    let rows = (0..400).map(row).collect();
    let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
    for sql in
        ["SELECT a, s FROM t WHERE a > 397", "SELECT b FROM t", "SELECT a / 0 AS x, 1e308D * 10 AS y FROM t", "SELECT"]
    {
        assert_eq!(contained.check(sql, context.by_ref()), EmbeddedEngine.check(sql, context.by_ref()), "{sql}");
        let written = |outcome| match outcome {
            RunOutcome::Ran(result) => RunOutcome::Ran(ScriptResult::writable(result)),
            other => other,
        };
        let expected = written(EmbeddedEngine.run(sql, context.by_ref(), &database));
        assert_eq!(contained.run(sql, context.by_ref(), &database), expected, "{sql}");
        let expected = written(EmbeddedEngine.run_scanning(sql, context.by_ref(), &database));
        assert_eq!(contained.run_scanning(sql, context.by_ref(), &database), expected, "{sql}");
    }
    let endless = "SELECT count(*) AS n FROM t a, t b, t c, t d, t e";
    assert!(matches!(
        contained.run(endless, context.by_ref(), &database),
        RunOutcome::TimedOut | RunOutcome::Failed(_)
    ));
    assert!(contained.result("SELECT a FROM t", context.by_ref(), &database).is_ok());
}
