//! Known semantic faults, found in the text of a script alone: what a careful reviewer would question first.

mod finding;
mod places;
mod arithmetic;
mod join;
mod null;
mod origin;
mod repeated;
mod rows;
mod sibling;
mod unreachable;

pub use finding::LintFinding;

use super::candidate::RepairCandidate;
use super::rule_solver::{RuleRepair, RuleSolver};
use crate::repair::assignment::{AnalysedText, Assignment};

type LintRule = fn(&AnalysedText) -> Vec<LintFinding>;

const RULES: [LintRule; 18] = [
    null::compared_with_null,
    null::not_in_nullable,
    join::optional_side_filtered,
    join::compared_with_itself,
    join::condition_missing,
    rows::ties_kept,
    rows::union_without_all,
    sibling::partition_filter_missing,
    sibling::default_missing,
    repeated::inconsistent_copy,
    arithmetic::fraction_dropped,
    arithmetic::column_counted,
    arithmetic::minutes_for_months,
    origin::column_of_other_relation,
    join::preserved_key_from_optional_side,
    rows::subtotals_among_rows,
    unreachable::aggregated_column_grouped,
    unreachable::missing_partner_of_inner_join,
];

/// The solver that knows what usually goes wrong.
pub const LINTER: RuleSolver = RuleSolver { name: "linter", solve };

/// Returns the repairs of the first questionable places that give a script without errors; none if the issue has an error.
fn solve(assignment: &Assignment<'_>, limit: usize) -> Vec<RuleRepair> {
    let reading = assignment.read(assignment.issue());
    let found = if reading.rejection.is_some() { Vec::new() } else { findings(&reading) };
    let repaired = found.into_iter().filter_map(|finding| {
        let candidate = RepairCandidate { edits: finding.edits, cost: finding.doubt };
        let sql = candidate.apply(assignment.issue()).filter(|text| assignment.accepts(text))?;
        Some(RuleRepair { sql, rule: Some(finding.rule) })
    });
    repaired.take(limit).collect()
}

/// Everything questionable, the surest first; ties in source order.
pub fn findings(reading: &AnalysedText) -> Vec<LintFinding> {
    let mut found: Vec<LintFinding> = RULES.iter().flat_map(|rule| rule(reading)).collect();
    found.sort_by(|left, right| {
        let start = |finding: &LintFinding| finding.edits.first().map_or(0, |edit| edit.start);
        left.doubt.total_cmp(&right.doubt).then_with(|| start(left).cmp(&start(right)))
    });
    found
}

#[cfg(test)]
mod tests;
