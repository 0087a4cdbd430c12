//! A possible repair and the search for the best one that the engine takes.

use super::parts::IssueParts;
use super::rule_solver::RuleRepair;
use crate::code::edit::{Edit, Edits};
use crate::repair::assignment::Assignment;

/// A possible repair.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairCandidate {
    pub edits: Vec<Edit>,
    /// How unlikely it is: the smallest goes first.
    pub cost: f64,
}

impl RepairCandidate {
    pub fn one(edit: Edit, cost: f64) -> RepairCandidate {
        RepairCandidate { edits: vec![edit], cost }
    }

    /// The repaired text; `None` if the edits do not fit.
    pub fn apply(&self, text: &str) -> Option<String> {
        Edits::new(self.edits.clone()).ok()?.apply(text).ok()
    }
}

/// Bytes that the texts the engine is asked about may have together: it reads each as a whole.
const MOST_BYTES: usize = 40 << 20;

/// The cheapest candidate that the engine accepts, among the `most` cheapest, or fewer of a text that is very
/// long; `None` if it accepts none.
pub fn cheapest_accepted(
    assignment: &Assignment<'_>,
    mut candidates: Vec<RepairCandidate>,
    most: usize,
) -> Option<RuleRepair> {
    candidates.sort_by(|left, right| left.cost.total_cmp(&right.cost));
    let most = most.min(MOST_BYTES / assignment.issue().len().max(1));
    let parts = IssueParts::of(assignment.issue());
    let parsing = candidates.iter().take(most).filter(|candidate| parts.may_parse(&candidate.edits));
    let texts = parsing.filter_map(|candidate| candidate.apply(assignment.issue()));
    let sql = texts.into_iter().find(|text| text != assignment.issue() && assignment.accepts(text))?;
    Some(RuleRepair { sql, rule: None })
}
