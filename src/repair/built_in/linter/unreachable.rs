//! What a script computes and can never give: aggregates of a group's own key, and rows without a partner of an inner join.

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// A key of GROUP BY that an aggregate of the block takes gives each of its values a group of its own.
pub fn aggregated_column_grouped(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for clause in nodes(reading, |kind| kind == Kind::GroupBy) {
        let Some(block) = tree.parent(clause) else { continue };
        let Some(outputs) = tree.child(block, |kind| kind == Kind::Projection) else { continue };
        let calls = tree.descendants(outputs).filter(|node| script.aggregates_rows(*node));
        let arguments = calls.flat_map(|call| script.arguments(call));
        let taken: Vec<NodeId> = arguments.flat_map(|argument| values(script, argument)).collect();
        let selected: Vec<NodeId> =
            tree.children(outputs).iter().flat_map(|item| tree.children(*item)).copied().collect();
        let keys = tree.children(clause);
        for (at, key) in keys.iter().copied().enumerate().filter(|_| keys.len() > 1) {
            let is_same = |other: &NodeId| is_same_column(reading, key, *other);
            if taken.iter().any(is_same) && !selected.iter().any(is_same) {
                let edits = vec![Edit::deletion(with_comma(reading, keys, at))];
                found.push(LintFinding { rule: "aggregated column grouped", doubt: 0.1, edits });
            }
        }
    }
    found
}

/// What an expression gives: what the arms of CASE and IF give, or itself.
fn values(script: &Script, node: NodeId) -> Vec<NodeId> {
    let inner = match script.tree().kind(node) {
        Kind::Paren => script.tree().children(node).to_vec(),
        _ => script.choices(node).unwrap_or_default(),
    };
    if inner.is_empty() { vec![node] } else { inner.into_iter().flat_map(|value| values(script, value)).collect() }
}

fn is_same_column(reading: &AnalysedText, one: NodeId, other: NodeId) -> bool {
    let is_column = |node: NodeId| reading.script.tree().kind(node) == Kind::Column;
    let target = |node: NodeId| reading.scopes.binding(node).map(|binding| &binding.target);
    is_column(one) && is_column(other) && target(one).is_some() && target(one) == target(other)
}

/// An item of a list with the comma before it, or that behind it if it is the first.
fn with_comma(reading: &AnalysedText, items: &[NodeId], at: usize) -> Span {
    let span = |node: NodeId| reading.script.tree().span(node);
    match at.checked_sub(1) {
        Some(before) => Span::new(span(items[before]).end, span(items[at]).end),
        None => Span::new(span(items[at]).start, span(items[at + 1]).start),
    }
}

/// A key of an inner join is never NULL: what a block has for that case was meant for a left join.
pub fn missing_partner_of_inner_join(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for join in nodes(reading, |kind| kind == Kind::Join { kind: JoinKind::Inner, natural: false }) {
        let Some(block) = tree.enclosing(join, |kind| matches!(kind, Kind::Select { .. })) else { continue };
        let Some(outputs) = tree.child(block, |kind| kind == Kind::Projection) else { continue };
        let Some(on) = tree.child(join, |kind| kind == Kind::On) else { continue };
        let tests = tree.descendants(outputs).filter(|node| tree.kind(*node) == Kind::IsNull { negated: false });
        let tested: Vec<NodeId> = tests.filter_map(|test| tree.children(test).first().copied()).collect();
        let is_joined = |key: &NodeId| {
            let Some(relation) = reading.scopes.relation_of_column(*key) else { return false };
            tree.span(join).contains(tree.span(reading.scopes.relation(relation).node))
        };
        let equalities = tree.conjuncts(on).iter().filter(|it| tree.kind(**it) == Kind::Binary(BinaryOperator::Equal));
        let mut keys = equalities.flat_map(|equality| tree.children(*equality)).filter(|key| is_joined(key));
        if keys.any(|key| tested.iter().any(|test| is_same_column(reading, *key, *test))) {
            let first = *script.token_range(join).start();
            let is_lower = script.token_text(first).starts_with(|c: char| c.is_ascii_lowercase());
            let left = if is_lower { "left" } else { "LEFT" };
            let span = script.tokens()[first].span();
            let edit = match script.token_text(first).eq_ignore_ascii_case("INNER") {
                true => Edit::replacement(span, left),
                false => Edit::insertion(span.start, format!("{left} ")),
            };
            found.push(LintFinding { rule: "missing partner of an inner join", doubt: 0.15, edits: vec![edit] });
        }
    }
    found
}
