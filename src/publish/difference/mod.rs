//! Turns two results into the facts that a business user sees on the report.

mod facts;
mod show;
mod digest;
mod normal_cell;
mod row_key;
pub mod pairing;
mod variables;
mod compared_results;
mod symptom;
mod examples;
mod totals;
mod describe;
pub mod claims;

pub use facts::{Besides, Cell, Deviation, ExampleRow, Facts, RowKind, Symptom, Total};
pub use normal_cell::differing_columns;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::vocabulary::Vocabulary;
use crate::corpus::dictionary::is_read;
use crate::engine::compare::{Comparison, compare};
use crate::engine::table::{DIRECTORY, ResultTable, ScriptResult};

impl Facts {
    /// Returns what a user sees if `issue` comes out in place of `reference`; `None` if no table of the reference
    /// differs. Of several wrong tables, those with wrong rows go before those in a wrong order, then those that are no
    /// scratch tables, then the last: it is what users look at.
    pub fn of(reference: &ScriptResult, issue: &ScriptResult, vocabulary: &Vocabulary) -> Option<Facts> {
        Facts::each(reference, issue, vocabulary).into_iter().next()
    }

    /// Returns [`Facts::of`], then the same facts with each further row that shows the symptom as the example.
    pub fn each(reference: &ScriptResult, issue: &ScriptResult, vocabulary: &Vocabulary) -> Vec<Facts> {
        let Some(seen) = chosen(reference, issue, vocabulary.reports()) else { return Vec::new() };
        let all = match seen.first_row {
            Some(row) => vec![describe::order(seen.expected, &seen.found(), row, vocabulary)],
            None => describe::rows(seen.expected, &seen.found(), vocabulary),
        };
        let others = differing_tables(reference, issue, vocabulary.reports()).into_iter();
        let others = others.filter(|other| other.position != seen.position);
        let is_shown = |table: &str| !is_scratch(table) && !vocabulary.is_read(table);
        let others = others.filter(|other| is_shown(&other.expected.target));
        let others = others.map(|other| (name(reference, other.position, vocabulary), other));
        let table = name(reference, seen.position, vocabulary);
        // Two reports may have one name.
        let mut named = BTreeSet::from([table.clone()]);
        let (names, others): (Vec<String>, Vec<DifferingTable>) =
            others.filter(|(name, _)| named.insert(name.clone())).unzip();
        let symptoms: BTreeSet<Symptom> = others.iter().map(|other| other.symptom(vocabulary)).collect();
        let others_symptom = symptoms.first().copied().filter(|_| symptoms.len() == 1);
        let told = |facts| Facts { table: table.clone(), others: names.clone(), others_symptom, ..facts };
        all.into_iter().map(told).collect()
    }

    /// Returns the variables that a phrase may use; absent facts have none. `brief` names rows by their values alone where
    /// these look like names.
    pub fn variables(&self, vocabulary: &Vocabulary, brief: bool) -> BTreeMap<String, String> {
        variables::variables(self, vocabulary, brief)
    }
}

/// Returns what a user calls the table at a position of a result: of several results of plain queries, or files, which it
/// is.
fn name(result: &ScriptResult, position: usize, vocabulary: &Vocabulary) -> String {
    let target = result.tables[position].target.as_str();
    let is_file = target.starts_with(DIRECTORY);
    let is_alike = |table: &&ResultTable| match is_file {
        true => table.target.starts_with(DIRECTORY),
        false => table.target.is_empty(),
    };
    let alike = |tables: &[ResultTable]| tables.iter().filter(is_alike).count();
    match (is_file || target.is_empty()) && alike(&result.tables) > 1 {
        true => vocabulary.nth_result(alike(&result.tables[..position]), is_file),
        false => vocabulary.filled_table(target),
    }
}

/// Whether a user who looks at the results sees that they differ. `reports` has the tables in lower case that people
/// look at; if it is empty, they look at all.
pub fn is_noticeable(reference: &ScriptResult, issue: &ScriptResult, reports: &BTreeMap<String, String>) -> bool {
    chosen(reference, issue, reports).is_some()
}

/// A table of the reference that comes out differently.
struct DifferingTable<'a> {
    position: usize,
    expected: &'a ResultTable,
    actual: Option<&'a ResultTable>,
    /// The first row in another place if only the order differs.
    first_row: Option<usize>,
}

impl<'a> DifferingTable<'a> {
    /// Returns what comes out in its place; a missing table counts as an empty one.
    fn found(&self) -> Cow<'a, ResultTable> {
        let empty = || Cow::Owned(ResultTable { rows: Vec::new(), ..self.expected.clone() });
        self.actual.map_or_else(empty, Cow::Borrowed)
    }

    fn symptom(&self, vocabulary: &Vocabulary) -> Symptom {
        match self.first_row {
            Some(_) => Symptom::WrongOrder,
            None => describe::symptom(self.expected, &self.found(), vocabulary),
        }
    }
}

/// The table that a user complains about.
fn chosen<'a>(
    reference: &'a ScriptResult,
    issue: &'a ScriptResult,
    reports: &BTreeMap<String, String>,
) -> Option<DifferingTable<'a>> {
    let differing = differing_tables(reference, issue, reports).into_iter();
    differing.max_by_key(|seen| (seen.first_row.is_none(), !is_scratch(&seen.expected.target), seen.position))
}

/// The tables that differ and that people may look at, each with the issue's table of its name: the n-th of a name with
/// the n-th.
fn differing_tables<'a>(
    reference: &'a ScriptResult,
    issue: &'a ScriptResult,
    reports: &BTreeMap<String, String>,
) -> Vec<DifferingTable<'a>> {
    let side = |table: &ResultTable| ScriptResult { tables: vec![table.clone()] };
    let seen = |(position, expected): (usize, &'a ResultTable)| {
        let nth = reference.tables[..position].iter().filter(|before| before.target == expected.target).count();
        let actual = issue.tables.iter().filter(|table| table.target == expected.target).nth(nth);
        let first_row = match actual.map(|actual| compare(&side(expected), &side(actual))) {
            Some(Comparison::Equal) => return None,
            Some(Comparison::OrderOnly { first_row, .. }) => Some(first_row),
            Some(Comparison::Different(_)) if actual.is_some_and(|actual| look_alike(expected, actual)) => return None,
            Some(Comparison::Different(_)) | None => None,
        };
        Some(DifferingTable { position, expected, actual, first_row })
    };
    let read = reference.tables.iter().enumerate().filter(|(_, table)| is_read(reports, &table.target));
    read.filter_map(seen).collect()
}

/// Whether two tables show the same, though their types differ: `'7'` and `7` are one thing on a report.
fn look_alike(expected: &ResultTable, actual: &ResultTable) -> bool {
    let bag = |table: &ResultTable| {
        let mut rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(show::plain).collect()).collect();
        rows.sort_unstable();
        rows
    };
    let mut columns = expected.columns.iter().zip(&actual.columns);
    expected.columns.len() == actual.columns.len()
        && columns.any(|(left, right)| left.data_type != right.data_type)
        && bag(expected) == bag(actual)
}

/// Whether a table only hands rows to later statements.
fn is_scratch(table: &str) -> bool {
    let short = table.rsplit('.').next().unwrap_or(table);
    short.split('_').any(|word| matches!(word, "tmp" | "temp" | "stg" | "mid"))
}

#[cfg(test)]
mod test_naming;
#[cfg(test)]
mod test_figures;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod test_tables;
