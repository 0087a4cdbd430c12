//! What HAVING and ORDER BY can still name after GROUP BY or DISTINCT.

use super::frame::{FrameId, Grouping};
use super::model::{ColumnPosition, ColumnTarget};
use super::place::VisibleNames;
use super::resolver::Resolver;
use super::search::ResolvedName;
use crate::code::dialect::Dialect;
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};

impl Resolver<'_> {
    /// Notes what the resolved GROUP BY of a block keeps: the columns inside its keys. A column of a key counts
    /// wherever it stands, so that no legal script is refused.
    pub fn note_grouping(&mut self, group_by: NodeId, frame: FrameId) {
        let mut grouping = Grouping::default();
        for key in self.tree.children(group_by).iter().copied() {
            self.note_key(key, frame, &mut grouping);
        }
        self.frame_mut(frame).grouping = Some(grouping);
    }

    fn note_key(&self, key: NodeId, frame: FrameId, grouping: &mut Grouping) {
        if self.tree.kind(key) == Kind::Number {
            return self.note_ordinal(key, frame, grouping);
        }
        for node in self.tree.descendants(key).filter(|node| self.tree.kind(*node) == Kind::Column) {
            match self.scopes.binding(node).map(|binding| &binding.target) {
                Some(ColumnTarget::Column(relation, column)) => {
                    grouping.columns.insert((*relation, *column));
                }
                Some(ColumnTarget::Alias(item)) => grouping.columns.extend(self.columns_under(*item)),
                _ => grouping.everything = true,
            }
        }
    }

    fn note_ordinal(&self, key: NodeId, frame: FrameId, grouping: &mut Grouping) {
        let outputs = self.outputs_of(self.frame(frame).block);
        let position = self.script.slice(key).parse::<usize>().ok().and_then(|ordinal| ordinal.checked_sub(1));
        let Some(output) = position.and_then(|position| outputs.get(position)) else {
            grouping.everything = true;
            return;
        };
        grouping.columns.extend(output.passes_on);
        grouping.columns.extend(output.expression.map(|item| self.columns_under(item)).unwrap_or_default());
    }

    fn columns_under(&self, node: NodeId) -> Vec<ColumnPosition> {
        let columns = self.tree.descendants(node).filter_map(|node| match self.scopes.binding(node)?.target {
            ColumnTarget::Column(relation, column) => Some((relation, column)),
            _ => None,
        });
        columns.collect()
    }

    /// Whether GROUP BY or DISTINCT has taken an input column away from HAVING or ORDER BY.
    pub fn is_lost(&self, column: NodeId, hit: &ResolvedName, frame: FrameId, clause: VisibleNames) -> bool {
        let ColumnTarget::Column(relation, index) = hit.binding.target else { return false };
        if !matches!(clause, VisibleNames::Having | VisibleNames::Ordering) {
            return false;
        }
        let frame = self.frame(frame);
        if let Some(grouping) = &frame.grouping {
            return !grouping.everything
                && !grouping.columns.contains(&(relation, index))
                && !self.is_aggregated(column);
        }
        if self.makes_one_group(frame.block) {
            return !self.is_aggregated(column);
        }
        let distinct = self.tree.kind(frame.block) == Kind::Select { distinct: true };
        distinct && clause == VisibleNames::Ordering && !self.is_selected((relation, index), frame.block)
    }

    /// Whether a block without GROUP BY makes one row of all.
    fn makes_one_group(&self, block: NodeId) -> bool {
        let list = self.tree.child(block, |kind| kind == Kind::Projection);
        let nodes = list.into_iter().flat_map(|list| self.tree.descendants(list));
        let mut calls = nodes.filter(|node| matches!(self.tree.kind(*node), Kind::Call { .. }));
        calls.any(|call| {
            let windowed = self.script.is_windowed(call);
            let around = self.tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. }));
            self.script.is_aggregate(call) && !windowed && around == Some(block)
        })
    }

    /// Whether a column stands inside an aggregate, or inside a function that may be one.
    fn is_aggregated(&self, column: NodeId) -> bool {
        let inside = self.tree.ancestors(column).take_while(|node| {
            !matches!(self.tree.kind(*node), Kind::Having | Kind::SortItem { .. } | Kind::Select { .. } | Kind::Query)
        });
        let mut calls = inside.filter(|node| matches!(self.tree.kind(*node), Kind::Call { .. }));
        calls.any(|call| {
            let kind = self.script.function(call).map(|function| function.kind);
            let windowed = self.script.is_windowed(call);
            kind.is_none_or(|kind| kind == FunctionKind::Aggregate) && !windowed
        })
    }

    fn is_selected(&self, column: ColumnPosition, block: NodeId) -> bool {
        self.outputs_of(block).iter().any(|output| {
            output.passes_on == Some(column)
                || output.expression.is_some_and(|expression| self.columns_under(expression).contains(&column))
        })
    }

    /// Reports a name of HAVING or ORDER BY that the block's output does not hold.
    pub fn not_in_output(&mut self, column: NodeId, frame: FrameId) {
        let name = Dialect::Hive.unquoted(self.script.slice(column));
        let outputs = self.outputs_of(self.frame(frame).block);
        self.unknown_output(column, name, &outputs);
    }
}
