//! A script as SQLite runs it.

use crate::code::tree::NodeId;
use crate::engine::table::{ResultColumn, Value};

/// A script as SQLite runs it: steps of one query each, and what becomes of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Translation {
    pub(crate) steps: Vec<Step>,
    /// Tables that the script creates and reads: name and number of columns.
    pub scratch: Scratch,
    /// The steps with the sides of UNION ALL reversed; empty unless they were asked for.
    pub turned: Vec<Step>,
}

/// Tables for rows that later statements read: name and number of columns.
pub type Scratch = Vec<(String, usize)>;

impl Translation {
    /// Returns the queries in order of execution.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.sql.as_str())
    }

    /// Returns the columns of each query.
    pub fn columns(&self) -> impl Iterator<Item = &[ResultColumn]> {
        self.steps.iter().map(|step| step.columns.as_slice())
    }
}

/// One query and what becomes of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The statement (or INSERT of a multi-insert) it comes from.
    pub statement: NodeId,
    /// The query; empty for steps that only drop a table.
    pub sql: String,
    pub columns: Vec<ResultColumn>,
    pub destination: Destination,
}

/// What becomes of a query's rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Destination {
    Result {
        /// Whether the query fixes their order.
        ordered: bool,
        /// The columns of the result that it sorts them by; empty if a sort key is none of them.
        sorted_by: Vec<usize>,
    },
    Table(Write),
    /// There are no rows; the table with this name is dropped.
    Drop(String),
    /// There are no rows; a table gets another name.
    Rename {
        /// Its name.
        from: String,
        /// Its new name.
        to: String,
    },
}

/// How rows reach a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Full lower-case name.
    pub table: String,
    pub columns: Vec<ResultColumn>,
    /// Where the value of each column of the table comes from.
    pub sources: Vec<Source>,
    pub replaces: Replaces,
    /// Its name in the database, if a later statement reads it.
    pub kept_as: Option<String>,
}

/// Where the value of a written column comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A column of the query.
    Query(usize),
    /// A constant, the same for all rows.
    Constant(Value),
}

/// Which rows a write removes first.
#[derive(Clone, Debug, PartialEq)]
pub enum Replaces {
    Nothing,
    Everything,
    /// The partitions with these values in the fixed columns, and with written values in the dynamic columns.
    Partitions {
        fixed: Vec<(usize, Value)>,
        dynamic: Vec<usize>,
    },
}
