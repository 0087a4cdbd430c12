//! Definitions of tables as they are kept with a script.

use super::own_values::UnreadColumn;
use crate::code::schema::Schema;

/// The definitions of a script's tables, as text and as schema.
pub(super) struct WrittenSchema {
    pub text: String,
    pub schema: Schema,
}

impl WrittenSchema {
    /// A schema that is not read from one text: its DDL is written anew.
    pub fn of(schema: Schema) -> WrittenSchema {
        WrittenSchema { text: schema.ddl(), schema }
    }

    /// The schema without these columns.
    pub fn without(self, columns: &[UnreadColumn]) -> WrittenSchema {
        if columns.is_empty() {
            return self;
        }
        let mut schema = self.schema;
        for table in schema.tables_mut() {
            let is_out = |name: &str| columns.iter().any(|out| out.table == table.name && out.column == name);
            let kept = table.columns.iter().filter(|column| !is_out(&column.name)).cloned().collect();
            table.columns = kept;
        }
        WrittenSchema::of(schema)
    }
}
