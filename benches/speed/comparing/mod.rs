//! Comparing shuffled results of several sizes, of eight columns with mixed types and of thirty.

mod peer;

use std::hint::black_box;

use sqlfault::code::types::Type;
use sqlfault::engine::compare;
use sqlfault::engine::table::{ResultColumn, ResultTable, Row, ScriptResult, Value};

use crate::clock::alone;
use crate::table::{each, row, shown};

/// Rows; milliseconds of pandas noted earlier, used where it is not measured; how many times as fast we must be.
const SIZES: [(usize, f64, f64); 4] =
    [(10, 2.6, 1000.0), (1_000, 5.4, 35.0), (10_000, 31.0, 15.0), (100_000, 430.0, 9.0)];

/// Measures the comparison of equal results in another order.
pub fn measure() {
    for (rows, pandas, budget) in SIZES {
        let [left, right] = shuffled(rows, 8);
        assert!(compare(&left, &right).is_equal());
        let repeats = (20_000 / rows).max(1);
        let time = alone(&mut || {
            for _ in 0..repeats {
                black_box(compare(&left, &right));
            }
        });
        let one = each(time, repeats);
        let (floor, theirs) = match peer::timed(&left, &right) {
            Some((version, time)) => (format!("pandas {version} {}", shown(time)), time.as_secs_f64()),
            None => (format!("pandas {pandas} ms (noted earlier)"), pandas / 1e3),
        };
        let ratio = theirs / one.as_secs_f64();
        row(&format!("compare {rows} rows of 8 columns"), &shown(one), &floor, ratio, (budget, true));
    }
    wide();
}

/// A hundred thousand rows: thirty columns may take a quarter more than eight, per cell.
fn wide() {
    let mut times = [8, 30].into_iter().map(|columns| {
        let [left, right] = shuffled(100_000, columns);
        assert!(compare(&left, &right).is_equal());
        alone(&mut || {
            black_box(compare(&left, &right));
        })
    });
    let (Some(narrow), Some(wide)) = (times.next(), times.next()) else { return };
    let ratio = wide.as_secs_f64() / narrow.as_secs_f64();
    row(
        "compare 100000 rows of 30 columns",
        &shown(wide),
        &format!("8 columns: {}", shown(narrow)),
        ratio,
        (4.7, false),
    );
}

fn shuffled(rows: usize, width: usize) -> [ScriptResult; 2] {
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let cell = |row: usize, column: usize| match column % 4 {
        0 => Value::Integer((row * 7919 % rows) as i64),
        1 => Value::Text(format!("user_{}", row * 31 % 1000)),
        2 => Value::Real(row as f64 / 3.0),
        _ if row.is_multiple_of(11) => Value::Null,
        _ => Value::Text(format!("2024-03-{:02}", row % 28 + 1)),
    };
    let types = [Type::BigInt, Type::String, Type::Double, Type::Date];
    let column = |at: usize| ResultColumn { name: format!("c{at}"), data_type: types[at % 4].clone(), unordered: None };
    let content: Vec<Row> = (0..rows).map(|row| (0..width).map(|column| cell(row, column)).collect()).collect();
    let columns = (0..width).map(column).collect();
    let table = ResultTable { target: String::new(), columns, rows: content, ordered: false, sorted_by: Vec::new() };
    let mut other = table.clone();
    for at in (1..other.rows.len()).rev() {
        other.rows.swap(at, random(at + 1));
    }
    [table, other].map(|table| ScriptResult { tables: vec![table] })
}
