//! What is known of the data that a reference reads: words and usual values of its tables and columns.
//!
//! The composer fills it from its model of the business. For any other script it is empty, and words and values are
//! made from names and types.

use std::collections::{BTreeMap, BTreeSet};

/// Words and usual values of the tables of a script; empty where nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dictionary {
    /// Tables by their full names in lower case.
    pub tables: BTreeMap<String, TableEntry>,
    /// What people call the output columns of the script, by name in lower case.
    pub outputs: BTreeMap<String, String>,
    /// Output columns that may be added up over rows, by name in lower case.
    pub additive: BTreeSet<String>,
    /// What people call the results, by the full name in lower case of the table that holds each; a plain query's
    /// stands under the empty name.
    pub reports: BTreeMap<String, String>,
    /// Output columns that make a row of a result unique, all names in lower case, by table as `reports`.
    pub grain: BTreeMap<String, Vec<String>>,
}

/// Whether people read the table of this name, where `reports` are as in [`Dictionary::reports`]: every table if none is
/// known.
pub fn is_read(reports: &BTreeMap<String, String>, table: &str) -> bool {
    reports.is_empty() || reports.contains_key(&table.to_lowercase())
}

/// What is known of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableEntry {
    /// What its rows are called, in the plural.
    pub many: String,
    /// Columns that make a row unique within a partition; empty for events and for tables whose rows may repeat.
    pub key: Vec<String>,
    /// Columns of events, or of rows that may repeat, in which no two rows agree, in whatever partition: the key and what
    /// puts the versions of a row in order.
    pub unique: Vec<String>,
    /// Columns with the first and the last day on which a row is valid; versions of one row follow one another.
    pub validity: Option<(String, String)>,
    /// Columns by their names in the script, in lower case.
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
    /// Nothing is known: values are made from its name and type.
    #[default]
    ByName,
    /// Keys that look like these; there are more of them than are given.
    Keys(Vec<String>),
    /// One of these texts, each with its share of the rows, from 0 to 1.
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
    /// A JSON object with these fields.
    Json(Vec<String>),
    /// Points in time, as text.
    Times(TimeForm),
    /// Numbers between these two, both included.
    Range(f64, f64),
}

/// What a text that stands for a point in time gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeForm {
    /// `yyyy-MM-dd HH:mm:ss`.
    Moment,
    /// `yyyy-MM-dd`.
    Day,
    /// `yyyy-MM`.
    Month,
}

impl Dictionary {
    /// Returns the entry of a column of a table, in any case of letters; `None` if nothing is known of it.
    pub fn column(&self, table: &str, column: &str) -> Option<&ColumnEntry> {
        self.tables.get(&table.to_lowercase())?.columns.get(&column.to_lowercase())
    }
}
