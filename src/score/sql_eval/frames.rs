//! SQL-Eval's comparisons of results as published, under their own names, and our strict one.
//!
//! `compare_df` accepts a result if all values are equal by NumPy's rules, which broadcast a result of one row or one
//! column over the other one and find nothing unequal in a result without rows. Otherwise duplicate rows are dropped
//! and columns are sorted by name. Rows are sorted; if the question asks for an order, they are sorted first by the
//! columns named in the query's ORDER BY, ascending if that says ASC and descending otherwise, and kept in the order
//! found if there is no ORDER BY. Then shape and values must be equal.
//!
//! `subset_df` looks for a partner for each gold column among the generated columns with the same bag of values
//! (greedy, first fit, numbers within 1e-5). The partners' rows must then equal the gold rows.
//!
//! Both drop duplicates, so they cannot tell UNION from UNION ALL. We keep this because the published rules have it.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::engine::table::{Row, Value};

/// A result with column names.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ResultFrame {
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// What SQL-Eval knows about order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderContext<'a> {
    /// Whether the question asks for an order or has the category `order_by`.
    pub ordered: bool,
    /// The gold query as written in the question file, braces and all.
    pub gold_sql: &'a str,
    /// The generated query.
    pub generated_sql: &'a str,
}

/// The tolerance of `subset_df` for numbers, relative to the larger one.
const TOLERANCE: f64 = 1e-5;
/// Words of an ORDER BY that are not columns.
const NO_COLUMNS: [&str; 6] = ["desc", "asc", "nulls", "last", "first", "limit"];

/// SQL-Eval's `compare_df`.
pub fn compare_df(gold: &ResultFrame, generated: &ResultFrame, asked: OrderContext<'_>) -> bool {
    if stretched_equal(gold, generated) {
        return true;
    }
    let left = normalised(gold, asked.ordered, Some(asked.gold_sql));
    let right = normalised(generated, asked.ordered, Some(asked.generated_sql));
    gold.columns.len() == generated.columns.len() && same_rows(&left, &right)
}

/// SQL-Eval's `subset_df`: is the gold result part of the generated one?
pub fn subset_df(gold: &ResultFrame, generated: &ResultFrame, ordered: bool) -> bool {
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
    let chosen = ResultFrame {
        columns: gold.columns.clone(),
        rows: rows.map(|row| partners.iter().map(|place| row[*place].clone()).collect()).collect(),
    };
    let (left, right) = (normalised(gold, ordered, None), normalised(&chosen, ordered, None));
    left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| close(a, b))
}

/// The strict comparison: whole rows as bags, or as lists if ordered, with columns by position and duplicates kept.
pub fn strict(gold: &ResultFrame, generated: &ResultFrame, ordered: bool) -> bool {
    let rows = |frame: &ResultFrame| {
        let mut rows = frame.rows.clone();
        if !ordered {
            rows.sort_by(order);
        }
        rows
    };
    gold.columns.len() == generated.columns.len() && same_rows(&rows(gold), &rows(generated))
}

fn same_rows(left: &[Row], right: &[Row]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.len() == b.len() && order(a, b).is_eq())
}

/// NumPy's `(gold.values == generated.values).all()`; false if the shapes cannot be broadcast.
fn stretched_equal(gold: &ResultFrame, generated: &ResultFrame) -> bool {
    let fits = |a: usize, b: usize| a == b || a == 1 || b == 1;
    let (rows, columns) = ((gold.rows.len(), generated.rows.len()), (gold.columns.len(), generated.columns.len()));
    if !fits(rows.0, rows.1) || !fits(columns.0, columns.1) {
        return false;
    }
    let size = |(a, b): (usize, usize)| if a == 1 { b } else { a };
    let cell = |frame: &ResultFrame, row: usize, column: usize| -> Option<Value> {
        let row = frame.rows.get(if frame.rows.len() == 1 { 0 } else { row })?;
        row.get(if row.len() == 1 { 0 } else { column }).cloned()
    };
    let same = |row: usize, column: usize| match (cell(gold, row, column), cell(generated, row, column)) {
        (Some(a), Some(b)) => a.order(&b).is_eq(),
        _ => false,
    };
    (0..size(rows)).all(|row| (0..size(columns)).all(|column| same(row, column)))
}

/// Returns the distinct rows with columns sorted by name. Rows are sorted, and keep the order found only if the
/// question asks for one and there is no ORDER BY to read it from.
fn normalised(frame: &ResultFrame, ordered: bool, sql: Option<&str>) -> Vec<Row> {
    let mut places: Vec<usize> = (0..frame.columns.len()).collect();
    places.sort_by_key(|place| &frame.columns[*place]);
    let key = sql.filter(|_| ordered).and_then(|sql| order_by(sql, frame));
    if let Some(key) = &key {
        // `sorted_df[other_columns + order_by_columns]`
        places.retain(|place| !key.columns.contains(place));
        places.extend(&key.columns);
    }
    let mut known = HashSet::new();
    let row = |row: &Row| -> Row { places.iter().filter_map(|place| row.get(*place).cloned()).collect() };
    let mut rows: Vec<Row> = frame.rows.iter().map(row).filter(|row| known.insert(format!("{row:?}"))).collect();
    match &key {
        Some(key) => {
            let named = key.columns.len();
            // The named columns come last but are the first to be sorted by.
            let turned = |row: &Row| -> Row {
                let (others, named) = row.split_at(row.len() - named);
                named.iter().chain(others).cloned().collect()
            };
            rows.sort_by(|a, b| order(&turned(a), &turned(b)));
            if !key.ascending {
                rows.reverse();
            }
        }
        None if ordered => {}
        None => rows.sort_by(order),
    }
    rows
}

/// The order that SQL-Eval reads from a query's ORDER BY.
struct OrderKey {
    columns: Vec<usize>,
    ascending: bool,
}

/// Reads the first term of the first ORDER BY whose term ends on the same line; `None` if there is no ORDER BY.
fn order_by(sql: &str, frame: &ResultFrame) -> Option<OrderKey> {
    let lower = sql.to_ascii_lowercase();
    lower.find("order by")?;
    let term = lower.match_indices("order by").find_map(|(at, found)| {
        let rest = &sql[at + found.len()..];
        let end = rest.find([';', ',', ')']).unwrap_or(rest.len());
        (!rest[..end].contains('\n')).then_some(&rest[..end])
    });
    let words: Vec<&str> = term.unwrap_or_default().split_whitespace().collect();
    let word = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
    let ascending = !word("desc") && word("asc");
    let names = words.iter().map(|word| word.rsplit('.').next().unwrap_or(word).replace('(', ""));
    let columns = names.filter(|name| !NO_COLUMNS.contains(&name.to_lowercase().as_str()));
    let columns = columns.filter_map(|name| frame.columns.iter().position(|column| *column == name)).collect();
    Some(OrderKey { columns, ascending })
}

fn sorted_column(frame: &ResultFrame, column: usize) -> Vec<Value> {
    let mut values: Vec<Value> = frame.rows.iter().filter_map(|row| row.get(column).cloned()).collect();
    values.sort_by(Value::order);
    values
}

fn close(left: &[Value], right: &[Value]) -> bool {
    let near = |(a, b): (&Value, &Value)| match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()),
        _ => a == b,
    };
    left.len() == right.len() && left.iter().zip(right).all(near)
}

fn order(left: &Row, right: &Row) -> Ordering {
    let first = left.iter().zip(right).map(|(a, b)| a.order(b)).find(|order| order.is_ne());
    first.unwrap_or_else(|| left.len().cmp(&right.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(columns: &[&str], rows: &[&[i64]]) -> ResultFrame {
        let row = |row: &&[i64]| row.iter().map(|value| Value::Integer(*value)).collect();
        ResultFrame {
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            rows: rows.iter().map(row).collect(),
        }
    }

    /// Shows where SQL-Eval's rules and ours disagree, and who is right.
    #[test]
    fn each_comparator_sees_what_its_rules_see() {
        let cases = [
            // (gold, generated, ordered, compare_df, subset_df, strict), without queries.
            (frame(&["a"], &[&[1], &[2]]), frame(&["a"], &[&[2], &[1]]), false, true, true, true),
            // UNION for UNION ALL: ours is right.
            (frame(&["a"], &[&[1], &[1], &[2]]), frame(&["a"], &[&[1], &[2]]), false, true, false, false),
            // Another order where one is asked for: wrong.
            (frame(&["a"], &[&[1], &[2]]), frame(&["a"], &[&[2], &[1]]), true, false, false, false),
            // Columns swapped with their names: theirs forgives on purpose.
            (frame(&["a", "b"], &[&[1, 5]]), frame(&["b", "a"], &[&[5, 1]]), false, true, true, false),
            // One more column: `subset_df` forgives on purpose.
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
            // One row is broadcast over none and over equal ones: theirs errs.
            (frame(&["a"], &[]), frame(&["a"], &[&[7]]), false, true, false, false),
            (frame(&["a"], &[&[7], &[7]]), frame(&["a"], &[&[7]]), false, true, false, false),
            (frame(&["a", "b"], &[&[7, 7]]), frame(&["a"], &[&[7]]), false, true, false, false),
        ];
        for (gold, generated, ordered, exact, subset, strictly) in cases {
            let seen = (
                compare_df(&gold, &generated, OrderContext { ordered, ..OrderContext::default() }),
                subset_df(&gold, &generated, ordered),
                strict(&gold, &generated, ordered),
            );
            assert_eq!(seen, (exact, subset, strictly), "{gold:?} {generated:?}");
        }
    }

    #[test]
    fn an_order_is_read_from_the_first_term_and_sorted_away() {
        let (up, down) = (frame(&["a"], &[&[1], &[2]]), frame(&["a"], &[&[2], &[1]]));
        let cases = [
            ("SELECT a FROM t ORDER BY a DESC", "SELECT a FROM t ORDER BY a DESC", true),
            ("SELECT a FROM t ORDER BY t.a DESC, b", "SELECT a FROM t order by a", true),
            ("SELECT a FROM t ORDER BY a ASC", "SELECT a FROM t ORDER BY a", false),
            ("SELECT a FROM t", "SELECT a FROM t", false),
        ];
        for (gold_sql, generated_sql, equal) in cases {
            let asked = OrderContext { ordered: true, gold_sql, generated_sql };
            assert_eq!(compare_df(&up, &down, asked), equal, "{gold_sql} / {generated_sql}");
        }
    }
}
