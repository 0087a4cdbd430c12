//! Long, deep and broken texts give a result or an error with its place, never a crash, in no more than linear time.

use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use rustix::time::{ClockId, clock_gettime};
use sqlfault::code::grammar::SyntaxReason;
use sqlfault::code::profile::Profile;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::{ResolvedScript, Scopes};
use sqlfault::code::script::Script;

use crate::code::sources::{self, Source};

/// Everything that `code` does with a text.
fn read(text: &str, schema: &Schema) -> (Script, Scopes) {
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
    Profile::of(&script);
    (script, scopes)
}

#[test]
fn long_chains_of_conditions_are_read() {
    for word in ["AND", "OR"] {
        let chain = vec!["a = 1"; 10_000].join(&format!(" {word} "));
        let (script, _) = read(&format!("SELECT 1 FROM t WHERE {chain}"), &Schema::default());
        assert_eq!(script.errors(), []);
        assert_eq!(Profile::of(&script).functions, 9_999);
    }
}

#[test]
fn ten_thousand_levels_are_refused_where_the_nesting_becomes_too_deep() {
    let cases = [
        ("(", "1", ")"),
        ("CASE WHEN ", "1", " THEN 1 END"),
        ("f(", "1", ")"),
        ("(SELECT ", "1", ")"),
        ("NOT ", "1", ""),
        ("- ", "1", ""),
        ("a[", "1", "]"),
        ("x -> ", "1", ""),
        ("EXISTS (SELECT ", "1", ")"),
        ("1 IN (SELECT ", "1", ")"),
        ("CAST(", "1", " AS INT)"),
    ];
    for (open, middle, close) in cases {
        let text = format!("SELECT {}{middle}{}", open.repeat(10_000), close.repeat(10_000));
        let (script, _) = read(&text, &Schema::default());
        let (_, error) = &script.errors()[0];
        assert_eq!(error.reason, SyntaxReason::TooDeep, "{open}: {error}");
        assert!(error.span.start > 0 && error.span.start < open.len() * 300, "{open}: {:?}", error.span);
    }
}

#[test]
fn nested_relations_and_types_are_refused_beyond_the_limit() {
    let cases = [
        format!("SELECT 1 FROM {}t{}", "(".repeat(10_000), ")".repeat(10_000)),
        format!("SELECT 1 FROM {}SELECT 1{}", "(SELECT 1 FROM ".repeat(10_000), ")".repeat(10_000)),
        format!("{}SELECT 1{}", "WITH c AS (".repeat(10_000), ") SELECT 1".repeat(10_000)),
        format!("{}SELECT 1{}", "(".repeat(10_000), ")".repeat(10_000)),
    ];
    for text in cases {
        let (script, _) = read(&text, &Schema::default());
        assert_eq!(script.errors().len(), 1, "{:.60}", text);
    }
    let ddl = format!("CREATE TABLE t (a {}INT{})", "ARRAY<".repeat(10_000), ">".repeat(10_000));
    assert!(Schema::read(&ddl).is_err());
    let (script, scopes) = read(&ddl, &Schema::default());
    assert!(script.is_valid() && scopes.problems().is_empty());
}

#[test]
fn nesting_up_to_the_limit_is_read_and_resolved() {
    let cases = [
        ("SELECT 1 FROM ", "(SELECT 1 FROM ", "a", ")", 95),
        ("SELECT ", "(SELECT ", "1", ")", 45),
        ("SELECT 1 FROM a WHERE ", "EXISTS (SELECT 1 FROM a WHERE ", "a.id = 1", ")", 45),
        ("", "WITH c AS (", "SELECT 1", ") SELECT 1", 95),
        ("SELECT ", "f(", "1", ")", 95),
        ("SELECT ", "CASE WHEN TRUE THEN ", "1", " END", 95),
        ("SELECT 1 FROM ", "(", "a", ")", 95),
        ("", "(", "SELECT 1", ")", 95),
    ];
    let schema = Schema::read("CREATE TABLE a (id BIGINT)").expect("the DDL is right");
    for (before, open, middle, close, depth) in cases {
        let text = format!("{before}{}{middle}{}", open.repeat(depth), close.repeat(depth));
        let (script, scopes) = read(&text, &schema);
        assert_eq!(script.errors(), [], "{before}{open}");
        assert_eq!(scopes.problems(), [], "{before}{open}");
    }
}

#[test]
fn long_chains_of_other_operators_are_read_up_to_their_limit() {
    for (operator, count, fits) in [("+", 400, true), ("||", 400, true), ("+", 10_000, false), ("=", 10_000, false)] {
        let text = format!("SELECT {}", vec!["a"; count].join(operator));
        let (script, scopes) = read(&text, &Schema::default());
        assert_eq!((script.is_valid(), scopes.problems().len()), (fits, if fits { count } else { 0 }), "{operator}");
    }
    for (count, fits) in [(400, true), (10_000, false)] {
        let text = vec!["SELECT 1"; count].join(" UNION ALL ");
        assert_eq!(read(&text, &Schema::default()).0.is_valid(), fits, "{count} UNION ALL");
    }
}

#[test]
fn ten_megabytes_in_one_line_are_read_or_refused_with_a_place() {
    let list = format!("SELECT {}1", format!("{}, ", "x".repeat(1022)).repeat(10 << 10));
    assert!(Script::new(list).is_valid());
    let broken = format!("SELECT '{}", "x".repeat(10 << 20));
    let script = Script::new(broken);
    assert_eq!((script.errors()[0].1.reason, script.errors()[0].1.span.start), (SyntaxReason::Unclosed, 7));
}

/// A correct script of about `lines` lines: CTE after CTE, each reading the one before.
fn long_script(lines: usize) -> String {
    let mut text = String::from("WITH c0 AS (\n  SELECT id, x, name\n  FROM a\n)");
    for number in 1..lines / 10 {
        let before = number - 1;
        let _ = write!(
            text,
            ",\nc{number} AS (\n  SELECT p.id,\n    coalesce(p.x, q.x, 0) + 1 AS x,\n    CASE WHEN p.name = 'k' THEN concat(p.name, q.name) ELSE p.name END AS name\n  \
             FROM c{before} p\n  LEFT JOIN a q\n    ON p.id = q.id AND q.x > 1\n  WHERE p.id IS NOT NULL\n)"
        );
    }
    let _ = write!(text, "\nSELECT id, x, name FROM c{}", (lines / 10).saturating_sub(1));
    text
}

/// CPU time of this thread, which a busy machine does not lengthen as it does the clock on the wall.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn fastest(schema: &Schema, script: &Script) -> Duration {
    let run = || {
        let start = cpu_time();
        assert_eq!(Scopes::resolve(script, schema).problems(), []);
        cpu_time() - start
    };
    (0..5).map(|_| run()).min().unwrap_or_default()
}

#[test]
fn resolution_grows_no_faster_than_the_script() {
    let schema = Schema::read("CREATE TABLE a (id BIGINT, x INT, name STRING)").expect("the DDL is right");
    let small = fastest(&schema, &Script::new(long_script(1_500)));
    let large = fastest(&schema, &Script::new(long_script(15_000)));
    let growth = large.as_secs_f64() / small.as_secs_f64();
    assert!(growth < 25.0, "ten times the lines took {growth:.1} times as long");
}

static SOURCES: LazyLock<Vec<Source>> =
    LazyLock::new(|| sources::samples().into_iter().chain(sources::references()).collect());

#[derive(Clone, Debug)]
enum Change {
    Delete(usize),
    Duplicate(usize),
    Swap(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0usize..10_000;
    prop_oneof![
        at.clone().prop_map(Change::Delete),
        at.clone().prop_map(Change::Duplicate),
        (at.clone(), at).prop_map(|(one, other)| Change::Swap(one, other)),
    ]
}

/// Applies changes to the tokens of a text.
fn changed(text: &str, changes: &[Change]) -> String {
    let script = Script::new(text);
    let mut tokens: Vec<&str> = script.all_tokens().iter().map(|token| token.span().of(script.text())).collect();
    for change in changes {
        let count = tokens.len();
        match change {
            Change::Delete(at) => {
                tokens.remove(at % count);
            }
            Change::Duplicate(at) => tokens.insert(at % count, tokens[at % count]),
            Change::Swap(one, other) => tokens.swap(one % count, other % count),
        }
    }
    tokens.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn changed_scripts_never_crash_anything(index in 0usize..1000, changes in prop::collection::vec(change(), 1..20)) {
        let source = &SOURCES[index % SOURCES.len()];
        let schema = Schema::read(&source.schema).unwrap_or_default();
        let text = changed(&source.text, &changes);
        let (script, scopes) = read(&text, &schema);
        for (_, error) in script.errors() {
            prop_assert!(error.span.end <= text.len());
        }
        for problem in scopes.problems() {
            prop_assert!(problem.span.end <= text.len());
        }
    }

    #[test]
    fn any_text_is_read_without_a_crash(text in "[-a-z(),.'`; =<>*\\[\\]{}$0-9]{0,80}") {
        read(&text, &Schema::default());
        let _ = Schema::read(&text);
    }
}
