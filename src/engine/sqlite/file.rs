//! Runs one untranslated query on a SQLite file, for benchmarks written in SQLite's own dialect.

use std::path::Path;
use std::sync::Arc;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::guard::{RunAllowance, protect};
use super::limits::{Limits, RunErrorKind};
use crate::engine::table::{Row, Value};

/// Runs one query on a file that is opened read-only and returns column names and rows.
///
/// # Errors
///
/// If the file cannot be opened, the text is not one query, or it fails or exceeds a limit.
pub fn query_file(file: &Path, sql: &str, limits: &Limits) -> Result<(Vec<String>, Vec<Row>), RunErrorKind> {
    let prepare = |error: rusqlite::Error| RunErrorKind::Prepare(error.to_string());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags).map_err(prepare)?;
    let budget = Arc::new(RunAllowance::default());
    protect(&mut connection, &budget).map_err(prepare)?;
    budget.start(limits);
    let failed = |error: rusqlite::Error| budget.exceeded().unwrap_or_else(|| RunErrorKind::Value(error.to_string()));
    let mut statement = connection.prepare(sql).map_err(prepare)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut cursor = statement.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = cursor.next().map_err(failed)? {
        if rows.len() >= limits.rows {
            return Err(RunErrorKind::Rows);
        }
        rows.push((0..columns.len()).map(|place| row.get_ref(place).map_or(Value::Null, value)).collect());
    }
    Ok((columns, rows))
}

pub(super) fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(whole) => Value::Integer(whole),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Value::Text(text(bytes)),
    }
}

/// Returns bytes as text. What is no UTF-8 is replaced, which takes longer than looking whether there is any.
fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes).into_owned(), str::to_owned)
}
