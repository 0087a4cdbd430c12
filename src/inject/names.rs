//! Helpers about names that several operators share.

use std::collections::HashSet;

use crate::code::scope::{ColumnPosition, ColumnTarget, OutputColumn, Relation, RelationId};
use crate::code::tree::{Kind, NodeId};

use super::script_context::ScriptContext;

/// A column reference and what it refers to.
pub(super) struct ColumnReference<'a> {
    /// The id of the relation that the column belongs to.
    pub id: RelationId,
    /// The relation.
    pub relation: &'a Relation,
    /// The column of that relation.
    pub column: &'a OutputColumn,
    /// The identifier that names the column.
    pub name: NodeId,
    /// The identifier that names the relation; `None` if the reference is unqualified.
    pub qualifier: Option<NodeId>,
}

/// Resolves a `Column` node; `None` if it does not refer to a column of a relation of its own block.
pub(super) fn reference<'a>(context: &'a ScriptContext<'_>, node: NodeId) -> Option<ColumnReference<'a>> {
    let binding = context.scopes.binding(node).filter(|binding| !binding.outer)?;
    let ColumnTarget::Column(id, index) = binding.target else { return None };
    let relation = context.scopes.relation(id);
    let column = relation.columns.get(index)?;
    let parts = context.tree().children(node);
    let name = *parts.get(binding.path_length.checked_sub(1)?)?;
    let qualifier = if binding.path_length == 2 { parts.first().copied() } else { None };
    Some(ColumnReference { id, relation, column, name, qualifier })
}

/// Returns the relations of the block around a node.
pub(super) fn relations<'a>(context: &'a ScriptContext<'_>, node: NodeId) -> Vec<(RelationId, &'a Relation)> {
    let block = match context.tree().kind(node) {
        Kind::Select { .. } => Some(node),
        _ => context.block_of(node),
    };
    let ids = block.map_or(&[][..], |block| context.scopes.relations_of(block));
    ids.iter().map(|id| (*id, context.scopes.relation(*id))).collect()
}

/// Returns the relations of the block around a node that have a column with this name.
pub(super) fn owners<'a>(context: &'a ScriptContext<'_>, node: NodeId, column: &str) -> Vec<&'a Relation> {
    let has = |relation: &&Relation| relation.columns.iter().any(|candidate| candidate.name == column);
    relations(context, node).into_iter().map(|(_, relation)| relation).filter(has).collect()
}

/// Returns the `Column` nodes at and below a node, without those of nested queries.
pub(super) fn columns_in(context: &ScriptContext<'_>, node: NodeId) -> Vec<NodeId> {
    let tree = context.tree();
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

/// Returns a column of a relation as it would be written in a block: qualified if the block has several relations or
/// its author qualifies columns of this one anyway.
pub(super) fn written(context: &ScriptContext<'_>, block: NodeId, relation: &Relation, column: &str) -> String {
    let qualifies = |column: &NodeId| {
        let mut slice = context.script.slice(*column).chars().flat_map(char::to_lowercase);
        let mut qualifier = relation.name.chars().flat_map(char::to_lowercase).chain(['.']);
        qualifier.all(|c| slice.next() == Some(c))
    };
    let qualified = || columns_in(context, block).iter().any(qualifies);
    if !relation.name.is_empty() && (relations(context, block).len() > 1 || qualified()) {
        format!("{}.{}", relation.name, column)
    } else {
        column.to_owned()
    }
}

/// Whether a sibling of the node reads `new` already. Replacing the node would give `a.x = a.x`, which nobody writes.
pub(super) fn repeats_a_sibling(context: &ScriptContext<'_>, node: NodeId, new: &str) -> bool {
    let tree = context.tree();
    let siblings = tree.parent(node).map_or(&[][..], |parent| tree.children(parent));
    siblings.iter().any(|sibling| *sibling != node && context.script.slice(*sibling).eq_ignore_ascii_case(new))
}

/// Returns the two columns of a condition `a.x = b.y`; `None` if they do not belong to different relations.
pub(super) fn join_key(context: &ScriptContext<'_>, condition: NodeId) -> Option<(NodeId, NodeId)> {
    use crate::code::tree::BinaryOperator::{Equal, NullSafeEqual};
    let tree = context.tree();
    if !matches!(tree.kind(condition), Kind::Binary(Equal | NullSafeEqual)) {
        return None;
    }
    let [left, right] = tree.children(condition) else { return None };
    let sides = (reference(context, *left)?.id, reference(context, *right)?.id);
    (sides.0 != sides.1).then_some((*left, *right))
}

/// Returns the columns that some reference or `*` of the script uses, by relation and index.
pub(super) fn used_columns(context: &ScriptContext<'_>) -> HashSet<ColumnPosition> {
    let tree = context.tree();
    let mut used: HashSet<ColumnPosition> = HashSet::new();
    for node in context.named(crate::fault::NodeName::Column) {
        if let Some(ColumnTarget::Column(id, index)) =
            context.scopes.binding(*node).map(|binding| binding.target.clone())
        {
            used.insert((id, index));
        }
    }
    for star in context.named(crate::fault::NodeName::Wildcard) {
        let Some(block) = context.block_of(*star) else { continue };
        let qualifier = tree.children(*star).last().map(|name| context.script.name(*name));
        for (id, relation) in relations(context, block) {
            if qualifier.as_ref().is_none_or(|name| *name == relation.name) {
                used.extend((0..relation.columns.len()).map(|index| (id, index)));
            }
        }
    }
    used
}
