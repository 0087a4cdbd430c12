//! Rows of one scan that are related by what is computed from one of their columns.

use super::rows_needed::MOST_RELATED;
use super::{Generator, ScanRow, positions_of};
use crate::code::schema::TableColumn;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{COLUMN_MARK, PathStep, RowRelation};
use crate::prove::data::satisfies::satisfies;

/// Days between the dates of related rows, in the order in which they are tried: a day, a week, a month, a quarter and a
/// year, then what lies between these.
const DAYS_BETWEEN: [i64; 16] = [1, 7, 30, 31, 28, 90, 92, 365, 366, 2, 3, 4, 5, 6, 14, 60];

/// Differences between the numbers of related rows: one, the months of a year, and a year and the step from December to
/// January in numbers such as 202403.
const DIFFERENCES: [i64; 4] = [1, 12, 100, 89];

impl Generator<'_> {
    /// Gives a further row of a scan the value that relates it to the first; each relation of the scan has a row of its own.
    pub(super) fn relate(&self, relation: &RowRelation, number: usize, rows: &mut [ScanRow]) {
        let RowRelation { source, .. } = relation;
        let Some(definition) = self.definition(*source) else { return };
        let before = &self.constraints.row_relations[..number];
        let row = 1 + before.iter().filter(|other| other.source.scan == source.scan).count() % MOST_RELATED;
        let positions = positions_of(rows, source.scan);
        let (Some(first), Some(further)) = (positions.first(), positions.get(row)) else { return };
        if let Some(value) = self.related_value(relation, &rows[*first].values[source.column], definition) {
            rows[*further].values[source.column] = value.clone();
            self.write_to_partners(*source, Some(row), &value, rows);
        }
    }

    /// Returns a value near another that meets the relation with either of the two as the first row; `None` if none does.
    fn related_value(&self, relation: &RowRelation, value: &Value, definition: &TableColumn) -> Option<Value> {
        let computed = |text: &str, value: &Value| {
            let literal = value.literal(&definition.data_type);
            self.evaluator.value(&text.replace(COLUMN_MARK, &literal))
        };
        let ways = [(&relation.one, &relation.other), (&relation.other, &relation.one)];
        let targets = ways.map(|(given, wanted)| (wanted, computed(given, value)));
        let meets = |near: &Value| {
            let is_met =
                |(wanted, target): &(&String, Option<Value>)| target.is_some() && computed(wanted, near) == *target;
            targets.iter().any(is_met)
        };
        neighbours(value).filter(|near| self.is_allowed(relation, near)).find(meets)
    }

    /// Whether a value meets what is required of the column itself, or of its date.
    fn is_allowed(&self, relation: &RowRelation, value: &Value) -> bool {
        let required = self.constraints.required.get(&relation.source);
        required.into_iter().flatten().all(|constraint| match (&constraint.steps[..], value) {
            ([], _) => satisfies(&constraint.predicate, value),
            ([PathStep::Date | PathStep::Slice(1, 10)], Value::Text(text)) => {
                text.get(..10).is_none_or(|day| satisfies(&constraint.predicate, &Value::Text(day.to_owned())))
            }
            _ => true,
        })
    }
}

/// Returns values at small distances from another; of each distance, the value before it first.
fn neighbours(value: &Value) -> impl Iterator<Item = Value> {
    let distances = if matches!(value, Value::Integer(_)) { &DIFFERENCES[..] } else { &DAYS_BETWEEN[..] };
    let distances = distances.iter().flat_map(|distance| [-distance, *distance]);
    distances.filter_map(move |distance| match value {
        Value::Integer(number) => number.checked_add(distance).map(Value::Integer),
        Value::Text(text) => calendar::shift_in_place(text, distance).map(Value::Text),
        _ => None,
    })
}
