//! Why the columns of a table cannot be inferred.

use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::NodeId;

/// Why the columns of a table cannot be inferred, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct InferenceRefusal {
    /// The name or `*` that leaves it open.
    pub place: LineColumn,
    /// What is open.
    pub kind: InferenceRefusalKind,
}

impl InferenceRefusal {
    pub(super) fn at(script: &Script, node: NodeId, kind: InferenceRefusalKind) -> InferenceRefusal {
        InferenceRefusal { place: script.place(script.tree().span(node).start), kind }
    }
}

/// What keeps the columns of a table from being inferred; each says the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InferenceRefusalKind {
    /// A `*` takes columns that the script does not name.
    #[error(
        "no definition of {0} found, and this takes columns of it that the script does not name; write them out instead \
         of `*`, or define the table with --schema"
    )]
    Star(String),
    /// A column without qualifier may belong to several tables without definition.
    #[error(
        "no definition of {tables} found, and `{column}` may be a column of each; write `table.{column}`, or define one \
         of them with --schema",
        tables = .tables.join(" and ")
    )]
    Ambiguous {
        /// The column.
        column: String,
        /// The tables.
        tables: Vec<String>,
    },
    /// A field of a column whose structure no definition tells.
    #[error(
        "no definition found that tells the structure of `{0}`, of which this takes a field; define its table with --schema"
    )]
    Field(String),
    /// The script names no column of a table.
    #[error("no definition of {0} found, and the script names no column of it; define the table with --schema")]
    Nameless(String),
    /// `NATURAL JOIN` with a table that nothing defines.
    #[error(
        "no definition of {0} found, and NATURAL JOIN compares all columns that the sides share; write ON, or define the \
         table with --schema"
    )]
    Natural(String),
}
