//! Answers of bounded size that would take for ever merely to be read, resolved or compared.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{REFERENCE, TASKS, write_run};
use crate::program::Bench;

/// The time limit of each answer, for its text and for its run.
const LIMIT: Duration = Duration::from_secs(1);
/// What load may add by delaying processes.
const SPARE: Duration = Duration::from_secs(20);

fn answers() -> Vec<String> {
    let many =
        |count: usize, part: &dyn Fn(usize) -> String, by: &str| (0..count).map(part).collect::<Vec<_>>().join(by);
    let columns = ["a"; 100_000].join(",");
    let inner = ["1 a"; 50_000].join(",");
    vec![
        format!("SELECT {columns} FROM (SELECT {inner}) x ORDER BY a"),
        format!("SELECT x FROM {}", many(30_000, &|at| format!("orders t{at}"), ",")),
        format!("SELECT * FROM {}", many(30_000, &|at| format!("orders t{at}"), ",")),
        format!("SELECT {}", ["(SELECT max(1) FROM orders)"; 12_000].join(",")),
        format!("SELECT a FROM orders {}", many(6_000, &|at| format!("JOIN orders t{at} USING (a)"), " ")),
        format!("WITH {} SELECT a FROM c1", many(17_000, &|at| format!("c{at} AS (SELECT 1 AS a)"), ",")),
        format!("SELECT 1 FROM orders WHERE 1 IN ({})", ["1"; 200_000].join(",")),
        format!("SELECT {}", "(".repeat(500_000)),
        "(".repeat(500_000),
        "{".repeat(500_000),
        "${a}".repeat(120_000),
        "with a;\n".repeat(60_000),
        "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n".repeat(10_000),
        REFERENCE.replace("SELECT", &format!("SELECT {}", "1,".repeat(100_000))),
    ]
}

/// Attack | answers of 512 KiB: 100,000 ambiguous names, 30,000 tables or subqueries in one SELECT, `((((`, `{{{{`, `${a}${a}` | minutes, or all memory, for reading them | each ends within its limits; the next answer is judged
#[test]
fn an_answer_whose_reading_has_no_end_costs_its_limit_alone() {
    let bench = Bench::new();
    write_run(&bench.path("run"));
    let mut command = bench.command(&["score", "run", "--stdin", "--time-limit", &LIMIT.as_secs().to_string()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |sql: &str| -> Value {
        writeln!(input, "{}", json!({"instance_id": TASKS[2].0, "predict_sql": sql})).unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    for answer in answers() {
        let shown = &answer[..60];
        let start = Instant::now();
        let score = ask(&answer);
        assert_eq!(score["accepted"], false, "{shown}: {score}");
        assert!(start.elapsed() < LIMIT * 3 + SPARE, "{shown}: {:?}", start.elapsed());
        assert_eq!(ask(REFERENCE)["accepted"], true, "after {shown}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The state letter and the parent of a process; `None` if there is none.
#[cfg(target_os = "linux")]
fn process(pid: u32) -> Option<(char, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = text[text.rfind(')')? + 1..].split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Whether this process ignores a signal, and with it every program that it starts.
#[cfg(target_os = "linux")]
fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// Asks again until there is an answer.
#[cfg(target_os = "linux")]
fn eventually<T>(what: &str, answer: impl Fn() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(start.elapsed() < SPARE, "{what} takes too long");
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

/// Attack | TERM, INT, HUP or KILL for `score --stdin`, by its id, while its child runs an answer | the child lives on | the child ends
#[test]
#[cfg(target_os = "linux")]
fn the_child_ends_with_a_program_that_any_signal_ends() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1), ("-KILL", 9)] {
        // What a program started in the background, or by nohup, ignores, its children ignore too.
        if is_ignored(number) {
            continue;
        }
        let bench = Bench::new();
        write_run(&bench.path("run"));
        let mut command = bench.command(&["score", "run", "--stdin", "--time-limit", "600"]);
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut input = program.stdin.take().unwrap();
        let call = "levenshtein(repeat('a', 16000), repeat('b', 16000))";
        let endless = format!("SELECT {}", vec![call; 2_000].join(" + "));
        writeln!(input, "{}", json!({"instance_id": TASKS[2].0, "predict_sql": endless})).unwrap();
        let all =
            || std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let id = program.id();
        let child = eventually("the child", || all().find(|pid| process(*pid).is_some_and(|(_, parent)| parent == id)));
        let sent = std::process::Command::new("kill").args([signal, &id.to_string()]).status().unwrap();
        assert!(sent.success());
        assert!(!program.wait().unwrap().success(), "{signal}");
        eventually("the end of the child", || process(child).is_none_or(|(state, _)| state == 'Z').then_some(()));
    }
}
