//! Known semantic faults, found in the text of a script alone: what a careful reviewer would question first.

mod arithmetic;
mod finding;
mod join;
mod null;
mod places;
mod repeated;
mod rows;
mod sibling;

pub use finding::LintFinding;

use super::candidate::RepairCandidate;
use crate::repair::assignment::{AnalysedText, Assignment};
use crate::repair::attempt::{Attempt, Mode};
use crate::repair::solver::{Solver, SolverError};

type LintRule = fn(&AnalysedText) -> Vec<LintFinding>;

const RULES: [LintRule; 13] = [
    null::compared_with_null,
    null::not_in_nullable,
    join::optional_side_filtered,
    join::compared_with_itself,
    join::condition_missing,
    rows::ties_kept,
    rows::union_without_all,
    sibling::partition_filter_missing,
    repeated::inconsistent_copy,
    arithmetic::fraction_dropped,
    arithmetic::column_counted,
    join::preserved_key_from_optional_side,
    rows::subtotals_among_rows,
];

/// The solver that knows what usually goes wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linter;

impl Linter {
    pub const NAME: &'static str = "linter";
}

impl Solver for Linter {
    fn name(&self) -> &str {
        Linter::NAME
    }

    fn mode(&self) -> Mode {
        Mode::BuiltIn
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        let id = &assignment.task.instance_id;
        let reading = assignment.read(assignment.issue());
        if reading.rejection.is_some() {
            return Ok(Attempt::built_in(id, Linter::NAME, None));
        }
        let mended = findings(&reading).into_iter().find_map(|finding| {
            let candidate = RepairCandidate { edits: finding.edits.clone(), cost: finding.doubt };
            let text = candidate.apply(assignment.issue()).filter(|text| assignment.accepts(text))?;
            Some((finding.rule, text))
        });
        let (rule, text) = mended.map_or((None, None), |(rule, text)| (Some(format!("rule: {rule}")), Some(text)));
        Ok(Attempt { raw: rule, ..Attempt::built_in(id, Linter::NAME, text) })
    }
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
