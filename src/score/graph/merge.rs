//! Merges a block that only reads a derived table with the block of that table, so that a filter means the same in
//! either of them.
//!
//! This is safe if the inner block gives one row for every row of its relations that its WHERE keeps, and its outputs
//! can be computed anywhere: no DISTINCT, grouping, window, aggregate, generator, limit or order, and no
//! non-deterministic call. The outer block must read nothing else. Neither block may have a subquery, because the depth
//! of its outer references would change.

use super::GraphBuilder;
use super::relation::Joined;
use crate::code::functions::FunctionKind;
use crate::code::scope::{ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// How many nested blocks are merged at most: a chain of common tables is walked again for each of its readers.
const DEEPEST: usize = 32;

impl GraphBuilder<'_> {
    /// Returns what a block reads: the relations of its FROM and all conditions on them, including WHERE.
    pub(super) fn block_source(&mut self, select: NodeId) -> Joined {
        let mut joined = self.merged_source(select).unwrap_or_else(|| self.own_source(select));
        let condition = self.tree.child(select, |kind| kind == Kind::Where);
        joined.conditions.extend(condition.map(|condition| self.clause(condition)));
        joined
    }

    fn own_source(&mut self, select: NodeId) -> Joined {
        let from = self.tree.child(select, |kind| kind == Kind::From);
        let mut joined = from.map(|from| self.from(from)).unwrap_or_default();
        let views: Vec<NodeId> =
            self.tree.children_where(select, |kind| matches!(kind, Kind::LateralView { .. })).collect();
        for view in views {
            if let Some(relation) = self.relations.get(&view).copied() {
                joined.leaves.push(self.relation(relation));
            }
        }
        joined
    }

    /// Returns what the derived table of a block reads and records the graphs of its outputs, to which the block's
    /// columns refer from then on; `None` if the two cannot be merged.
    fn merged_source(&mut self, select: NodeId) -> Option<Joined> {
        let (relation, inner) = self.mergeable(select)?;
        self.merging += 1;
        let joined = self.block_source(inner);
        self.merging -= 1;
        let projection = self.tree.child(inner, |kind| kind == Kind::Projection);
        let (outputs, in_order) = self.projection(inner, projection);
        let outputs = self.terms.children_of(outputs).to_vec();
        if in_order || outputs.len() != self.scopes.relation(relation).columns.len() {
            return None;
        }
        self.merged.insert(relation, outputs);
        Some(joined)
    }

    /// Returns the only relation of a block and the block behind it; `None` if the two cannot be merged.
    fn mergeable(&self, select: NodeId) -> Option<(RelationId, NodeId)> {
        let [relation] = self.scopes.relations_of(select)[..] else { return None };
        let known = self.scopes.relation(relation);
        let query = match known.source {
            RelationSource::Query(query) => query,
            RelationSource::CommonTable(common) => self.tree.child(common, |kind| kind == Kind::Query)?,
            _ => return None,
        };
        let is_sampled = self.tree.child(known.node, |kind| kind == Kind::Sample).is_some();
        if self.merging >= DEEPEST
            || known.open
            || is_sampled
            || self.open.contains(&query)
            || self.has_subquery(select)
        {
            return None;
        }
        let inner = match self.tree.children(query) {
            [only] if self.tree.kind(*only) == Kind::Select { distinct: false } => *only,
            _ => return None,
        };
        (self.is_plain(inner) && !self.has_subquery(inner)).then_some((relation, inner))
    }

    /// Whether a block computes each output from one row of what it reads.
    fn is_plain(&self, select: NodeId) -> bool {
        let parts = self.tree.children(select);
        let known = |part: &NodeId| matches!(self.tree.kind(*part), Kind::Projection | Kind::From | Kind::Where);
        let reads = self.tree.child(select, |kind| kind == Kind::From).is_some();
        reads && parts.iter().all(known) && self.outside_from(select).all(|node| self.is_steady(node))
    }

    /// Whether a node gives the same value for the same row wherever it is computed.
    fn is_steady(&self, node: NodeId) -> bool {
        match self.tree.kind(node) {
            Kind::Over => false,
            Kind::Call { .. } => self.script.function(node).is_none_or(|function| {
                let gathers = matches!(function.kind, FunctionKind::Aggregate | FunctionKind::Generator);
                !gathers && !function.is_nondeterministic()
            }),
            Kind::Column => {
                let target = self.scopes.binding(node).map(|binding| &binding.target);
                !matches!(target, Some(ColumnTarget::Column(relation, _)) if self.depth(node, *relation) > 0)
            }
            _ => true,
        }
    }

    fn has_subquery(&self, select: NodeId) -> bool {
        self.outside_from(select).any(|node| self.tree.kind(node) == Kind::Query)
    }

    /// Returns all nodes of a block except those of its FROM.
    fn outside_from(&self, select: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut stack: Vec<NodeId> =
            self.tree.children(select).iter().copied().filter(|part| self.tree.kind(*part) != Kind::From).collect();
        std::iter::from_fn(move || {
            let node = stack.pop()?;
            stack.extend(self.tree.children(node));
            Some(node)
        })
    }
}
