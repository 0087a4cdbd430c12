//! Cells in the form in which those are the same that the comparator calls equal.

use super::show::shown_number;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};

/// A cell whose form is the same for cells that the comparator calls equal, but for reals at the edge of rounding.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum NormalCell {
    Null,
    Text(String),
    /// A number, or a collection whose order does not count.
    Other(String),
}

pub(super) type NormalRow = Vec<NormalCell>;

impl NormalCell {
    fn of(value: &Value, column: &ResultColumn) -> NormalCell {
        let real = |number: f64, places| NormalCell::Other(shown_number(number, places));
        match (value, &column.data_type) {
            (Value::Null, _) => NormalCell::Null,
            (Value::Integer(number), _) => NormalCell::Other(number.to_string()),
            (Value::Real(number), Type::Decimal(_, scale)) => real(*number, usize::from(*scale)),
            (Value::Real(number), _) => real(*number, 9),
            (Value::Text(text), _) => match &column.unordered {
                Some(unordered) => NormalCell::Other(unordered.sorted(text).into_owned()),
                None => NormalCell::Text(text.clone()),
            },
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, NormalCell::Null)
    }

    /// Whether nothing stands in the cell.
    pub(super) fn is_blank(&self) -> bool {
        self.is_null() || matches!(self, NormalCell::Text(text) if text.is_empty())
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, NormalCell::Other(number) if number == "0")
    }

    /// Its letters and digits.
    pub(super) fn bare(&self) -> String {
        match self {
            NormalCell::Null => String::new(),
            NormalCell::Text(text) | NormalCell::Other(text) => bare(text),
        }
    }
}

/// The letters and digits of a text, in lower case.
pub(super) fn bare(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn normal_rows(rows: &[Row], columns: &[ResultColumn]) -> Vec<NormalRow> {
    let normal = |row: &Row| row.iter().zip(columns).map(|(value, column)| NormalCell::of(value, column)).collect();
    rows.iter().map(normal).collect()
}

/// The cells of a row in some columns.
pub(super) fn cells_of<'a>(row: &'a [NormalCell], columns: &[usize]) -> Vec<&'a NormalCell> {
    columns.iter().map(|index| &row[*index]).collect()
}

/// Positions of the columns whose cells differ between two rows.
pub fn differing_columns(reference: &[Value], other: &[Value], columns: &[ResultColumn]) -> Vec<usize> {
    let cells = reference.iter().zip(other).zip(columns).enumerate();
    let differs = |((left, right), column)| NormalCell::of(left, column) != NormalCell::of(right, column);
    cells.filter_map(|(index, cell)| differs(cell).then_some(index)).collect()
}
