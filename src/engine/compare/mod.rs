//! Compares the results of two scripts strictly.
//!
//! Rows are compared as bags, or as lists where a script orders them. NULL equals NULL only. Values of numeric types
//! are compared as numbers whatever their types (`3` equals `3.0`); numbers never equal text. DECIMAL columns are
//! compared after rounding to their scale. Other fractions are equal if they differ by at most 1e-9, or by 1e-9 of the
//! larger one. Arrays that `collect_list` and `collect_set` leave unordered, and texts
//! joined of them, are compared as bags.
//!
//! Rows are hashed. If the sums of the hashes differ, the rows are sorted by hash and merged.

mod difference;
mod key;
mod bag;

use std::collections::{HashMap, VecDeque};

use super::table::{ResultColumn, ResultTable, ScriptResult};
use crate::code::types::Type;
use bag::Matching;

pub use difference::{Difference, DifferenceKind, EXAMPLE_ROWS, RowDifference};
pub(crate) use key::row_hash;

/// How the results of another script compare with the reference's.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// The same tables with the same rows.
    Equal,
    /// The same rows, but an ordered result has them in another order.
    OrderOnly {
        /// The first such table: its name, or empty for a plain query's result.
        target: String,
        /// Position of the first row that differs.
        first_row: usize,
    },
    Different(Difference),
}

impl Comparison {
    /// Whether nothing differs, not even the order of ordered rows.
    pub fn is_equal(&self) -> bool {
        *self == Comparison::Equal
    }

    /// Whether tables, columns or rows differ. The same rows in another order do not count.
    pub fn is_different(&self) -> bool {
        matches!(self, Comparison::Different(_))
    }
}

/// Compares the results of another script with the reference's: written tables by name, results of plain queries by
/// position.
pub fn compare(reference: &ScriptResult, other: &ScriptResult) -> Comparison {
    let mut first: Option<Difference> = None;
    let mut order: Option<(String, usize)> = None;
    let mut differing_tables = 0;
    let mut note = |target: &str, kind: DifferenceKind| {
        differing_tables += 1;
        first.get_or_insert_with(|| Difference { target: target.to_owned(), kind, differing_tables: 0 });
    };
    for (table, partner) in partners(reference, other) {
        match partner.map(|partner| compare_tables(table, partner)) {
            None => note(&table.target, DifferenceKind::Missing),
            Some(TableComparison::Different(kind)) => note(&table.target, kind),
            Some(TableComparison::OrderOnly(row)) => {
                order.get_or_insert_with(|| (table.target.clone(), row));
            }
            Some(TableComparison::Equal) => {}
        }
    }
    for (table, partner) in partners(other, reference) {
        if partner.is_none() {
            note(&table.target, DifferenceKind::Unexpected);
        }
    }
    match (first, order) {
        (Some(difference), _) => Comparison::Different(Difference { differing_tables, ..difference }),
        (None, Some((target, first_row))) => Comparison::OrderOnly { target, first_row },
        (None, None) => Comparison::Equal,
    }
}

/// Whether columns or rows differ in a table of the reference that counts. The same rows in another order do not.
pub fn differs_in(reference: &ScriptResult, other: &ScriptResult, counts: impl Fn(&ResultTable) -> bool) -> bool {
    partners(reference, other).filter(|(table, _)| counts(table)).any(|(table, partner)| {
        partner.is_none_or(|partner| matches!(compare_tables(table, partner), TableComparison::Different(_)))
    })
}

/// Pairs each table of `left` with the table of `right` that has its name, and the n-th plain result with the n-th.
fn partners<'a>(
    left: &'a ScriptResult,
    right: &'a ScriptResult,
) -> impl Iterator<Item = (&'a ResultTable, Option<&'a ResultTable>)> {
    let mut by_name: HashMap<&str, VecDeque<&ResultTable>> = HashMap::new();
    for table in &right.tables {
        by_name.entry(&table.target).or_default().push_back(table);
    }
    left.tables.iter().map(move |table| (table, by_name.get_mut(table.target.as_str()).and_then(VecDeque::pop_front)))
}

enum TableComparison {
    Equal,
    OrderOnly(usize),
    Different(DifferenceKind),
}

fn compare_tables(reference: &ResultTable, other: &ResultTable) -> TableComparison {
    if let Some(kind) = column_difference(&reference.columns, &other.columns) {
        return TableComparison::Different(kind);
    }
    let matching = Matching::of(reference, other);
    if !matching.is_perfect() {
        return TableComparison::Different(DifferenceKind::Rows(matching.difference(reference, other)));
    }
    let ordered = reference.ordered || other.ordered;
    match matching.first_out_of_place {
        Some(row) if ordered => TableComparison::OrderOnly(row),
        _ => TableComparison::Equal,
    }
}

fn column_difference(reference: &[ResultColumn], other: &[ResultColumn]) -> Option<DifferenceKind> {
    if reference.len() != other.len() {
        return Some(DifferenceKind::ColumnCount { reference: reference.len(), other: other.len() });
    }
    let mut pairs = reference.iter().zip(other);
    let column = pairs.position(|(left, right)| !comparable(&left.data_type, &right.data_type))?;
    Some(DifferenceKind::ColumnType {
        column,
        reference: reference[column].data_type.clone(),
        other: other[column].data_type.clone(),
    })
}

/// Whether values of two types can be equal at all. Of nested types only the outermost kind is compared.
fn comparable(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => true,
        (Array(_), Array(_)) | (Map(..), Map(..)) | (Struct(_), Struct(_)) => true,
        _ => left == right || left.is_numeric() && right.is_numeric(),
    }
}

#[cfg(test)]
mod tests;
