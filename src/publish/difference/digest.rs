//! Which columns of results hold digests: texts and numbers that a function makes of other values, and nobody reads.

use crate::engine::table::{ResultTable, Value};

/// Numbers of hexadecimal digits of MD5, SHA-1 and the kinds of SHA-2.
const LENGTHS: [usize; 6] = [32, 40, 56, 64, 96, 128];
/// Nine of ten numbers of 60 bits drawn by chance, as the first digits of a digest are, lie at least this far from zero;
/// even more of those of 64 bits.
const FAR_FROM_ZERO: u64 = 115_000_000_000_000_000;

/// Returns the positions of the columns that hold digests in all tables.
pub(super) fn digest_columns(tables: [&ResultTable; 2]) -> Vec<usize> {
    let width = tables.map(|table| table.columns.len()).into_iter().min().unwrap_or_default();
    (0..width).filter(|column| holds_digests(tables, *column)).collect()
}

fn holds_digests(tables: [&ResultTable; 2], column: usize) -> bool {
    let values = || tables.into_iter().flat_map(|table| &table.rows).map(move |row| &row[column]);
    let filled = || values().filter(|value| **value != Value::Null);
    let (all, numbers) = (filled().count(), filled().filter(|value| is_far_from_zero(value)).count());
    all > 0 && (filled().all(is_hexadecimal) || numbers * 2 > all)
}

fn is_hexadecimal(value: &Value) -> bool {
    matches!(value, Value::Text(text) if LENGTHS.contains(&text.len()) && text.chars().all(|sign| sign.is_ascii_hexdigit()))
}

fn is_far_from_zero(value: &Value) -> bool {
    matches!(value, Value::Integer(number) if number.unsigned_abs() >= FAR_FROM_ZERO)
}
