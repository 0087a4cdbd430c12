//! Random changes to single cells near the place where a fault was planted.
//!
//! Some faults show only when several things come together: a copy of a row with another key, a value with two more
//! siblings in its group, a text that just misses a pattern. Each database gets between three and twelve changes; the
//! trial decides whether it proves anything.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::column_change::BaseColumn;
use super::entity;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::engine::table::{Database, Row, Value};
use crate::prove::data::calendar;
use crate::prove::data::scalar::neighbour;

/// What random changes are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct MutationInput<'a> {
    /// Columns that the fault is about; most changes are made there.
    pub near: &'a [BaseColumn],
    /// Columns of the same block.
    pub far: &'a [BaseColumn],
    /// Texts that stand in the script near the fault, without wildcards.
    pub texts: &'a [String],
    /// Numbers in the script near the fault: values just beside them are often handled wrong.
    pub numbers: &'a [f64],
    /// The LIMITs of the queries around the fault.
    pub limits: &'a [usize],
    /// Columns that together are the keys of a group or a window.
    pub groups: &'a [Vec<BaseColumn>],
    /// Lengths that the script asks of texts, by column.
    pub lengths: &'a [(BaseColumn, usize)],
    /// Seeds the random numbers, so that two mutants draw different changes.
    pub key: &'a str,
}

impl<'a> MutationInput<'a> {
    /// Draws a column; it is one that the fault is about in this share of all draws, if there are others.
    pub fn column(&self, near: f64, chance: &mut ChaCha8Rng) -> Option<&'a BaseColumn> {
        let is_near = self.far.is_empty() || (!self.near.is_empty() && chance.random_bool(near));
        let from = if is_near { self.near } else { self.far };
        from.get(chance.random_range(0..from.len().max(1)))
    }
}

/// Fewest and most changes to a database.
const CHANGES: (usize, usize) = (3, 12);
/// No entity is copied in a database with more rows.
const MOST_ROWS: usize = 500;

/// Returns the database after the changes drawn for `number`, or `None` if they change nothing.
pub fn mutate_cells(
    schema: &Schema,
    database: &Database,
    input: &MutationInput<'_>,
    number: usize,
) -> Option<Database> {
    let digest = Sha256::digest(format!("{}\u{1f}{number}", input.key));
    let mut mutator = CellMutator { schema, input, chance: ChaCha8Rng::from_seed(digest.into()) };
    let mut changed = database.clone();
    for _ in 0..mutator.chance.random_range(CHANGES.0..=CHANGES.1) {
        mutator.change_cell(&mut changed);
    }
    (changed != *database).then_some(changed)
}

/// Makes one to three changes, drawn from the caller's random numbers.
pub fn few_changes(schema: &Schema, database: &mut Database, input: &MutationInput<'_>, chance: &mut ChaCha8Rng) {
    let mut mutator = CellMutator { schema, input, chance: chance.clone() };
    for _ in 0..mutator.chance.random_range(1..4u8) {
        mutator.change_cell(database);
    }
    *chance = mutator.chance;
}

struct CellMutator<'a> {
    schema: &'a Schema,
    input: &'a MutationInput<'a>,
    chance: ChaCha8Rng,
}

impl CellMutator<'_> {
    /// Makes one change: to a cell, to a row or its copy, or to an entity throughout the database.
    fn change_cell(&mut self, database: &mut Database) {
        let Some(target) = self.input.column(0.7, &mut self.chance).cloned() else { return };
        let Some(definition) = self.schema.table(&target.table) else { return };
        let Some(column) = definition.position(&target.column) else { return };
        let Some(table) = database.tables.iter_mut().find(|table| table.table == definition.name) else { return };
        if table.rows.is_empty() {
            return;
        }
        let at = self.chance.random_range(0..table.rows.len());
        let other = table.rows[self.chance.random_range(0..table.rows.len())][column].clone();
        let old = table.rows[at][column].clone();
        let is_thing = !definition.columns[column].partition && entity::is_identifier(&old);
        match self.chance.random_range(0..9u8) {
            0 if table.rows.len() > 1 => _ = table.rows.remove(at),
            6 if is_thing && old != other && other != Value::Null => {
                entity::rename(self.schema, database, &old, &other)
            }
            7 | 8 if is_thing => self.duplicate(database, &old),
            1 | 2 => {
                let mut copy = table.rows[at].clone();
                self.change(definition, column, &other, &mut copy);
                // A copy with the old key is dropped wherever only one row per key is kept.
                if self.chance.random_bool(0.7) {
                    self.rename(definition, &mut copy);
                }
                table.rows.push(copy);
            }
            _ => self.change(definition, column, &other, &mut table.rows[at]),
        }
    }

    /// Copies an entity under a new key, now and then without its rows in one table or in those near the fault.
    fn duplicate(&mut self, database: &mut Database, old: &Value) {
        let suffix = self.chance.random_range(10..99u32);
        let new = match old {
            Value::Integer(number) => Value::Integer(number.saturating_mul(100).saturating_add(i64::from(suffix))),
            Value::Text(text) => match calendar::shift_in_place(text, i64::from(suffix % 3) - 1) {
                Some(shifted) => Value::Text(shifted),
                None => Value::Text(format!("{text}{suffix}")),
            },
            other => other.clone(),
        };
        if database.row_count() > MOST_ROWS {
            return;
        }
        let near: Vec<&str> = self.input.near.iter().map(|target| target.table.as_str()).collect();
        let one = database.tables[self.chance.random_range(0..database.tables.len())].table.clone();
        let without: &[&str] = match self.chance.random_range(0..4u8) {
            0 => &[one.as_str()],
            1 => &near,
            _ => &[],
        };
        entity::duplicate(self.schema, database, &[(old.clone(), new)], without);
    }

    fn change(&mut self, definition: &TableDefinition, column: usize, other: &Value, row: &mut Row) {
        let definition = &definition.columns[column];
        let old = row[column].clone();
        let new = match self.chance.random_range(0..8u8) {
            0 if definition.nullable && !definition.partition => Value::Null,
            1 | 2 => other.clone(),
            3 if definition.data_type != Type::Boolean => neighbour(&old, 1).unwrap_or(old),
            4 if definition.data_type != Type::Boolean => neighbour(&old, -1).unwrap_or(old),
            _ => self.special(&old, &definition.data_type),
        };
        row[column] = new;
    }

    /// Changes the first column of a row, which usually identifies it.
    fn rename(&mut self, definition: &TableDefinition, row: &mut Row) {
        let suffix = self.chance.random_range(10..99u32);
        match (&row[0], &definition.columns[0].data_type) {
            (Value::Integer(number), _) => {
                row[0] = Value::Integer(number.saturating_mul(10).saturating_add(suffix.into()))
            }
            (Value::Text(text), Type::String) => row[0] = Value::Text(format!("{text}{suffix}")),
            _ => {}
        }
    }

    /// Returns a value that is often handled wrong: zero, a negative number, an empty text, a constant of the script.
    fn special(&mut self, old: &Value, data_type: &Type) -> Value {
        match (old, data_type) {
            (Value::Integer(number), data_type) if data_type.is_numeric() => {
                let mut choices = vec![0, -number, number.saturating_mul(2), 1, number.saturating_add(1000)];
                choices.extend(self.number().map(|constant| constant as i64));
                Value::Integer(choices[self.chance.random_range(0..choices.len())])
            }
            (Value::Integer(number), Type::Boolean) => Value::Integer(1 - number.signum()),
            (Value::Real(number), data_type) => {
                let mut choices = vec![0.0, -number, number * 2.0, number + 0.5, number + 0.004];
                choices.extend(self.number());
                Value::Real(data_type.at_scale(choices[self.chance.random_range(0..choices.len())]))
            }
            (Value::Text(text), Type::Date) => shifted(text, if self.chance.random_bool(0.5) { 31 } else { -31 }),
            (Value::Text(text), Type::Timestamp) => self.other_time(text),
            (Value::Text(text), Type::String) if text.starts_with(['{', '[']) => self.inside(text),
            (Value::Text(text), Type::String) => Value::Text(self.other_text(text)),
            (Value::Text(text), data_type) if data_type.is_nested() => self.inside(text),
            _ => old.clone(),
        }
    }

    /// Returns a constant of the script or a number just beside it.
    fn number(&mut self) -> Option<f64> {
        let numbers = self.input.numbers;
        let constant = *numbers.get(self.chance.random_range(0..numbers.len().max(1)))?;
        const STEPS: [f64; 6] = [0.0, -0.04, 0.04, 0.5, -1.0, 1.0];
        Some(constant + STEPS[self.chance.random_range(0..STEPS.len())])
    }

    /// Returns the same day at another time: midnight, the last second, a time with odd seconds.
    fn other_time(&mut self, text: &str) -> Value {
        const TIMES: [&str; 6] = ["00:00:00", "23:59:59", "12:00:00", "00:00:01", "09:10:37", "17:59:41"];
        match calendar::shift(text, 0) {
            Some(day) => Value::Text(format!("{day} {}", TIMES[self.chance.random_range(0..TIMES.len())])),
            None => Value::Text(text.to_owned()),
        }
    }

    fn other_text(&mut self, text: &str) -> String {
        if calendar::date(text).is_some() {
            return if text.len() > 10 && self.chance.random_bool(0.6) {
                crate::prove::data::scalar::plain(&self.other_time(text))
            } else {
                crate::prove::data::scalar::plain(&shifted(text, if self.chance.random_bool(0.5) { 31 } else { -31 }))
            };
        }
        if text.parse::<f64>().is_ok() {
            let mut choices = vec![format!("{text}.375"), format!("0{text}"), format!("1{text}"), String::new()];
            choices.extend(["9".to_owned(), "10.5".to_owned()]);
            choices.extend(self.number().map(|number| number.to_string()));
            return choices[self.chance.random_range(0..choices.len())].clone();
        }
        if let Some(separator) = [',', ';', '|', '/'].into_iter().find(|separator| text.contains(*separator)) {
            return self.other_list(text, separator);
        }
        let texts = self.input.texts;
        if !texts.is_empty() && self.chance.random_bool(0.6) {
            let base = &texts[self.chance.random_range(0..texts.len())];
            let choices =
                [base.clone(), format!("{base}x"), format!("x{base}"), base.replace('_', "x"), format!("x{base}y")];
            return choices[self.chance.random_range(0..choices.len())].clone();
        }
        let mut choices =
            vec![format!("{text}x"), text.to_uppercase(), text.to_lowercase(), String::new(), format!(" {text} ")];
        choices.extend(self.of_asked_length(text));
        choices[self.chance.random_range(0..choices.len())].clone()
    }

    /// Returns a text whose length is a number near the fault: a check of the length lets no other text through.
    fn of_asked_length(&mut self, text: &str) -> Option<String> {
        let is_length = |number: &f64| (2.0..=64.0).contains(number) && number.fract() == 0.0;
        let lengths: Vec<f64> = self.input.numbers.iter().copied().filter(is_length).collect();
        let length = *lengths.get(self.chance.random_range(0..lengths.len().max(1)))?;
        Some(text.chars().chain(std::iter::repeat('0')).take(length as usize).collect())
    }

    /// Returns a separated list with one item more, one less or one changed.
    fn other_list(&mut self, text: &str, separator: char) -> String {
        let mut items: Vec<String> = text.split(separator).map(str::to_owned).collect();
        let at = self.chance.random_range(0..items.len());
        match self.chance.random_range(0..4u8) {
            0 => _ = items.remove(at),
            1 => items.push(items[at].clone()),
            _ => items[at] = self.other_text(&items[at].clone()),
        }
        items.join(&separator.to_string())
    }

    /// Changes one value inside a list, a map or a JSON text.
    fn inside(&mut self, text: &str) -> Value {
        let Ok(mut json) = serde_json::from_str::<serde_json::Value>(text) else { return Value::Text(text.to_owned()) };
        self.change_json(&mut json);
        Value::Text(json.to_string())
    }

    fn change_json(&mut self, json: &mut serde_json::Value) {
        use serde_json::Value as Json;
        match json {
            Json::Array(items) if items.is_empty() => {}
            Json::Array(items) => {
                let at = self.chance.random_range(0..items.len());
                match self.chance.random_range(0..4u8) {
                    0 => _ = items.remove(at),
                    1 => items.push(items[at].clone()),
                    _ => self.change_json(&mut items[at]),
                }
            }
            Json::Object(fields) => {
                let at = self.chance.random_range(0..fields.len().max(1));
                if let Some(value) = fields.values_mut().nth(at) {
                    self.change_json(value);
                }
            }
            Json::String(text) => *text = self.other_text(text),
            Json::Number(number) => {
                let value = number.as_i64().unwrap_or_default();
                *json = Json::from(if self.chance.random_bool(0.5) { value + 1 } else { -value });
            }
            Json::Bool(value) => *value = !*value,
            Json::Null => {}
        }
    }
}

fn shifted(text: &str, days: i64) -> Value {
    Value::Text(calendar::shift_in_place(text, days).unwrap_or_else(|| text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::TableRows;
    use proptest::prelude::*;

    const DDL: &str = "CREATE TABLE t (id BIGINT NOT NULL, day DATE, at TIMESTAMP, flag BOOLEAN, tags ARRAY<STRING>, \
                       amount STRING, note STRING);";

    fn database() -> Database {
        let text = |text: &str| Value::Text(text.to_owned());
        let row = |id: i64| {
            let day = text("2024-03-15");
            let at = text("2024-03-15 10:00:00");
            Row::from([Value::Integer(id), day, at, Value::Integer(1), text(r#"["a","b"]"#), text("12.5"), text("n")])
        };
        Database { tables: vec![TableRows { table: "t".to_owned(), rows: (1..6).map(row).collect() }] }
    }

    proptest! {
        #[test]
        fn every_value_stays_one_of_its_type_and_the_same_number_gives_the_same_rows(number in 0usize..400) {
            let schema = Schema::read(DDL).unwrap();
            let columns = ["id", "day", "at", "flag", "tags", "amount", "note"];
            let near: Vec<BaseColumn> =
                columns.iter().map(|column| BaseColumn { table: "t".into(), column: (*column).into() }).collect();
            let input = MutationInput { near: &near, far: &[], texts: &["risk".to_owned()], numbers: &[0.5, 60.0], limits: &[], groups: &[], lengths: &[], key: "k" };
            let first = mutate_cells(&schema, &database(), &input, number);
            prop_assert_eq!(&first, &mutate_cells(&schema, &database(), &input, number));
            // No number is too large to be changed.
            let mut huge = database();
            huge.tables[0].rows.iter_mut().for_each(|row| row.set(0, Value::Integer(i64::MAX / 1000)));
            mutate_cells(&schema, &huge, &input, number);
            for row in first.iter().flat_map(|database| &database.tables[0].rows) {
                prop_assert!(matches!(row[0], Value::Integer(_)));
                for (column, length) in [(1, 10), (2, 19)] {
                    let is_dated = |text: &str| calendar::date(text).is_some() && text.len() == length;
                    prop_assert!(matches!(&row[column], Value::Null) || matches!(&row[column], Value::Text(text) if is_dated(text)));
                }
                prop_assert!(matches!(row[3], Value::Null | Value::Integer(0 | 1)));
            }
        }
    }
}
