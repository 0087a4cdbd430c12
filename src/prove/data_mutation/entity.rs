//! Changes to one entity throughout a database: two entities get one key, or an entity is copied under a new one.
//!
//! A key stands in many tables. Changed in one row only, it matches nothing any more and the row drops out of a join;
//! changed everywhere, joins still match.

use crate::code::schema::{Schema, TableDefinition};
use crate::engine::table::{Database, Row, Value};

/// Whether a value looks like a key: a text of two letters or more, or an integer from 100 on.
pub fn is_identifier(value: &Value) -> bool {
    match value {
        Value::Integer(number) => *number >= 100,
        Value::Text(text) => text.chars().count() >= 2 && !text.starts_with(['[', '{']),
        Value::Null | Value::Real(_) => false,
    }
}

/// Puts `new` wherever `old` stands, in cells and inside lists and JSON, except in partition columns.
pub fn rename(schema: &Schema, database: &mut Database, old: &Value, new: &Value) {
    let renaming = Renaming::new(old, new);
    for table in &mut database.tables {
        let Some(definition) = schema.table(&table.table) else { continue };
        for row in &mut table.rows {
            renaming.apply(definition, row);
        }
    }
}

/// Copies every row that contains the first of a pair of keys, with the second in its place except in
/// partition columns. A row that contains several is copied once, with all new keys. Rows of the tables in
/// `without` are not copied.
pub fn duplicate(schema: &Schema, database: &mut Database, pairs: &[(Value, Value)], without: &[&str]) {
    let renamings: Vec<Renaming<'_>> = pairs.iter().map(|(old, new)| Renaming::new(old, new)).collect();
    for table in &mut database.tables {
        let Some(definition) = schema.table(&table.table) else { continue };
        if without.contains(&table.table.as_str()) {
            continue;
        }
        let mut copies = Vec::new();
        for row in &table.rows {
            let mut copy = row.clone();
            renamings.iter().for_each(|renaming| renaming.apply(definition, &mut copy));
            if copy != *row {
                copies.push(copy);
            }
        }
        table.rows.extend(copies);
    }
}

/// One key and what stands in its place.
struct Renaming<'a> {
    old: &'a Value,
    new: &'a Value,
    /// Both as texts that may stand inside other texts; `None` for keys of one or two letters, which occur there by
    /// chance.
    inside: Option<(&'a str, &'a str)>,
}

impl<'a> Renaming<'a> {
    fn new(old: &'a Value, new: &'a Value) -> Renaming<'a> {
        let inside = match (old, new) {
            (Value::Text(old), Value::Text(new)) if old.chars().count() > 2 => Some((old.as_str(), new.as_str())),
            _ => None,
        };
        Renaming { old, new, inside }
    }

    /// Renames the key in a row. A row without it stays shared with its copies.
    fn apply(&self, definition: &TableDefinition, row: &mut Row) {
        for (place, column) in definition.columns.iter().enumerate().take(row.len()) {
            let changed = if column.partition { None } else { self.changed(&row[place]) };
            if let Some(value) = changed {
                row.set(place, value);
            }
        }
    }

    /// Returns the value with the new key; `None` if the old one is not in it.
    fn changed(&self, value: &Value) -> Option<Value> {
        if value == self.old {
            return Some(self.new.clone());
        }
        match (value, self.inside) {
            // Most texts are too short: to look into them takes longer than all else.
            (Value::Text(text), Some((old, new))) if text.len() > old.len() && text.contains(old) => {
                Some(Value::Text(text.replace(old, new)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::TableRows;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn database() -> (Schema, Database) {
        let schema = Schema::read(
            "CREATE TABLE a (k STRING, n INT); CREATE TABLE b (ks STRING, dt STRING) PARTITIONED BY (p STRING);",
        );
        let a = vec![Row::from([text("K10"), Value::Integer(1)]), Row::from([text("K11"), Value::Integer(2)])];
        let b = vec![Row::from([text("K10,K11"), text("x"), text("K10")])];
        let tables = [("a", a), ("b", b)].map(|(table, rows)| TableRows { table: table.to_owned(), rows });
        (schema.unwrap(), Database { tables: tables.to_vec() })
    }

    #[test]
    fn a_thing_is_renamed_everywhere_but_in_partitions() {
        let (schema, mut database) = database();
        rename(&schema, &mut database, &text("K10"), &text("K11"));
        assert_eq!(database.tables[0].rows[0][0], text("K11"));
        assert_eq!(*database.tables[1].rows[0], [text("K11,K11"), text("x"), text("K10")]);
    }

    #[test]
    fn a_twin_has_all_rows_but_those_it_should_lack() {
        let (schema, original) = database();
        let mut whole = original.clone();
        duplicate(&schema, &mut whole, &[(text("K10"), text("K99"))], &[]);
        assert_eq!(whole.tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [3, 2]);
        let mut lacking = original;
        duplicate(&schema, &mut lacking, &[(text("K10"), text("K99"))], &["b"]);
        assert_eq!(lacking.tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [3, 1]);
    }
}
