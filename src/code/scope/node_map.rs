//! A map from nodes to values: a dense table of positions, and the values packed.

use crate::code::tree::NodeId;

/// Values by node.
#[derive(Clone, Debug)]
pub(crate) struct NodeMap<T> {
    /// For each node one more than the position of its value; 0 when it has none.
    positions: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for NodeMap<T> {
    fn default() -> Self {
        NodeMap { positions: Vec::new(), values: Vec::new() }
    }
}

impl<T> NodeMap<T> {
    /// A map for `nodes` nodes of which about `valued` have a value.
    pub(crate) fn with_room(nodes: usize, valued: usize) -> Self {
        NodeMap { positions: vec![0; nodes], values: Vec::with_capacity(valued) }
    }

    pub(crate) fn get(&self, node: NodeId) -> Option<&T> {
        let position = *self.positions.get(node.index())?;
        self.values.get((position as usize).checked_sub(1)?)
    }

    pub(crate) fn insert(&mut self, node: NodeId, value: T) {
        if node.index() >= self.positions.len() {
            self.positions.resize(node.index() + 1, 0);
        }
        match self.positions[node.index()] {
            0 => {
                self.values.push(value);
                self.positions[node.index()] = self.values.len() as u32;
            }
            position => self.values[position as usize - 1] = value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_node_only_and_can_be_replaced() {
        let mut map = NodeMap::with_room(2, 1);
        map.insert(NodeId(1), 'a');
        map.insert(NodeId(5), 'b');
        map.insert(NodeId(1), 'c');
        let found: Vec<_> = (0..7).map(|node| map.get(NodeId(node)).copied()).collect();
        assert_eq!(found, [None, Some('c'), None, None, None, Some('b'), None]);
    }
}
