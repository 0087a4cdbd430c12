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
        let position = self.position(node);
        match self.values.get_mut(position) {
            Some(place) => *place = value,
            None => self.values.push(value),
        }
    }

    /// The value of a node, made where it has none.
    pub(crate) fn get_or_insert_with(&mut self, node: NodeId, make: impl FnOnce() -> T) -> &mut T {
        let position = self.position(node);
        if position == self.values.len() {
            self.values.push(make());
        }
        &mut self.values[position]
    }

    /// Where the value of a node stands, or will stand once it is pushed.
    fn position(&mut self, node: NodeId) -> usize {
        if node.index() >= self.positions.len() {
            self.positions.resize(node.index() + 1, 0);
        }
        let position = &mut self.positions[node.index()];
        if *position == 0 {
            *position = self.values.len() as u32 + 1;
        }
        *position as usize - 1
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
        *map.get_or_insert_with(NodeId(5), || 'x') = 'd';
        *map.get_or_insert_with(NodeId(3), || 'e') = 'f';
        let found: Vec<_> = (0..7).map(|node| map.get(NodeId(node)).copied()).collect();
        assert_eq!(found, [None, Some('c'), None, Some('f'), None, Some('d'), None]);
    }
}
