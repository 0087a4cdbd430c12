//! Failures that SQLite itself does not know: an aggregate for scalar sub-queries that fails on a second row, which
//! SQLite would ignore, and a function that fails with the words it is given.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error, Result};

/// The message of `h_single` for a second row.
pub(super) const SEVERAL_ROWS: &str = "a scalar sub-query gives more than one row";

/// `h_single(x)` gives the value of the only row and fails on a second one.
struct OnlyRow;

impl Aggregate<Option<Value>, Option<Value>> for OnlyRow {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Option<Value>) -> Result<()> {
        if seen.is_some() {
            return Err(Error::UserFunctionError(SEVERAL_ROWS.into()));
        }
        *seen = Some(context.get(0)?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Option<Value>>) -> Result<Option<Value>> {
        Ok(seen.flatten())
    }
}

/// Registers `h_single` and `h_fail`.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("h_single", 1, flags, OnlyRow)?;
    // SQLite computes a deterministic function of constants even where the result is not used.
    let fails =
        |context: &Context<'_>| -> Result<Value> { Err(Error::UserFunctionError(context.get::<String>(0)?.into())) };
    connection.create_scalar_function("h_fail", 1, FunctionFlags::SQLITE_UTF8, fails)
}
