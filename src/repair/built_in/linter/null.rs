//! NULL where two-valued logic was meant.

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, Kind};
use crate::repair::assignment::AnalysedText;

/// `x = NULL` is never true; `x IS NULL` was meant.
pub fn compared_with_null(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for id in nodes(reading, |kind| matches!(kind, Kind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual))) {
        let [left, right] = tree.children(id) else { continue };
        if tree.kind(*right) != Kind::Null {
            continue;
        }
        let between = Span::new(tree.span(*left).end, tree.span(*right).start);
        let lower = script.slice(*right).chars().all(|c| c.is_lowercase());
        let negated = tree.kind(id) == Kind::Binary(BinaryOperator::NotEqual);
        let words = match (negated, lower) {
            (false, true) => " is ",
            (false, false) => " IS ",
            (true, true) => " is not ",
            (true, false) => " IS NOT ",
        };
        found.push(LintFinding {
            rule: "compared with NULL",
            doubt: 0.01,
            edits: vec![Edit::replacement(between, words)],
        });
    }
    found
}

/// `x NOT IN (SELECT y …)` is never true once a `y` is NULL.
pub fn not_in_nullable(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for id in nodes(reading, |kind| kind == Kind::InQuery { negated: true }) {
        let Some(query) = tree.child(id, |kind| kind == Kind::Query) else { continue };
        let Some(select) = tree.child(query, |kind| matches!(kind, Kind::Select { .. })) else { continue };
        if !reading.scopes.outputs(query).first().is_some_and(|column| column.nullable) {
            continue;
        }
        let expression = tree
            .child(select, |kind| kind == Kind::Projection)
            .and_then(|projection| tree.children(projection).first().copied())
            .and_then(|item| tree.children(item).first().copied());
        let (Some(expression), Some(clause)) = (expression, tree.child(select, |kind| kind == Kind::Where)) else {
            continue;
        };
        let text = script.slice(expression);
        if script.slice(clause).to_lowercase().contains(&format!("{} is not null", text.to_lowercase())) {
            continue;
        }
        let edit = Edit::insertion(tree.span(clause).end, format!(" AND {text} IS NOT NULL"));
        found.push(LintFinding { rule: "NOT IN with NULL in the list", doubt: 0.4, edits: vec![edit] });
    }
    found
}
