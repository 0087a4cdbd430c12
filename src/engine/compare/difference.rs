//! What differs between the results of two scripts.

use crate::code::types::Type;
use crate::engine::table::Row;

/// At most this many differing rows of each side are kept as examples.
pub const EXAMPLE_ROWS: usize = 20;

/// The first table that differs, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The table's name, or empty for a plain query's result.
    pub target: String,
    pub kind: DifferenceKind,
    /// How many tables differ in all.
    pub differing_tables: usize,
}

/// What differs between two results.
#[derive(Clone, Debug, PartialEq)]
pub enum DifferenceKind {
    /// The other script does not produce this table.
    Missing,
    /// Only the other script produces this table.
    Unexpected,
    /// The tables have different numbers of columns.
    ColumnCount {
        /// Columns of the reference.
        reference: usize,
        /// Columns of the other.
        other: usize,
    },
    /// A column has types that cannot be compared.
    ColumnType {
        /// Position of the column, from 0.
        column: usize,
        reference: Type,
        other: Type,
    },
    /// The bags of rows differ.
    Rows(RowDifference),
}

/// Rows that one side has more often than the other.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RowDifference {
    /// Number of rows of the reference.
    pub reference_rows: usize,
    /// Number of rows of the other.
    pub other_rows: usize,
    /// How many rows of the reference have no partner in the other.
    pub only_in_reference_count: usize,
    /// How many rows of the other have no partner in the reference.
    pub only_in_other_count: usize,
    /// The first of them, at most [`EXAMPLE_ROWS`], in their result's order.
    pub only_in_reference: Vec<Row>,
    /// The first of them, at most [`EXAMPLE_ROWS`], in their result's order.
    pub only_in_other: Vec<Row>,
}
