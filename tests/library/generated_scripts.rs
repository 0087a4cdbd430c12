//! Databases for scripts that a program has written, of thousands of conditions: the time grows with the length.

use sqlfault::code::scope::ResolvedScript;
use sqlfault::corpus::{ReferenceCard, read_texts};
use sqlfault::prove::varieties::databases;

/// Sizes that are compared, and the most times as long that the longer script may take: one that is held against itself
/// takes 16 times as long.
const SHORT: usize = 500;
const LONG: usize = 4 * SHORT;
const MOST: f64 = 10.0;

/// So many parts with this text between them.
fn many(count: usize, part: impl Fn(usize) -> String, by: &str) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(by)
}

type Written = fn(usize) -> String;

/// Kinds of scripts, by number of parts.
const KINDS: [(&str, Written); 4] = [
    ("conditions", |count| format!("SELECT a FROM t WHERE {}", many(count, |at| format!("a > {at}"), " AND "))),
    ("cases", |count| {
        format!("SELECT CASE {} END AS x FROM t", many(count, |at| format!("WHEN a = {at} THEN {}", at + 1), " "))
    }),
    ("sub-queries", |count| {
        let condition = |at| format!("a IN (SELECT a FROM t WHERE a > {at})");
        format!("SELECT a FROM t WHERE {}", many(count / 4, condition, " AND "))
    }),
    ("statements", |count| many(count / 4, |at| format!("SELECT a FROM t WHERE a > {at}"), ";\n")),
];

/// Returns the time that this thread has had on a processor, in nanoseconds.
#[cfg(target_os = "linux")]
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

/// Returns the processor time that making the databases of a script takes: the shortest of three.
#[cfg(target_os = "linux")]
fn time(script: String) -> u64 {
    let card: ReferenceCard =
        serde_json::from_str(r#"{"domain":"d","title":"t","intention":"i","scenario":"s"}"#).unwrap();
    let reference = read_texts("t".to_owned(), script, "CREATE TABLE t (a INT)".to_owned(), card).unwrap();
    let ResolvedScript { script, scopes } = ResolvedScript::new(reference.script.text(), &reference.schema);
    let timed = |_| {
        let start = processor_time();
        assert!(!databases(&reference, &script, &scopes).is_empty());
        processor_time() - start
    };
    (0..3).map(timed).min().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn the_time_for_the_databases_of_a_script_grows_with_its_length() {
    for (kind, written) in KINDS {
        let [short, long] = [SHORT, LONG].map(|count| time(written(count)));
        let ratio = long as f64 / short as f64;
        assert!(ratio < MOST, "{kind}: 4 times the size takes {ratio:.1} times as long");
    }
}
