//! What becomes of the rows of a sub-query: who reads them, and whether those without a key are lost.

use super::flow::is_column_lost;
use super::judges::Unread;
use super::nullness::{Nullness, Place};
use crate::code::scope::{RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{JoinKind, Kind, NodeId};

/// Whether rows of the grouped block around `key` in which the key is NULL are lost in everything that reads the block,
/// or in everything that reads `value`, where they differ in the output that is this node only. The key must be one of
/// the block's keys and one of its outputs.
pub fn drops_null_rows(names: &Nullness<'_>, (key, place): (NodeId, Place), value: Option<NodeId>) -> bool {
    let tree = names.script.tree();
    let Some(block) = tree.enclosing(key, |kind| matches!(kind, Kind::Select { .. })) else { return false };
    let Some(group) = tree.child(block, |kind| kind == Kind::GroupBy) else { return false };
    let is_key = tree.children(group).iter().any(|key| names.place(*key) == Some(place));
    let windows = tree
        .child(block, |kind| kind == Kind::Projection)
        .is_some_and(|projection| tree.descendants(projection).any(|node| tree.kind(node) == Kind::Over));
    let outputs = names.scopes.outputs(block);
    let passes = |output: &crate::code::scope::OutputColumn| {
        output.passes_on == Some(place) || output.expression.is_some_and(|value| names.place(value) == Some(place))
    };
    let Some(position) = outputs.iter().position(passes) else { return false };
    let value = value.and_then(|value| outputs.iter().position(|output| output.expression == Some(value)));
    is_key && !windows && is_lost(names, block, (position, value))
}

fn is_lost(names: &Nullness<'_>, block: NodeId, (position, value): (usize, Option<usize>)) -> bool {
    let Some(query) = names.script.tree().parent(block) else { return false };
    let Some(readers) = readers(names.script, names.scopes, query) else { return false };
    let judge = Unread { names };
    let ignores = |reader: RelationId| value.is_some_and(|value| is_column_lost(*names, (reader, value), &judge));
    !readers.is_empty() && readers.into_iter().all(|reader| loses(names, reader, position) || ignores(reader))
}

/// The relations that read a query; none when something else takes its rows, such as an INSERT or a UNION.
pub fn readers(script: &Script, scopes: &Scopes, query: NodeId) -> Option<Vec<RelationId>> {
    let tree = script.tree();
    let parent = tree.parent(query)?;
    let source = match tree.kind(parent) {
        Kind::CommonTable => RelationSource::CommonTable(parent),
        Kind::Derived => RelationSource::Query(query),
        _ => return None,
    };
    Some(scopes.relations().filter(|(_, relation)| relation.source == source).map(|(id, _)| id).collect())
}

/// Whether the block that reads a relation drops its rows in which a column is NULL.
fn loses(names: &Nullness<'_>, reader: RelationId, position: usize) -> bool {
    let tree = names.script.tree();
    let relation = names.scopes.relation(reader);
    let place = (reader, position);
    if names.lets_no_null_through(place, relation.block) {
        return true;
    }
    // On the side that must match, a row whose key is NULL finds no partner.
    let Some(join) = tree.parent(relation.node) else { return false };
    let matched = matches!(
        tree.kind(join),
        Kind::Join { kind: JoinKind::Left | JoinKind::LeftSemi | JoinKind::LeftAnti | JoinKind::Inner, .. }
    );
    let full = names
        .joins(relation.block)
        .iter()
        .any(|join| matches!(tree.kind(*join), Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. }));
    matched && !full && names.condition_of(join).is_some_and(|condition| names.rejects_null(condition, place))
}
