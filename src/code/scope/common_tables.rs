//! The CTEs in scope.

use std::collections::HashMap;

use crate::code::tree::NodeId;

/// The CTEs that can be named now. Scopes nest, so this is a stack: a query forgets its own CTEs when it ends.
#[derive(Default)]
pub(super) struct CommonTables {
    names: Vec<String>,
    nodes: Vec<NodeId>,
    /// Positions in the stack by name, innermost last.
    positions: HashMap<String, Vec<usize>>,
}

impl CommonTables {
    /// How many CTEs are in scope, to come back to with [`CommonTables::forget_after`].
    pub fn mark(&self) -> usize {
        self.names.len()
    }

    /// Adds a `CommonTable` node; says whether one of this name has been added since `mark`.
    pub fn add(&mut self, name: String, node: NodeId, mark: usize) -> bool {
        let positions = self.positions.entry(name.clone()).or_default();
        let repeated = positions.last().is_some_and(|last| *last >= mark);
        positions.push(self.names.len());
        self.names.push(name);
        self.nodes.push(node);
        repeated
    }

    /// The innermost CTE of this name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        let position = self.positions.get(name)?.last()?;
        Some(self.nodes[*position])
    }

    /// Forgets the CTEs added since `mark`.
    pub fn forget_after(&mut self, mark: usize) {
        for name in self.names.drain(mark..) {
            if let Some(positions) = self.positions.get_mut(&name) {
                positions.pop();
            }
        }
        self.nodes.truncate(mark);
    }
}
