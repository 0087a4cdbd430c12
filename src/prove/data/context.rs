//! The context in which a value is made: what decides it where the script asks nothing.

use crate::corpus::dictionary::ColumnValues;

/// The usual values of a column.
#[derive(Clone, Copy, Debug)]
pub struct UsualValues<'a> {
    /// Its values.
    pub values: &'a ColumnValues,
    /// Part of every draw, so that the draws of two purposes differ.
    pub key: &'a str,
}

/// What distinguishes one value from the others where nothing is asked.
#[derive(Clone, Debug)]
pub struct ValueContext<'a> {
    /// Name of the column or field, lower case.
    pub name: &'a str,
    /// A small number that differs between groups of rows.
    pub group: usize,
    /// A small number that differs between rows of a group.
    pub row: usize,
    /// The day around which everything happens, `yyyy-MM-dd`.
    pub day: &'a str,
    /// In an ordering of values, how many must lie below this one.
    pub level: Option<usize>,
    /// Whether words must differ between groups, because rows are joined by them.
    pub distinct: bool,
    /// The usual values of the column, where the database is made for people to look at.
    pub usual: Option<UsualValues<'a>>,
}
