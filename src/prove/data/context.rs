//! What a value is made for, where nothing is asked of it.

use crate::corpus::dictionary::ColumnValues;

/// What stands in a column.
#[derive(Clone, Copy, Debug)]
pub struct UsualValues<'a> {
    /// Its values.
    pub values: &'a ColumnValues,
    /// Keeps the draws of two purposes apart.
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
    /// Words must differ between groups, for rows are joined by them.
    pub distinct: bool,
    /// What stands in the column, where the database is made for people to look at.
    pub usual: Option<UsualValues<'a>>,
}
