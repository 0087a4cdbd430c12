//! Values, rows and result tables, the same for every engine.

use serde::{Deserialize, Serialize};

use crate::code::types::Type;

/// A value of a fake database or a result. Dates and timestamps are text, booleans 0 or 1, nested values JSON text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A whole number or a boolean.
    Integer(i64),
    /// A floating or decimal number.
    Real(f64),
    /// Text, date, timestamp, or JSON of an array, map or struct.
    Text(String),
}

/// One row.
pub type Row = Vec<Value>;

/// The rows of one table of a fake database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRows {
    /// Full lower-case table name, as in the schema.
    pub table: String,
    /// Rows in the schema's column order.
    pub rows: Vec<Row>,
}

/// A fake database: rows for each table of a schema (tables not named are empty).
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Database {
    /// One entry a table.
    pub tables: Vec<TableRows>,
}

impl Database {
    /// Number of rows in all tables.
    pub fn row_count(&self) -> usize {
        self.tables.iter().map(|table| table.rows.len()).sum()
    }

    /// The same rows, each table's in the opposite order.
    #[must_use]
    pub fn reversed(&self) -> Database {
        let mut turned = self.clone();
        for table in &mut turned.tables {
            table.rows.reverse();
        }
        turned
    }
}

/// One column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultColumn {
    /// Lower-case name.
    pub name: String,
    /// Its type.
    pub data_type: Type,
    /// It holds arrays that `collect_list` or `collect_set` leave in no order.
    pub unordered: bool,
}

/// What a statement returned or what a written table holds afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The written table's full name, or empty for the result of a final query.
    pub target: String,
    /// Its columns.
    pub columns: Vec<ResultColumn>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// The script fixes the order of the rows (an outermost ORDER BY).
    pub ordered: bool,
}

/// Everything a script produced: each written table's final content, and the result of each plain query.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ScriptResult {
    /// In order of first write.
    pub tables: Vec<ResultTable>,
}

impl ScriptResult {
    /// The same rows, in an order that counts only where it counts in `reference`: an answer may fix an order that the
    /// reference leaves open.
    #[must_use]
    pub fn ordered_as(mut self, reference: &ScriptResult) -> ScriptResult {
        for table in &mut self.tables {
            table.ordered &= reference.tables.iter().any(|wanted| wanted.target == table.target && wanted.ordered);
        }
        self
    }
}
