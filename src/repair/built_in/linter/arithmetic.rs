//! Calls and operators that are seldom meant where all others of the script are written otherwise.

use super::finding::LintFinding;
use super::places::{nodes, word_in};
use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// `DIV` drops the fraction of a share or an average; one that is alone, or no more frequent than `/`, is questionable.
pub fn fraction_dropped(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let whole = nodes(reading, |kind| kind == Kind::Binary(BinaryOperator::IntegerDivide));
    let exact = nodes(reading, |kind| kind == Kind::Binary(BinaryOperator::Divide)).len();
    if whole.len() > exact.max(1) {
        return Vec::new();
    }
    let doubt = if exact > 0 { 0.15 } else { 0.4 };
    let mended = |id: &NodeId| {
        let [left, right] = tree.children(*id)[..] else { return None };
        let operator = word_in(script, Span::new(tree.span(left).end, tree.span(right).start), "div")?;
        let edits = vec![Edit::replacement(operator, "/")];
        Some(LintFinding { rule: "fraction dropped", doubt, edits })
    };
    whole.iter().filter_map(mended).collect()
}

/// `yyyy-mm-dd` has minutes where months were meant.
pub fn minutes_for_months(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mended = |text: NodeId| {
        let pattern = script.slice(text);
        let at = pattern.find("yyyy")? + "yyyy".len();
        let months = pattern[at..].trim_start_matches(['-', '/', '.']);
        let start = tree.span(text).end - months.len();
        let is_day = months.starts_with("mm") && !pattern.contains(['H', 'h', 'M']);
        let edits = vec![Edit::replacement(Span::new(start, start + "mm".len()), "MM")];
        is_day.then_some(LintFinding { rule: "minutes for months", doubt: 0.05, edits })
    };
    nodes(reading, |kind| kind == Kind::Text).into_iter().filter_map(mended).collect()
}

/// `COUNT(column)` passes over NULL; where the script counts rows elsewhere, rows were meant. It may be the other way
/// round: a column that only one side of an outer join has is counted to pass over rows without a partner.
pub fn column_counted(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let counts: Vec<NodeId> = nodes(reading, |kind| kind == Kind::Call { distinct: false })
        .into_iter()
        .filter(|call| script.function_name(*call).eq_ignore_ascii_case("count"))
        .collect();
    let argument = |call: &NodeId| tree.children(*call).get(1).copied();
    let (columns, others): (Vec<NodeId>, Vec<NodeId>) =
        counts.into_iter().partition(|call| argument(call).is_some_and(|of| tree.kind(of) == Kind::Column));
    // One that is alone among counts of rows stands out; several are a habit.
    let doubt = if columns.len() == 1 && !others.is_empty() { 0.3 } else { 0.55 };
    let mended = |call: &NodeId| {
        let edits = vec![Edit::replacement(tree.span(argument(call)?), "*")];
        Some(LintFinding { rule: "column counted", doubt, edits })
    };
    columns.iter().filter_map(mended).collect()
}
