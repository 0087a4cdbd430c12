//! The error of Spark's parser at a token.

use super::rule_finding::RuleFinding;
use crate::code::script::Script;
use crate::code::span::Span;

/// Returns the finding that Spark's parser stops at a token, or at the end of the text.
pub(super) fn near(script: &Script, at: usize) -> RuleFinding {
    let token = script.tokens().get(at);
    let span = token.map_or(Span::empty(script.text().len()), |token| token.span());
    let name = token.map_or_else(|| "end of input".to_owned(), |_| format!("'{}'", script.token_text(at)));
    RuleFinding::new("PARSE_SYNTAX_ERROR", "42601", span, format!("Syntax error at or near {name}."))
}
