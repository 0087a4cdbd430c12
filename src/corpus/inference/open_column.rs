//! Columns that no definition tells.

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
