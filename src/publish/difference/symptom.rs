//! What kind of wrong stands out.

use super::compared_results::{ComparedResults, deviation, is_blank};
use std::collections::BTreeSet;

use super::facts::{RowKind, Symptom};
use super::pairing::{RowPairing, is_measure};
use super::variables::is_day;
use crate::engine::table::{Row, Value};

/// Most rows that are held against the other result: each is looked for among all of its rows.
const MOST_TRIED: usize = 240;

impl ComparedResults<'_> {
    pub(super) fn symptom(&self) -> Symptom {
        let RowPairing { changed, missing, extra, duplicated, .. } = &self.pairing;
        let changed = changed.iter().filter(|pair| self.is_told(**pair)).count();
        let most = changed.max(missing.len()).max(extra.len()).max(duplicated.len());
        if self.issue.rows.is_empty() && !self.reference.rows.is_empty() {
            Symptom::EmptyResult
        } else if most == 0 && self.pairing.changed.is_empty() {
            // Every cell reads the same, so what differs is how the values are kept.
            Symptom::WrongFormat
        } else if most == 0 {
            self.changed_symptom()
        } else if duplicated.len() == most {
            let repeats = |row: &usize| self.reference.rows.contains(&self.issue.rows[*row]);
            let all = duplicated.iter().take(MOST_TRIED).all(repeats);
            if all { Symptom::Duplicates } else { Symptom::SplitRows }
        } else if missing.len() == most {
            let is_there = |row: &usize| self.issue.rows.contains(&self.reference.rows[*row]);
            let all = missing.iter().take(MOST_TRIED).all(is_there);
            if all { Symptom::MissingCopies } else { Symptom::MissingRows }
        } else if extra.len() == most {
            Symptom::ExtraRows
        } else {
            self.changed_symptom()
        }
    }

    /// Returns what the rows are that are missing, or too many; `None` for another symptom, or if no column of the key
    /// tells them from all rows of the other result.
    pub(super) fn kind(&self, symptom: Symptom) -> Option<RowKind> {
        let (rows, table, other) = match symptom {
            Symptom::MissingRows => (&self.pairing.missing, self.reference, self.issue),
            Symptom::ExtraRows => (&self.pairing.extra, self.issue, self.reference),
            _ => return None,
        };
        let is_name = |column: &usize| !is_measure(&self.reference.columns[*column].name);
        self.pairing.key.iter().copied().filter(is_name).find_map(|column| {
            let texts = |rows: &mut dyn Iterator<Item = &Row>| -> BTreeSet<String> {
                rows.map(|row| self.shown(&row[column], column)).collect()
            };
            let values = texts(&mut rows.iter().map(|row| &table.rows[*row]));
            let is_name = rows.iter().all(|row| !is_blank(&table.rows[*row][column]));
            let is_new = values.is_disjoint(&texts(&mut other.rows.iter()));
            let is_kind = self.pairing.is_counted && is_name && is_new && !values.iter().any(|value| is_day(value));
            is_kind.then(|| RowKind { column: self.words(column), values: values.len() })
        })
    }

    fn changed_symptom(&self) -> Symptom {
        let Some(column) = self.worst_column() else { return Symptom::WrongValue };
        let cells = self.cells(column);
        if cells.iter().all(|(left, right)| is_blank(right) && !is_blank(left)) {
            Symptom::NullOrEmpty
        } else if cells.iter().all(|(left, right)| same_but_form(left, right)) {
            Symptom::WrongFormat
        } else if self.is_summable(column) && deviation(&cells).is_some() {
            Symptom::WrongTotal
        } else {
            Symptom::WrongValue
        }
    }
}

/// Whether both are texts with the same letters and digits, apart from case, blanks and marks.
fn same_but_form(left: &Value, right: &Value) -> bool {
    let bare =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => !bare(left).is_empty() && bare(left) == bare(right),
        _ => false,
    }
}
