//! Checks the rows of a database once for many runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};

use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::engine::sqlite::functions::decimal_number;
use crate::engine::sqlite::work::add_loading;
use crate::engine::table::{Database, Row, TableRows, Value};

/// A database that scripts run on. Runs never change it, and threads may share it.
#[derive(Debug)]
pub struct LoadedDatabase {
    /// Tells databases apart.
    pub(super) id: u64,
    pub(super) definitions: Arc<Vec<TableDefinition>>,
    pub(super) filled: Vec<LoadedTable>,
}

/// The rows of a table.
#[derive(Debug)]
pub(super) struct LoadedTable {
    /// The position of its definition.
    pub definition: usize,
    /// Its rows, which copies of the database share.
    pub rows: Vec<Row>,
}

/// Why rows cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The schema has no such table.
    #[error("the schema has no table '{0}'")]
    UnknownTable(String),
    /// A row is longer or shorter than its table.
    #[error("row {row} of table '{table}' has {given} values where {wanted} belong")]
    RowWidth {
        table: String,
        /// Position of the row, from 0.
        row: usize,
        /// Columns of the table.
        wanted: usize,
        /// Values of the row.
        given: usize,
    },
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl LoadedDatabase {
    pub(super) fn new(schema: &Schema, database: &Database) -> Result<LoadedDatabase, EngineError> {
        let mut filled: Vec<LoadedTable> = Vec::with_capacity(database.tables.len());
        for entry in database.tables.iter().filter(|entry| !entry.rows.is_empty()) {
            let Some(table) = schema.table(&entry.table) else {
                return Err(EngineError::UnknownTable(entry.table.clone()));
            };
            check_widths(table, entry)?;
            let definition = schema.tables.iter().position(|known| std::ptr::eq(known, table)).unwrap_or_default();
            match filled.iter_mut().find(|known| known.definition == definition) {
                Some(known) => known.rows.extend(entry.rows.iter().cloned()),
                None => filled.push(LoadedTable { definition, rows: entry.rows.clone() }),
            }
        }
        let cells = |table: &LoadedTable| table.rows.len() * schema.tables[table.definition].columns.len();
        add_loading(filled.iter().map(cells).sum());
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Ok(LoadedDatabase { id, definitions: schema.tables.clone(), filled })
    }

    /// Returns the rows of a table by its full name.
    pub(super) fn rows(&self, table: &str) -> Option<&[Row]> {
        let filled = self.filled.iter().find(|filled| self.definitions[filled.definition].name == table);
        filled.map(|filled| filled.rows.as_slice())
    }
}

fn check_widths(table: &TableDefinition, entry: &TableRows) -> Result<(), EngineError> {
    let wanted = table.columns.len();
    match entry.rows.iter().enumerate().find(|(_, row)| row.len() != wanted) {
        Some((row, found)) => Err(EngineError::RowWidth { table: table.name.clone(), row, wanted, given: found.len() }),
        None => Ok(()),
    }
}

/// Returns the CREATE TABLE statements of tables. Columns have no type, so that SQLite never converts a value by
/// itself.
pub(super) fn creation(tables: &[TableDefinition]) -> String {
    let mut sql = String::new();
    for table in tables {
        sql.push_str("CREATE TABLE ");
        push_quoted(&mut sql, &table.name);
        for (index, column) in table.columns.iter().enumerate() {
            sql.push(if index == 0 { '(' } else { ',' });
            push_quoted(&mut sql, &column.name);
        }
        sql.push_str(");");
    }
    sql
}

/// A name in double quotes.
pub(super) fn quoted(name: &str) -> String {
    let mut sql = String::with_capacity(name.len() + 2);
    push_quoted(&mut sql, name);
    sql
}

pub(super) fn push_quoted(sql: &mut String, name: &str) {
    sql.push('"');
    for letter in name.chars() {
        sql.push(letter);
        if letter == '"' {
            sql.push('"');
        }
    }
    sql.push('"');
}

/// Returns the statement that empties a table.
pub(super) fn removal(table: &str) -> String {
    format!("DELETE FROM {}", quoted(table))
}

/// Returns the statement that inserts one row into a table with this many columns.
pub(super) fn insertion(table: &str, width: usize) -> String {
    let places = vec!["?"; width].join(",");
    format!("INSERT INTO {} VALUES({places})", quoted(table))
}

/// Returns a number as a decimal column stores it: rounded to the scale, or NULL if it has too many digits, as in
/// Spark.
fn decimal(number: f64, precision: u8, scale: u8) -> ToSqlOutput<'static> {
    let held = decimal_number(number, i64::from(precision), i64::from(scale));
    held.map_or(ToSqlOutput::Borrowed(ValueRef::Null), |held| ToSqlOutput::Owned(SqlValue::Real(held)))
}

/// Returns a value as the database stores it in a column of this type.
pub(super) fn stored<'a>(value: &'a Value, data_type: &Type) -> ToSqlOutput<'a> {
    match (value, data_type) {
        (Value::Null, _) => ToSqlOutput::Borrowed(ValueRef::Null),
        (Value::Integer(whole), Type::Decimal(precision, scale)) => decimal(*whole as f64, *precision, *scale),
        (Value::Real(number), Type::Decimal(precision, scale)) => decimal(*number, *precision, *scale),
        (Value::Integer(whole), Type::Double) => ToSqlOutput::Owned(SqlValue::Real(*whole as f64)),
        (Value::Integer(whole), _) => ToSqlOutput::Owned(SqlValue::Integer(*whole)),
        (Value::Real(number), Type::Int | Type::BigInt | Type::Boolean) if number.fract() == 0.0 => {
            ToSqlOutput::Owned(SqlValue::Integer(*number as i64))
        }
        (Value::Real(number), _) => ToSqlOutput::Owned(SqlValue::Real(*number)),
        (Value::Text(text), _) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_columns_of_decimals_are_held_as_spark_casts_them() {
        // What Spark 4.3 gives for CAST(number AS DECIMAL(precision, scale)).
        let cases = [
            (17.75, 4, 1, Some(17.8)),
            (-17.75, 4, 1, Some(-17.8)),
            (1277.5, 4, 1, None),
            (999.95, 4, 1, None),
            (2.5, 10, 0, Some(3.0)),
            (1.005, 10, 2, Some(1.01)),
            (12.25, 18, 2, Some(12.25)),
        ];
        for (number, precision, scale, held) in cases {
            let value = Value::Real(number);
            let wanted =
                held.map_or(ToSqlOutput::Borrowed(ValueRef::Null), |held| ToSqlOutput::Owned(SqlValue::Real(held)));
            assert_eq!(stored(&value, &Type::Decimal(precision, scale)), wanted, "{number} in ({precision},{scale})");
        }
    }
}
