//! Schema and rows become an image that runs copy.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};

use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::engine::sqlite::functions::decimal_number;
use crate::engine::table::{Database, Row, TableRows, Value};

/// A database that scripts run on. Runs never change it; threads may share it.
#[derive(Debug)]
pub struct LoadedDatabase {
    /// Tells images apart.
    pub(super) id: u64,
    pub(super) image: Mutex<Connection>,
    /// The rows of tables that have some, by full name.
    pub(super) rows: HashMap<String, Vec<Row>>,
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
        /// The table.
        table: String,
        /// Position of the row, from 0.
        row: usize,
        /// Columns of the table.
        wanted: usize,
        /// Values of the row.
        given: usize,
    },
    /// SQLite failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl LoadedDatabase {
    pub(super) fn new(schema: &Schema, database: &Database) -> Result<LoadedDatabase, EngineError> {
        let mut connection = Connection::open_in_memory()?;
        let transaction = connection.transaction()?;
        for table in &schema.tables {
            transaction.execute_batch(&definition(table))?;
        }
        let mut rows: HashMap<String, Vec<Row>> = HashMap::new();
        for entry in &database.tables {
            let Some(table) = schema.table(&entry.table) else {
                return Err(EngineError::UnknownTable(entry.table.clone()));
            };
            insert(&transaction, table, entry)?;
            rows.entry(table.name.clone()).or_default().extend(entry.rows.iter().cloned());
        }
        transaction.commit()?;
        Ok(LoadedDatabase { id: NEXT_ID.fetch_add(1, Ordering::Relaxed), image: Mutex::new(connection), rows })
    }

    /// Number of rows in all tables.
    pub fn row_count(&self) -> usize {
        self.rows.values().map(Vec::len).sum()
    }
}

/// Columns have no type, so that SQLite never converts a value on its own.
fn definition(table: &TableDefinition) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    format!("CREATE TABLE {}({})", quoted(&table.name), columns.join(","))
}

fn insert(connection: &Connection, table: &TableDefinition, entry: &TableRows) -> Result<(), EngineError> {
    let width = table.columns.len();
    let mut statement = connection.prepare(&insertion(&table.name, width))?;
    for (index, row) in entry.rows.iter().enumerate() {
        if row.len() != width {
            let table = table.name.clone();
            return Err(EngineError::RowWidth { table, row: index, wanted: width, given: row.len() });
        }
        let values = row.iter().zip(&table.columns).map(|(value, column)| stored(value, &column.data_type));
        statement.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(())
}

/// `INSERT` of one row of a table with this many columns.
pub(super) fn insertion(table: &str, width: usize) -> String {
    let places = vec!["?"; width].join(",");
    format!("INSERT INTO \"{}\" VALUES({places})", table.replace('"', "\"\""))
}

/// A number in a column of decimals: rounded to its scale, NULL where it has too many digits, as in Spark.
fn decimal(number: f64, precision: u8, scale: u8) -> ToSqlOutput<'static> {
    let held = decimal_number(number, i64::from(precision), i64::from(scale));
    held.map_or(ToSqlOutput::Borrowed(ValueRef::Null), |held| ToSqlOutput::Owned(SqlValue::Real(held)))
}

/// A value as the database stores it in a column of this type.
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
            let wanted = held
                .map_or(ToSqlOutput::Borrowed(ValueRef::Null), |held: f64| ToSqlOutput::Owned(SqlValue::Real(held)));
            assert_eq!(stored(&value, &Type::Decimal(precision, scale)), wanted, "{number} in ({precision},{scale})");
        }
    }
}
