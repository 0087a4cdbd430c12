//! Rows kept or lost by ranking and set operations.

use super::{LintFinding, nodes};
use crate::code::edit::Edit;
use crate::code::tree::{BinaryOperator, Kind, NodeId, SetOperator};
use crate::repair::assignment::AnalysedText;

/// `rank()` filtered to the first place keeps ties; `row_number()` keeps one row.
pub fn ties_kept(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for call in nodes(reading, |kind| matches!(kind, Kind::Call { .. })) {
        if !matches!(script.function_name(call).as_str(), "rank" | "dense_rank") {
            continue;
        }
        let Some(name) = tree.child(call, |kind| kind == Kind::FunctionName) else { continue };
        let alias = tree.parent(call).and_then(|item| tree.child(item, |kind| kind == Kind::Alias));
        let Some(alias) = alias.map(|alias| script.last_name(alias)) else { continue };
        let lower = script.slice(name).bytes().any(|byte| byte.is_ascii_lowercase());
        let doubt = if is_compared_with_one(reading, &alias) { 0.12 } else { 0.6 };
        let words = if lower { "row_number" } else { "ROW_NUMBER" };
        found.push(LintFinding { rule: "ties kept", doubt, edits: vec![Edit::replacement(tree.span(name), words)] });
    }
    found
}

fn is_compared_with_one(reading: &AnalysedText, column: &str) -> bool {
    let (script, tree) = (&reading.script, reading.script.tree());
    nodes(reading, |kind| matches!(kind, Kind::Binary(BinaryOperator::Equal))).into_iter().any(|id| {
        let [left, right] = tree.children(id) else { return false };
        tree.kind(*left) == Kind::Column && script.last_name(*left) == column && script.slice(*right) == "1"
    })
}

/// `UNION` drops rows that happen to be equal; branches that a written label keeps apart need no such thing.
pub fn union_without_all(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let is_union = |kind: Kind| matches!(kind, Kind::SetOperation { operator: SetOperator::Union, .. });
    let all: Vec<NodeId> = nodes(reading, is_union);
    let keeps = |id: &&NodeId| matches!(tree.kind(**id), Kind::SetOperation { all: true, .. });
    let kept = all.iter().filter(keeps).count();
    let mut found = Vec::new();
    for id in all.iter().filter(|id| !keeps(id)) {
        let [left, right] = tree.children(*id) else { continue };
        let gap = crate::code::span::Span::new(tree.span(*left).end, tree.span(*right).start);
        let text = gap.of(reading.script.text());
        let Some(at) = text.to_ascii_lowercase().find("union") else { continue };
        if text.to_ascii_lowercase().contains("distinct") {
            continue;
        }
        let word = if text[at..].starts_with("union") { " all" } else { " ALL" };
        let edits = vec![Edit::insertion(gap.start + at + "union".len(), word)];
        let doubt = if kept > 0 { 0.25 } else { 0.35 };
        found.push(LintFinding { rule: "UNION without ALL", doubt, edits });
    }
    found
}

/// `WITH ROLLUP` adds totals to the rows; a block that never asks which rows are totals was not meant to have any.
pub fn subtotals_among_rows(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for clause in nodes(reading, |kind| kind == Kind::GroupBy) {
        let text = script.slice(clause).to_ascii_lowercase();
        let Some(start) = text.rfind("with rollup").map(|at| text[..at].trim_end().len()) else { continue };
        let Some(block) = tree.enclosing(clause, |kind| matches!(kind, Kind::Select { .. })) else { continue };
        let calls = tree.descendants(block).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
        let asks = calls.map(|call| script.function_name(call).to_lowercase()).any(|name| name.starts_with("grouping"));
        if !asks {
            let span = tree.span(clause);
            let edits = vec![Edit::deletion(crate::code::span::Span::new(span.start + start, span.end))];
            found.push(LintFinding { rule: "totals among rows", doubt: 0.2, edits });
        }
    }
    found
}
