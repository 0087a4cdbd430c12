//! Aggregates that SQLite lacks.

use std::collections::HashMap;

use rusqlite::types::Value;
use serde_json::Value as Json;

use super::arguments::{element_of, text_of, value_of};
use super::collection::{distinct, key, order};
use super::group::{Finish, number};
use super::json::nested;

pub(super) const AGGREGATES: &[(&str, Finish)] = &[
    ("h_collect_list", |rows| nested(Json::Array(elements(rows)))),
    ("h_collect_set", |rows| nested(Json::Array(distinct(elements(rows))))),
    ("h_array_agg", indexed),
    ("h_mode", mode),
    ("h_approx_count_distinct", |rows| Some(Value::Integer(distinct(elements(rows)).len() as i64))),
    ("h_count_if", |rows| Some(Value::Integer(truths(rows).filter(|truth| *truth).count() as i64))),
    ("h_every", |rows| truths(rows).reduce(|all, truth| all && truth).map(truth)),
    ("h_bool_and", |rows| truths(rows).reduce(|all, truth| all && truth).map(truth)),
    ("h_any", |rows| truths(rows).reduce(|any, truth| any || truth).map(truth)),
    ("h_some", |rows| truths(rows).reduce(|any, truth| any || truth).map(truth)),
    ("h_bool_or", |rows| truths(rows).reduce(|any, truth| any || truth).map(truth)),
    ("h_max_by", |rows| by(rows, true)),
    ("h_min_by", |rows| by(rows, false)),
    ("h_first", |rows| edge(rows, true)),
    ("h_any_value", |rows| edge(rows, true)),
    ("h_last", |rows| edge(rows, false)),
    ("h_bit_and", |rows| integers(rows).reduce(|all, bits| all & bits).map(Value::Integer)),
    ("h_bit_or", |rows| integers(rows).reduce(|all, bits| all | bits).map(Value::Integer)),
    ("h_bit_xor", |rows| integers(rows).reduce(|all, bits| all ^ bits).map(Value::Integer)),
    ("h_listagg", joined),
    ("h_listagg_distinct", |rows| {
        let mut seen = std::collections::HashSet::new();
        let first = |row: &&Vec<Value>| {
            let text = row.first().and_then(|value| text_of(value.into())).map(|text| text.into_owned());
            text.is_none_or(|text| seen.insert(text))
        };
        joined(&rows.iter().filter(first).cloned().collect::<Vec<_>>())
    }),
];

fn truth(value: bool) -> Value {
    Value::Integer(i64::from(value))
}

/// Returns the first argument of every row, without NULLs.
fn elements(rows: &[Vec<Value>]) -> Vec<Json> {
    let firsts = rows.iter().filter_map(|row| row.first()).filter(|value| **value != Value::Null);
    firsts.map(|value| element_of(value.into())).collect()
}

/// Returns the values of `(index, value)` rows as an array in the order of the index, NULLs included.
fn indexed(rows: &[Vec<Value>]) -> Option<Value> {
    let mut rows: Vec<&Vec<Value>> = rows.iter().collect();
    rows.sort_by_key(|row| if let Some(Value::Integer(index)) = row.first() { *index } else { 0 });
    let items = rows.iter().filter_map(|row| row.get(1)).map(|value| element_of(value.into()));
    nested(Json::Array(items.collect()))
}

fn integers(rows: &[Vec<Value>]) -> impl Iterator<Item = i64> + '_ {
    rows.iter().filter_map(|row| if let Some(Value::Integer(number)) = row.first() { Some(*number) } else { None })
}

/// Joins the texts that are not NULL, with the second argument as separator. Spark takes a constant only; where it is none,
/// each row brings its own, so that the result is never longer than what the group holds.
fn joined(rows: &[Vec<Value>]) -> Option<Value> {
    let mut joined: Option<String> = None;
    for row in rows {
        let Some(part) = row.first().and_then(|value| text_of(value.into())) else { continue };
        match &mut joined {
            None => joined = Some(part.into_owned()),
            Some(joined) => {
                joined.push_str(&row.get(1).and_then(|value| text_of(value.into())).unwrap_or_default());
                joined.push_str(&part);
            }
        }
    }
    joined.map(Value::Text)
}

fn truths(rows: &[Vec<Value>]) -> impl Iterator<Item = bool> + '_ {
    rows.iter().filter_map(|row| number(row.first()?)).map(|number| number != 0.0)
}

fn mode(rows: &[Vec<Value>]) -> Option<Value> {
    let items = elements(rows);
    let mut counts: HashMap<String, usize> = HashMap::new();
    items.iter().for_each(|item| *counts.entry(key(item)).or_default() += 1);
    let counted: Vec<(usize, &Json)> = items.iter().map(|item| (counts[&key(item)], item)).collect();
    let (_, best) = counted.into_iter().max_by(|x, y| x.0.cmp(&y.0).then_with(|| order(y.1, x.1)))?;
    value_of(best)
}

/// Returns the value of the row with the greatest (or least) key. NULL keys are ignored.
fn by(rows: &[Vec<Value>], greatest: bool) -> Option<Value> {
    let keyed = rows.iter().filter_map(|row| Some((row.first()?, row.get(1).filter(|key| **key != Value::Null)?)));
    let compare = |x: &(&Value, &Value), y: &(&Value, &Value)| order(&element_of(x.1.into()), &element_of(y.1.into()));
    let best = if greatest { keyed.max_by(compare) } else { keyed.min_by(compare) };
    best.map(|(value, _)| value.clone()).filter(|value| *value != Value::Null)
}

/// Returns the value of the first or last row. If the second argument is true, NULLs are ignored.
fn edge(rows: &[Vec<Value>], first: bool) -> Option<Value> {
    let skips = |row: &Vec<Value>| matches!(row.get(1), Some(Value::Integer(1)));
    let mut fitting = rows.iter().filter(|row| !skips(row) || row.first() != Some(&Value::Null));
    let row = if first { fitting.next() } else { fitting.next_back() };
    row?.first().filter(|value| **value != Value::Null).cloned()
}
