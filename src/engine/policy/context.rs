//! What a policy looks at.

use crate::code::parameters::Parameters;
use crate::code::scope::{ColumnTarget, OutputColumn, RelationId, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{NodeId, Tree};

/// A script as a policy sees it.
pub(super) struct PolicyContext<'a> {
    pub script: &'a Script,
    pub scopes: &'a Scopes,
    pub parameters: &'a Parameters,
}

impl<'a> PolicyContext<'a> {
    pub fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    pub fn span(&self, node: NodeId) -> Span {
        self.tree().span(node)
    }

    /// Returns the read and the partition column to which a `Column` node refers, directly or through queries that pass
    /// the column on.
    pub fn partition_column(&self, column: NodeId) -> Option<(RelationId, &'a OutputColumn)> {
        let scopes = self.scopes;
        let ColumnTarget::Column(mut read, mut index) = scopes.binding(column)?.target else { return None };
        while let Some(passed) = scopes.relation(read).columns.get(index)?.passes_on {
            (read, index) = passed;
        }
        let named = scopes.relation(read).columns.get(index)?;
        named.partition.then_some((read, named))
    }
}
