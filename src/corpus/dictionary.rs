//! What is known of the data that a reference reads: words and usual values of its tables and columns.
//!
//! A composer knows it from its model of the business. Of a script of somebody else's nothing is known, and words and
//! values are made from names and types.

use std::collections::{BTreeMap, BTreeSet};

/// Words and usual values of the tables of a script; empty where nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dictionary {
    /// Tables by their full names in lower case.
    pub tables: BTreeMap<String, TableEntry>,
    /// What people call the output columns of the script, by their names.
    pub outputs: BTreeMap<String, String>,
    /// Output columns that may be added up over rows.
    pub additive: BTreeSet<String>,
    /// What people call the results, by the full names in lower case of the tables that hold them; a plain query's has
    /// none.
    pub reports: BTreeMap<String, String>,
}

/// What is known of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableEntry {
    /// What its rows are called, in the plural.
    pub many: String,
    /// Columns that make a row unique, within a partition; none for a table whose rows may repeat.
    pub key: Vec<String>,
    /// Columns by their names in the script.
    pub columns: BTreeMap<String, ColumnEntry>,
}

/// What is known of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnEntry {
    /// What people call it.
    pub words: String,
    /// What stands in it.
    pub values: ColumnValues,
}

/// What stands in a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ColumnValues {
    /// Its name and type say it.
    #[default]
    ByName,
    /// Keys that look like these; there are more of them than are given.
    Keys(Vec<String>),
    /// One of these texts, each with its share of the rows.
    Texts(Vec<(String, f64)>),
    /// Texts that look like these: names and remarks.
    Examples(Vec<String>),
    /// Several of these in one text.
    List {
        /// What the items are.
        items: Vec<String>,
        /// What separates them.
        separator: String,
    },
    /// Numbers between these two, both included.
    Range(f64, f64),
}

impl Dictionary {
    /// The entry of a column of a table; `None` where nothing is known of it.
    pub fn column(&self, table: &str, column: &str) -> Option<&ColumnEntry> {
        self.tables.get(&table.to_lowercase())?.columns.get(&column.to_lowercase())
    }
}
