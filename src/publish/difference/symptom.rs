//! What kind of wrong stands out.

use std::collections::BTreeSet;

use super::compared_results::{ComparedResults, MOST_TRIED, deviation, is_blank};
use super::facts::{Besides, RowKind, Symptom};
use super::normal_cell::{bare, differing_columns};
use super::pairing::RowPairing;
use super::row_key::is_measure;
use super::variables::{is_day, starts_with_day};
use crate::engine::table::{Row, Value};

/// What stands behind a day that is shown as a moment.
const MIDNIGHT: &str = " 00:00:00";
/// Wrong columns of a row from which on one of them alone would point to something else.
const MANY_COLUMNS: usize = 4;

impl ComparedResults<'_> {
    pub(super) fn symptom(&self) -> Symptom {
        let RowPairing { changed, missing, extra, duplicated, .. } = &self.pairing;
        // Where rows are missing or too many, the means, ranks and shares of the others only follow.
        let follows = !missing.is_empty() || !extra.is_empty();
        let is_seen = |pair| if follows { self.is_wrong_by_itself(pair) } else { self.is_told(pair) };
        let changed = changed.iter().filter(|pair| is_seen(**pair)).count();
        let most = changed.max(missing.len()).max(extra.len()).max(duplicated.len());
        if !self.has_same_width() {
            Symptom::WrongFormat
        } else if self.issue.rows.is_empty() && !self.reference.rows.is_empty() {
            Symptom::EmptyResult
        } else if most == 0 && self.pairing.changed.is_empty() {
            // Every cell reads the same, so what differs is how the values are kept.
            Symptom::WrongFormat
        } else if most == 0 {
            self.changed_symptom()
        } else if duplicated.len() == most {
            let stands_twice = |row: &Row| self.issue.rows.iter().filter(|other| *other == row).nth(1).is_some();
            let repeats = |row: &usize| {
                let row = &self.issue.rows[*row];
                self.reference.rows.contains(row) || stands_twice(row)
            };
            let all = duplicated.iter().take(MOST_TRIED).all(repeats);
            if all { Symptom::Duplicates } else { Symptom::SplitRows }
        } else if missing.len() == most {
            let is_there = |row: &usize| {
                let row = &self.reference.rows[*row];
                // Rows without any name are other ones, however alike they are.
                !row.iter().all(is_blank) && self.issue.rows.contains(row)
            };
            let all = missing.iter().take(MOST_TRIED).all(is_there);
            if all { Symptom::MissingCopies } else { Symptom::MissingRows }
        } else if extra.len() == most {
            Symptom::ExtraRows
        } else {
            self.changed_symptom()
        }
    }

    /// Returns what the rows are that are missing, or too many; `None` for another symptom, if others stand in for them or
    /// repeat some, or if no column of the key tells them from all rows of the other result.
    pub(super) fn kind(&self, symptom: Symptom) -> Option<RowKind> {
        let RowPairing { missing, extra, duplicated, key, is_counted, .. } = &self.pairing;
        let (rows, table, other, stand_ins) = match symptom {
            Symptom::MissingRows => (missing, self.reference, self.issue, extra),
            Symptom::ExtraRows => (extra, self.issue, self.reference, missing),
            _ => return None,
        };
        if !is_counted || !stand_ins.is_empty() || !duplicated.is_empty() {
            return None;
        }
        let names = key.iter().copied().filter(|column| !is_measure(&self.reference.columns[*column].name));
        names.into_iter().find_map(|column| {
            let values: BTreeSet<String> =
                rows.iter().map(|row| self.shown(&table.rows[*row][column], column)).collect();
            let is_filled = rows.iter().all(|row| !is_blank(&table.rows[*row][column]));
            let is_new = other.rows.iter().all(|row| !values.contains(&self.shown(&row[column], column)));
            let says_nothing = |value: &String| starts_with_day(value) || self.vocabulary.is_placeholder(value);
            let is_kind = is_filled && is_new && !values.iter().any(says_nothing);
            is_kind.then(|| RowKind { column: self.words(column), values: values.len() })
        })
    }

    /// Returns what else is wrong beside the symptom: rows that are missing or too many, whichever are more, or, where
    /// rows are missing, wrong values in most of those that both results have.
    pub(super) fn besides(&self, symptom: Symptom) -> Option<Besides> {
        let RowPairing { changed, missing, extra, duplicated, is_counted, .. } = &self.pairing;
        let changed = changed.iter().filter(|pair| self.is_wrong_by_itself(**pair)).count();
        let (wrong, missing_besides, extra_besides) = match symptom {
            Symptom::MissingRows | Symptom::MissingCopies => (missing.len(), 0, extra.len()),
            Symptom::ExtraRows => (extra.len(), missing.len(), 0),
            Symptom::Duplicates | Symptom::SplitRows => (duplicated.len(), missing.len(), extra.len()),
            Symptom::EmptyResult | Symptom::WrongOrder => return None,
            _ => (changed, missing.len(), extra.len()),
        };
        let in_both = self.reference.rows.len() - missing.len();
        let others = missing_besides.max(extra_besides);
        if !is_counted {
            None
        } else if others > 0 && others * 4 >= wrong {
            Some(match (missing_besides >= extra_besides, others) {
                (true, 1) => Besides::MissingRow,
                (true, _) => Besides::MissingRows,
                (false, 1) => Besides::ExtraRow,
                (false, _) => Besides::ExtraRows,
            })
        } else if symptom == Symptom::MissingRows && changed > 1 && changed * 2 > in_both {
            Some(Besides::WrongValues)
        } else if matches!(symptom, Symptom::WrongValue | Symptom::WrongTotal) && self.is_wrong_in_many_columns() {
            Some(Besides::OtherColumns)
        } else {
            None
        }
    }

    /// Whether most of the changed rows are wrong in many columns, as where all that follows has moved by one place.
    fn is_wrong_in_many_columns(&self) -> bool {
        let changed = &self.pairing.changed;
        let wrong = |(row, partner): &(usize, usize)| {
            let (left, right) = (&self.reference.rows[*row], &self.issue.rows[*partner]);
            let columns = differing_columns(left, right, &self.reference.columns).into_iter();
            columns.filter(|column| self.is_filled(*column) && !self.follows_others(*column)).count()
        };
        changed.iter().filter(|pair| wrong(pair) >= MANY_COLUMNS).count() * 2 > changed.len()
    }

    fn changed_symptom(&self) -> Symptom {
        let Some(column) = self.worst_column() else { return Symptom::WrongValue };
        let cells = self.cells(column);
        if cells.iter().all(|(left, right)| is_blank(right) && !is_blank(left)) {
            Symptom::NullOrEmpty
        } else if cells.iter().all(|(left, right)| is_blank(left) && !is_blank(right)) {
            Symptom::WronglyFilled
        } else if cells.iter().all(|(left, right)| same_but_form(left, right)) {
            Symptom::WrongFormat
        } else if self.is_summable(column) && deviation(&cells).is_some() {
            Symptom::WrongTotal
        } else {
            Symptom::WrongValue
        }
    }
}

/// Whether both are texts with the same letters and digits, apart from case, blanks and marks, and not two numbers; or a day
/// and its midnight, or a moment of it in its place; or nothing, as NULL and as an empty text.
fn same_but_form(left: &Value, right: &Value) -> bool {
    if is_blank(left) && is_blank(right) {
        return true;
    }
    let (Value::Text(left), Value::Text(right)) = (left, right) else { return false };
    if is_day(left) && right.strip_prefix(left.as_str()).is_some_and(is_time_of_day) {
        return true;
    }
    let [left, right] = [left, right].map(|text| text.strip_suffix(MIDNIGHT).unwrap_or(text));
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let are_two_numbers = matches!((number(left), number(right)), (Some(left), Some(right)) if left != right);
    !are_two_numbers && !bare(left).is_empty() && bare(left) == bare(right)
}

/// Whether a text is a time as it stands behind a day, such as ` 09:00:00`.
fn is_time_of_day(text: &str) -> bool {
    let Some(time) = text.strip_prefix([' ', 'T']) else { return false };
    time.contains(':') && time.bytes().all(|sign| sign.is_ascii_digit() || matches!(sign, b':' | b'.' | b'Z'))
}
