//! Repairs that the class of an analysis error suggests by itself.

use super::candidate::RepairCandidate;
use crate::code::edit::Edit;
use crate::code::scope::ProblemKind;
use crate::code::tree::{Kind, NodeId};
use crate::engine::spark_rules::Rejection;
use crate::repair::assignment::AnalysedText;

/// Tokens on either side in which a qualifier counts as near.
const NEAR: usize = 24;

/// What the class of a rejection suggests.
pub fn candidates(reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    match rejection.class.as_str() {
        "AMBIGUOUS_REFERENCE" => qualified(reading, rejection),
        "MISSING_AGGREGATION" => grouped(reading, rejection),
        _ => Vec::new(),
    }
}

/// An ambiguous name with the qualifier of each relation that has it; the one that stands most often nearby first.
fn qualified(reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    let script = &reading.script;
    let at = script.token_at(rejection.span.start);
    let near = at.saturating_sub(NEAR)..(at + NEAR).min(script.tokens().len());
    let mut found = Vec::new();
    for problem in reading.scopes.problems().iter().filter(|problem| problem.span == rejection.span) {
        let ProblemKind::AmbiguousColumn { candidates, .. } = &problem.kind else { continue };
        for (position, candidate) in candidates.iter().enumerate() {
            let qualifier = candidate.split('.').next().unwrap_or_default();
            let is_qualifier = |index: usize| {
                script.token_text(index).eq_ignore_ascii_case(qualifier) && script.token_text(index + 1) == "."
            };
            let uses = near.clone().filter(|index| is_qualifier(*index)).count();
            let cost = 0.2 + 0.05 * position as f64 + 0.1 / (1.0 + uses as f64);
            found.push(RepairCandidate::one(Edit::insertion(problem.span.start, format!("{qualifier}.")), cost));
        }
    }
    found
}

/// A bare column beside aggregates, put at the end of GROUP BY.
fn grouped(reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let at_place = |id: &NodeId| tree.span(*id) == rejection.span;
    let Some(column) = tree.ids().find(at_place) else { return Vec::new() };
    let select = tree.enclosing(column, |kind| matches!(kind, Kind::Select { .. }));
    let clause = select.and_then(|select| tree.child(select, |kind| kind == Kind::GroupBy));
    let Some(clause) = clause else { return Vec::new() };
    let words = format!(", {}", script.slice(column));
    vec![RepairCandidate::one(Edit::insertion(tree.span(clause).end, words), 0.3)]
}
