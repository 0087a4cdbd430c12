//! The rows that a table of a connection holds, and how they become those of another database.
//!
//! A search runs a script on thousands of databases that differ from each other in a few rows. Only those are written:
//! the rows before and after them stay where they are.

use std::ops::Range;

use rusqlite::Connection;

use super::load::{push_quoted, quoted, stored};
use crate::code::schema::TableDefinition;
use crate::engine::table::Row;

/// The distance of the row ids of two rows that follow each other, so that rows fit between them later.
const DISTANCE: i64 = 1 << 16;

/// The rows of one table of a connection.
#[derive(Debug, Default)]
pub(super) struct HeldRows {
    rows: Vec<Row>,
    /// The row ids of `rows`, which rise: SQLite reads a table in their order.
    ids: Vec<i64>,
    /// The statement that inserts one row; empty before the first.
    insertion: String,
}

/// What has to change for a table to hold other rows.
struct RowChange {
    /// The held rows that go.
    removed: Range<usize>,
    /// The wanted rows that come in their place.
    added: Range<usize>,
    /// The row ids of the latter.
    ids: Vec<i64>,
}

impl HeldRows {
    /// Makes the table hold `wanted`. What it held is unknown after an error.
    pub fn become_rows(
        &mut self,
        connection: &Connection,
        table: &TableDefinition,
        wanted: &[Row],
    ) -> rusqlite::Result<()> {
        let change = self.change(wanted);
        if let (Some(first), Some(last)) = (self.ids.get(change.removed.start), self.ids[..change.removed.end].last())
            && !change.removed.is_empty()
        {
            let removal = format!("DELETE FROM {} WHERE rowid BETWEEN ? AND ?", quoted(&table.name));
            connection.prepare_cached(&removal)?.execute([first, last])?;
        }
        if !change.added.is_empty() {
            self.insert(connection, table, &wanted[change.added.clone()], &change.ids)?;
        }
        self.rows.splice(change.removed.clone(), wanted[change.added].iter().cloned());
        self.ids.splice(change.removed, change.ids);
        Ok(())
    }

    fn insert(
        &mut self,
        connection: &Connection,
        table: &TableDefinition,
        rows: &[Row],
        ids: &[i64],
    ) -> rusqlite::Result<()> {
        if self.insertion.is_empty() {
            self.insertion = insertion(table);
        }
        let mut statement = connection.prepare_cached(&self.insertion)?;
        for (row, id) in rows.iter().zip(ids) {
            statement.raw_bind_parameter(1, id)?;
            for (place, (value, column)) in row.iter().zip(&table.columns).enumerate() {
                statement.raw_bind_parameter(place + 2, stored(value, &column.data_type))?;
            }
            statement.raw_execute()?;
        }
        Ok(())
    }

    /// Returns the change to the rows between those that stay at both ends.
    fn change(&self, wanted: &[Row]) -> RowChange {
        let same = |(held, wanted): &(&Row, &Row)| held.is_shared_with(wanted);
        let before = self.rows.iter().zip(wanted).take_while(same).count();
        let held_rest = self.rows[before..].iter().rev();
        let after = held_rest.zip(wanted[before..].iter().rev()).take_while(same).count();
        let (removed, added) = (before..self.rows.len() - after, before..wanted.len() - after);
        match self.free_ids(&removed, added.len()) {
            Some(ids) => RowChange { removed, added, ids },
            None => {
                let ids = (1..).map(|place| place * DISTANCE).take(wanted.len()).collect();
                RowChange { removed: 0..self.rows.len(), added: 0..wanted.len(), ids }
            }
        }
    }

    /// Returns ids for rows in the place of `removed`; `None` if there are not enough between its neighbours.
    fn free_ids(&self, removed: &Range<usize>, count: usize) -> Option<Vec<i64>> {
        let low = removed.start.checked_sub(1).map_or(0, |place| self.ids[place]);
        let places = i64::try_from(count).ok()? + 1;
        let step = match self.ids.get(removed.end) {
            Some(high) => (high - low) / places,
            None => DISTANCE,
        };
        (step > 0).then(|| (1..places).map(|place| low + place * step).collect())
    }
}

/// Returns the statement that inserts one row under a row id.
fn insertion(table: &TableDefinition) -> String {
    let mut sql = format!("INSERT INTO {}(rowid", quoted(&table.name));
    for column in &table.columns {
        sql.push(',');
        push_quoted(&mut sql, &column.name);
    }
    sql.push_str(") VALUES(?");
    sql.push_str(&",?".repeat(table.columns.len()));
    sql.push(')');
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::engine::table::Value;
    use proptest::prelude::*;

    /// Returns the rows of the table in the order in which SQLite reads them.
    fn numbers(connection: &Connection) -> Vec<i64> {
        let mut statement = connection.prepare("SELECT a FROM t").unwrap();
        let numbers = statement.query_map([], |row| row.get(0)).unwrap();
        numbers.map(Result::unwrap).collect()
    }

    proptest! {
        #[test]
        fn a_table_holds_the_rows_of_the_database_that_came_last(
            steps in prop::collection::vec((0usize..8, 0usize..8, prop::collection::vec(0usize..12, 0..6)), 1..24),
        ) {
            let schema = Schema::read("CREATE TABLE t (a BIGINT);").unwrap();
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch("CREATE TABLE t(a)").unwrap();
            let pool: Vec<Row> = (0..12).map(|number| Row::from([Value::Integer(number)])).collect();
            let (mut held, mut wanted) = (HeldRows::default(), Vec::new());
            for (start, end, numbers_in_place) in steps {
                // Rows in the middle give way to others, as when a database is changed or reduced.
                let (start, end) = (start.min(wanted.len()), end.min(wanted.len()));
                let rows = numbers_in_place.iter().map(|number| pool[*number].clone());
                wanted.splice(start.min(end)..end, rows);
                held.become_rows(&connection, &schema.tables[0], &wanted).unwrap();
                let expected: Vec<Value> = wanted.iter().map(|row: &Row| row[0].clone()).collect();
                let found: Vec<Value> = numbers(&connection).into_iter().map(Value::Integer).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn rows_that_stay_are_not_written_again_until_there_is_no_room_between_them() {
        let row = |number: i64| Row::from([Value::Integer(number)]);
        let (first, last) = (row(1), row(9));
        let mut held = HeldRows { rows: vec![first.clone(), last.clone()], ids: vec![10, 12], ..HeldRows::default() };
        let change = held.change(&[first.clone(), row(5), last.clone()]);
        assert_eq!((change.removed, change.added, change.ids), (1..1, 1..2, vec![11]));
        held.ids = vec![10, 11];
        let change = held.change(&[first, row(5), last]);
        assert_eq!((change.removed, change.added, change.ids.len()), (0..2, 0..3, 3));
    }
}
