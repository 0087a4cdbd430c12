//! What the data of a task have in common: which columns hold NULL, which are keys, and which
//! forms numbers and texts have.
//!
//! A correct repair may rely on all of it: `upper(state) = 'PAID'` means the same as `state = 'PAID'` where every state
//! is in capitals. So databases that judge answers are made to fit the profile of the databases of their task.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::data::calendar;
use super::data_mutation::column_change::BaseColumn;
use super::search::hints::{groups, null_handled};
use super::subject::Subject;
use crate::engine::table::{Database, Row, TableRows, Value};

/// Maximum number of different values kept of a column, to replace those that do not fit.
const KEPT_VALUES: usize = 64;
/// Decimals beyond these are taken for the noise of binary fractions: money, rates and measures have no more.
const MOST_DECIMALS: u32 = 6;

/// The profile of some databases with the same tables.
#[derive(Debug, Default)]
pub struct DataProfile {
    tables: BTreeMap<String, Vec<ColumnProfile>>,
}

/// What all values of a column have in common.
#[derive(Clone, Debug, Default)]
struct ColumnProfile {
    holds_null: bool,
    /// Whether no value occurs twice in any table of several rows; `None` if there is no such table.
    key: Option<bool>,
    below_zero: bool,
    decimals: u32,
    forms: BTreeSet<String>,
    values: Vec<Value>,
}

impl DataProfile {
    /// Returns the profile of `databases`.
    pub fn of<'a>(databases: impl IntoIterator<Item = &'a Database>) -> DataProfile {
        let mut profile = DataProfile::default();
        for table in databases.into_iter().flat_map(|database| &database.tables) {
            let columns = profile.tables.entry(table.table.clone()).or_default();
            let width = table.rows.first().map_or(0, |row| row.len());
            columns.resize_with(width.max(columns.len()), ColumnProfile::default);
            for (at, column) in columns.iter_mut().enumerate() {
                column.add(table.rows.iter().filter_map(|row| row.get(at)));
            }
        }
        profile
    }

    /// Returns the profile of a script's databases, wider where the script itself provides for more: for NULL in
    /// columns that it tests for NULL, for repeated values in the keys of its groups and windows.
    pub fn of_suite(subject: &Subject<'_>, databases: &[Database]) -> DataProfile {
        let mut profile = DataProfile::of(databases);
        for column in groups(subject).iter().flatten() {
            if let Some(column) = profile.column(subject, column) {
                column.key = Some(false);
            }
        }
        for column in null_handled(subject) {
            let nullable = subject.reference.schema.table(&column.table).is_some_and(|table| {
                table.position(&column.column).is_some_and(|position| table.columns[position].nullable)
            });
            if let Some(column) = profile.column(subject, &column).filter(|_| nullable) {
                column.holds_null |= column.key != Some(true);
            }
        }
        profile
    }

    fn column(&mut self, subject: &Subject<'_>, column: &BaseColumn) -> Option<&mut ColumnProfile> {
        let position = subject.reference.schema.table(&column.table)?.position(&column.column)?;
        self.tables.get_mut(&column.table)?.get_mut(position)
    }

    /// Makes a database fit: a value that does not is replaced by a known one of its column, and a row that repeats a
    /// key is removed. A table of which nothing is known stays as it is.
    #[must_use]
    pub fn conform(&self, mut database: Database) -> Database {
        for table in &mut database.tables {
            if let Some(columns) = self.tables.get(&table.table) {
                conform_table(columns, table);
            }
        }
        database
    }
}

fn conform_table(columns: &[ColumnProfile], table: &mut TableRows) {
    for (number, row) in table.rows.iter_mut().enumerate() {
        for (cell, column) in row.iter_mut().zip(columns) {
            column.conform(cell, number);
        }
    }
    for (at, _) in columns.iter().enumerate().filter(|(_, column)| column.key == Some(true)) {
        let mut seen = HashSet::new();
        table.rows.retain(|row: &Row| row.get(at).is_none_or(|value| seen.insert(format!("{value:?}"))));
    }
}

impl ColumnProfile {
    /// Adds the values of the column in one table. A column that is NULL throughout says nothing: the reduction of a
    /// witness empties what its fault does not need.
    fn add<'a>(&mut self, values: impl Iterator<Item = &'a Value> + Clone) {
        if values.clone().all(|value| *value == Value::Null) {
            return;
        }
        let (mut count, mut different) = (0, HashSet::new());
        for value in values {
            count += 1;
            different.insert(format!("{value:?}"));
            match value {
                Value::Null => self.holds_null = true,
                Value::Integer(number) => self.below_zero |= *number < 0,
                Value::Real(number) => {
                    self.below_zero |= *number < 0.0;
                    self.decimals = self.decimals.max(decimals(*number));
                }
                Value::Text(text) => _ = self.forms.insert(form(text)),
            }
            if *value != Value::Null && self.values.len() < KEPT_VALUES && !self.values.contains(value) {
                self.values.push(value.clone());
            }
        }
        if count > 1 {
            let is_key = different.len() == count && !self.holds_null && !self.is_measure();
            self.key = Some(self.key != Some(false) && is_key);
        }
    }

    /// Whether the column holds amounts, which may all differ by chance without being keys.
    fn is_measure(&self) -> bool {
        self.values.iter().any(|value| matches!(value, Value::Real(_)))
    }

    fn conform(&self, cell: &mut Value, number: usize) {
        match cell {
            Value::Integer(value) if *value < 0 && !self.below_zero => *value = value.saturating_abs(),
            Value::Real(value) => {
                let scale = 10f64.powi(self.decimals as i32);
                let sign = if self.below_zero { *value } else { value.abs() };
                *value = (sign * scale).round() / scale;
            }
            _ => {}
        }
        let fits = match cell {
            Value::Null => self.holds_null,
            Value::Text(text) => self.forms.contains(&form(text)),
            _ => true,
        };
        if let Some(own) = self.values.get(number % self.values.len().max(1)).filter(|_| !fits) {
            *cell = own.clone();
        }
    }
}

/// Returns how many decimals a number has when it is written in decimal.
fn decimals(number: f64) -> u32 {
    let whole = |places: &u32| {
        let scaled = number * 10f64.powi(*places as i32);
        (scaled - scaled.round()).abs() < 1e-6
    };
    (0..MOST_DECIMALS).find(whole).unwrap_or(MOST_DECIMALS)
}

/// Returns the form of a text: a day, a time, or which kinds of characters follow each other. Lists
/// and records have one form.
fn form(text: &str) -> String {
    if text.starts_with(['{', '[']) {
        return text[..1].to_owned();
    }
    if calendar::date(text).is_some() {
        return format!("day and {} characters", text.len());
    }
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return "digits after a zero".to_owned();
    }
    let mut kinds: Vec<char> = text.chars().map(kind).collect();
    kinds.dedup();
    kinds.into_iter().collect()
}

/// Returns one character that stands for all of its kind.
fn kind(letter: char) -> char {
    match letter {
        _ if letter.is_numeric() => '9',
        _ if letter.is_lowercase() => 'a',
        _ if letter.is_uppercase() => 'A',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(rows: Vec<Row>) -> Database {
        Database { tables: vec![TableRows { table: "t".to_owned(), rows }] }
    }

    fn row(id: i64, state: &str, amount: f64) -> Row {
        Row::from([Value::Integer(id), Value::Text(state.to_owned()), Value::Real(amount)])
    }

    #[test]
    fn what_does_not_fit_gives_way_to_values_of_the_column() {
        let profile =
            DataProfile::of(&[database(vec![row(1, "PAID", 10.25), row(2, "VOID", 3.5), row(3, "PAID", 0.0)])]);
        let changed = vec![
            row(1, "paid", 10.004),
            row(2, "OPEN", -4.0),
            row(2, "PAID", 1.0),
            Row::from([Value::Integer(-9), Value::Null, Value::Null]),
        ];
        let fitted = profile.conform(database(changed));
        let expected = vec![
            row(1, "PAID", 10.0),
            row(2, "OPEN", 4.0),
            Row::from([Value::Integer(9), Value::Text("VOID".to_owned()), Value::Real(10.25)]),
        ];
        assert_eq!(fitted, database(expected));
    }

    #[test]
    fn a_column_with_null_and_one_below_zero_may_have_more_of_them() {
        let signed = vec![
            Row::from([Value::Integer(-1), Value::Null]),
            Row::from([Value::Integer(-1), Value::Text("a".to_owned())]),
        ];
        let emptied = vec![Row::from([Value::Null, Value::Text("a".to_owned())])];
        let profile = DataProfile::of(&[database(signed), database(emptied)]);
        let changed =
            database(vec![Row::from([Value::Integer(-7), Value::Null]), Row::from([Value::Integer(-7), Value::Null])]);
        assert_eq!(profile.conform(changed.clone()), changed);
    }

    #[test]
    fn texts_have_the_form_of_their_characters() {
        for (one, other, same) in [
            ("A17", "B2345", true),
            ("in_transit", "on_hold", true),
            ("late", "Late", false),
            ("007", "7", false),
            ("2024-03-01", "2023-12-31", true),
            ("2024-03-01", "2024-03-01 10:00:00", false),
            ("[1]", "[2,3]", true),
            ("", "a", false),
        ] {
            assert_eq!(form(one) == form(other), same, "{one:?} {other:?}");
        }
    }
}
