//! Finds the nodes that a [`Selector`] describes.

use crate::code::tree::{Kind, NodeId};
use crate::fault::{BlockTrait, NodeName, PartitionColumn, Selector, SiblingPosition};

use super::script_context::ScriptContext;

/// Returns the selected nodes in source order.
pub(super) fn select(context: &ScriptContext<'_>, selector: &Selector) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = selector
        .node
        .iter()
        .flat_map(|name| context.named(*name))
        .copied()
        .filter(|n| fits(context, selector, *n))
        .collect();
    if selector.node.len() > 1 {
        found.sort_by_key(|node| (context.tree().span(*node).start, node.index()));
        found.dedup();
    }
    found
}

/// Whether a node fits the selector in everything but its own name.
pub(super) fn fits(context: &ScriptContext<'_>, selector: &Selector, node: NodeId) -> bool {
    let tree = context.tree();
    let parent = tree.parent(node);
    let has_name = |id: NodeId, names: &[NodeName]| NodeName::any_fits(names, tree.kind(id));
    let allowed = |names: &[NodeName], found: &dyn Fn() -> bool| names.is_empty() || found();
    allowed(&selector.parent, &|| parent.is_some_and(|id| has_name(id, &selector.parent)))
        && !parent.is_some_and(|id| has_name(id, &selector.not_parent))
        && allowed(&selector.within, &|| context.above_in_block(node).any(|id| has_name(id, &selector.within)))
        && !context.above_in_block(node).any(|id| has_name(id, &selector.not_within))
        && allowed(&selector.holds, &|| tree.children(node).iter().any(|id| has_name(*id, &selector.holds)))
        && !tree.children(node).iter().any(|id| has_name(*id, &selector.lacks))
        && calls_fit(context, selector, node)
        && surroundings_fit(context, selector, node)
}

fn calls_fit(context: &ScriptContext<'_>, selector: &Selector, node: NodeId) -> bool {
    let is_call = |id: NodeId| matches!(context.tree().kind(id), Kind::Call { .. });
    let called = |id: NodeId, names: &[String]| is_call(id) && names.contains(&context.script.function_name(id));
    let parent = context.tree().parent(node);
    (selector.function.is_empty() || called(node, &selector.function))
        && (selector.parent_function.is_empty() || parent.is_some_and(|id| called(id, &selector.parent_function)))
        && (selector.argument_of.is_empty()
            || context.above_in_block(node).any(|above| called(above, &selector.argument_of)))
}

fn surroundings_fit(context: &ScriptContext<'_>, selector: &Selector, node: NodeId) -> bool {
    let text = context.script.slice(node);
    selector.position.is_none_or(|position| stands_at(context, node, position))
        && selector.text.as_ref().is_none_or(|pattern| pattern.matches(text))
        && !selector.not_text.as_ref().is_some_and(|pattern| pattern.matches(text))
        && selector.partition_column.is_none_or(|place| has_partition_column(context, node, place))
        && (selector.query_of.is_empty()
            || owners(context, node).iter().any(|kind| NodeName::any_fits(&selector.query_of, *kind)))
        && (selector.block.is_empty() || block_trait(context, node).is_some_and(|t| selector.block.contains(&t)))
}

fn has_partition_column(context: &ScriptContext<'_>, node: NodeId, place: PartitionColumn) -> bool {
    let tree = context.tree();
    let is_partition = |column: NodeId| match context.scopes.column_of(column) {
        Some((_, named)) if named.partition => true,
        Some(_) => context.scopes.base_column(column).is_some_and(|(table, name)| context.is_partition(&table, &name)),
        None => false,
    };
    match place {
        PartitionColumn::Inside => {
            let mut columns = tree.descendants(node).filter(|id| tree.kind(*id) == Kind::Column).peekable();
            columns.peek().is_some() && columns.all(is_partition)
        }
        PartitionColumn::Beside => tree
            .parent(node)
            .is_some_and(|parent| tree.children(parent).iter().any(|id| *id != node && is_partition(*id))),
    }
}

fn stands_at(context: &ScriptContext<'_>, node: NodeId, position: SiblingPosition) -> bool {
    let tree = context.tree();
    let Some(parent) = tree.parent(node) else { return false };
    let kind = std::mem::discriminant(&tree.kind(node));
    let same = |id: &NodeId| std::mem::discriminant(&tree.kind(*id)) == kind;
    let listed = matches!(
        position,
        SiblingPosition::Last | SiblingPosition::Earlier | SiblingPosition::OneOfSeveral | SiblingPosition::Only
    );
    let siblings: Vec<NodeId> = tree.children(parent).iter().copied().filter(same).collect();
    let at = siblings.iter().position(|sibling| *sibling == node).unwrap_or(0);
    match position {
        _ if listed && position != SiblingPosition::Only && siblings.len() < 2 => false,
        SiblingPosition::First => at == 0,
        SiblingPosition::Later => at > 0,
        SiblingPosition::Last => at + 1 == siblings.len(),
        SiblingPosition::Earlier => at + 1 < siblings.len(),
        SiblingPosition::Only => siblings.len() == 1,
        SiblingPosition::OneOfSeveral => true,
    }
}

/// Returns the kinds of the nodes that own the query around `node`, innermost first: each set operation of which it is
/// a side, then the node around the whole query.
pub(super) fn owners(context: &ScriptContext<'_>, node: NodeId) -> Vec<Kind> {
    let tree = context.tree();
    let block = match tree.kind(node) {
        Kind::Select { .. } => Some(node),
        _ => context.block_of(node),
    };
    let Some(block) = block else { return Vec::new() };
    let mut owners = Vec::new();
    for ancestor in tree.ancestors(block) {
        match tree.kind(ancestor) {
            Kind::Query | Kind::Parenthesized => {}
            kind @ Kind::SetOperation { .. } => owners.push(kind),
            kind => {
                owners.push(kind);
                break;
            }
        }
    }
    owners
}

/// Returns the trait of the SELECT block around a node; `None` outside any block.
pub(super) fn block_trait(context: &ScriptContext<'_>, node: NodeId) -> Option<BlockTrait> {
    let tree = context.tree();
    let block = match tree.kind(node) {
        Kind::Select { .. } => node,
        _ => context.block_of(node)?,
    };
    if tree.child(block, |kind| kind == Kind::GroupBy).is_some() {
        return Some(BlockTrait::Grouped);
    }
    // What a pivot aggregates is no aggregate of the block.
    let pivots = |id: NodeId| {
        let around = tree.enclosing(id, |kind| matches!(kind, Kind::PivotAggregate | Kind::Query));
        around.is_some_and(|around| tree.kind(around) == Kind::PivotAggregate)
    };
    let aggregates = |id: NodeId| is_aggregate(context, id) && context.block_of(id) == Some(block) && !pivots(id);
    let totals = tree.descendants(block).any(aggregates);
    Some(if totals { BlockTrait::Totals } else { BlockTrait::Plain })
}

/// Whether a node is a call of an aggregate function without OVER.
pub(super) fn is_aggregate(context: &ScriptContext<'_>, node: NodeId) -> bool {
    context.script.aggregates_rows(node)
}

/// Whether a call has OVER.
pub(super) fn is_windowed(context: &ScriptContext<'_>, call: NodeId) -> bool {
    context.script.is_windowed(call)
}
