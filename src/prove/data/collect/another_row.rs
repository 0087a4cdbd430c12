//! Conditions on the row before or after, such as `LEAD(kind) OVER (…) = 'exit'`: some row must meet them, but not the
//! row that is kept.

use super::super::constraint::{Constraint, Predicate, ValuePath};
use super::super::satisfies::satisfies;
use super::invert::representative;
use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{Kind, NodeId};

/// What a condition asks of a value of the row before or after.
pub(super) struct OtherRow {
    pub path: ValuePath,
    pub predicate: Predicate,
    /// Whether it is the row after.
    pub is_after: bool,
}

impl ConstraintCollector<'_, '_> {
    /// Returns which row must meet a condition on an expression: another one where LAG or LEAD computes the expression,
    /// or a column in it.
    pub(super) fn row_that_meets(&self, node: NodeId) -> ConditionRole {
        let tree = self.lineage.script.tree();
        let is_column = |inner: &NodeId| tree.kind(*inner) == Kind::Column;
        let origins = tree.descendants(node).filter(is_column).flat_map(|column| self.lineage.origins(column));
        std::iter::once(node).chain(origins).find_map(|node| self.shift(node)).unwrap_or(ConditionRole::Required)
    }

    fn shift(&self, node: NodeId) -> Option<ConditionRole> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let calls = tree.descendants(node).filter(|inner| matches!(tree.kind(*inner), Kind::Call { .. }));
        calls.into_iter().find_map(|call| match script.function_name(call).as_str() {
            "lag" => Some(ConditionRole::RowBefore),
            "lead" => Some(ConditionRole::RowAfter),
            _ => None,
        })
    }

    /// Lets rows differ where a condition on the row itself rules out what another condition asks of its neighbour: both
    /// become alternatives, in the order of the rows, so that each is met by some rows and the neighbours fit.
    pub(super) fn finish_other_rows(&mut self) {
        for OtherRow { path, predicate, is_after } in std::mem::take(&mut self.other_rows) {
            let Some(wanted) = representative(&predicate) else { continue };
            let Some(required) = self.found.required.get_mut(&path.source) else { continue };
            let contradicts = |constraint: &mut Constraint| {
                constraint.steps == path.steps && !satisfies(&constraint.predicate, &wanted)
            };
            let relaxed: Vec<Constraint> = required.extract_if(.., contradicts).collect();
            let other = (path.source, Constraint { steps: path.steps, predicate });
            let alternatives = &mut self.found.alternatives;
            let Some(at) = alternatives.iter().position(|known| *known == other) else { continue };
            let at = if is_after { at } else { at + 1 };
            alternatives.splice(at..at, relaxed.into_iter().map(|constraint| (path.source, constraint)));
        }
    }
}
