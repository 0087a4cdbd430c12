//! Values of a column spread over what conditions usually ask for: days back from the business date, multiples of a
//! number, the texts and numbers that stand near the branch.
//!
//! Classes by age, size or change of a figure have a branch for each range. Random changes to a few cells rarely meet a
//! narrow one; with every row another value some row meets each.

use super::cells::MutationInput;
use super::column_change::BaseColumn;
use crate::code::schema::{Schema, TableColumn};
use crate::code::types::Type;
use crate::engine::table::{Database, Value};
use crate::prove::data::calendar;

/// Days before the business date.
const DAYS: [i64; 24] =
    [0, 1, 2, 3, 5, 6, 9, 12, 20, 29, 40, 50, 75, 100, 140, 200, 300, 340, 400, 600, 900, 1_500, 4_000, -40];
/// Hours of a moment.
const HOURS: [u8; 6] = [10, 7, 13, 19, 23, 3];
/// Multiples of the usual number, of which neighbours are equal or differ by some, by twice or by ten times as much.
const MULTIPLES: [f64; 16] = [1.0, 1.0, 1.03, 1.15, 1.3, 1.7, 3.0, 3.0, 2.8, 2.5, 1.8, 1.0, 0.6, 0.1, 20.0, 0.0];
/// Multiples of the usual number that differ by a few per cent.
const NARROW: [f64; 7] = [1.0, 1.04, 0.97, 1.02, 1.07, 0.95, 0.99];
/// How far from a number near the branch values are tried.
const BESIDE: [f64; 3] = [0.0, 1.0, -1.0];
/// The usual number.
const USUAL: f64 = 100.0;
/// Every so many rows have NULL.
const NULL_EVERY: usize = 9;

/// How the values of one database are spread.
#[derive(Clone, Copy, Debug)]
pub struct Spread<'a> {
    /// The business date.
    pub day: &'a str,
    /// The position in each list of values at which the first row begins.
    pub first: usize,
    /// By how many positions a row is apart from the one before; with 0 all rows have one value.
    pub step: usize,
    /// Whether numbers differ by a few per cent only, and nothing else changes.
    pub narrow: bool,
}

/// Returns the database with the values of these columns spread, or `None` if nothing changes.
pub fn spread(
    schema: &Schema,
    database: &Database,
    targets: &[&BaseColumn],
    input: &MutationInput<'_>,
    how: Spread<'_>,
) -> Option<Database> {
    let mut changed = database.clone();
    for (number, target) in targets.iter().enumerate() {
        let Some(definition) = schema.table(&target.table) else { continue };
        let Some(column) = definition.position(&target.column) else { continue };
        let Some(table) = changed.tables.iter_mut().find(|table| table.table == definition.name) else { continue };
        for (index, row) in table.rows.iter_mut().enumerate() {
            let at = how.first + number + index * how.step;
            let value = spread_value(&definition.columns[column], &row[column], input, at, how);
            row.set(column, value);
        }
    }
    (changed != *database).then_some(changed)
}

fn spread_value(column: &TableColumn, old: &Value, input: &MutationInput<'_>, at: usize, how: Spread<'_>) -> Value {
    if how.narrow {
        let number = NARROW[at % NARROW.len()] * USUAL;
        return match &column.data_type {
            data_type if data_type.is_integer() => Value::Integer(number.round() as i64),
            data_type if data_type.is_numeric() => Value::Real(data_type.at_scale(number)),
            _ => old.clone(),
        };
    }
    let may_be_null = column.nullable && !column.partition && how.step > 0;
    if may_be_null && at % NULL_EVERY == NULL_EVERY - 1 {
        return Value::Null;
    }
    let text = if let Value::Text(text) = old { text.as_str() } else { "" };
    match &column.data_type {
        Type::Boolean => Value::Integer((at % 2) as i64),
        data_type if data_type.is_integer() => Value::Integer(number(input, at).round() as i64),
        data_type if data_type.is_numeric() => Value::Real(data_type.at_scale(number(input, at))),
        Type::Date => time("2024-01-01", at, how.day).unwrap_or_else(|| old.clone()),
        Type::Timestamp => time("2024-01-01 00:00:00", at, how.day).unwrap_or_else(|| old.clone()),
        Type::String if calendar::date(text).is_some() => time(text, at, how.day).unwrap_or_else(|| old.clone()),
        Type::String => match input.texts.get(at % (input.texts.len() + 1)) {
            Some(text) => Value::Text(text.clone()),
            None => old.clone(),
        },
        _ => old.clone(),
    }
}

/// A number near the branch or just beside it, or a multiple of the usual one.
fn number(input: &MutationInput<'_>, at: usize) -> f64 {
    let at = at % (MULTIPLES.len() + input.numbers.len() * BESIDE.len());
    match at.checked_sub(MULTIPLES.len()) {
        Some(near) => input.numbers[near / BESIDE.len()] + BESIDE[near % BESIDE.len()],
        None => MULTIPLES[at] * USUAL,
    }
}

/// A day or moment before the business date, in the form of another.
fn time(like: &str, at: usize, day: &str) -> Option<Value> {
    let day = calendar::shift(day, -DAYS[at % DAYS.len()])?;
    Some(Value::Text(match like.len() {
        8 => day.replace('-', ""),
        0..=10 => day,
        _ => format!("{day} {:02}:00:00", HOURS[at % HOURS.len()]),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::{Row, TableRows};

    #[test]
    fn every_row_gets_a_value_of_its_type_and_of_its_form() {
        let schema =
            Schema::read("CREATE TABLE t (n INT, at STRING, kind STRING NOT NULL, d STRING, x DECIMAL(9, 0));")
                .unwrap();
        let text = |text: &str| Value::Text(text.to_owned());
        let row =
            Row::from([Value::Integer(1), text("2024-03-15 10:30:00"), text("A"), text("20240315"), Value::Real(1.0)]);
        let rows = vec![row; 4];
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
        let columns =
            ["n", "at", "kind", "d", "x"].map(|column| BaseColumn { table: "t".into(), column: column.into() });
        let texts = ["B".to_owned()];
        let input = MutationInput {
            near: &[],
            far: &[],
            texts: &texts,
            numbers: &[2.5],
            limits: &[],
            groups: &[],
            lengths: &[],
            key: "k",
        };
        let made = |column: usize, step: usize| -> Vec<Value> {
            let how = Spread { day: "2024-03-15", first: 0, step, narrow: false };
            let made = spread(&schema, &database, &[&columns[column]], &input, how);
            made.into_iter().flat_map(|made| made.tables[0].rows.clone()).map(|row| row[column].clone()).collect()
        };
        assert_eq!(made(0, 1), [100, 100, 103, 115].map(Value::Integer));
        assert_eq!(made(0, 0), [100; 4].map(Value::Integer));
        assert_eq!(made(1, 1)[..2], [text("2024-03-15 10:00:00"), text("2024-03-14 07:00:00")]);
        assert_eq!(made(2, 1), ["B", "A", "B", "A"].map(text));
        assert_eq!(made(3, 1)[3], text("20240312"));
        // 2.5 stands near the branch, and the column holds whole numbers.
        let how = Spread { day: "2024-03-15", first: MULTIPLES.len(), step: 1, narrow: false };
        let near = spread(&schema, &database, &[&columns[4]], &input, how).unwrap();
        assert_eq!(near.tables[0].rows[0][4], Value::Real(3.0));
    }
}
