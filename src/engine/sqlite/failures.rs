//! Failures that SQLite itself does not know: aggregates that refuse a value beside the one that they have seen, and a
//! function that fails with the words it is given.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error, Result};

/// The message of `h_single` for a second row.
pub(super) const SEVERAL_ROWS: &str = "a scalar sub-query gives more than one row";
/// The message of `h_sole` if the rows of a group differ.
pub(super) const UNCERTAIN: &str =
    "first, last or any_value meets different values in a group: which comes first is not certain";

/// Gives the value that it has seen, and fails on what must not stand beside it.
enum SoleValue {
    /// Any second row: SQLite would ignore it.
    OneRow,
    /// Another value: it would be uncertain which row of a group comes first.
    EqualRows,
    EqualRowsWithoutNulls,
}

impl Aggregate<Option<Value>, Option<Value>> for SoleValue {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Option<Value>) -> Result<()> {
        let value: Value = context.get(0)?;
        match (self, &seen) {
            (SoleValue::EqualRowsWithoutNulls, _) if value == Value::Null => return Ok(()),
            (SoleValue::OneRow, Some(_)) => return Err(Error::UserFunctionError(SEVERAL_ROWS.into())),
            (_, Some(known)) if *known != value => return Err(Error::UserFunctionError(UNCERTAIN.into())),
            _ => *seen = Some(value),
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Option<Value>>) -> Result<Option<Value>> {
        Ok(seen.flatten())
    }
}

/// Registers `h_single`, `h_sole`, `h_sole_ignore_nulls` and `h_fail`.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("h_single", 1, flags, SoleValue::OneRow)?;
    connection.create_aggregate_function("h_sole", 1, flags, SoleValue::EqualRows)?;
    connection.create_aggregate_function("h_sole_ignore_nulls", 1, flags, SoleValue::EqualRowsWithoutNulls)?;
    // SQLite computes a deterministic function of constants even where the result is not used.
    let fails =
        |context: &Context<'_>| -> Result<Value> { Err(Error::UserFunctionError(context.get::<String>(0)?.into())) };
    connection.create_scalar_function("h_fail", 1, FunctionFlags::SQLITE_UTF8, fails)
}
