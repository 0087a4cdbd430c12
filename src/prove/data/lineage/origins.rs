//! The expressions that a column stands for.

use super::{Lineage, MAX_DEPTH};
use crate::code::scope::{ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

impl Lineage<'_> {
    /// Returns the expressions that a column stands for where it is computed rather than read, as when the operands of
    /// a UNION each say what they are (`'4G' AS kind`), or a one-row table holds the parameters.
    pub fn origins(&self, expression: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.follow_origins(expression, MAX_DEPTH, &mut found);
        found
    }

    fn follow_origins(&self, expression: NodeId, depth: usize, found: &mut Vec<NodeId>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Paren => self.follow_origins(tree.children(expression)[0], depth, found),
            Kind::Column => {
                if let Some(ColumnTarget::Column(relation, position)) =
                    self.scopes.binding(expression).map(|b| &b.target)
                {
                    self.origins_of_relation(*relation, *position, depth, found);
                }
            }
            _ => found.push(expression),
        }
    }

    fn origins_of_relation(&self, relation: RelationId, position: usize, depth: usize, found: &mut Vec<NodeId>) {
        let output = match &self.scopes.relation(relation).source {
            RelationSource::CommonTable(query) | RelationSource::Query(query) => {
                Some((self.first_side(relation).unwrap_or(*query), position))
            }
            _ => self.written_by(relation, position),
        };
        if let Some((query, position)) = output.filter(|_| self.scan(relation).is_none()) {
            self.origins_of_output(query, position, depth, found);
        }
    }

    fn origins_of_output(&self, query: NodeId, position: usize, depth: usize, found: &mut Vec<NodeId>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(operands) = self.operands(query) {
            for operand in operands {
                self.origins_of_output(operand, position, depth, found);
            }
            return;
        }
        let Some(output) = self.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.origins_of_relation(relation, column, depth, found);
        } else if let Some(expression) = output.expression {
            self.follow_origins(expression, depth, found);
        }
    }
}
