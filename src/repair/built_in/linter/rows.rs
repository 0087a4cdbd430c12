//! Rows kept or lost by ranking and set operations.

use super::finding::LintFinding;
use super::places::{nodes, word_in};
use crate::code::edit::Edit;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, Kind, NodeId, SetOperator};
use crate::repair::assignment::AnalysedText;

/// `rank()` filtered to the first place keeps ties; `row_number()` keeps one row. Without such a filter it is doubtful.
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

/// `UNION` drops rows that happen to be equal; `UNION ALL` was meant, all the more where the script has it elsewhere.
pub fn union_without_all(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let is_union = |kind: Kind| matches!(kind, Kind::SetOperation { operator: SetOperator::Union, .. });
    let all: Vec<NodeId> = nodes(reading, is_union);
    let keeps = |id: &&NodeId| matches!(tree.kind(**id), Kind::SetOperation { all: true, .. });
    let kept = all.iter().filter(keeps).count();
    let mut found = Vec::new();
    for id in all.iter().filter(|id| !keeps(id)) {
        let [left, right] = tree.children(*id) else { continue };
        let gap = Span::new(tree.span(*left).end, tree.span(*right).start);
        let Some(operator) = word_in(&reading.script, gap, "union") else { continue };
        if word_in(&reading.script, gap, "distinct").is_some() {
            continue;
        }
        let word = if operator.of(reading.script.text()) == "union" { " all" } else { " ALL" };
        let edits = vec![Edit::insertion(operator.end, word)];
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
        let span = tree.span(clause);
        let Some(with) = word_in(script, span, "with").filter(|with| is_rollup(script, with.end)) else { continue };
        let Some(block) = tree.enclosing(clause, |kind| matches!(kind, Kind::Select { .. })) else { continue };
        let is_call = |node: &NodeId| matches!(tree.kind(*node), Kind::Call { .. });
        if !tree.descendants(block).filter(is_call).any(|call| script.tells_subtotals(call)) {
            let start = script.text()[..with.start].trim_end().len();
            let edits = vec![Edit::deletion(Span::new(start, span.end))];
            found.push(LintFinding { rule: "totals among rows", doubt: 0.2, edits });
        }
    }
    found
}

/// Whether `ROLLUP` is the next word after this byte.
fn is_rollup(script: &Script, offset: usize) -> bool {
    let next = script.tokens().iter().find(|token| token.span().start >= offset);
    next.is_some_and(|token| token.span().of(script.text()).eq_ignore_ascii_case("rollup"))
}
