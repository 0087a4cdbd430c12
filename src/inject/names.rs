//! Questions about names that several operators ask.

use std::collections::HashSet;

use crate::code::scope::{OutputColumn, Relation, RelationId, Target};
use crate::code::tree::{Kind, NodeId};

use super::ground::Ground;

/// What a plain column reference means.
pub(super) struct Reference<'a> {
    /// Which relation it belongs to.
    pub id: RelationId,
    /// The relation.
    pub relation: &'a Relation,
    /// The column there.
    pub column: &'a OutputColumn,
    /// The identifier that names the column.
    pub name: NodeId,
    /// The identifier that names the relation.
    pub qualifier: Option<NodeId>,
}

/// Resolves a `Column` node to a column of a relation of its own block.
pub(super) fn reference<'a>(ground: &'a Ground<'_>, node: NodeId) -> Option<Reference<'a>> {
    let binding = ground.scopes.binding(node).filter(|binding| !binding.outer)?;
    let Target::Column(id, index) = binding.target else { return None };
    let relation = ground.scopes.relation(id);
    let column = relation.columns.get(index)?;
    let parts = ground.tree().children(node);
    let name = *parts.get(binding.path_length.checked_sub(1)?)?;
    let qualifier = if binding.path_length == 2 { parts.first().copied() } else { None };
    Some(Reference { id, relation, column, name, qualifier })
}

/// The relations of the block of a node.
pub(super) fn relations<'a>(ground: &'a Ground<'_>, node: NodeId) -> Vec<(RelationId, &'a Relation)> {
    let block = match ground.tree().kind(node) {
        Kind::Select { .. } => Some(node),
        _ => ground.block_of(node),
    };
    let ids = block.map_or(&[][..], |block| ground.scopes.relations_of(block));
    ids.iter().map(|id| (*id, ground.scopes.relation(*id))).collect()
}

/// The relations of the block of a node that have a column of this name.
pub(super) fn owners<'a>(ground: &'a Ground<'_>, node: NodeId, column: &str) -> Vec<&'a Relation> {
    let has = |relation: &&Relation| relation.columns.iter().any(|candidate| candidate.name == column);
    relations(ground, node).into_iter().map(|(_, relation)| relation).filter(has).collect()
}

/// The `Column` nodes below a node, without those of nested queries.
pub(super) fn columns_in(ground: &Ground<'_>, node: NodeId) -> Vec<NodeId> {
    let tree = ground.tree();
    let mut columns = Vec::new();
    let mut stack = vec![node];
    while let Some(id) = stack.pop() {
        match tree.kind(id) {
            Kind::Column => columns.push(id),
            Kind::Query => {}
            _ => stack.extend(tree.children(id).iter().rev()),
        }
    }
    columns
}

/// How a column of a relation is written in a block: qualified when the block has several relations.
pub(super) fn written(ground: &Ground<'_>, block: NodeId, relation: &Relation, column: &str) -> String {
    if relations(ground, block).len() > 1 && !relation.name.is_empty() {
        format!("{}.{}", relation.name, column)
    } else {
        column.to_owned()
    }
}

/// The operands of a top-level AND, or the condition itself.
pub(super) fn conjuncts(ground: &Ground<'_>, condition: NodeId) -> Vec<NodeId> {
    match ground.tree().kind(condition) {
        Kind::And => ground.tree().children(condition).to_vec(),
        _ => vec![condition],
    }
}

/// The two columns of `a.x = b.y` where they belong to different relations.
pub(super) fn join_key(ground: &Ground<'_>, condition: NodeId) -> Option<(NodeId, NodeId)> {
    use crate::code::tree::BinaryOperator::{Equal, NullSafeEqual};
    let tree = ground.tree();
    if !matches!(tree.kind(condition), Kind::Binary(Equal | NullSafeEqual)) {
        return None;
    }
    let [left, right] = tree.children(condition) else { return None };
    let sides = (reference(ground, *left)?.id, reference(ground, *right)?.id);
    (sides.0 != sides.1).then_some((*left, *right))
}

/// Columns of relations that some reference or `*` of the script uses.
pub(super) fn used_columns(ground: &Ground<'_>) -> HashSet<(RelationId, usize)> {
    let tree = ground.tree();
    let mut used: HashSet<(RelationId, usize)> = HashSet::new();
    for node in ground.named(crate::fault::NodeName::Column) {
        if let Some(Target::Column(id, index)) = ground.scopes.binding(*node).map(|binding| binding.target.clone()) {
            used.insert((id, index));
        }
    }
    for star in ground.named(crate::fault::NodeName::Wildcard) {
        let Some(block) = ground.block_of(*star) else { continue };
        let qualifier = tree.children(*star).last().map(|name| ground.script.name(*name));
        for (id, relation) in relations(ground, block) {
            if qualifier.as_ref().is_none_or(|name| *name == relation.name) {
                used.extend((0..relation.columns.len()).map(|index| (id, index)));
            }
        }
    }
    used
}
