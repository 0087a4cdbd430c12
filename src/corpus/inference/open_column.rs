//! Columns that no definition tells.

use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::types::Type;

/// A column whose type is still to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenColumn {
    pub(super) table: String,
    pub(super) column: String,
    pub(super) partition: bool,
    /// The tables that may have it instead.
    pub(super) others: Vec<String>,
}

impl OpenColumn {
    /// A column that only this table can have.
    pub fn of(table: impl Into<String>, column: impl Into<String>) -> OpenColumn {
        OpenColumn { table: table.into(), column: column.into(), partition: false, others: Vec::new() }
    }
}

/// Adds columns whose types are not known yet; partition columns stand last.
pub(super) fn with_columns(mut schema: Schema, open: &[OpenColumn]) -> Schema {
    let tables = schema.tables_mut();
    for OpenColumn { table, column, partition, .. } in open {
        let column = TableColumn {
            name: column.clone(),
            data_type: Type::Unknown,
            nullable: true,
            partition: *partition,
            comment: String::new(),
            own_value: false,
        };
        match tables.iter_mut().find(|known| known.name == *table) {
            Some(known) => known.columns.push(column),
            None => tables.push(TableDefinition { name: table.clone(), columns: vec![column], comment: String::new() }),
        }
    }
    for table in tables {
        table.columns.sort_by_key(|column| column.partition);
    }
    schema
}
