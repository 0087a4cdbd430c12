//! A map from nodes to values, dense because nearly every node has one.

use crate::code::tree::NodeId;

/// Values by node.
#[derive(Clone, Debug)]
pub(crate) struct NodeMap<T> {
    values: Vec<Option<T>>,
}

impl<T> Default for NodeMap<T> {
    fn default() -> Self {
        NodeMap { values: Vec::new() }
    }
}

impl<T> NodeMap<T> {
    /// A map with room for `nodes` nodes.
    pub(crate) fn with_room(nodes: usize) -> Self {
        NodeMap { values: std::iter::repeat_with(|| None).take(nodes).collect() }
    }

    pub(crate) fn get(&self, node: NodeId) -> Option<&T> {
        self.values.get(node.index()).and_then(Option::as_ref)
    }

    pub(crate) fn insert(&mut self, node: NodeId, value: T) {
        if node.index() >= self.values.len() {
            self.values.resize_with(node.index() + 1, || None);
        }
        self.values[node.index()] = Some(value);
    }
}
