//! Conditions on the row before or after, such as `LEAD(kind) OVER (…) = 'exit'`: some row must meet them, but not the
//! row that is kept.

use super::super::constraint::{Constraint, Predicate, ValuePath};
use super::super::defaults::names_time;
use super::super::satisfies::satisfies;
use super::invert::representative;
use super::{ConditionRole, ConstraintCollector};
use crate::code::functions::RowOffset;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::Value;

/// Rows of a partition: one with a row before and a row after it.
const PARTITION_ROWS: usize = 3;
/// How many days or texts sort keys are drawn from where nothing else is asked of them.
const SORT_VALUES: usize = 24;

/// What a condition asks of a value of the row before or after.
pub(super) struct NeighbouringRow {
    pub path: ValuePath,
    pub predicate: Predicate,
    /// Whether the condition is on the row after, not on the row before.
    pub is_after: bool,
}

impl ConstraintCollector<'_, '_> {
    /// Returns which row must meet a condition on an expression: the row before or after where LAG or LEAD computes the
    /// expression or a column in it, whose window then gets several rows; else the row itself.
    pub(super) fn row_that_meets(&mut self, node: NodeId) -> ConditionRole {
        let tree = self.lineage.script.tree();
        let is_column = |inner: &NodeId| tree.kind(*inner) == Kind::Column;
        let origins = tree.descendants(node).filter(is_column).flat_map(|column| self.lineage.origins(column));
        let Some((call, role)) = std::iter::once(node).chain(origins).find_map(|node| self.offset_call(node)) else {
            return ConditionRole::Required;
        };
        self.share_window(call);
        role
    }

    /// Returns the call of LAG or LEAD that an expression is, with the row that it reads; `None` for other expressions.
    fn offset_call(&self, node: NodeId) -> Option<(NodeId, ConditionRole)> {
        self.lineage.script.call_at_offset(node).map(|(call, offset)| match offset {
            RowOffset::Before => (call, ConditionRole::RowBefore),
            RowOffset::After => (call, ConditionRole::RowAfter),
        })
    }

    /// Lets several rows stand in one partition of a window, with sort keys that put them into an order.
    pub(super) fn share_window(&mut self, call: NodeId) {
        let tree = self.lineage.script.tree();
        let over = tree.child(call, |kind| kind == Kind::Over);
        let Some(window) = over.and_then(|over| tree.child(over, |kind| kind == Kind::WindowSpec)) else { return };
        if let Some(keys) = tree.child(window, |kind| kind == Kind::PartitionBy) {
            self.share(keys);
            self.found.group_size = self.found.group_size.max(PARTITION_ROWS);
        }
        let Some(order) = tree.child(window, |kind| kind == Kind::OrderBy) else { return };
        let is_key = |key: &NodeId| {
            let data_type = self.lineage.scopes.type_of(*key);
            tree.kind(*key) == Kind::Column && matches!(data_type, Type::String | Type::Date)
        };
        let keys: Vec<NodeId> = tree.descendants(order).filter(is_key).collect();
        for key in keys {
            let is_day =
                *self.lineage.scopes.type_of(key) == Type::Date || names_time(&self.lineage.script.last_name(key));
            let value = |number| if is_day { format!("2024-03-{number:02}") } else { format!("{number:04}") };
            let values: Vec<Value> = (1..=SORT_VALUES).map(|number| Value::Text(value(number))).collect();
            for path in self.lineage.trace(key) {
                if !self.found.required.contains_key(&path.source) {
                    self.found.require(path, Predicate::OneOf(values.clone()));
                }
            }
        }
    }

    /// Relaxes conditions on a row that contradict what its neighbour must meet: both become alternatives, in the order of
    /// the rows, so that some rows meet the one and the rows beside them the other.
    pub(super) fn finish_neighbouring_rows(&mut self) {
        for NeighbouringRow { path, predicate, is_after } in std::mem::take(&mut self.neighbouring_rows) {
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
