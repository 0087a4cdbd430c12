//! How recursive CTEs get from one level to the next.

use super::super::constraint::{Chain, ValuePath};
use super::ConstraintCollector;
use crate::code::scope::{ColumnTarget, RecursiveUnion};
use crate::code::tree::NodeId;

impl ConstraintCollector<'_, '_> {
    /// Notes that `key = column`, where `column` is one that a recursive CTE reads from itself, leads to further rows.
    pub(super) fn chain(&mut self, key: NodeId, column: NodeId) {
        let (lineage, tree) = (self.lineage, self.lineage.script.tree());
        let Some(ColumnTarget::Column(relation, position)) =
            lineage.scopes.binding(column).map(|binding| &binding.target)
        else {
            return;
        };
        let table = lineage.scopes.relation(*relation).recursion(tree);
        let Some(union) = table.and_then(|table| RecursiveUnion::of(tree, table)) else { return };
        let begins = lineage.trace_output(union.first, *position);
        let plain = |path: &ValuePath| path.steps.is_empty() && !begins.contains(path);
        let gives: Vec<ValuePath> =
            lineage.trace_output(union.second, *position).into_iter().filter(|path| plain(path)).collect();
        for key in lineage.trace(key).into_iter().filter(plain) {
            let onwards = gives.iter().filter(|gives| gives.source != key.source);
            self.found.chains.extend(onwards.map(|gives| Chain { key: key.source, gives: gives.source }));
        }
    }
}
