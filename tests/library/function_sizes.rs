//! No function panics, aborts or runs for ever, whatever sizes and NULLs it is called with.

#[path = "../../fuzz/functions.rs"]
mod target;

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sqlfault::code::functions;
use sqlfault::engine::sqlite::Limits;
use sqlfault::engine::table::Database;
use sqlfault::engine::{ExecutionContext, embedded};

/// Calls of each function. `SQLFAULT_FUZZ_CALLS` makes more, `SQLFAULT_FUZZ_SEED` others.
const CALLS: u64 = 4;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Attack | every function of the table with NULLs, extremes and sizes | panics, aborts | value, NULL or error, soon
#[test]
fn every_function_ends_soon_whatever_its_arguments() {
    let mut random = ChaCha8Rng::seed_from_u64(setting("SQLFAULT_FUZZ_SEED", 19));
    let count = functions::all().count() as u16;
    for function in 0..count {
        for _ in 0..setting("SQLFAULT_FUZZ_CALLS", CALLS) {
            let mut bytes = [0u8; 12];
            random.fill_bytes(&mut bytes);
            bytes[..2].copy_from_slice(&function.to_le_bytes());
            target::call(&bytes);
        }
    }
}

/// Attack | `array_contains`, `to_char`, `zip_with` and `reduce` of long arguments, found by the fuzz target | a minute | soon
#[test]
fn long_arguments_are_looked_at_once() {
    for call in [
        "array_contains(sequence(1, 60000), sequence(1, 60000))",
        "array_contains(sequence(1, 60000), repeat('a', 1000000))",
        "to_char(repeat('9', 200000), repeat('9', 200000))",
        "size(zip_with(sequence(1, 60000), sequence(1, 60000), (x, y) -> x + y))",
        "reduce(sequence(1, 60000), 0, (x, y) -> y)",
        "reduce(sequence(1, 60000), repeat('$0', 200000), (x, y) -> x)",
    ] {
        target::run(&format!("SELECT {call} AS v"));
    }
}

/// Attack | `listagg` with a separator of 1 MB in its first row only, over 60,000 rows | 60 GB, abort | the text, soon
#[test]
fn a_long_separator_of_one_row_is_not_that_of_all() {
    target::run(
        "SELECT listagg('x', CASE WHEN n = 1 THEN repeat('a', 1000000) ELSE '' END) WITHIN GROUP (ORDER BY n) AS v \
         FROM (SELECT explode(sequence(1, 60000)) AS n) t",
    );
}

/// Attack | 500 calls in one query that each take long, of functions that look at no clock, in the program's own process | minutes | ended at the limits of a run
#[test]
fn long_calls_count_as_the_work_of_their_query() {
    let limits = Limits { instructions: 10_000_000, ..Limits::default() };
    let long = |letter| format!("repeat('{letter}', 4000 + n)");
    for call in [
        format!("levenshtein({}, {})", long('a'), long('b')),
        format!("translate({}, {}, 'x')", long('a'), long('b')),
        format!("trim(BOTH {} FROM {})", long('b'), long('b')),
    ] {
        let sql = format!("SELECT {call} AS v FROM (SELECT explode(sequence(1, 500)) AS n) t");
        let outcome = embedded::run_within(&sql, ExecutionContext::default().by_ref(), &Database::default(), &limits);
        let message = outcome.expect_err(&call).to_string();
        assert!(message.contains("too many steps") || message.contains("takes too long"), "{call}: {message}");
    }
}

/// Attack | `instr` and `trim` of texts of 400,000 letters that agree up to the last | four seconds, twenty minutes | soon
#[test]
fn searching_a_long_text_takes_linear_time_or_is_refused() {
    for call in [
        "instr(repeat('a', 800000), concat(repeat('a', 400000), 'b'))",
        "trim(BOTH concat(repeat('b', 400000), 'a') FROM repeat('a', 800000))",
    ] {
        target::run(&format!("SELECT {call} AS v"));
    }
}

/// Attacks that took gigabytes, for ever, or a panic, each with what it says now.
/// Attack | `concat_ws`, `sequence`, `printf`, `format_number`, `date_format` and thirteen more calls with absurd sizes | gigabytes, panics | refused before they make anything
#[test]
fn calls_that_would_make_too_much_are_refused_before_they_make_it() {
    let cases = BTreeMap::from([
        ("concat_ws(repeat('a', 1000000), sequence(1, 100000))", "larger than"),
        ("array_join(sequence(1, 100000), repeat('a', 1000000))", "larger than"),
        ("levenshtein(repeat('a', 1000000), repeat('b', 1000000))", "too long"),
        ("translate(repeat('a', 1000000), repeat('b', 1000000), '')", "too long"),
        ("sequence(1, -9223372036854775807, -1)", "larger than"),
        ("sequence(-9223372036854775807, 9223372036854775807)", "larger than"),
        ("printf('%.2147483647f', 1.0D)", "format"),
        ("format_number(1.5, 2000000000)", "format"),
        ("date_format('2024-01-01', repeat('y', 1000000))", "date pattern"),
        ("to_date('2024', repeat('[y]', 1000))", "date pattern"),
        ("regexp_replace(repeat('a', 1000000), '.+', repeat('$0', 1000))", "larger than"),
        ("regexp_replace(repeat('%_', 20000), '(a*)*', repeat('$0', 200000))", "larger than"),
        ("repeat('ab', 9223372036854775807)", "larger than"),
        ("array_repeat('ab', 2147483647)", "larger than"),
        ("space(2147483647)", "larger than"),
        ("rpad('a', 2147483647, 'b')", "larger than"),
        ("regexp_substr('9', repeat('a', 1000000))", "regular expression"),
        ("repeat('a', 1000000) LIKE repeat('%a', 100000)", "too long"),
    ]);
    for (call, expected) in cases {
        let sql = format!("SELECT {call} AS v");
        let outcome = embedded::run(&sql, ExecutionContext::default().by_ref(), &Database::default());
        let message = outcome.expect_err(call).to_string();
        assert!(message.contains(expected), "{call}: {message}");
    }
}
