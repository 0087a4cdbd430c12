//! Where a value goes: through the outputs of blocks to everything that reads them.

use super::view::ScriptView;
use crate::code::schema::TableColumn;
use crate::code::scope::{ColumnPosition, ColumnTarget, RelationSource};
use crate::code::tree::{Kind, NodeId, SetOperator};

/// Maximum length of a chain of uses that is followed.
const MAX_DEPTH: usize = 40;

/// Whether the node above a value passes on a difference in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The node's own value is the same in both scripts.
    Absorbed,
    /// The node's own value differs in the same way.
    PassedOn,
    /// Anything else: the difference may show.
    Visible,
}

/// How one kind of difference propagates.
pub trait DifferenceRule {
    fn effect(&self, above: NodeId, value: NodeId) -> Effect;

    /// Whether the difference is absorbed by a table's column that a value is written to.
    fn is_absorbed_by(&self, _column: &TableColumn) -> bool {
        false
    }
}

/// Whether a difference in the value of `node` is absorbed by everything that it flows into.
pub fn is_absorbed(view: ScriptView<'_>, node: NodeId, rule: &dyn DifferenceRule) -> bool {
    Flow { view, rule }.value(node, MAX_DEPTH)
}

/// Whether a difference in a column of a relation is absorbed by everything that it flows into.
pub fn is_column_absorbed(view: ScriptView<'_>, column: ColumnPosition, rule: &dyn DifferenceRule) -> bool {
    Flow { view, rule }.column(column, MAX_DEPTH)
}

struct Flow<'a> {
    view: ScriptView<'a>,
    rule: &'a dyn DifferenceRule,
}

impl Flow<'_> {
    fn value(&self, node: NodeId, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.view.script.tree();
        let Some(parent) = tree.parent(node) else { return false };
        match tree.kind(parent) {
            Kind::Paren => self.value(parent, steps),
            Kind::SelectItem => self.item(parent, node, steps),
            _ => match self.rule.effect(parent, node) {
                Effect::Absorbed => true,
                Effect::PassedOn => self.value(parent, steps),
                Effect::Visible => false,
            },
        }
    }

    fn item(&self, item: NodeId, value: NodeId, steps: usize) -> bool {
        let tree = self.view.script.tree();
        let list = tree.parent(item).filter(|list| tree.kind(*list) != Kind::GroupBy);
        let Some(block) = list.and_then(|list| tree.parent(list)) else { return false };
        if tree.kind(block) != (Kind::Select { distinct: false }) || self.refers_by_position(block) {
            return false;
        }
        let names_item = |node: &NodeId| {
            let binding = self.view.scopes.binding(*node);
            binding.is_some_and(|binding| binding.target == ColumnTarget::Alias(item))
        };
        let aliased: Vec<NodeId> = tree.ids().filter(names_item).collect();
        let outputs = self.view.scopes.outputs(block);
        let Some(position) = outputs.iter().position(|output| output.expression == Some(value)) else { return false };
        aliased.into_iter().all(|node| self.value(node, steps)) && self.output(block, position, steps)
    }

    /// Whether GROUP BY or ORDER BY names outputs by their positions.
    fn refers_by_position(&self, block: NodeId) -> bool {
        let tree = self.view.script.tree();
        let is_number = |node: &NodeId| tree.kind(*node) == Kind::Number;
        let group = tree.child(block, |kind| kind == Kind::GroupBy);
        let grouped = group.is_some_and(|group| tree.children(group).iter().any(is_number));
        let query = tree.parent(block).filter(|query| tree.kind(*query) == Kind::Query);
        let orders = |kind| matches!(kind, Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy);
        let sorted = query.into_iter().flat_map(|query| tree.children_where(query, orders));
        grouped || sorted.flat_map(|order| tree.descendants(order)).any(|node| is_number(&node))
    }

    /// Whether a difference in output `position` of a block or query is absorbed by all that reads it.
    fn output(&self, below: NodeId, position: usize, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.view.script.tree();
        let Some(parent) = tree.parent(below) else { return false };
        match tree.kind(parent) {
            Kind::SetOperation { operator: SetOperator::Union, all: true } | Kind::Parenthesized => {
                self.output(parent, position, steps)
            }
            Kind::Query => !self.orders_outputs(parent) && self.output(parent, position, steps),
            Kind::CommonTable | Kind::Derived => {
                let is_source = |source: &RelationSource| {
                    *source == RelationSource::CommonTable(parent) || *source == RelationSource::Query(below)
                };
                let readers = self.view.scopes.relations().filter(|(_, relation)| is_source(&relation.source));
                readers.map(|(id, _)| id).all(|id| self.column((id, position), steps))
            }
            Kind::Exists => true,
            Kind::Insert { .. } | Kind::InsertBranch { .. } => {
                self.target(parent, position).is_some_and(|column| self.rule.is_absorbed_by(column))
            }
            _ => false,
        }
    }

    /// Returns the column that output `position` of an INSERT fills; `None` if a column list or a dynamic
    /// partition changes the order.
    fn target(&self, insert: NodeId, position: usize) -> Option<&TableColumn> {
        let script = self.view.script;
        let tree = script.tree();
        let named = tree.child(insert, |kind| kind == Kind::ColumnList).is_some();
        let partition = tree.child(insert, |kind| kind == Kind::PartitionSpec);
        let items = partition.into_iter().flat_map(|partition| tree.children(partition));
        let dynamic = items.clone().any(|item| tree.children(*item).len() < 2);
        let table = tree.child(insert, |kind| kind == Kind::Table)?;
        let definition = self.view.schema.table(&script.path_name(table))?;
        let columns = definition.columns.iter().filter(|column| partition.is_none() || !column.partition);
        if named || dynamic { None } else { columns.clone().nth(position) }
    }

    /// Whether a query sorts the rows of a set operation by an output.
    fn orders_outputs(&self, query: NodeId) -> bool {
        let tree = self.view.script.tree();
        let orders = |kind| matches!(kind, Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy);
        tree.children_where(query, orders).flat_map(|order| tree.descendants(order)).any(|node| {
            matches!(self.view.scopes.binding(node).map(|binding| &binding.target), Some(ColumnTarget::Output(_)))
        })
    }

    /// Whether a difference in a column of a relation is absorbed by every use of it.
    fn column(&self, column: ColumnPosition, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.view.script.tree();
        let relation = self.view.scopes.relation(column.0);
        let by_name = |node: NodeId| matches!(tree.kind(node), Kind::Using | Kind::Join { natural: true, .. });
        if tree.descendants(relation.block).any(by_name) {
            return false;
        }
        let uses = tree.ids().filter(|node| {
            let target = self.view.scopes.binding(*node).map(|binding| &binding.target);
            target == Some(&ColumnTarget::Column(column.0, column.1))
        });
        let uses: Vec<NodeId> = uses.collect();
        uses.into_iter().all(|node| self.value(node, steps)) && self.expanded(column, steps)
    }

    /// Whether it is absorbed by every output that passes the column on by `*`.
    fn expanded(&self, column: ColumnPosition, steps: usize) -> bool {
        let tree = self.view.script.tree();
        let mut pivots = tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Pivot | Kind::Unpivot { .. }));
        // A pivot groups by the columns that it passes on.
        if pivots.any(|pivot| self.view.scopes.outputs(pivot).iter().any(|output| output.passes_on == Some(column))) {
            return false;
        }
        let blocks = tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Select { .. }));
        let mut found = blocks.flat_map(|block| {
            let outputs = self.view.scopes.outputs(block).iter().enumerate();
            outputs
                .filter(|(_, output)| output.expression.is_none() && output.passes_on == Some(column))
                .map(move |(position, _)| (block, position))
        });
        found.all(|(block, position)| {
            let plain = tree.kind(block) == Kind::Select { distinct: false } && !self.refers_by_position(block);
            plain && self.output(block, position, steps)
        })
    }
}
