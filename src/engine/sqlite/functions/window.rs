//! Window functions that ignore NULLs, which SQLite's own cannot.

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::Value;

use super::arguments::owned;

pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_window_function("h_first_value_ignore_nulls", 1, flags, FirstOrLast { first: true })?;
    connection.create_window_function("h_last_value_ignore_nulls", 1, flags, FirstOrLast { first: false })
}

struct FirstOrLast {
    first: bool,
}

impl FirstOrLast {
    fn pick(&self, values: &[Value]) -> Option<Value> {
        let mut known = values.iter().filter(|value| **value != Value::Null);
        let value = if self.first { known.next() } else { known.next_back() };
        value.cloned()
    }
}

impl Aggregate<Vec<Value>, Option<Value>> for FirstOrLast {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Vec<Value>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, values: &mut Vec<Value>) -> rusqlite::Result<()> {
        values.push(owned(context.get_raw(0)));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<Vec<Value>>) -> rusqlite::Result<Option<Value>> {
        Ok(self.pick(&values.unwrap_or_default()))
    }
}

impl WindowAggregate<Vec<Value>, Option<Value>> for FirstOrLast {
    fn value(&self, values: Option<&mut Vec<Value>>) -> rusqlite::Result<Option<Value>> {
        Ok(self.pick(values.map_or(&[][..], |values| values.as_slice())))
    }

    fn inverse(&self, _: &mut Context<'_>, values: &mut Vec<Value>) -> rusqlite::Result<()> {
        if !values.is_empty() {
            values.remove(0);
        }
        Ok(())
    }
}
