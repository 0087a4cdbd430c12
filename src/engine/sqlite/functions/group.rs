//! Aggregates for SQLite: each keeps the rows of its group and computes its value from all of them at the end, so that
//! it also works as a window function.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::Value;

use super::arguments::{CallError, MAX_RESULT, owned};
use crate::engine::sqlite::guard::RunAllowance;

/// Computes the value of a group from the arguments of its rows in order.
pub(super) type Finish = fn(&[Vec<Value>]) -> Option<Value>;

/// Registers aggregates under their names.
pub(super) fn register(
    connection: &Connection,
    allowance: &Arc<RunAllowance>,
    aggregates: &[(&str, Finish)],
) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, finish) in aggregates {
        let aggregate = GroupAggregate { finish: *finish, allowance: Arc::clone(allowance) };
        connection.create_window_function(*name, -1, flags, aggregate)?;
    }
    Ok(())
}

struct GroupAggregate {
    finish: Finish,
    allowance: Arc<RunAllowance>,
}

impl GroupAggregate {
    /// Returns the value of the rows. As a window function this is asked for each row of a partition.
    fn value_of(&self, group: &GroupRows) -> rusqlite::Result<Option<Value>> {
        if self.allowance.spend_steps(group.bytes) {
            return Err(rusqlite::Error::UserFunctionError(CallError::TooLong.into()));
        }
        Ok((self.finish)(&group.rows))
    }
}

/// The rows of a group, and how many bytes they hold.
#[derive(Default)]
struct GroupRows {
    rows: Vec<Vec<Value>>,
    bytes: usize,
}

/// The most bytes that the rows of a group may hold.
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
        let row = (0..context.len()).map(|at| owned(context.get_raw(at))).collect::<Vec<Value>>();
        group.bytes += bytes(&row);
        if group.bytes > MOST_BYTES {
            return Err(rusqlite::Error::UserFunctionError(CallError::TooLarge.into()));
        }
        group.rows.push(row);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, group: Option<GroupRows>) -> rusqlite::Result<Option<Value>> {
        self.value_of(&group.unwrap_or_default())
    }
}

impl WindowAggregate<GroupRows, Option<Value>> for GroupAggregate {
    fn value(&self, group: Option<&mut GroupRows>) -> rusqlite::Result<Option<Value>> {
        group.map_or_else(|| self.value_of(&GroupRows::default()), |group| self.value_of(group))
    }

    /// Rows leave a window in the order in which they came.
    fn inverse(&self, _: &mut Context<'_>, group: &mut GroupRows) -> rusqlite::Result<()> {
        if !group.rows.is_empty() {
            group.bytes -= bytes(&group.rows.remove(0));
        }
        Ok(())
    }
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
