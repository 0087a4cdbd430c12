//! Rows of one scan that are related by what is computed from one of their columns.

use super::{Generator, ScanRow, places};
use crate::code::schema::TableColumn;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{COLUMN_MARK, PathStep, RowRelation};
use crate::prove::data::satisfies::satisfies;

/// How far the values of related rows lie from each other: the days of a day, a week, a month, a quarter and a year, and
/// what lies between.
const DISTANCES: [i64; 16] = [1, 7, 30, 31, 28, 90, 92, 365, 366, 2, 3, 4, 5, 6, 14, 60];

impl Generator<'_> {
    /// Gives each further row of a scan the value that relates it to the row before.
    pub(super) fn relate(&self, relation: &RowRelation, rows: &mut [ScanRow]) {
        let RowRelation { source, .. } = relation;
        let Some(definition) = self.definition(*source) else { return };
        for (number, pair) in places(rows, source.scan).windows(2).enumerate() {
            let before = &rows[pair[0]].values[source.column];
            if let Some(value) = self.related_value(relation, before, definition) {
                rows[pair[1]].values[source.column] = value.clone();
                self.write_to_partners(*source, Some(number + 1), &value, rows);
            }
        }
    }

    /// Returns a value near another that meets the relation in either way; `None` if none does.
    fn related_value(&self, relation: &RowRelation, value: &Value, definition: &TableColumn) -> Option<Value> {
        let computed = |text: &str, value: &Value| {
            let literal = value.literal(&definition.data_type);
            self.evaluator.value(&text.replace(COLUMN_MARK, &literal))
        };
        let ways = [(&relation.one, &relation.other), (&relation.other, &relation.one)];
        let near: Vec<Value> = neighbours(value).filter(|near| self.is_allowed(relation, near)).collect();
        ways.into_iter().find_map(|(given, wanted)| {
            let target = computed(given, value)?;
            near.iter().find(|near| computed(wanted, near).as_ref() == Some(&target)).cloned()
        })
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

/// Returns values at small distances from another, those before it first.
fn neighbours(value: &Value) -> impl Iterator<Item = Value> {
    let distances = DISTANCES.into_iter().flat_map(|distance| [-distance, distance]);
    distances.filter_map(move |distance| match value {
        Value::Integer(number) => Some(Value::Integer(number + distance)),
        Value::Text(text) => calendar::shift_in_place(text, distance).map(Value::Text),
        _ => None,
    })
}
