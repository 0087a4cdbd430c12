//! Aggregates that SQLite lacks. All keep their values and work on the whole group at the end, so that each also
//! serves as a window function.

use std::collections::HashMap;

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::Value;
use serde_json::Value as Json;

use super::arguments::{Arguments, CallError, MAX_RESULT, element_of, text_of, value_of};
use super::collection::{distinct, key, order};
use super::json::nested;

/// What a group gives, from the arguments of its rows in order.
pub(super) type Finish = fn(&[Vec<Value>]) -> Option<Value>;

const AGGREGATES: &[(&str, Finish)] = &[
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

pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, finish) in AGGREGATES.iter().chain(super::statistics::AGGREGATES) {
        connection.create_window_function(*name, -1, flags, GroupAggregate { finish: *finish })?;
    }
    Ok(())
}

struct GroupAggregate {
    finish: Finish,
}

/// The rows of a group, and how much they hold.
#[derive(Default)]
struct GroupRows {
    rows: Vec<Vec<Value>>,
    bytes: usize,
}

/// Most that the rows of one group may hold.
const MOST_BYTES: usize = 4 * MAX_RESULT;

fn bytes(row: &[Value]) -> usize {
    let value = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        _ => 0,
    };
    size_of_val(row) + row.iter().map(value).sum::<usize>()
}

impl Aggregate<GroupRows, Option<Value>> for GroupAggregate {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<GroupRows> {
        Ok(GroupRows::default())
    }

    fn step(&self, context: &mut Context<'_>, group: &mut GroupRows) -> rusqlite::Result<()> {
        let arguments = Arguments::new(context);
        let row: Vec<Value> = (0..arguments.len()).map(|at| arguments.value(at)).collect();
        group.bytes += bytes(&row);
        if group.bytes > MOST_BYTES {
            return Err(rusqlite::Error::UserFunctionError(CallError::TooLarge.into()));
        }
        group.rows.push(row);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, group: Option<GroupRows>) -> rusqlite::Result<Option<Value>> {
        Ok((self.finish)(&group.unwrap_or_default().rows))
    }
}

impl WindowAggregate<GroupRows, Option<Value>> for GroupAggregate {
    fn value(&self, group: Option<&mut GroupRows>) -> rusqlite::Result<Option<Value>> {
        Ok((self.finish)(group.map_or(&[][..], |group| group.rows.as_slice())))
    }

    /// Rows leave a window in the order in which they came.
    fn inverse(&self, _: &mut Context<'_>, group: &mut GroupRows) -> rusqlite::Result<()> {
        if !group.rows.is_empty() {
            group.bytes -= bytes(&group.rows.remove(0));
        }
        Ok(())
    }
}

fn truth(value: bool) -> Value {
    Value::Integer(i64::from(value))
}

/// The first arguments that are not NULL.
fn elements(rows: &[Vec<Value>]) -> Vec<Json> {
    let firsts = rows.iter().filter_map(|row| row.first()).filter(|value| **value != Value::Null);
    firsts.map(|value| element_of(value.into())).collect()
}

/// `(index, value)` rows as an array in the order of the index; NULL values stay.
fn indexed(rows: &[Vec<Value>]) -> Option<Value> {
    let mut rows: Vec<&Vec<Value>> = rows.iter().collect();
    rows.sort_by_key(|row| if let Some(Value::Integer(index)) = row.first() { *index } else { 0 });
    let items = rows.iter().filter_map(|row| row.get(1)).map(|value| element_of(value.into()));
    nested(Json::Array(items.collect()))
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(super) fn numbers(rows: &[Vec<Value>]) -> Vec<f64> {
    let mut numbers: Vec<f64> = rows.iter().filter_map(|row| number(row.first()?)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn integers(rows: &[Vec<Value>]) -> impl Iterator<Item = i64> + '_ {
    rows.iter().filter_map(|row| if let Some(Value::Integer(number)) = row.first() { Some(*number) } else { None })
}

/// The texts that are not NULL, with the second argument between them.
fn joined(rows: &[Vec<Value>]) -> Option<Value> {
    let separator = rows.first()?.get(1).and_then(|separator| text_of(separator.into())).unwrap_or_default();
    let parts: Vec<_> = rows.iter().filter_map(|row| text_of(row.first()?.into())).collect();
    if parts.is_empty() { None } else { Some(Value::Text(parts.join(&separator))) }
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

/// The value of the row with the greatest (or least) key; NULL keys are passed over.
fn by(rows: &[Vec<Value>], greatest: bool) -> Option<Value> {
    let keyed = rows.iter().filter_map(|row| Some((row.first()?, row.get(1).filter(|key| **key != Value::Null)?)));
    let compare = |x: &(&Value, &Value), y: &(&Value, &Value)| order(&element_of(x.1.into()), &element_of(y.1.into()));
    let best = if greatest { keyed.max_by(compare) } else { keyed.min_by(compare) };
    best.map(|(value, _)| value.clone()).filter(|value| *value != Value::Null)
}

/// The first or last row's value; a true second argument passes over NULLs.
fn edge(rows: &[Vec<Value>], first: bool) -> Option<Value> {
    let skips = |row: &Vec<Value>| matches!(row.get(1), Some(Value::Integer(1)));
    let mut fitting = rows.iter().filter(|row| !skips(row) || row.first() != Some(&Value::Null));
    let row = if first { fitting.next() } else { fitting.next_back() };
    row?.first().filter(|value| **value != Value::Null).cloned()
}
