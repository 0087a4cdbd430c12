//! What a policy finds in a script.

use crate::code::span::{LineColumn, Span};

/// A violation of a policy: the offending bytes, and the platform's message, which depends on the place.
pub(super) struct PolicyFinding {
    pub span: Span,
    pub words: Box<dyn FnOnce(LineColumn) -> String>,
}

impl PolicyFinding {
    pub fn new(span: Span, words: impl FnOnce(LineColumn) -> String + 'static) -> PolicyFinding {
        PolicyFinding { span, words: Box::new(words) }
    }
}

/// Formats line and column as Hive does, with columns from 0.
pub(super) fn hive_place(place: LineColumn) -> String {
    format!("{}:{}", place.line, place.column - 1)
}
