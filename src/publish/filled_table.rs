//! The tables of a small database that hold rows, as people look at them.

use serde::Serialize;

use crate::code::schema::Schema;
use crate::engine::table::{Database, Row};

/// The first rows of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilledTable {
    pub table: String,
    pub columns: Vec<String>,
    /// Its first rows.
    pub rows: Vec<Row>,
    /// How many rows it has.
    pub total: usize,
}

/// Returns the tables that hold rows, each with `most` rows at most.
pub fn filled(database: Database, schema_ddl: &str, most: usize) -> Vec<FilledTable> {
    let schema = Schema::read(schema_ddl).ok();
    let columns = |table: &str| {
        let definition = schema.as_ref().and_then(|schema| schema.table(table));
        definition.map(|definition| definition.columns.iter().map(|column| column.name.clone()).collect())
    };
    let filled = database.tables.into_iter().filter(|table| !table.rows.is_empty());
    filled
        .map(|table| FilledTable {
            columns: columns(&table.table).unwrap_or_default(),
            total: table.rows.len(),
            rows: table.rows.into_iter().take(most).collect(),
            table: table.table,
        })
        .collect()
}
