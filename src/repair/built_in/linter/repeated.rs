//! Blocks that were copied and changed, but not everywhere.

use std::collections::BTreeMap;

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// Least distance, in tokens, from the first to the last token of a block that counts as a copy.
const SHORTEST: usize = 12;

/// Two blocks of the same length of which the second replaces some words of the first, one of them everywhere but once.
pub fn inconsistent_copy(reading: &AnalysedText) -> Vec<LintFinding> {
    let blocks = nodes(reading, |kind| matches!(kind, Kind::Select { .. } | Kind::Case { .. } | Kind::Call { .. }));
    let mut found = Vec::new();
    for (at, first) in blocks.iter().enumerate() {
        for second in blocks[at + 1..].iter().filter(|second| disjoint(reading, *first, **second)) {
            found.extend(compared(reading, *first, *second));
        }
    }
    found
}

fn disjoint(reading: &AnalysedText, first: NodeId, second: NodeId) -> bool {
    let tree = reading.script.tree();
    tree.kind(first) == tree.kind(second) && !tree.span(first).overlaps(tree.span(second))
}

fn compared(reading: &AnalysedText, first: NodeId, second: NodeId) -> Option<LintFinding> {
    let script = &reading.script;
    let (one, two) = (script.token_range(first), script.token_range(second));
    let length = one.end() - one.start();
    if length < SHORTEST || length != two.end() - two.start() {
        return None;
    }
    let mut meant: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for (left, right) in one.zip(two) {
        let (from, to) = (script.token_text(left).to_lowercase(), script.token_text(right).to_lowercase());
        if script.tokens()[left].kind != script.tokens()[right].kind {
            return None;
        }
        let name = matches!(script.tokens()[left].kind, TokenKind::Word | TokenKind::Text | TokenKind::Number);
        if from != to && !name {
            return None;
        }
        meant.entry(from).or_default().entry(to).or_default().push(right);
    }
    let changed = meant.iter().filter(|(from, to)| to.keys().any(|word| word != *from)).count();
    let mut odd = meant.iter().filter_map(|(from, to)| {
        let (usual, often) = to.iter().filter(|(word, _)| *word != from).max_by_key(|(_, places)| places.len())?;
        let left = to.get(from).filter(|places| places.len() == 1 && often.len() >= 2)?;
        Some((usual.clone(), left[0], often[0]))
    });
    let (_, place, sample) = odd.next().filter(|_| odd.next().is_none() && changed <= 4)?;
    let edit = Edit::replacement(script.tokens()[place].span(), script.token_text(sample));
    Some(LintFinding { rule: "copied and changed but once", doubt: 0.3, edits: vec![edit] })
}
