//! Puts a difference between two engines' results into words.

use crate::engine::compare::{Comparison, DifferenceKind};
use crate::engine::table::Row;

/// Returns a difference in words: the first table that differs, and the first row that only one side has, of each side.
pub fn difference(comparison: &Comparison) -> String {
    let Comparison::Different(difference) = comparison else {
        return match comparison {
            Comparison::OrderOnly { .. } => "the same rows in another order".to_owned(),
            _ => "the same rows".to_owned(),
        };
    };
    let table = if difference.target.is_empty() { "the query" } else { &difference.target };
    match &difference.kind {
        DifferenceKind::Missing => format!("{table}: not produced"),
        DifferenceKind::Unexpected => format!("{table}: produced by one only"),
        DifferenceKind::ColumnCount { reference, other } => format!("{table}: {reference} columns against {other}"),
        DifferenceKind::ColumnType { column, reference, other } => {
            format!("{table}: column {column} is {reference} against {other}")
        }
        DifferenceKind::Rows(rows) => format!(
            "{table}: {} rows against {}; {} and {} without a partner: {} against {}",
            rows.reference_rows,
            rows.other_rows,
            rows.only_in_reference_count,
            rows.only_in_other_count,
            first(&rows.only_in_reference),
            first(&rows.only_in_other)
        ),
    }
}

fn first(rows: &[Row]) -> String {
    rows.first().map_or_else(|| "none".to_owned(), |row| serde_json::to_string(row).unwrap_or_default())
}
