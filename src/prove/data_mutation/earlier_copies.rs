//! Copies of all rows some days earlier: a script that compares a period with the one before needs rows of one key in both.

use super::entity::is_identifier;
use crate::code::schema::Schema;
use crate::engine::table::{Database, Row, Value};
use crate::prove::data::calendar;

/// The most rows of a database whose rows are copied.
const MOST_ROWS: usize = 300;

/// Returns the database with a copy of every row some days earlier; `None` if it has too many rows. An identifier in the
/// first column that no other table has is a new one in the copy.
pub fn with_earlier_copies(schema: &Schema, database: &Database, days: i64) -> Option<Database> {
    if database.row_count() > MOST_ROWS {
        return None;
    }
    let mut extended = database.clone();
    for table in &mut extended.tables {
        let Some(definition) = schema.table(&table.table) else { continue };
        let is_own = |value: &Value| {
            let others = database.tables.iter().filter(|other| other.table != table.table);
            is_identifier(value) && !others.flat_map(|other| &other.rows).any(|row| row.contains(value))
        };
        let copies: Vec<Row> = table
            .rows
            .iter()
            .map(|row| {
                let mut copy = row.clone();
                for at in 0..definition.columns.len().min(row.len()) {
                    match earlier(&row[at], days) {
                        Some(value) => copy.set(at, value),
                        None if at == 0 && is_own(&row[0]) => copy.set(0, other_identifier(&row[0], days)),
                        None => {}
                    }
                }
                copy
            })
            .collect();
        table.rows.extend(copies);
    }
    Some(extended)
}

/// Returns a date or moment some days earlier; `None` for any other value.
fn earlier(value: &Value, days: i64) -> Option<Value> {
    match value {
        Value::Text(text) => calendar::shift_in_place(text, -days).map(Value::Text),
        _ => None,
    }
}

/// Returns an identifier made of another one, the same for the same number of days.
fn other_identifier(value: &Value, days: i64) -> Value {
    match value {
        Value::Integer(number) => Value::Integer(number.saturating_mul(100).saturating_add(days)),
        Value::Text(text) => Value::Text(format!("{text}{days}")),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::TableRows;

    #[test]
    fn a_copy_is_earlier_and_has_a_key_of_its_own_unless_others_refer_to_it() {
        let schema = Schema::read("CREATE TABLE a (id STRING, who STRING, dt STRING); CREATE TABLE b (who STRING);");
        let row = |cells: &[&str]| -> Row { cells.iter().map(|cell| Value::Text((*cell).to_owned())).collect() };
        let tables = [("a", row(&["A17", "K10", "2024-03-01"])), ("b", row(&["K10"]))];
        let tables = tables.map(|(table, row)| TableRows { table: table.to_owned(), rows: vec![row] });
        let extended = with_earlier_copies(&schema.unwrap(), &Database { tables: tables.to_vec() }, 7).unwrap();
        assert_eq!(extended.tables[0].rows[1], row(&["A177", "K10", "2024-02-23"]));
        assert_eq!(extended.tables[1].rows[1], row(&["K10"]));
    }
}
