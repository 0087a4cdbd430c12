//! Random changes to whole columns, for mutants that changes to single cells do not kill.
//!
//! Some faults need many rows to agree: three rows of one group of which two tie, NULL on both sides of a join, two
//! times of one day that lie seconds apart, more groups than a LIMIT lets through, a text that reads as a date but is
//! not written like one. Each database gets one to three such changes, then some to single cells.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::cells::{MutationInput, few_changes};
use super::column_change::BaseColumn;
use super::edge_cases;
use super::entity;
use super::times::{self, TimeSetting};
use crate::code::schema::Schema;
use crate::code::types::Type;
use crate::engine::table::{Database, Value};

/// A database with more rows gets no further copies.
const MOST_ROWS: usize = 300;

/// A higher LIMIT is not exceeded: it would take too many copies.
const HIGHEST_LIMIT: usize = 60;

/// Returns the database after the changes drawn for `number`, or `None` if they change nothing.
pub fn mutate_columns(
    schema: &Schema,
    database: &Database,
    input: &MutationInput<'_>,
    number: usize,
) -> Option<Database> {
    let digest = Sha256::digest(format!("mutate_columns\u{1f}{}\u{1f}{number}", input.key));
    let mut mutator = ColumnMutator { schema, input, chance: ChaCha8Rng::from_seed(digest.into()) };
    let mut changed = database.clone();
    for _ in 0..mutator.chance.random_range(1..=3u8) {
        mutator.change_column(&mut changed);
    }
    if mutator.chance.random_bool(0.4) {
        few_changes(schema, &mut changed, input, &mut mutator.chance);
    }
    (changed != *database).then_some(changed)
}

struct ColumnMutator<'a> {
    schema: &'a Schema,
    input: &'a MutationInput<'a>,
    chance: ChaCha8Rng,
}

impl ColumnMutator<'_> {
    fn change_column(&mut self, database: &mut Database) {
        match self.chance.random_range(0..10u8) {
            0 => self.unify_column(database),
            1 | 2 => self.unify_group(database),
            3 => self.repeat_value(database),
            4 => self.set_nulls(database),
            5 | 6 => self.align_times(database),
            7 if !self.input.lengths.is_empty() => self.set_lengths(database),
            7 => self.exceed_limit(database),
            8 if !self.input.limits.is_empty() => self.exceed_limit(database),
            _ => self.edge_case_texts(database),
        }
    }

    fn target(&mut self) -> Option<BaseColumn> {
        self.input.column(0.5, &mut self.chance).cloned()
    }

    /// Returns the positions of a column's table in the database and of the column in the table; `None` for a partition
    /// column or a table without rows.
    fn locate(&self, database: &Database, target: &BaseColumn) -> Option<(usize, usize)> {
        let definition = self.schema.table(&target.table)?;
        let column = definition.position(&target.column)?;
        let table = database.tables.iter().position(|table| table.table == definition.name)?;
        (!definition.columns[column].partition && !database.tables[table].rows.is_empty()).then_some((table, column))
    }

    /// Gives all entities named in a column the same key, throughout the database.
    fn unify_column(&mut self, database: &mut Database) {
        if let Some(target) = self.target() {
            self.unify(database, &target);
        }
    }

    /// Merges the groups of a GROUP BY or of a window into one.
    fn unify_group(&mut self, database: &mut Database) {
        let groups = self.input.groups;
        let Some(group) = groups.get(self.chance.random_range(0..groups.len().max(1))) else { return };
        for target in group {
            if self.chance.random_bool(0.9) {
                self.unify(database, target);
            }
        }
    }

    fn unify(&mut self, database: &mut Database, target: &BaseColumn) {
        let Some((table, column)) = self.locate(database, target) else { return };
        let values: Vec<Value> = database.tables[table].rows.iter().map(|row| row[column].clone()).collect();
        let one = values[self.chance.random_range(0..values.len())].clone();
        if one == Value::Null {
            return;
        }
        for (at, value) in values.iter().enumerate() {
            let is_first = !values[..at].contains(value);
            if is_first && *value != one && entity::is_identifier(value) {
                entity::rename(self.schema, database, value, &one);
            }
        }
        let structured = matches!(&one, Value::Text(text) if text.starts_with(['{', '[']));
        for row in database.tables[table].rows.iter_mut().filter(|_| !structured) {
            row.set(column, one.clone());
        }
    }

    /// Gives a column the same value in all rows, or in some.
    fn repeat_value(&mut self, database: &mut Database) {
        let Some((table, column)) = self.target().and_then(|target| self.locate(database, &target)) else { return };
        let share = if self.chance.random_bool(0.5) { 1.0 } else { 0.6 };
        let rows = &mut database.tables[table].rows;
        let one = rows[self.chance.random_range(0..rows.len())][column].clone();
        for row in rows {
            if self.chance.random_bool(share) {
                row.set(column, one.clone());
            }
        }
    }

    /// Sets columns near the fault to NULL together, in the same rows of each table.
    fn set_nulls(&mut self, database: &mut Database) {
        let count = self.chance.random_range(1..=3usize);
        const SHARES: [f64; 4] = [0.02, 0.15, 0.4, 1.0];
        let share = SHARES[self.chance.random_range(0..SHARES.len())];
        let rows: Vec<bool> = (0..64).map(|_| self.chance.random_bool(share)).collect();
        for _ in 0..count {
            let Some(target) = self.target() else { return };
            let Some((table, column)) = self.locate(database, &target) else { continue };
            let nullable = self.schema.table(&target.table).is_some_and(|table| table.columns[column].nullable);
            for (at, row) in database.tables[table].rows.iter_mut().enumerate().filter(|_| nullable) {
                if rows[at % rows.len()] {
                    row.set(column, Value::Null);
                }
            }
        }
    }

    /// Sets the times near the fault to noon, and those of one column a little before or after it.
    fn align_times(&mut self, database: &mut Database) {
        let Some(special) = self.target() else { return };
        let step = times::STEPS[self.chance.random_range(0..times::STEPS.len())];
        let one_day = self.chance.random_bool(0.6);
        let targets: Vec<BaseColumn> = self.input.near.iter().chain(self.input.far).cloned().collect();
        let mut day: Option<String> = None;
        for target in targets {
            if target != special && self.chance.random_bool(0.2) {
                continue;
            }
            let Some((table, column)) = self.locate(database, &target) else { continue };
            let data_type = self.schema.table(&target.table).map(|table| table.columns[column].data_type.clone());
            let step = if target == special { step } else { 0 };
            for row in &mut database.tables[table].rows {
                let Value::Text(text) = &row[column] else { continue };
                day = day.take().or_else(|| times::first_day(text));
                let setting = TimeSetting { day: day.as_deref().filter(|_| one_day), step };
                let bare = data_type == Some(Type::Date);
                if let Some(set) = times::set(text, setting, bare) {
                    row.set(column, Value::Text(set));
                }
            }
        }
    }

    /// Copies the entities of a row so often that a LIMIT cuts some off.
    fn exceed_limit(&mut self, database: &mut Database) {
        let Some(target) = self.target() else { return };
        let Some((table, _)) = self.locate(database, &target) else { return };
        let limit = self.input.limits.iter().copied().min().filter(|limit| *limit <= HIGHEST_LIMIT);
        let rows = &database.tables[table].rows;
        let row = rows[self.chance.random_range(0..rows.len())].clone();
        let identifiers = self.identifiers(database, &target.table, &row);
        for number in 0..limit.unwrap_or(2) + self.chance.random_range(1..4usize) {
            let duplicate = |old: &Value| match old {
                Value::Integer(value) => Value::Integer(value.saturating_mul(1000).saturating_add(number as i64)),
                Value::Text(text) => Value::Text(format!("{text}{number:02}")),
                other => other.clone(),
            };
            let pairs: Vec<(Value, Value)> = identifiers.iter().map(|old| (old.clone(), duplicate(old))).collect();
            if database.row_count() <= MOST_ROWS {
                entity::duplicate(self.schema, database, &pairs, &[]);
            }
        }
    }

    /// Returns the keys in a row's columns near the fault; literals of the script, and texts
    /// such as dates, are no keys.
    fn identifiers(&self, database: &Database, table: &str, row: &[Value]) -> Vec<Value> {
        let MutationInput { near, far, texts, .. } = self.input;
        let own = near.iter().chain(*far).filter(|target| target.table == table);
        let places = own.filter_map(|target| self.locate(database, target));
        let values = places.map(|(_, column)| row[column].clone());
        let is_word = |value: &Value| matches!(value, Value::Text(text) if texts.contains(text) || text.contains('-'));
        values.filter(|value| entity::is_identifier(value) && !is_word(value)).collect()
    }

    /// Gives the texts of a column the length that the script compares them with.
    fn set_lengths(&mut self, database: &mut Database) {
        let lengths = self.input.lengths;
        let Some((target, length)) = lengths.get(self.chance.random_range(0..lengths.len().max(1))) else { return };
        let Some((table, column)) = self.locate(database, target) else { return };
        for row in &mut database.tables[table].rows {
            if let Value::Text(text) = &row[column]
                && !text.starts_with(['{', '['])
            {
                row[column] = Value::Text(text.chars().chain(std::iter::repeat('0')).take(*length).collect());
            }
        }
    }

    /// Replaces some texts of a column by edge cases.
    fn edge_case_texts(&mut self, database: &mut Database) {
        let Some(target) = self.target() else { return };
        let Some((table, column)) = self.locate(database, &target) else { return };
        let data_type = self.schema.table(&target.table).map(|table| table.columns[column].data_type.clone());
        let Some(data_type) = data_type.filter(|data_type| *data_type == Type::String || data_type.is_nested()) else {
            return;
        };
        let share = if self.chance.random_bool(0.3) { 1.0 } else { 0.5 };
        for row in &mut database.tables[table].rows {
            let Value::Text(text) = &row[column] else { continue };
            if self.chance.random_bool(share) {
                row[column] = Value::Text(edge_cases::edge_case(text, &data_type, self.input.texts, &mut self.chance));
            }
        }
    }
}
