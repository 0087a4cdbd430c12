//! How far values are from meeting conditions.

use super::super::calendar;
use crate::engine::table::Value;

/// How far values are from meeting all conditions: the number of unmet ones, each with up to 1 for how far its sides are
/// apart; 0 if all are met.
pub type Distance = f64;

/// How far two values are apart, from 0 to 1: numbers and moments by their difference, texts by what they do not begin
/// with in common.
pub fn distance_apart(left: &Value, right: &Value) -> Distance {
    let number = |value: &Value| {
        let text = value.plain_text();
        text.parse::<f64>().ok().or_else(|| calendar::seconds(&text).map(|seconds| seconds as f64))
    };
    match (number(left), number(right)) {
        (Some(left), Some(right)) => {
            let distance = (left - right).abs();
            distance / (1.0 + distance)
        }
        _ => {
            let (left, right) = (left.plain_text(), right.plain_text());
            let common = left.chars().zip(right.chars()).take_while(|(one, other)| one == other).count();
            1.0 - common as f64 / left.chars().count().max(right.chars().count()).max(1) as f64
        }
    }
}

/// Whether a cell says that a condition is met.
pub fn is_met(cell: &Value) -> bool {
    matches!(&*cell.plain_text(), "1" | "true")
}
