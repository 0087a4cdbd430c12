//! SQL-Eval's comparisons of results, as published, by name; and the strict one beside them.
//!
//! `compare_df`: duplicate rows are dropped, columns are sorted by name, rows are sorted unless the question asks for an
//! order; then shape and values must be equal. `subset_df`: each gold column must have a partner with the same bag of
//! values among the generated columns (greedy, first fit, numbers within 1e-5), and the partners' rows must then be equal
//! to the gold's. Both drop duplicates, so they cannot tell UNION from UNION ALL: that is theirs, not ours.

use crate::engine::table::{Row, Value};

/// A result with column names.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Frame {
    /// Column names.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// How close numbers must be for `subset_df`, relative to the larger one.
const TOLERANCE: f64 = 1e-5;

/// SQL-Eval's `compare_df`; `ordered` when the question asks for an order.
pub fn compare_df(gold: &Frame, generated: &Frame, ordered: bool) -> bool {
    if gold.rows == generated.rows {
        return true;
    }
    let (left, right) = (normalised(gold, ordered), normalised(generated, ordered));
    left.len() == right.len() && left == right
}

/// SQL-Eval's `subset_df`: is the gold result part of the generated one?
pub fn subset_df(gold: &Frame, generated: &Frame, ordered: bool) -> bool {
    if gold.rows.is_empty() {
        return false;
    }
    let mut free: Vec<usize> = (0..generated.columns.len()).collect();
    let mut partners = Vec::new();
    for column in 0..gold.columns.len() {
        let wanted = sorted_column(gold, column);
        let fits = |place: &usize| close(&wanted, &sorted_column(generated, free[*place]));
        let Some(place) = (0..free.len()).find(fits) else { return false };
        partners.push(free.remove(place));
    }
    let rows = generated.rows.iter();
    let chosen = Frame {
        columns: gold.columns.clone(),
        rows: rows.map(|row| partners.iter().map(|place| row[*place].clone()).collect()).collect(),
    };
    let (left, right) = (normalised(gold, ordered), normalised(&chosen, ordered));
    left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| close(a, b))
}

/// The strict comparison: bags (or lists) of whole rows by position, duplicates and all.
pub fn strict(gold: &Frame, generated: &Frame, ordered: bool) -> bool {
    let rows = |frame: &Frame| {
        let mut rows = frame.rows.clone();
        if !ordered {
            rows.sort_by(order);
        }
        rows
    };
    let (left, right) = (rows(gold), rows(generated));
    gold.columns.len() == generated.columns.len()
        && left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a.iter().zip(b).all(|(a, b)| compare(a, b).is_eq()))
}

/// Columns by name, rows once each, sorted unless ordered.
fn normalised(frame: &Frame, ordered: bool) -> Vec<Row> {
    let mut places: Vec<usize> = (0..frame.columns.len()).collect();
    places.sort_by_key(|place| &frame.columns[*place]);
    let mut rows: Vec<Row> = Vec::with_capacity(frame.rows.len());
    for row in &frame.rows {
        rows.push(places.iter().filter_map(|place| row.get(*place).cloned()).collect());
    }
    if ordered {
        let mut seen: Vec<Row> = Vec::with_capacity(rows.len());
        let mut known = std::collections::HashSet::new();
        for row in rows {
            if known.insert(format!("{row:?}")) {
                seen.push(row);
            }
        }
        return seen;
    }
    rows.sort_by(order);
    rows.dedup();
    rows
}

fn sorted_column(frame: &Frame, column: usize) -> Vec<Value> {
    let mut values: Vec<Value> = frame.rows.iter().filter_map(|row| row.get(column).cloned()).collect();
    values.sort_by(compare);
    values
}

fn close(left: &[Value], right: &[Value]) -> bool {
    let near = |(a, b): (&Value, &Value)| match (number(a), number(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()),
        _ => a == b,
    };
    left.len() == right.len() && left.iter().zip(right).all(near)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(whole) => Some(*whole as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    }
}

fn order(left: &Row, right: &Row) -> std::cmp::Ordering {
    let first = left.iter().zip(right).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
    first.unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// NULL, then numbers, then text.
fn compare(left: &Value, right: &Value) -> std::cmp::Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Integer(_) | Value::Real(_) => 1,
        Value::Text(_) => 2,
    };
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => match (number(left), number(right)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(columns: &[&str], rows: &[&[i64]]) -> Frame {
        let row = |row: &&[i64]| row.iter().map(|value| Value::Integer(*value)).collect();
        Frame { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows: rows.iter().map(row).collect() }
    }

    /// Where SQL-Eval's rules and ours disagree, and who is right.
    #[test]
    fn each_comparator_sees_what_its_rules_see() {
        let cases = [
            // (gold, generated, ordered, compare_df, subset_df, strict)
            (frame(&["a"], &[&[1], &[2]]), frame(&["a"], &[&[2], &[1]]), false, true, true, true),
            // UNION for UNION ALL: ours is right.
            (frame(&["a"], &[&[1], &[1], &[2]]), frame(&["a"], &[&[1], &[2]]), false, true, false, false),
            // Another order where one is asked for: wrong.
            (frame(&["a"], &[&[1], &[2]]), frame(&["a"], &[&[2], &[1]]), true, false, false, false),
            // Columns swapped with their names: theirs forgives on purpose.
            (frame(&["a", "b"], &[&[1, 5]]), frame(&["b", "a"], &[&[5, 1]]), false, true, true, false),
            // A column more: `subset_df` forgives on purpose.
            (frame(&["a"], &[&[1], &[2]]), frame(&["a", "b"], &[&[1, 5], &[2, 6]]), false, false, true, false),
            // Rows mixed up between columns: wrong.
            (
                frame(&["a", "b"], &[&[1, 5], &[2, 6]]),
                frame(&["a", "b"], &[&[1, 6], &[2, 5]]),
                false,
                false,
                false,
                false,
            ),
            // Both empty.
            (frame(&["a"], &[]), frame(&["a"], &[]), false, true, false, true),
        ];
        for (gold, generated, ordered, exact, subset, strictly) in cases {
            let seen = (
                compare_df(&gold, &generated, ordered),
                subset_df(&gold, &generated, ordered),
                strict(&gold, &generated, ordered),
            );
            assert_eq!(seen, (exact, subset, strictly), "{gold:?} {generated:?}");
        }
    }
}
