//! An aggregate for `first`, `last` and `any_value` that fails on a group whose rows differ, because it is then
//! uncertain which row comes first.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error, Result};

/// The message of `h_sole` if the rows of a group differ.
pub(super) const UNCERTAIN: &str =
    "first, last or any_value meets different values in a group: which comes first is not certain";

/// `h_sole(x)` gives the value that all rows of the group have and fails if they differ.
struct SoleValue {
    ignores_nulls: bool,
}

impl Aggregate<Option<Value>, Option<Value>> for SoleValue {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Option<Value>) -> Result<()> {
        let value: Value = context.get(0)?;
        if self.ignores_nulls && value == Value::Null {
            return Ok(());
        }
        match seen {
            Some(known) if *known != value => Err(Error::UserFunctionError(UNCERTAIN.into())),
            _ => {
                *seen = Some(value);
                Ok(())
            }
        }
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Option<Value>>) -> Result<Option<Value>> {
        Ok(seen.flatten())
    }
}

/// Registers `h_sole` and `h_sole_ignore_nulls`.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("h_sole", 1, flags, SoleValue { ignores_nulls: false })?;
    connection.create_aggregate_function("h_sole_ignore_nulls", 1, flags, SoleValue { ignores_nulls: true })
}
