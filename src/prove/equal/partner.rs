//! Outer joins made inner ones.

use super::{Argument, Pair, squeezed};
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Pair<'_> {
    /// `LEFT JOIN` made `JOIN`.
    pub(super) fn joined(&self, join: NodeId) -> Option<Argument> {
        let tree = self.script.tree();
        let span = self.replacement(join);
        let inner = |node: &NodeId| matches!(self.mutant.tree().kind(*node), Kind::Join { kind: JoinKind::Inner, .. });
        self.mutant.tree().ids().find(|node| self.mutant.tree().span(*node) == span && inner(node))?;
        let block = tree.enclosing(join, |kind| matches!(kind, Kind::Select { .. }))?;
        let primary = *tree.children(join).first()?;
        let relations = self.scopes.relations().filter(|(_, relation)| relation.node == primary);
        let needed = relations.flat_map(|(id, relation)| (0..relation.columns.len()).map(move |at| (id, at)));
        let where_ = tree.child(block, |kind| kind == Kind::Where)?;
        let condition = *tree.children(where_).first()?;
        let mut needed = needed.filter(|place| self.names.rejects_null(condition, *place));
        needed
            .next()
            .map(|_| Argument::PartnerNeeded { what: squeezed(self.script.slice(primary)).chars().take(60).collect() })
    }
}
