//! What a rule finds.

use crate::code::span::Span;

/// The finding of a rule: class, SQLSTATE, place, and a message without these.
pub struct RuleFinding {
    pub(super) class: &'static str,
    pub(super) sqlstate: &'static str,
    pub(super) span: Span,
    pub(super) words: String,
    /// Spark's parser finds it.
    pub(super) in_text: bool,
}

impl RuleFinding {
    pub(super) fn new(
        class: &'static str,
        sqlstate: &'static str,
        span: Span,
        words: impl Into<String>,
    ) -> RuleFinding {
        RuleFinding { class, sqlstate, span, words: words.into(), in_text: false }
    }
}
