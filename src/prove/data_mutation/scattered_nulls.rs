//! NULL in further cells of the columns that hold NULL and values.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::code::schema::Schema;
use crate::engine::table::{Database, Value};

/// About one cell in this many becomes NULL.
const NULL_EVERY: u8 = 8;

/// The columns in which some databases have both NULL and values.
#[derive(Debug)]
pub struct PartlyNullColumns {
    /// Table and position.
    columns: BTreeSet<(String, usize)>,
}

impl PartlyNullColumns {
    /// Finds the columns; partitions and columns that a definition declares NOT NULL are not among them.
    pub fn of<'d>(schema: &Schema, databases: impl Iterator<Item = &'d Database>) -> PartlyNullColumns {
        let mut columns = BTreeSet::new();
        for table in databases.flat_map(|database| &database.tables) {
            let Some(definition) = schema.table(&table.table) else { continue };
            for (at, column) in definition.columns.iter().enumerate() {
                let has = |is_null: bool| table.rows.iter().any(|row| (row[at] == Value::Null) == is_null);
                if column.nullable && !column.partition && has(true) && has(false) {
                    columns.insert((table.table.clone(), at));
                }
            }
        }
        PartlyNullColumns { columns }
    }

    /// Returns the database with further NULLs, in each column in other rows; `number` tells two draws apart.
    pub fn with_more_nulls(&self, database: &Database, number: usize) -> Database {
        let mut changed = database.clone();
        for table in &mut changed.tables {
            let columns: Vec<usize> =
                self.columns.iter().filter(|(name, _)| *name == table.table).map(|(_, at)| *at).collect();
            for (index, row) in table.rows.iter_mut().enumerate() {
                for at in columns.iter().copied() {
                    let drawn = Sha256::digest(format!("{} {at} {index} {number}", table.table))[0];
                    if drawn % NULL_EVERY == 0 {
                        row.set(at, Value::Null);
                    }
                }
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::TableRows;

    #[test]
    fn each_column_that_holds_null_and_values_gets_it_in_other_rows() {
        let schema = Schema::read("CREATE TABLE t (k STRING, a STRING, b STRING, dt STRING NOT NULL)")
            .expect("the DDL is right");
        let row = |number: i64| {
            let text = |is_null: bool| if is_null { Value::Null } else { Value::Text(format!("v{number}")) };
            [text(false), text(number == 3), text(number == 3), text(false)].into()
        };
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows: (0..64).map(row).collect() }] };
        let columns = PartlyNullColumns::of(&schema, std::iter::once(&database));
        let changed = columns.with_more_nulls(&database, 0);
        let nulls = |at: usize| -> Vec<usize> {
            let rows = changed.tables[0].rows.iter().enumerate();
            rows.filter(|(_, row)| row[at] == Value::Null).map(|(index, _)| index).collect()
        };
        assert!(nulls(0).is_empty() && nulls(3).is_empty());
        assert!(nulls(1).len() > 3 && nulls(2).len() > 3);
        assert_ne!(nulls(1), nulls(2));
        assert_ne!(columns.with_more_nulls(&database, 1), changed);
    }
}
