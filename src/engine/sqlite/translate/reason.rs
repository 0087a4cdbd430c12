//! Why the embedded engine cannot run a script.

use crate::code::functions::UnsupportedReason;
use crate::code::span::Span;
use crate::code::tree::NodeId;

/// A construct that cannot be translated, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (at byte {})", .span.start)]
pub struct Unsupported {
    pub node: NodeId,
    /// Its bytes in the script that was translated.
    pub span: Span,
    /// What is not supported.
    pub what: Reason,
}

/// Why a construct cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("the statement does not parse")]
    Invalid,
    #[error("column '{0}' does not resolve")]
    UnresolvedColumn(String),
    #[error("table '{0}' is not defined")]
    UnknownTable(String),
    /// A function is not in the library.
    #[error("function '{0}' is not in the library")]
    UnknownFunction(String),
    /// A function of Spark that the embedded engine cannot run soundly.
    #[error("function '{name}' {}", .why.words())]
    RefusedFunction { name: String, why: UnsupportedReason },
    /// The result would depend on chance, on the clock or on the order of unordered rows.
    #[error("'{0}' is not deterministic")]
    Nondeterministic(String),
    /// A placeholder has no value.
    #[error("placeholder '{0}' has no value")]
    UnboundPlaceholder(String),
    /// An INSERT gives a different number of columns than its table takes.
    #[error("{given} columns are given where the table takes {wanted}")]
    ColumnCount {
        /// How many the table takes.
        wanted: usize,
        given: usize,
    },
    #[error("{0} is not supported")]
    Construct(&'static str),
}
