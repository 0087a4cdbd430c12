//! Held-out databases, drawn when an answer is scored.
//!
//! The suite of a task shows one bug. A wrong repair that fits it (rows written out by hand, another condition changed
//! beside the right one) must not count as a repair. So an answer whose results, but not whose graph, equal the
//! reference's on the suite also runs on the witnesses of the run's other tasks on that script, each of which shows
//! another bug, and on databases that nobody has seen. These are drawn from the task alone, never from the answer: all
//! answers run on the same ones, and a score can be reproduced.
//!
//! Each starts from a database of the suite and preserves what a correct repair may rely on:
//!
//! - a column without NULL stays without NULL, and a column of distinct values (a key) keeps distinct values;
//! - values keep their type and, for text, their form: dates stay dates, and numbers that are not negative stay so.
//!
//! Within these bounds rows are removed, the values of a column are shuffled, and cells get constants of the reference
//! and the issue, numbers, days and texts next to those, zero, or ten times their own value.

use std::collections::{BTreeSet, HashSet};

use chrono::{Days, NaiveDate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use crate::code::literal::text_value;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::Kind;
use crate::code::types::Type;
use crate::engine::table::{Database, Row, TableRows, Value};

/// How many databases are drawn for a task.
pub(super) const COUNT: usize = 16;
/// One row in this many is removed.
const ROW_GOES: usize = 12;
/// One column in this many has its values shuffled.
const COLUMN_TURNS: usize = 6;
/// One cell in this many gets another value.
const CELL_CHANGES: usize = 6;
/// Longer texts, in bytes, are not taken for codes or names.
const LONGEST: usize = 40;

/// The literals in the scripts of a task.
#[derive(Debug, Default)]
struct Constants {
    wholes: Vec<i64>,
    texts: Vec<String>,
    dates: Vec<NaiveDate>,
}

/// What databases are drawn from.
pub(super) struct DatabaseSource<'a> {
    /// The task's id, from which the seeds are derived.
    pub key: &'a str,
    pub schema: &'a Schema,
    /// Its reference and its issue, with placeholders bound.
    pub scripts: [&'a Script; 2],
    /// Its suite, the witness first.
    pub suite: &'a [Database],
}

/// Draws the databases of a task. The list is empty if the task has no suite.
pub(super) fn draw(source: &DatabaseSource<'_>) -> Vec<Database> {
    let constants = Constants::of(source.scripts);
    // The witness is minimised and leaves little to vary, so it is used only if there is nothing else.
    let bases = if source.suite.len() > 1 { &source.suite[1..] } else { source.suite };
    let numbered = (0..COUNT).zip(bases.iter().cycle());
    numbered
        .map(|(number, base)| {
            let seed: [u8; 32] = Sha256::digest(format!("further {} {number}", source.key)).into();
            let mut chance = ChaCha8Rng::from_seed(seed);
            let tables = base.tables.iter().map(|table| varied(table, source.schema, &constants, &mut chance));
            Database { tables: tables.collect() }
        })
        .collect()
}

fn varied(table: &TableRows, schema: &Schema, constants: &Constants, chance: &mut ChaCha8Rng) -> TableRows {
    let mut rows: Vec<Row> = table.rows.iter().filter(|_| chance.random_range(0..ROW_GOES) > 0).cloned().collect();
    let columns = schema.table(&table.table).map_or(&[][..], |definition| &definition.columns[..]);
    for (place, column) in columns.iter().enumerate() {
        if chance.random_range(0..COLUMN_TURNS) == 0 {
            turn(&mut rows, place, chance);
        }
        if is_key(&rows, place) {
            continue;
        }
        for row in &mut rows {
            if let Some(cell) = row.get_mut(place).filter(|_| chance.random_range(0..CELL_CHANGES) == 0)
                && let Some(value) = constants.like(cell, &column.data_type, chance)
            {
                *cell = value;
            }
        }
    }
    TableRows { table: table.table.clone(), rows }
}

/// Shuffles the values of a column.
fn turn(rows: &mut [Row], place: usize, chance: &mut ChaCha8Rng) {
    for last in (1..rows.len()).rev() {
        let other = chance.random_range(0..=last);
        let (head, tail) = rows.split_at_mut(last);
        if let (Some(row), Some(cell)) = (head.get_mut(other), tail[0].get_mut(place))
            && let Some(partner) = row.get_mut(place)
        {
            std::mem::swap(partner, cell);
        }
    }
}

/// Whether no value occurs twice.
fn is_key(rows: &[Row], place: usize) -> bool {
    let mut seen = HashSet::new();
    // Amounts may all differ by chance without being keys.
    let may_be = |row: &Row| !matches!(row.get(place), Some(Value::Real(_)));
    rows.len() > 1 && rows.iter().all(|row| may_be(row) && seen.insert(format!("{:?}", row.get(place))))
}

impl Constants {
    fn of(scripts: [&Script; 2]) -> Constants {
        let (mut wholes, mut texts, mut dates) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for script in scripts {
            let tree = script.tree();
            for node in tree.ids() {
                let written = script.slice(node);
                match tree.kind(node) {
                    Kind::Number => wholes.extend(written.parse::<i64>().ok()),
                    Kind::Text => {
                        let text = text_value(written);
                        match date(&text) {
                            Some(day) => drop(dates.insert(day)),
                            None if text.len() <= LONGEST && !text.contains(['%', '$']) => drop(texts.insert(text)),
                            None => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        Constants {
            wholes: wholes.into_iter().collect(),
            texts: texts.into_iter().collect(),
            dates: dates.into_iter().collect(),
        }
    }

    /// Returns another value of the same form; `None` if there is none, as for NULL.
    fn like(&self, value: &Value, data_type: &Type, chance: &mut ChaCha8Rng) -> Option<Value> {
        match value {
            Value::Integer(own) if data_type.is_numeric() => Some(Value::Integer(self.number(*own, chance))),
            Value::Real(own) if data_type.is_numeric() && chance.random_range(0..2) == 0 => {
                Some(Value::Real(self.number(own.round() as i64, chance) as f64))
            }
            Value::Real(own) if data_type.is_numeric() => Some(Value::Real(own * 10.0)),
            Value::Text(text) if !data_type.is_nested() => match date(text) {
                Some(_) => {
                    let day = moved(*pick(&self.dates, chance)?, chance.random_range(-1..=1))?;
                    Some(Value::Text(format!("{day}{}", &text["2024-01-01".len()..])))
                }
                None if *data_type == Type::String => {
                    let constant = pick(&self.texts, chance)?;
                    let tail = if chance.random_range(0..4) == 0 { "x" } else { "" };
                    Some(Value::Text(format!("{constant}{tail}")))
                }
                None => None,
            },
            _ => None,
        }
    }

    /// Returns a constant or a number next to it, or else zero or a number made from the cell's own.
    fn number(&self, own: i64, chance: &mut ChaCha8Rng) -> i64 {
        let step = chance.random_range(-1..=1i64);
        let constant = pick(&self.wholes, chance).filter(|_| chance.random_range(0..2) == 0);
        let found = match (constant, chance.random_range(0..3)) {
            (Some(constant), _) => constant.saturating_add(step),
            (None, 0) => own.saturating_add(step),
            (None, 1) => own.saturating_mul(10),
            (None, _) => 0,
        };
        if own >= 0 { found.max(0) } else { found }
    }
}

fn pick<'a, T>(from: &'a [T], chance: &mut ChaCha8Rng) -> Option<&'a T> {
    (!from.is_empty()).then(|| &from[chance.random_range(0..from.len())])
}

/// Returns the day that a text starts with; `None` if it starts with no day.
fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text.get(.."2024-01-01".len())?, "%Y-%m-%d").ok()
}

fn moved(day: NaiveDate, step: i64) -> Option<NaiveDate> {
    let days = Days::new(step.unsigned_abs());
    if step < 0 { day.checked_sub_days(days) } else { day.checked_add_days(days) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite() -> Vec<Database> {
        let row =
            |id: i64, text: &str| Row::from([Value::Integer(id), Value::Text(text.to_owned()), Value::Integer(4)]);
        let rows = (0..20).map(|id| row(id, if id % 2 == 0 { "2024-03-15 10:00:00" } else { "2024-03-16 08:30:00" }));
        vec![Database { tables: vec![TableRows { table: "t".to_owned(), rows: rows.collect() }] }]
    }

    fn drawn(key: &str) -> Vec<Database> {
        let schema = Schema::read("CREATE TABLE t (id INT, at STRING, v INT)").unwrap();
        let script = Script::new("SELECT id FROM t WHERE v > 90 AND at < '2024-05-01'");
        draw(&DatabaseSource { key, schema: &schema, scripts: [&script, &script], suite: &suite() })
    }

    #[test]
    fn databases_are_fixed_by_the_task_and_differ_between_tasks() {
        assert_eq!(drawn("a"), drawn("a"));
        assert_ne!(drawn("a"), drawn("b"));
        assert_eq!(drawn("a").len(), COUNT);
        assert_ne!(drawn("a")[0], drawn("a")[1]);
    }

    #[test]
    fn keys_stay_keys_dates_stay_dates_and_cells_meet_the_bounds_of_conditions() {
        let (mut bounds, mut days) = (HashSet::new(), HashSet::new());
        for database in (0..20).flat_map(|key| drawn(&key.to_string())) {
            let rows = &database.tables[0].rows;
            let ids: HashSet<String> = rows.iter().map(|row| format!("{:?}", row[0])).collect();
            assert_eq!(ids.len(), rows.len());
            for row in rows {
                let (Value::Text(at), Value::Integer(v)) = (&row[1], &row[2]) else { panic!("{row:?}") };
                assert!(date(at).is_some() && at.len() == 19, "{at}");
                bounds.insert(*v);
                days.insert(at[..10].to_owned());
            }
        }
        assert_eq!(bounds, HashSet::from([0, 3, 4, 5, 40, 89, 90, 91]));
        assert!(days.contains("2024-04-30") && days.contains("2024-05-01"), "{days:?}");
    }
}
