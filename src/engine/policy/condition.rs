//! Finds the reads of partitioned tables that conditions restrict.

use std::collections::HashSet;

use super::context::PolicyContext;
use crate::code::scope::RelationId;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// The reads with a condition on their partition.
pub(super) struct Conditions<'a> {
    context: &'a PolicyContext<'a>,
    filtered: HashSet<RelationId>,
    /// Equalities between partition columns of two reads. A condition on one read then restricts the other as well.
    links: Vec<(RelationId, RelationId)>,
}

impl<'a> Conditions<'a> {
    /// Collects the conditions in WHERE and ON of the whole script. A condition counts for the table from which its
    /// column comes, also through sub-queries that pass the column on, because engines push predicates down.
    pub fn of(context: &'a PolicyContext<'a>) -> Conditions<'a> {
        let mut conditions = Conditions { context, filtered: HashSet::new(), links: Vec::new() };
        let tree = context.tree();
        for clause in tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Where | Kind::On)) {
            let restricted: Vec<HashSet<RelationId>> =
                tree.children(clause).iter().map(|condition| conditions.restricted(*condition, true)).collect();
            conditions.filtered.extend(restricted.into_iter().flatten());
        }
        conditions
    }

    /// Returns every read that is restricted directly or through a read to which it is joined.
    pub fn filtered(self) -> HashSet<RelationId> {
        let mut filtered = self.filtered;
        loop {
            let before = filtered.len();
            for (one, other) in &self.links {
                if filtered.contains(one) || filtered.contains(other) {
                    filtered.extend([*one, *other]);
                }
            }
            if filtered.len() == before {
                return filtered;
            }
        }
    }

    /// Returns the reads that a condition restricts. `always` says that the condition holds for every row that passes.
    fn restricted(&mut self, condition: NodeId, always: bool) -> HashSet<RelationId> {
        let tree = self.context.tree();
        let children = tree.children(condition);
        match tree.kind(condition) {
            Kind::And => children.iter().flat_map(|child| self.restricted(*child, always)).collect(),
            Kind::Paren => children.iter().flat_map(|child| self.restricted(*child, always)).collect(),
            Kind::Or => {
                let sides: Vec<_> = children.iter().map(|child| self.restricted(*child, false)).collect();
                let common = sides.into_iter().reduce(|left, right| left.intersection(&right).copied().collect());
                common.unwrap_or_default()
            }
            kind => self.restricted_by_test(condition, kind, always),
        }
    }

    fn restricted_by_test(&mut self, test: NodeId, kind: Kind, always: bool) -> HashSet<RelationId> {
        let columns = self.columns(test);
        let partitions: Option<Vec<RelationId>> =
            columns.iter().map(|column| Some(self.context.partition_column(*column)?.0)).collect();
        let Some(reads) = partitions else { return HashSet::new() };
        match reads.as_slice() {
            [first, others @ ..] if others.iter().all(|other| other == first) => HashSet::from([*first]),
            [one, other] if always && kind == Kind::Binary(BinaryOperator::Equal) && self.is_plain(test) => {
                self.links.push((*one, *other));
                HashSet::new()
            }
            _ => HashSet::new(),
        }
    }

    /// Returns the columns of a test, without those of its sub-queries.
    fn columns(&self, test: NodeId) -> Vec<NodeId> {
        let tree = self.context.tree();
        let query = |node: NodeId| tree.enclosing(node, |kind| kind == Kind::Query);
        let own = query(test);
        let columns = tree.descendants(test).filter(|node| tree.kind(*node) == Kind::Column);
        columns.filter(|column| query(*column) == own).collect()
    }

    fn is_plain(&self, test: NodeId) -> bool {
        let tree = self.context.tree();
        tree.children(test).iter().all(|side| tree.kind(*side) == Kind::Column)
    }
}
