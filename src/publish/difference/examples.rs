//! Rows that show what is wrong.

use super::compared_results::{ComparedResults, MOST_TRIED, deviation, is_blank};
use super::facts::{Cell, Deviation, ExampleRow, Symptom};
use super::normal_cell::differing_columns;
use super::pairing::RowPairing;
use super::show::shown_pair;
use crate::engine::table::{ResultTable, Row};

/// Most rows of a result that are taken as examples.
const MOST_EXAMPLES: usize = 12;
/// Least rows with the same value from which on it is no chance that they have it.
const LEAST_ALIKE: usize = 3;
/// Words in the names of columns that hold places in an order: a number is neither too high nor too low there.
const PLACES: [&str; 5] = ["rank", "tile", "quartile", "place", "position"];

/// What holds for all wrong cells of a column.
#[derive(Clone, Copy)]
struct WrongColumn {
    column: usize,
    /// How many rows have a wrong cell in it.
    rows: usize,
    /// To which side these lie; `None` for what is no figure, such as a code.
    deviation: Option<Deviation>,
}

impl ComparedResults<'_> {
    /// The first [`MOST_EXAMPLES`] rows that show the symptom and have a whole key: a part of it that is empty would be
    /// taken for what is wrong.
    pub(super) fn examples(&self, symptom: Symptom) -> Vec<ExampleRow> {
        let RowPairing { missing, extra, duplicated, .. } = &self.pairing;
        let (reference, issue) = (&self.reference.rows, &self.issue.rows);
        let mut rows: Vec<&Row> = match symptom {
            Symptom::MissingRows | Symptom::MissingCopies => missing.iter().map(|row| &reference[*row]).collect(),
            Symptom::ExtraRows => extra.iter().map(|row| &issue[*row]).collect(),
            Symptom::Duplicates | Symptom::SplitRows => duplicated.iter().map(|row| &issue[*row]).collect(),
            Symptom::EmptyResult => reference.iter().collect(),
            _ => return self.changed_examples(),
        };
        rows.truncate(MOST_TRIED);
        rows.retain(|row| self.has_whole_key(row) && self.names_its_rows(row, symptom));
        let is_repeated = matches!(symptom, Symptom::Duplicates | Symptom::SplitRows | Symptom::MissingCopies);
        let times = |table: &ResultTable, row: &Row| if is_repeated { self.count(table, row) } else { 1 };
        let example = |row: &Row| ExampleRow {
            key: self.key(row),
            cell: None,
            times: times(self.issue, row),
            expected_times: times(self.reference, row),
            position: 0,
            instead: Vec::new(),
        };
        rows.into_iter().take(MOST_EXAMPLES).map(example).collect()
    }

    /// Whether what is said of a row by its key is true: one that is missing stands nowhere in the issue, one too many
    /// nowhere in the reference, and one that comes several times should come once.
    fn names_its_rows(&self, row: &Row, symptom: Symptom) -> bool {
        self.pairing.key.is_empty()
            || match symptom {
                Symptom::MissingRows => self.count(self.issue, row) == 0,
                Symptom::ExtraRows => self.count(self.reference, row) == 0,
                Symptom::Duplicates => self.count(self.reference, row) == 1,
                Symptom::SplitRows => self.count(self.reference, row) == 1 && self.comes_in_other_forms(row),
                Symptom::MissingCopies => {
                    let same = |table: &ResultTable| table.rows.iter().filter(|other| *other == row).count();
                    [self.issue, self.reference].iter().all(|table| same(table) == self.count(table, row))
                }
                _ => true,
            }
    }

    /// Whether another row of the issue has the key of a row and other values.
    fn comes_in_other_forms(&self, row: &Row) -> bool {
        let has_key = |other: &Row| self.pairing.key.iter().all(|column| other[*column] == row[*column]);
        self.issue.rows.iter().any(|other| other != row && has_key(other))
    }

    /// The first [`MOST_EXAMPLES`] wrong cells: those of the worst column first, and within a column those first whose
    /// expected value is neither blank nor zero. A row has its key only if that is whole and that of one row alone.
    fn changed_examples(&self) -> Vec<ExampleRow> {
        let Some(worst) = self.worst_column() else { return Vec::new() };
        let tells = |row: usize, column: usize| {
            let (row, value) = (&self.reference.rows[row], &self.reference.rows[row][column]);
            !is_blank(value) && value.as_number() != Some(0.0) && self.has_whole_key(row)
        };
        let others = (0..self.reference.columns.len()).filter(|column| *column != worst);
        let of_column = |column: usize| {
            let (telling, others): (Vec<_>, Vec<_>) =
                self.pairing.changed.iter().partition(|(row, _)| tells(*row, column));
            let wrong = self.wrong_column(column);
            let example = move |(row, partner)| self.wrong_cell(wrong, row, partner);
            telling.into_iter().chain(others).take(MOST_TRIED).filter_map(example)
        };
        std::iter::once(worst).chain(others).flat_map(of_column).take(MOST_EXAMPLES).collect()
    }

    fn wrong_column(&self, column: usize) -> WrongColumn {
        let cells = self.cells(column);
        let is_figure = self.is_summable(column) || self.is_derived(column);
        let is_figure = is_figure && !self.is_named(column, &PLACES);
        WrongColumn { column, rows: cells.len(), deviation: is_figure.then(|| deviation(&cells)).flatten() }
    }

    fn wrong_cell(&self, wrong: WrongColumn, row: usize, partner: usize) -> Option<ExampleRow> {
        let WrongColumn { column, rows, deviation } = wrong;
        let (left, right) = (&self.reference.rows[row], &self.issue.rows[partner]);
        let differing = differing_columns(left, right, &self.reference.columns);
        if !differing.contains(&column) {
            return None;
        }
        let more = differing.into_iter().filter(|other| *other != column && self.is_filled(*other));
        let more = more.map(|other| self.words(other)).collect();
        let data_type = &self.reference.columns[column].data_type;
        let (expected, actual) = shown_pair(&left[column], &right[column], data_type, &self.vocabulary.value);
        let words = self.words(column);
        let is_named = self.has_whole_key(left) && self.is_only(left);
        let least = if is_named { self.least_key(left) } else { Vec::new() };
        // A sum, or a key, is that of its own row, however many rows have the same.
        let is_own = self.is_summable(column) || least.contains(&column);
        let key = if is_own { least.clone() } else { self.key_of_value(column, &least, (left, right)) };
        let is_everywhere = key.is_empty() && !least.is_empty();
        // What else is wrong in the row says nothing of the others that the value stands in.
        let more = if key.len() < least.len() { Vec::new() } else { more };
        let key = self.named(&key, left).into_iter().filter(|(name, _)| *name != words).collect();
        let is_all_blank = self.is_emptied(column);
        let cell = Some(Cell { column: words, expected, actual, is_everywhere, rows, is_all_blank, more, deviation });
        Some(ExampleRow { key, cell, times: 1, expected_times: 1, position: 0, instead: Vec::new() })
    }

    /// Returns the columns of a key that a wrong value belongs to: without those that make no difference to it, as the shop
    /// makes none to a mean over all shops, which would be taken for its own.
    fn key_of_value(&self, column: usize, key: &[usize], (left, right): (&Row, &Row)) -> Vec<usize> {
        let is_that_of_all = |table: &ResultTable, row: &Row, columns: &[usize]| {
            let has = |other: &&Row| columns.iter().all(|column| other[*column] == row[*column]);
            let mut others = table.rows.iter().filter(has);
            others.clone().count() >= LEAST_ALIKE && others.all(|other| other[column] == row[column])
        };
        let mut needed = key.to_vec();
        for candidate in key {
            let fewer: Vec<usize> = needed.iter().copied().filter(|other| other != candidate).collect();
            if is_that_of_all(self.reference, left, &fewer) && is_that_of_all(self.issue, right, &fewer) {
                needed = fewer;
            }
        }
        needed
    }
}
