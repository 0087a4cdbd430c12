//! Conditions on the row before or after, such as `LEAD(kind) OVER (…) = 'exit'`: some row must meet them, but not the
//! row that is kept.

use super::super::constraint::{Constraint, Predicate, ValuePath};
use super::super::satisfies::satisfies;
use super::ConstraintCollector;
use super::invert::representative;
use crate::code::tree::{Kind, NodeId};

impl ConstraintCollector<'_, '_> {
    /// Whether LAG or LEAD computes an expression, or a column in it.
    pub(super) fn reads_another_row(&self, node: NodeId) -> bool {
        let tree = self.lineage.script.tree();
        let is_column = |inner: &NodeId| tree.kind(*inner) == Kind::Column;
        let computed = tree.descendants(node).filter(is_column).flat_map(|column| self.lineage.origins(column));
        self.shifts_rows(node) || computed.into_iter().any(|origin| origin != node && self.shifts_rows(origin))
    }

    fn shifts_rows(&self, node: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let is_call = |inner: &NodeId| matches!(tree.kind(*inner), Kind::Call { .. });
        tree.descendants(node).filter(is_call).any(|call| matches!(script.function_name(call).as_str(), "lag" | "lead"))
    }

    /// Lets rows differ where a condition on the row itself rules out what another condition asks of its neighbour:
    /// both become alternatives, so that each is met by some rows.
    pub(super) fn finish_other_rows(&mut self) {
        for (path, predicate) in std::mem::take(&mut self.other_rows) {
            let Some(wanted) = representative(&predicate) else { continue };
            let Some(required) = self.found.required.get_mut(&path.source) else { continue };
            let contradicts =
                |constraint: &Constraint| constraint.steps == path.steps && !satisfies(&constraint.predicate, &wanted);
            let relaxed: Vec<Constraint> = required.extract_if(.., |constraint| contradicts(constraint)).collect();
            for Constraint { steps, predicate } in relaxed {
                self.found.prefer(ValuePath { source: path.source, steps }, predicate);
            }
        }
    }

    /// Notes what a condition asks of a value of another row.
    pub(super) fn note_other_row(&mut self, path: &ValuePath, predicate: &Predicate) {
        self.other_rows.push((path.clone(), predicate.clone()));
    }
}
