//! Two results side by side: what names a row, and what a column holds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::facts::Deviation;
use super::normal_cell::differing_columns;
use super::pairing::RowPairing;
use super::row_key::{IDENTIFIERS, is_measure};
use super::show::shown;
use super::variables::is_day;
use crate::engine::table::{ResultTable, Row, Value};
use crate::publish::vocabulary::Vocabulary;

/// Words in the names of columns that may be added up over rows.
const ADDITIVE: [&str; 24] = [
    "amount", "amt", "qty", "quantity", "cnt", "count", "counts", "revenue", "cost", "costs", "fee", "fees", "sales",
    "gmv", "income", "profit", "minutes", "hours", "duration", "clicks", "spend", "volume", "paid", "refunded",
];
/// Words in the names of columns that may not be added up, whatever else the names say: shares, extremes, levels and
/// running figures.
const NOT_ADDITIVE: [&str; 26] = [
    "id", "rate", "ratio", "pct", "percent", "avg", "average", "mean", "median", "max", "min", "per", "share", "rank",
    "cum", "cumulative", "running", "rolling", "moving", "ytd", "mtd", "total", "balance", "prev", "last", "distinct",
];
/// Words in the names of columns that are worked out from others: people complain of them only if nothing else is wrong.
const DERIVED: [&str; 16] = [
    "rate", "ratio", "pct", "percent", "percentage", "share", "rank", "avg", "mean", "diff", "quadrant", "quartile",
    "decile", "percentile", "tile", "ntile",
];

/// Words in the names of numeric columns that hold keys of a warehouse's own, which a script gives to its rows.
const GIVEN: [&str; 4] = ["sk", "skey", "surrogate", "seq"];

/// Words in the names of columns that count something.
const COUNTS: [&str; 8] = ["cnt", "count", "num", "qty", "quantity", "amt", "amount", "sum"];
/// Most rows that are held against all rows of a result.
pub(super) const MOST_TRIED: usize = 240;

/// Two results whose rows are paired.
pub(super) struct ComparedResults<'a> {
    pub reference: &'a ResultTable,
    pub issue: &'a ResultTable,
    pub vocabulary: &'a Vocabulary,
    pub pairing: RowPairing,
}

impl ComparedResults<'_> {
    /// Whether both results have the same number of columns.
    pub(super) fn has_same_width(&self) -> bool {
        self.reference.columns.len() == self.issue.columns.len()
    }

    /// The column that differs in most paired rows, the first one of equals; one that follows others only if no other
    /// column differs. `None` if it only looks so because other rows could be paired as well.
    pub(super) fn worst_column(&self) -> Option<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (row, partner) in &self.pairing.changed {
            let (left, right) = (&self.reference.rows[*row], &self.issue.rows[*partner]);
            for column in differing_columns(left, right, &self.reference.columns) {
                *counts.entry(column).or_default() += 1;
            }
        }
        let rank = |(column, count): &(usize, usize)| {
            (self.is_filled(*column), !self.follows_others(*column), *count, std::cmp::Reverse(*column))
        };
        let worst = counts.into_iter().max_by_key(rank).map(|(column, _)| column);
        worst.filter(|column| self.differs_however_paired(*column))
    }

    /// Whether a column is wrong in some row that its key names alone, or holds other values than it should.
    fn differs_however_paired(&self, column: usize) -> bool {
        let shown = |value: &Value| self.shown(value, column);
        let cells = self.cells(column).into_iter().map(|(left, right)| (shown(left), shown(right)));
        let (mut expected, mut actual): (Vec<String>, Vec<String>) = cells.unzip();
        expected.sort_unstable();
        actual.sort_unstable();
        let is_named =
            |(row, _): &(usize, usize)| !self.pairing.key.is_empty() && self.is_only(&self.reference.rows[*row]);
        expected != actual || self.pairing.changed.iter().take(MOST_TRIED).any(is_named)
    }

    /// Whether a column is filled somewhere in the reference: nobody asks for a column that is always empty.
    pub(super) fn is_filled(&self, column: usize) -> bool {
        self.reference.rows.iter().any(|row| !is_blank(&row[column]))
    }

    /// Whether a pair of rows differs in a column that is filled somewhere.
    pub(super) fn is_told(&self, pair: (usize, usize)) -> bool {
        self.differs_in_a_column(pair, |_| true)
    }

    /// Whether a pair of rows differs in a column that is filled somewhere and that counts.
    fn differs_in_a_column(&self, (row, partner): (usize, usize), counts: impl Fn(usize) -> bool) -> bool {
        let (left, right) = (&self.reference.rows[row], &self.issue.rows[partner]);
        let mut columns = differing_columns(left, right, &self.reference.columns).into_iter();
        columns.any(|column| self.is_filled(column) && counts(column))
    }

    /// The cells of a column that differ in paired rows: (expected, actual).
    pub(super) fn cells(&self, column: usize) -> Vec<(&Value, &Value)> {
        let pairs =
            self.pairing.changed.iter().map(|(row, partner)| (&self.reference.rows[*row], &self.issue.rows[*partner]));
        let differs =
            |(left, right): &(&Row, &Row)| differing_columns(left, right, &self.reference.columns).contains(&column);
        pairs.filter(differs).map(|(left, right)| (&left[column], &right[column])).collect()
    }

    pub(super) fn is_named(&self, column: usize, words: &[&str]) -> bool {
        self.reference.columns[column].name.split('_').any(|word| words.contains(&word))
    }

    /// Whether a column is worked out from others or from other rows, as a mean or a rank.
    pub(super) fn is_derived(&self, position: usize) -> bool {
        let column = &self.reference.columns[position];
        let is_known = column.data_type.is_numeric() && self.vocabulary.is_additive(&column.name) == Some(false);
        is_known || self.is_named(position, &DERIVED)
    }

    /// Whether a column is wrong as soon as another is, or another row: it is worked out, a digest, or a number that was
    /// given to the row here.
    pub(super) fn follows_others(&self, position: usize) -> bool {
        let is_given = self.reference.columns[position].data_type.is_numeric() && self.is_named(position, &GIVEN);
        self.is_derived(position) || self.pairing.digests.contains(&position) || is_given
    }

    /// Whether a pair of rows differs in a column that follows no other, or in one that nothing is left of.
    pub(super) fn is_wrong_by_itself(&self, pair: (usize, usize)) -> bool {
        self.differs_in_a_column(pair, |column| !self.follows_others(column) || self.is_emptied(column))
    }

    /// Whether a column that should be filled is blank in every row that the user sees.
    pub(super) fn is_emptied(&self, column: usize) -> bool {
        self.is_filled(column) && self.issue.rows.iter().all(|row| is_blank(&row[column]))
    }

    pub(super) fn is_summable(&self, position: usize) -> bool {
        let column = &self.reference.columns[position];
        let by_name = || self.is_named(position, &ADDITIVE) && !self.is_named(position, &NOT_ADDITIVE);
        column.data_type.is_numeric() && self.vocabulary.is_additive(&column.name).unwrap_or_else(by_name)
    }

    pub(super) fn shown(&self, value: &Value, column: usize) -> String {
        shown(value, &self.reference.columns[column].data_type, &self.vocabulary.value)
    }

    pub(super) fn words(&self, column: usize) -> String {
        self.vocabulary.result_column(&self.reference.columns[column].name, column)
    }

    /// Returns what names a row, in as few columns as tell it from all others; nothing if its whole key is NULL.
    pub(super) fn key(&self, row: &Row) -> Vec<(String, String)> {
        self.named(&self.least_key(row), row)
    }

    /// Returns what names a row, in all columns of the key; nothing if all of them are NULL. A part that is NULL is told:
    /// without it the rest names other rows.
    pub(super) fn whole_key(&self, row: &Row) -> Vec<(String, String)> {
        self.named(&self.pairing.key, row)
    }

    pub(super) fn named(&self, columns: &[usize], row: &Row) -> Vec<(String, String)> {
        if columns.iter().all(|column| row[*column] == Value::Null) {
            return Vec::new();
        }
        columns.iter().map(|column| (self.words(*column), self.shown(&row[*column], *column))).collect()
    }

    /// Returns the fewest columns of the key that still tell the row from all others: figures are left out first, then
    /// days, then the last of the rest; one column that is neither figure nor day always stays, if there is one.
    pub(super) fn least_key(&self, row: &Row) -> Vec<usize> {
        let mut least = self.pairing.key.clone();
        let is_date = |column: &usize| is_day(&self.shown(&row[*column], *column));
        let is_text = |column: &usize| !self.reference.columns[*column].data_type.is_numeric() && !is_date(column);
        let has_text = least.iter().any(is_text);
        // Beside a text, a number that is no identifier is a figure of what the text names.
        let is_figure = |column: &usize| {
            let of_text = has_text && !is_text(column) && !is_date(column) && !self.is_named(*column, &IDENTIFIERS);
            of_text || is_measure(&self.reference.columns[*column].name)
        };
        let is_name = |column: &usize| row[*column] != Value::Null && !is_figure(column) && !is_date(column);
        let has_name = least.iter().any(is_name);
        let mut by_need = least.clone();
        by_need.sort_by_key(|column| (!is_figure(column), !is_date(column), Reverse(*column)));
        for column in by_need {
            let fewer: Vec<usize> = least.iter().copied().filter(|other| *other != column).collect();
            let is_named = match has_name {
                true => fewer.iter().any(is_name),
                false => fewer.iter().any(|column| row[*column] != Value::Null),
            };
            if is_named && self.names_the_same(&fewer, row) {
                least = fewer;
            }
        }
        least
    }

    /// Whether every row that has the row's cells in these columns has its whole key.
    fn names_the_same(&self, fewer: &[usize], row: &Row) -> bool {
        let has = |other: &Row, columns: &[usize]| columns.iter().all(|column| other[*column] == row[*column]);
        let mut rows = self.reference.rows.iter().chain(&self.issue.rows);
        rows.all(|other| !has(other, fewer) || has(other, &self.pairing.key))
    }

    /// Whether no other row has the key of a row.
    pub(super) fn is_only(&self, row: &Row) -> bool {
        self.count(self.reference, row) == 1 && self.count(self.issue, row) == 1
    }

    /// Whether the key of a row is whole and says which row it is: nobody tells rows by how many of something they count.
    pub(super) fn has_whole_key(&self, row: &Row) -> bool {
        let RowPairing { key, is_key_known, .. } = &self.pairing;
        let is_count =
            |column: &usize| self.reference.columns[*column].data_type.is_numeric() && self.is_named(*column, &COUNTS);
        let is_name = *is_key_known || key.is_empty() || !key.iter().all(is_count);
        is_name && key.iter().all(|column| !is_blank(&row[*column]))
    }

    /// How often a row is in a result: rows with the same key, or equal in every cell where nothing names them.
    pub(super) fn count(&self, table: &ResultTable, row: &Row) -> usize {
        let key = &self.pairing.key;
        let same = |other: &&Row| match key.is_empty() {
            true => *other == row,
            false => key.iter().all(|column| other[*column] == row[*column]),
        };
        table.rows.iter().filter(same).count()
    }
}

pub(super) fn is_blank(value: &Value) -> bool {
    matches!(value, Value::Null) || matches!(value, Value::Text(text) if text.trim().is_empty() || text == "[]")
}

/// To which side the actual of (expected, actual) lies in all cells, if they are numbers.
pub(super) fn deviation(cells: &[(&Value, &Value)]) -> Option<Deviation> {
    let all = |wanted: fn(f64, f64) -> bool| {
        let is_so = |(left, right): &(&Value, &Value)| matches!((left.as_number(), right.as_number()), (Some(a), Some(b)) if wanted(a, b));
        !cells.is_empty() && cells.iter().all(is_so)
    };
    if all(|expected, actual| expected < actual) {
        return Some(Deviation::TooHigh);
    }
    all(|expected, actual| expected > actual).then_some(Deviation::TooLow)
}
