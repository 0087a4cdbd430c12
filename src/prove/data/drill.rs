//! Changes of whole columns at once, for mutants that single changes do not show.
//!
//! A volley changes a cell here and there. Some faults need many rows to agree: three rows of one group of which two tie,
//! NULL on both sides of a join, two times of one day that lie seconds apart, more groups than a LIMIT lets through, a
//! text that reads as a date but is not written like one. Each drill makes one to three such changes, then some small
//! ones; whether it proves anything is for the trial to say.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::aim::Target;
use super::clock::{self, Setting};
use super::entity;
use super::odd;
use super::volley::{Magazine, few_changes};
use crate::code::schema::Schema;
use crate::code::types::Type;
use crate::engine::table::{Database, Value};

/// A database with more rows gets no further copies.
const MOST_ROWS: usize = 300;

/// Beyond a higher LIMIT nothing is cut off.
const HIGHEST_LIMIT: usize = 60;

/// The database after drill `number`; none when it changes nothing.
pub fn drill(schema: &Schema, database: &Database, magazine: &Magazine<'_>, number: usize) -> Option<Database> {
    let digest = Sha256::digest(format!("drill\u{1f}{}\u{1f}{number}", magazine.key));
    let mut sergeant = Sergeant { schema, magazine, chance: ChaCha8Rng::from_seed(digest.into()) };
    let mut changed = database.clone();
    for _ in 0..sergeant.chance.random_range(1..=3u8) {
        sergeant.command(&mut changed);
    }
    if sergeant.chance.random_bool(0.4) {
        few_changes(schema, &mut changed, magazine, &mut sergeant.chance);
    }
    (changed != *database).then_some(changed)
}

struct Sergeant<'a> {
    schema: &'a Schema,
    magazine: &'a Magazine<'a>,
    chance: ChaCha8Rng,
}

impl Sergeant<'_> {
    fn command(&mut self, database: &mut Database) {
        match self.chance.random_range(0..10u8) {
            0 => self.gather(database),
            1 | 2 => self.gather_group(database),
            3 => self.level(database),
            4 => self.nulls(database),
            5 | 6 => self.clock(database),
            7 if !self.magazine.lengths.is_empty() => self.lengths(database),
            7 => self.crowd(database),
            8 if !self.magazine.limits.is_empty() => self.crowd(database),
            _ => self.odd_texts(database),
        }
    }

    fn target(&mut self) -> Option<Target> {
        let Magazine { near, far, .. } = self.magazine;
        let from = if far.is_empty() || (!near.is_empty() && self.chance.random_bool(0.5)) { near } else { far };
        from.get(self.chance.random_range(0..from.len().max(1))).cloned()
    }

    /// Where a target's column stands: the table in the database, and the column in the table.
    fn seat(&self, database: &Database, target: &Target) -> Option<(usize, usize)> {
        let definition = self.schema.table(&target.table)?;
        let column = definition.position(&target.column)?;
        let table = database.tables.iter().position(|table| table.table == definition.name)?;
        (!definition.columns[column].partition && !database.tables[table].rows.is_empty()).then_some((table, column))
    }

    /// All things that a column names become one, throughout the database.
    fn gather(&mut self, database: &mut Database) {
        if let Some(target) = self.target() {
            self.make_one(database, &target);
        }
    }

    /// The groups of a GROUP BY or of a window become one.
    fn gather_group(&mut self, database: &mut Database) {
        let groups = self.magazine.groups;
        let Some(group) = groups.get(self.chance.random_range(0..groups.len().max(1))) else { return };
        for target in group {
            if self.chance.random_bool(0.9) {
                self.make_one(database, target);
            }
        }
    }

    fn make_one(&mut self, database: &mut Database, target: &Target) {
        let Some((table, column)) = self.seat(database, target) else { return };
        let values: Vec<Value> = database.tables[table].rows.iter().map(|row| row[column].clone()).collect();
        let one = values[self.chance.random_range(0..values.len())].clone();
        if one == Value::Null {
            return;
        }
        for value in values.into_iter().filter(|value| *value != one) {
            if entity::names_a_thing(&value) {
                entity::rename(self.schema, database, &value, &one);
            }
        }
        let structured = matches!(&one, Value::Text(text) if text.starts_with(['{', '[']));
        for row in database.tables[table].rows.iter_mut().filter(|_| !structured) {
            row[column] = one.clone();
        }
    }

    /// A column has one value in all rows, or in some.
    fn level(&mut self, database: &mut Database) {
        let Some((table, column)) = self.target().and_then(|target| self.seat(database, &target)) else { return };
        let share = if self.chance.random_bool(0.5) { 1.0 } else { 0.6 };
        let rows = &mut database.tables[table].rows;
        let one = rows[self.chance.random_range(0..rows.len())][column].clone();
        for row in rows {
            if self.chance.random_bool(share) {
                row[column] = one.clone();
            }
        }
    }

    /// Columns near the fault are NULL together, in the same rows of each table.
    fn nulls(&mut self, database: &mut Database) {
        let count = self.chance.random_range(1..=3usize);
        const SHARES: [f64; 4] = [0.02, 0.15, 0.4, 1.0];
        let share = SHARES[self.chance.random_range(0..SHARES.len())];
        let rows: Vec<bool> = (0..64).map(|_| self.chance.random_bool(share)).collect();
        for _ in 0..count {
            let Some(target) = self.target() else { return };
            let Some((table, column)) = self.seat(database, &target) else { continue };
            let nullable = self.schema.table(&target.table).is_some_and(|table| table.columns[column].nullable);
            for (at, row) in database.tables[table].rows.iter_mut().enumerate().filter(|_| nullable) {
                if rows[at % rows.len()] {
                    row[column] = Value::Null;
                }
            }
        }
    }

    /// The times near the fault fall on one hour, one of them a little beside it.
    fn clock(&mut self, database: &mut Database) {
        let Some(odd) = self.target() else { return };
        let step = clock::STEPS[self.chance.random_range(0..clock::STEPS.len())];
        let one_day = self.chance.random_bool(0.6);
        let targets: Vec<Target> = self.magazine.near.iter().chain(self.magazine.far).cloned().collect();
        let mut day: Option<String> = None;
        for target in targets {
            if target != odd && self.chance.random_bool(0.2) {
                continue;
            }
            let Some((table, column)) = self.seat(database, &target) else { continue };
            let data_type = self.schema.table(&target.table).map(|table| table.columns[column].data_type.clone());
            let step = if target == odd { step } else { 0 };
            for row in &mut database.tables[table].rows {
                let Value::Text(text) = &row[column] else { continue };
                day = day.take().or_else(|| clock::first_day(text));
                let setting = Setting { day: day.as_deref().filter(|_| one_day), step };
                let bare = data_type == Some(Type::Date);
                if let Some(set) = clock::set(text, setting, bare) {
                    row[column] = Value::Text(set);
                }
            }
        }
    }

    /// So many twins of what stands in a row that a LIMIT cuts some off.
    fn crowd(&mut self, database: &mut Database) {
        let Some(target) = self.target() else { return };
        let Some((table, _)) = self.seat(database, &target) else { return };
        let limit = self.magazine.limits.iter().copied().min().filter(|limit| *limit <= HIGHEST_LIMIT);
        let rows = &database.tables[table].rows;
        let row = rows[self.chance.random_range(0..rows.len())].clone();
        let things = self.things(database, &target.table, &row);
        for number in 0..limit.unwrap_or(2) + self.chance.random_range(1..4usize) {
            let twin = |old: &Value| match old {
                Value::Integer(value) => Value::Integer(value.saturating_mul(1000) + number as i64),
                Value::Text(text) => Value::Text(format!("{text}{number:02}")),
                other => other.clone(),
            };
            let pairs: Vec<(Value, Value)> = things.iter().map(|old| (old.clone(), twin(old))).collect();
            if database.row_count() <= MOST_ROWS {
                entity::twin_together(self.schema, database, &pairs, &[]);
            }
        }
    }

    /// The things that a row names in the columns near the fault; the script's own words are none.
    fn things(&self, database: &Database, table: &str, row: &[Value]) -> Vec<Value> {
        let Magazine { near, far, texts, .. } = self.magazine;
        let own = near.iter().chain(*far).filter(|target| target.table == table);
        let seats = own.filter_map(|target| self.seat(database, target));
        let values = seats.map(|(_, column)| row[column].clone());
        let is_word = |value: &Value| matches!(value, Value::Text(text) if texts.contains(text) || text.contains('-'));
        values.filter(|value| entity::names_a_thing(value) && !is_word(value)).collect()
    }

    /// A text column has the length that is asked for, in all rows.
    fn lengths(&mut self, database: &mut Database) {
        let lengths = self.magazine.lengths;
        let Some((target, length)) = lengths.get(self.chance.random_range(0..lengths.len().max(1))) else { return };
        let Some((table, column)) = self.seat(database, target) else { return };
        for row in &mut database.tables[table].rows {
            if let Value::Text(text) = &row[column]
                && !text.starts_with(['{', '['])
            {
                row[column] = Value::Text(text.chars().chain(std::iter::repeat('0')).take(*length).collect());
            }
        }
    }

    /// Texts that are read otherwise than they look, in some rows.
    fn odd_texts(&mut self, database: &mut Database) {
        let Some(target) = self.target() else { return };
        let Some((table, column)) = self.seat(database, &target) else { return };
        let data_type = self.schema.table(&target.table).map(|table| table.columns[column].data_type.clone());
        let Some(data_type) = data_type.filter(|data_type| *data_type == Type::String || data_type.is_nested()) else {
            return;
        };
        let share = if self.chance.random_bool(0.3) { 1.0 } else { 0.5 };
        for row in &mut database.tables[table].rows {
            let Value::Text(text) = &row[column] else { continue };
            if self.chance.random_bool(share) {
                row[column] = Value::Text(odd::form(text, &data_type, self.magazine.texts, &mut self.chance));
            }
        }
    }
}
