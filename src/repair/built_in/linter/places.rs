//! Where nodes and words stand in a script.

use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind};
use crate::code::tree::{Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// All nodes of a kind, in arena order.
pub(super) fn nodes(reading: &AnalysedText, wanted: impl Fn(Kind) -> bool) -> Vec<NodeId> {
    let tree = reading.script.tree();
    tree.ids().filter(|id| wanted(tree.kind(*id))).collect()
}

/// Where a word stands within a range, whatever its case; `None` if it does not. Comments and texts are passed over.
pub(super) fn word_in(script: &Script, within: Span, word: &str) -> Option<Span> {
    let spans = script.tokens().iter().filter(|token| token.kind == TokenKind::Word).map(Token::span);
    let mut inside = spans.filter(|span| within.start <= span.start && span.end <= within.end);
    inside.find(|span| span.of(script.text()).eq_ignore_ascii_case(word))
}
