//! Table definitions and how they are read from DDL.

pub mod type_name;
mod read;
mod write;

pub use read::{MOST_COLUMNS, SchemaError, SchemaErrorKind};
pub(crate) use read::{full_name, used_database};
pub use type_name::read_type;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::types::Type;

/// The tables a script may read and write.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Schema {
    /// The definitions, in written order. Copies of a schema share them, as the databases that are loaded for it do.
    pub tables: Arc<Vec<TableDefinition>>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDefinition {
    /// Full name in lower case, such as `ods.orders`; a bare name is qualified by the last `USE`, if any.
    pub name: String,
    /// Its columns, partition columns last.
    pub columns: Vec<TableColumn>,
    /// Its comment; empty when it has none.
    pub comment: String,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// Lower-case name.
    pub name: String,
    /// Its type.
    pub data_type: Type,
    /// False when `NOT NULL` or `PRIMARY KEY` is written.
    pub nullable: bool,
    /// It partitions the table.
    pub partition: bool,
    /// Its comment; empty when it has none.
    pub comment: String,
    /// Whether it takes a value other than NULL where INSERT leaves it out: it has a DEFAULT or is generated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_value: bool,
}

impl From<Vec<TableDefinition>> for Schema {
    fn from(tables: Vec<TableDefinition>) -> Schema {
        Schema { tables: Arc::new(tables) }
    }
}

impl Schema {
    /// The definitions, to be changed.
    pub(crate) fn tables_mut(&mut self) -> &mut Vec<TableDefinition> {
        Arc::make_mut(&mut self.tables)
    }

    /// The table of this full name, or else the only table of this short name.
    pub fn table(&self, name: &str) -> Option<&TableDefinition> {
        let wanted = name.to_lowercase();
        let full = self.tables.iter().find(|table| table.name == wanted);
        full.or_else(|| {
            let mut short = self.tables.iter().filter(|table| table.short_name() == wanted);
            short.next().filter(|_| short.next().is_none())
        })
    }
}

impl TableDefinition {
    /// The name without its database.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Position of a column by its lower-case name.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|candidate| candidate.name == column)
    }
}
