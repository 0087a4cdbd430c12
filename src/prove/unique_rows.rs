//! Removes generated rows that the keys of the dictionary rule out: a table has one row for each key, and one version of it
//! on each day.

use crate::code::schema::TableDefinition;
use crate::corpus::Reference;
use crate::corpus::dictionary::TableEntry;
use crate::engine::table::{Database, Row, Value};

/// Removes each row whose key an earlier row of its table has, or a row of this table in `held`. Tables of which the
/// dictionary knows no key stay as they are.
pub(super) fn without_conflicts(reference: &Reference, database: Database, held: Option<&Database>) -> Database {
    with_rows_under(RowRule::of_key, reference, database, held)
}

/// Removes each row that an earlier row of its table repeats: in the columns that the dictionary declares unique, or in the
/// key where it declares none.
pub(super) fn with_unique_rows(reference: &Reference, database: Database) -> Database {
    let rule = |entry: &TableEntry, table: &TableDefinition| {
        RowRule::of_unique_columns(entry, table).or_else(|| RowRule::of_key(entry, table))
    };
    with_rows_under(rule, reference, database, None)
}

/// Keeps the rows of each table that its rule allows beside those before them.
fn with_rows_under(
    rule: impl Fn(&TableEntry, &TableDefinition) -> Option<RowRule>,
    reference: &Reference,
    mut database: Database,
    held: Option<&Database>,
) -> Database {
    for table in &mut database.tables {
        let entry = reference.dictionary.tables.get(&table.table.to_lowercase());
        let rule = entry.zip(reference.schema.table(&table.table)).and_then(|(entry, table)| rule(entry, table));
        let Some(rule) = rule else { continue };
        let other = held.and_then(|held| held.tables.iter().find(|other| other.table == table.table));
        let mut kept: Vec<Row> = other.map_or_else(Vec::new, |other| other.rows.clone());
        table.rows.retain(|row| {
            let is_free = rule.has_key(row) && !kept.iter().any(|other| rule.excludes(other, row));
            if is_free {
                kept.push(row.clone());
            }
            is_free
        });
    }
    database
}

/// Which rows a table may hold together, by positions of its columns.
struct RowRule {
    /// The columns in which no two rows agree: the key within a partition, without the first day of validity.
    key: Vec<usize>,
    /// The first and the last day on which a row is valid.
    validity: Option<(usize, usize)>,
}

impl RowRule {
    /// Returns the rule that no two rows have one key on one day; `None` if no key is known.
    fn of_key(entry: &TableEntry, table: &TableDefinition) -> Option<RowRule> {
        if entry.key.is_empty() {
            return None;
        }
        let validity = entry.validity.as_ref();
        let validity = validity.and_then(|(from, to)| table.position(from).zip(table.position(to)));
        let partitions = table.columns.iter().filter(|column| column.partition).map(|column| &column.name);
        let key = entry.key.iter().chain(partitions).filter_map(|name| table.position(name));
        let key = key.filter(|at| validity.is_none_or(|(from, _)| *at != from)).collect();
        Some(RowRule { key, validity })
    }

    /// Returns the rule that no two rows agree in the columns that are unique together; `None` if none are known.
    fn of_unique_columns(entry: &TableEntry, table: &TableDefinition) -> Option<RowRule> {
        let key: Vec<usize> = entry.unique.iter().filter_map(|name| table.position(name)).collect();
        (!key.is_empty()).then_some(RowRule { key, validity: None })
    }

    fn has_key(&self, row: &Row) -> bool {
        !self.key.iter().any(|at| row[*at] == Value::Null)
    }

    /// Whether two rows have the same key, at least on some day.
    fn excludes(&self, one: &Row, other: &Row) -> bool {
        let has_same_key = self.key.iter().all(|at| one[*at] == other[*at]);
        let starts_before_end = |(from, to): (usize, usize), one: &Row, other: &Row| match (&one[from], &other[to]) {
            (Value::Text(from), Value::Text(to)) => from <= to,
            _ => true,
        };
        let overlaps = |days| starts_before_end(days, one, other) && starts_before_end(days, other, one);
        has_same_key && self.validity.is_none_or(overlaps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_key_follow_one_another() {
        let text = |text: &str| if text.is_empty() { Value::Null } else { Value::Text(text.to_owned()) };
        let row = |key: &str, from: &str, to: &str| Row::from([text(key), text(from), text(to)]);
        let rule = RowRule { key: vec![0], validity: Some((1, 2)) };
        let first = row("USD", "2024-01-01", "2024-01-31");
        for (other, excluded) in [
            (row("USD", "2024-02-01", "2024-02-29"), false),
            (row("USD", "2023-12-01", "2023-12-31"), false),
            (row("USD", "2024-01-31", ""), true),
            (row("USD", "", "2024-01-01"), true),
            (row("USD", "2024-02-01", ""), false),
            (row("EUR", "2024-01-01", "2024-01-31"), false),
        ] {
            assert_eq!(rule.excludes(&first, &other), excluded, "{other:?}");
            assert_eq!(rule.excludes(&other, &first), excluded, "{other:?}");
        }
        assert!(!rule.has_key(&row("", "2024-01-01", "")));
        assert!(RowRule { validity: None, ..rule }.excludes(&first, &row("USD", "2024-02-01", "")));
    }
}
