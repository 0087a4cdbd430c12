//! A script as the equivalence analyses read it.

use crate::code::schema::Schema;
use crate::code::scope::{ColumnPosition, ColumnTarget, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// A script with its names resolved.
#[derive(Clone, Copy)]
pub struct ScriptView<'a> {
    pub script: &'a Script,
    pub scopes: &'a Scopes,
    /// The tables of the schema.
    pub schema: &'a Schema,
}

impl ScriptView<'_> {
    /// Returns the column that a node names, through parentheses and aliases; `None` if it is another expression.
    pub fn column_of(&self, node: NodeId) -> Option<ColumnPosition> {
        let tree = self.script.tree();
        match tree.kind(node) {
            Kind::Paren => self.column_of(tree.children(node)[0]),
            Kind::Column => match self.scopes.binding(node)?.target {
                ColumnTarget::Column(relation, position) => Some((relation, position)),
                ColumnTarget::Alias(item) => self.column_of(*tree.children(item).first()?),
                _ => None,
            },
            _ => None,
        }
    }
}
