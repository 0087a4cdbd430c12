//! Turns paired rows into the facts that stand out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::facts::{Cell, Deviation, ExampleRow, Facts, Symptom, Total};
use super::pairing::{RowPairing, differing_columns, is_measure, pair};
use super::show::{shown, shown_number, shown_pair};
use super::variables::is_day;
use crate::engine::table::{ResultTable, Row, Value};
use crate::publish::vocabulary::Vocabulary;

/// Most rows of a result that are taken as examples.
const MOST_EXAMPLES: usize = 12;
/// Most rows that are looked at for examples: each is counted in the whole results.
const MOST_TRIED: usize = 240;
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
const DERIVED: [&str; 10] = ["rate", "ratio", "pct", "percent", "percentage", "share", "rank", "avg", "mean", "diff"];
/// Words in the names of columns that hold places in an order: a number is neither too high nor too low there.
const PLACES: [&str; 5] = ["rank", "tile", "quartile", "place", "position"];
/// Words in the names of columns that tell periods.
const PERIODS: [&str; 9] = ["date", "day", "week", "month", "quarter", "year", "dt", "period", "hour"];
/// Values in a key column that mark a row which adds up others.
const SUBTOTALS: [&str; 4] = ["all", "total", "subtotal", "grand total"];

/// Returns the facts of two results whose rows differ, once for each of the first [`MOST_EXAMPLES`] rows that show the
/// symptom, the most telling first. A missing table counts as an empty one.
pub(super) fn rows(reference: &ResultTable, issue: Option<&ResultTable>, vocabulary: &Vocabulary) -> Vec<Facts> {
    let empty = ResultTable { rows: Vec::new(), ..reference.clone() };
    let issue = issue.unwrap_or(&empty);
    if issue.columns.len() != reference.columns.len() {
        let view = ComparedResults { reference, issue, vocabulary, pairing: RowPairing::default() };
        return vec![Facts { symptom: Symptom::WrongFormat, ..blank(&view) }];
    }
    let pairing = pair(reference, issue, vocabulary.grain(&reference.target));
    let view = ComparedResults { reference, issue, vocabulary, pairing };
    let symptom = view.symptom();
    // Where not all rows were paired, a number would be untrue.
    let counted = |rows: usize| if view.pairing.is_counted { rows } else { 0 };
    let facts = Facts {
        symptom,
        missing: counted(view.pairing.missing.len()),
        extra: counted(view.pairing.extra.len()),
        duplicated: counted(view.pairing.duplicated.len()),
        changed: counted(view.pairing.changed.len()),
        total: view.total(),
        ..blank(&view)
    };
    let mut examples = view.examples(symptom);
    // A code that looks like a day would be taken for one, so other rows are better examples.
    examples.sort_by_key(|example| example.key.iter().any(|(_, value)| is_day(value)));
    if examples.is_empty() {
        return vec![facts];
    }
    examples.into_iter().map(|example| Facts { example: Some(example), ..facts.clone() }).collect()
}

/// Returns the facts of two results that hold the same rows in another order; `row` is the first in another place.
pub(super) fn order(reference: &ResultTable, issue: &ResultTable, row: usize, vocabulary: &Vocabulary) -> Facts {
    let pairing = pair(reference, issue, vocabulary.grain(&reference.target));
    let view = ComparedResults { reference, issue, vocabulary, pairing };
    let example = ExampleRow {
        key: view.whole_key(&reference.rows[row]),
        cell: None,
        times: 1,
        expected_times: 1,
        position: row + 1,
        instead: view.whole_key(&issue.rows[row]),
    };
    let is_distinct = example.key != example.instead;
    Facts { symptom: Symptom::WrongOrder, example: is_distinct.then_some(example), ..blank(&view) }
}

fn blank(view: &ComparedResults) -> Facts {
    Facts {
        table: view.vocabulary.filled_table(&view.reference.target),
        title: view.vocabulary.title(&view.reference.target).cloned(),
        others: Vec::new(),
        symptom: Symptom::WrongValue,
        expected_rows: view.reference.rows.len(),
        actual_rows: view.issue.rows.len(),
        missing: 0,
        extra: 0,
        duplicated: 0,
        changed: 0,
        example: None,
        total: None,
    }
}

struct ComparedResults<'a> {
    reference: &'a ResultTable,
    issue: &'a ResultTable,
    vocabulary: &'a Vocabulary,
    pairing: RowPairing,
}

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
    fn symptom(&self) -> Symptom {
        let RowPairing { changed, missing, extra, duplicated, .. } = &self.pairing;
        let changed = changed.iter().filter(|pair| self.is_told(**pair)).count();
        let most = changed.max(missing.len()).max(extra.len()).max(duplicated.len());
        if self.issue.rows.is_empty() {
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

    /// The column that differs in most paired rows, the first one of equals; one that is worked out from others only if
    /// no other column differs.
    fn worst_column(&self) -> Option<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (row, partner) in &self.pairing.changed {
            let (left, right) = (&self.reference.rows[*row], &self.issue.rows[*partner]);
            for column in differing_columns(left, right, &self.reference.columns) {
                *counts.entry(column).or_default() += 1;
            }
        }
        let rank = |(column, count): &(usize, usize)| {
            (self.is_filled(*column), !self.is_derived(*column), *count, std::cmp::Reverse(*column))
        };
        counts.into_iter().max_by_key(rank).map(|(column, _)| column)
    }

    /// Whether a column is filled somewhere in the reference: nobody asks for a column that is always empty.
    fn is_filled(&self, column: usize) -> bool {
        self.reference.rows.iter().any(|row| !is_blank(&row[column]))
    }

    /// Whether a pair of rows differs in a column that is filled somewhere.
    fn is_told(&self, (row, partner): (usize, usize)) -> bool {
        let (left, right) = (&self.reference.rows[row], &self.issue.rows[partner]);
        differing_columns(left, right, &self.reference.columns).into_iter().any(|column| self.is_filled(column))
    }

    /// The cells of a column that differ in paired rows: (expected, actual).
    fn cells(&self, column: usize) -> Vec<(&Value, &Value)> {
        let pairs =
            self.pairing.changed.iter().map(|(row, partner)| (&self.reference.rows[*row], &self.issue.rows[*partner]));
        let differs =
            |(left, right): &(&Row, &Row)| differing_columns(left, right, &self.reference.columns).contains(&column);
        pairs.filter(differs).map(|(left, right)| (&left[column], &right[column])).collect()
    }

    fn is_named(&self, column: usize, words: &[&str]) -> bool {
        self.reference.columns[column].name.split('_').any(|word| words.contains(&word))
    }

    fn is_derived(&self, column: usize) -> bool {
        self.is_named(column, &DERIVED)
    }

    fn is_summable(&self, position: usize) -> bool {
        let column = &self.reference.columns[position];
        let by_name = || self.is_named(position, &ADDITIVE) && !self.is_named(position, &NOT_ADDITIVE);
        column.data_type.is_numeric() && self.vocabulary.is_additive(&column.name).unwrap_or_else(by_name)
    }

    fn shown(&self, value: &Value, column: usize) -> String {
        shown(value, &self.reference.columns[column].data_type, &self.vocabulary.value)
    }

    fn words(&self, column: usize) -> String {
        self.vocabulary.said_column(&self.reference.columns[column].name)
    }

    /// Returns what names a row, in as few columns as tell it from all others; nothing if its whole key is NULL.
    fn key(&self, row: &Row) -> Vec<(String, String)> {
        self.named(&self.least_key(row), row)
    }

    /// Returns what names a row, in all columns of the key; nothing if all of them are NULL. A part that is NULL is told:
    /// without it the rest names other rows.
    fn whole_key(&self, row: &Row) -> Vec<(String, String)> {
        self.named(&self.pairing.key, row)
    }

    fn named(&self, columns: &[usize], row: &Row) -> Vec<(String, String)> {
        if columns.iter().all(|column| row[*column] == Value::Null) {
            return Vec::new();
        }
        columns.iter().map(|column| (self.words(*column), self.shown(&row[*column], *column))).collect()
    }

    /// Returns the fewest columns of the key that still tell the row from all others: figures are left out first, then
    /// days, then the last of the rest.
    fn least_key(&self, row: &Row) -> Vec<usize> {
        let mut least = self.pairing.key.clone();
        let mut by_need = least.clone();
        by_need.sort_by_key(|column| {
            let is_figure = is_measure(&self.reference.columns[*column].name);
            let is_date = is_day(&self.shown(&row[*column], *column));
            (!is_figure, !is_date, Reverse(*column))
        });
        for column in by_need {
            let fewer: Vec<usize> = least.iter().copied().filter(|other| *other != column).collect();
            if fewer.iter().any(|column| row[*column] != Value::Null) && self.names_the_same(&fewer, row) {
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

    /// The first [`MOST_EXAMPLES`] rows that show the symptom and have a whole key: a part of it that is empty would be
    /// taken for what is wrong.
    fn examples(&self, symptom: Symptom) -> Vec<ExampleRow> {
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

    /// Whether no other row has the key of a row.
    fn is_only(&self, row: &Row) -> bool {
        self.count(self.reference, row) == 1 && self.count(self.issue, row) == 1
    }

    fn has_whole_key(&self, row: &Row) -> bool {
        self.pairing.key.iter().all(|column| !is_blank(&row[*column]))
    }

    /// Whether what is said of a row by its key is true: one that is missing stands nowhere in the issue, one too many
    /// nowhere in the reference, and one that comes several times should come once.
    fn names_its_rows(&self, row: &Row, symptom: Symptom) -> bool {
        self.pairing.key.is_empty()
            || match symptom {
                Symptom::MissingRows => self.count(self.issue, row) == 0,
                Symptom::ExtraRows => self.count(self.reference, row) == 0,
                Symptom::Duplicates | Symptom::SplitRows => self.count(self.reference, row) == 1,
                Symptom::MissingCopies => {
                    let same = |table: &ResultTable| table.rows.iter().filter(|other| *other == row).count();
                    [self.issue, self.reference].iter().all(|table| same(table) == self.count(table, row))
                }
                _ => true,
            }
    }

    /// How often a row is in a result: rows with the same key, or equal in every cell where nothing names them.
    fn count(&self, table: &ResultTable, row: &Row) -> usize {
        let key = &self.pairing.key;
        let same = |other: &&Row| match key.is_empty() {
            true => *other == row,
            false => key.iter().all(|column| other[*column] == row[*column]),
        };
        table.rows.iter().filter(same).count()
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
        let key = if is_named { self.key(left) } else { Vec::new() };
        let key = key.into_iter().filter(|(name, _)| *name != words).collect();
        let cell = Some(Cell { column: words, expected, actual, rows, more, deviation });
        Some(ExampleRow { key, cell, times: 1, expected_times: 1, position: 0, instead: Vec::new() })
    }

    /// Whether some row adds up others, so that a sum over all rows would count them twice.
    fn has_subtotals(&self) -> bool {
        let rows = self.reference.rows.iter().chain(&self.issue.rows);
        let mut keys = rows.flat_map(|row| self.pairing.key.iter().map(|column| &row[*column]));
        keys.any(|value| match value {
            Value::Null => true,
            Value::Text(text) => SUBTOTALS.contains(&text.to_lowercase().as_str()),
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
    fn total(&self) -> Option<Total> {
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

fn is_blank(value: &Value) -> bool {
    matches!(value, Value::Null) || matches!(value, Value::Text(text) if text.trim().is_empty() || text == "[]")
}

/// Whether the greatest value of a column is a half, a third or a quarter of its sum, as that of a grand total is above
/// one, two or three levels of rows.
fn adds_up_others(rows: &[Row], column: usize) -> bool {
    let total = sum(rows, column);
    let greatest = rows.iter().filter_map(|row| row[column].as_number()).fold(f64::NAN, f64::max);
    [2.0, 3.0, 4.0].iter().any(|levels| (greatest * levels - total).abs() <= 1e-9 * total.abs())
}

/// To which side the actual of (expected, actual) lies in all cells, if they are numbers.
fn deviation(cells: &[(&Value, &Value)]) -> Option<Deviation> {
    let all = |wanted: fn(f64, f64) -> bool| {
        let is_so = |(left, right): &(&Value, &Value)| matches!((left.as_number(), right.as_number()), (Some(a), Some(b)) if wanted(a, b));
        !cells.is_empty() && cells.iter().all(is_so)
    };
    if all(|expected, actual| expected < actual) {
        return Some(Deviation::TooHigh);
    }
    all(|expected, actual| expected > actual).then_some(Deviation::TooLow)
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
