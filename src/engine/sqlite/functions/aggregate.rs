//! Aggregates that SQLite lacks. All keep their values and work on the whole group at the end, so that each also
//! serves as a window function.

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::Value;
use serde_json::Value as Json;

use super::arguments::{Arguments, element_of, value_of};
use super::collection::{distinct, order};
use super::json::nested;

/// What a group gives, from the arguments of its rows in order.
type Finish = fn(&[Vec<Value>]) -> Option<Value>;

const AGGREGATES: &[(&str, Finish)] = &[
    ("h_collect_list", |rows| nested(Json::Array(elements(rows)))),
    ("h_collect_set", |rows| nested(Json::Array(distinct(elements(rows))))),
    ("h_array_agg", indexed),
    ("h_array_agg_nested", indexed),
    ("h_stddev", |rows| variance(rows, true).map(f64::sqrt).map(Value::Real)),
    ("h_std", |rows| variance(rows, true).map(f64::sqrt).map(Value::Real)),
    ("h_stddev_samp", |rows| variance(rows, true).map(f64::sqrt).map(Value::Real)),
    ("h_stddev_pop", |rows| variance(rows, false).map(f64::sqrt).map(Value::Real)),
    ("h_variance", |rows| variance(rows, true).map(Value::Real)),
    ("h_var_samp", |rows| variance(rows, true).map(Value::Real)),
    ("h_var_pop", |rows| variance(rows, false).map(Value::Real)),
    ("h_percentile", percentile),
    ("h_percentile_approx", percentile_approx),
    ("h_median", |rows| interpolated(&numbers(rows), 0.5).map(Value::Real)),
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
    ("h_corr", correlation),
];

pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, finish) in AGGREGATES {
        connection.create_window_function(*name, -1, flags, Group { finish: *finish })?;
    }
    Ok(())
}

struct Group {
    finish: Finish,
}

impl Aggregate<Vec<Vec<Value>>, Option<Value>> for Group {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Vec<Vec<Value>>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, rows: &mut Vec<Vec<Value>>) -> rusqlite::Result<()> {
        let arguments = Arguments::new(context);
        rows.push((0..arguments.len()).map(|at| arguments.value(at)).collect());
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, rows: Option<Vec<Vec<Value>>>) -> rusqlite::Result<Option<Value>> {
        Ok((self.finish)(&rows.unwrap_or_default()))
    }
}

impl WindowAggregate<Vec<Vec<Value>>, Option<Value>> for Group {
    fn value(&self, rows: Option<&mut Vec<Vec<Value>>>) -> rusqlite::Result<Option<Value>> {
        Ok((self.finish)(rows.map_or(&[][..], |rows| rows.as_slice())))
    }

    /// Rows leave a window in the order in which they came.
    fn inverse(&self, _: &mut Context<'_>, rows: &mut Vec<Vec<Value>>) -> rusqlite::Result<()> {
        if !rows.is_empty() {
            rows.remove(0);
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

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn numbers(rows: &[Vec<Value>]) -> Vec<f64> {
    let mut numbers: Vec<f64> = rows.iter().filter_map(|row| number(row.first()?)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn truths(rows: &[Vec<Value>]) -> impl Iterator<Item = bool> + '_ {
    rows.iter().filter_map(|row| number(row.first()?)).map(|number| number != 0.0)
}

fn variance(rows: &[Vec<Value>], sample: bool) -> Option<f64> {
    let numbers = numbers(rows);
    let count = numbers.len() as f64;
    let divisor = if sample { count - 1.0 } else { count };
    if divisor <= 0.0 {
        return None;
    }
    let mean = numbers.iter().sum::<f64>() / count;
    Some(numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / divisor)
}

fn interpolated(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}

fn percentile(rows: &[Vec<Value>]) -> Option<Value> {
    let share = number(rows.first()?.get(1)?)?;
    interpolated(&numbers(rows), share).map(Value::Real)
}

/// The smallest value that is not below the wanted share of the values; whole numbers stay whole.
fn percentile_approx(rows: &[Vec<Value>]) -> Option<Value> {
    let share = number(rows.first()?.get(1)?)?;
    let sorted = numbers(rows);
    let rank = (share * sorted.len() as f64).ceil().max(1.0) as usize;
    let value = *sorted.get(rank - 1)?;
    let whole = rows.iter().filter_map(|row| row.first()).all(|value| !matches!(value, Value::Real(_)));
    Some(if whole { Value::Integer(value as i64) } else { Value::Real(value) })
}

fn mode(rows: &[Vec<Value>]) -> Option<Value> {
    let items = elements(rows);
    let count = |item: &Json| items.iter().filter(|other| *other == item).count();
    let best = items.iter().max_by(|x, y| count(x).cmp(&count(y)).then_with(|| order(y, x)))?;
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

fn correlation(rows: &[Vec<Value>]) -> Option<Value> {
    let pairs: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((number(row.first()?)?, number(row.get(1)?)?))).collect();
    let count = pairs.len() as f64;
    let mean_x = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
    let mean_y = pairs.iter().map(|pair| pair.1).sum::<f64>() / count;
    let covariance = pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>();
    let spread_x = pairs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    let spread_y = pairs.iter().map(|(_, y)| (y - mean_y).powi(2)).sum::<f64>();
    let scale = (spread_x * spread_y).sqrt();
    if pairs.len() < 2 || scale == 0.0 { None } else { Some(Value::Real(covariance / scale)) }
}
