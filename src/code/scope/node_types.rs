//! The types of expressions, as one number for each node: a script has many expressions and few types.

use crate::code::tree::NodeId;
use crate::code::types::Type;

/// How many stored types a new one is compared with: all of them in an ordinary script, a bound in a strange one.
const COMPARED: usize = 16;

/// Type and nullability by node.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeTypes {
    /// For each node twice the place of its type in `types`, from 1, plus 1 if it can be NULL; 0 without a type.
    nodes: Vec<u32>,
    types: Vec<Type>,
}

impl NodeTypes {
    /// Types for a tree of this many nodes.
    pub(crate) fn with_room(nodes: usize) -> Self {
        NodeTypes { nodes: vec![0; nodes], types: Vec::new() }
    }

    pub(crate) fn get(&self, node: NodeId) -> Option<(&Type, bool)> {
        let number = *self.nodes.get(node.index())?;
        let place = (number >> 1).checked_sub(1)?;
        Some((&self.types[place as usize], number & 1 == 1))
    }

    /// Gives a type to a node of the tree.
    pub(crate) fn insert(&mut self, node: NodeId, data_type: Type, nullable: bool) {
        let known = self.types.iter().take(COMPARED).position(|known| *known == data_type);
        let place = known.unwrap_or(self.types.len());
        if known.is_none() {
            self.types.push(data_type);
        }
        self.nodes[node.index()] = (place as u32 + 1) << 1 | u32::from(nullable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_the_type_and_nullability_it_was_given_last() {
        let mut types = NodeTypes::with_room(100);
        for node in 0..90 {
            types.insert(NodeId(node), Type::Decimal(node as u8, 0), node % 3 == 0);
        }
        types.insert(NodeId(7), Type::Decimal(5, 0), true);
        types.insert(NodeId(8), Type::Unknown, true);
        for node in (0..90).filter(|node| ![7, 8].contains(node)) {
            assert_eq!(types.get(NodeId(node)), Some((&Type::Decimal(node as u8, 0), node % 3 == 0)));
        }
        assert_eq!(types.get(NodeId(7)), Some((&Type::Decimal(5, 0), true)));
        assert_eq!(types.get(NodeId(8)), Some((&Type::Unknown, true)));
        assert_eq!(types.get(NodeId(95)), None);
        assert_eq!(types.get(NodeId(100)), None);
    }
}
