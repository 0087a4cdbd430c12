//! Figures that people add up over a report.

use super::compared_results::ComparedResults;
use super::facts::Total;
use super::pairing::RowPairing;
use super::show::shown_number;
use crate::engine::table::{Row, Value};

/// Words in the names of columns that tell periods.
const PERIODS: [&str; 9] = ["date", "day", "week", "month", "quarter", "year", "dt", "period", "hour"];

impl ComparedResults<'_> {
    /// Whether some row adds up others, so that a sum over all rows would count them twice.
    fn has_subtotals(&self) -> bool {
        let rows = self.reference.rows.iter().chain(&self.issue.rows);
        let mut keys = rows.flat_map(|row| self.pairing.key.iter().map(|column| &row[*column]));
        keys.any(|value| match value {
            Value::Null => true,
            Value::Text(text) => self.vocabulary.is_subtotal(text),
            Value::Integer(_) | Value::Real(_) => false,
        })
    }

    /// Whether the rows stand for several periods, each with figures of its own: nobody adds these up to one figure.
    fn has_periods(&self) -> bool {
        let key = self.pairing.key.iter().copied().filter(|column| self.is_named(*column, &PERIODS));
        let rows = || self.reference.rows.iter().chain(&self.issue.rows);
        key.into_iter().any(|column| rows().any(|row| Some(&row[column]) != rows().next().map(|row| &row[column])))
    }

    /// The sums of the worst column if it may be added up and they look different, else of the first such column.
    pub(super) fn total(&self) -> Option<Total> {
        let RowPairing { missing, extra, .. } = &self.pairing;
        // Where rows are missing and others too many, a sum says nothing of either.
        if self.has_subtotals() || self.has_periods() || !missing.is_empty() && !extra.is_empty() {
            return None;
        }
        let columns = self.worst_column().into_iter().chain(0..self.reference.columns.len());
        let mut summable = columns.filter(|column| self.is_summable(*column));
        summable.find_map(|column| {
            let (left, right) = (sum(&self.reference.rows, column), sum(&self.issue.rows, column));
            let (expected, actual) = (shown_number(left, 4), shown_number(right, 4));
            let visible = expected != actual && self.reference.rows.len() > 1 && !self.issue.rows.is_empty();
            let twice = [self.reference, self.issue].iter().any(|table| adds_up_others(&table.rows, column));
            (visible && !twice).then(|| Total { column: self.words(column), expected, actual })
        })
    }
}

/// The sum of a column's numbers.
pub(super) fn sum(rows: &[Row], column: usize) -> f64 {
    rows.iter().filter_map(|row| row[column].as_number()).sum()
}

/// Whether the greatest value of a column is a half, a third or a quarter of its sum, as that of a grand total is above
/// one, two or three levels of rows.
fn adds_up_others(rows: &[Row], column: usize) -> bool {
    let total = sum(rows, column);
    let greatest = rows.iter().filter_map(|row| row[column].as_number()).fold(f64::NAN, f64::max);
    [2.0, 3.0, 4.0].iter().any(|levels| (greatest * levels - total).abs() <= 1e-9 * total.abs())
}
