//! The table of results: one row for each measurement, with its budget.

use std::time::Duration;

/// Prints the head of the table.
pub fn head() {
    println!("| what | ours | floor or size before | ratio | budget | held |\n|---|---|---|---|---|---|");
}

/// Prints a row; `ratio` must be at most `budget`, or at least `budget` if `at_least` is set.
pub fn row(what: &str, ours: &str, floor: &str, ratio: f64, (budget, at_least): (f64, bool)) {
    let held = if at_least { ratio >= budget } else { ratio <= budget };
    let sign = if at_least { "≥" } else { "≤" };
    println!("| {what} | {ours} | {floor} | {ratio:.2} | {sign} {budget} | {} |", if held { "yes" } else { "NO" });
}

/// Returns a time as text, in µs, ms or s.
pub fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..1e3 => format!("{micros:.0} µs"),
        ..1e6 => format!("{:.2} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

/// Returns the time of one of `count` equal pieces of work.
pub fn each(time: Duration, count: usize) -> Duration {
    time.div_f64(count.max(1) as f64)
}
