//! Operators about SELECT lists.

use crate::code::edit::Edit;
use crate::code::scope::Target;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::fault::NodeName;
use crate::inject::ground::Ground;
use crate::inject::layout::separator;
use crate::inject::names::{conjuncts, used_columns};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::selection::owners;

use super::join::added_to_where;

/// The alias of a SELECT item.
fn alias_of(ground: &Ground<'_>, item: NodeId) -> Option<NodeId> {
    ground.tree().child(item, |kind| kind == Kind::Alias)
}

/// The SELECT items of a list that has no `*`.
fn plain_items(ground: &Ground<'_>, projection: NodeId) -> Option<Vec<NodeId>> {
    let items = ground.tree().children(projection);
    items.iter().all(|item| ground.tree().kind(*item) == Kind::SelectItem).then(|| items.to_vec())
}

/// The query whose output a SELECT list is; none inside a set operation.
fn query_of(ground: &Ground<'_>, projection: NodeId) -> Option<NodeId> {
    let block = ground.tree().parent(projection)?;
    ground.tree().parent(block).filter(|query| ground.tree().kind(*query) == Kind::Query)
}

/// An alias repeats the name of the item before it, as after copying a line, and that name is used outside.
pub(super) fn duplicate_output_name(ground: &Ground<'_>, out: &mut Proposals) {
    let used = used_columns(ground);
    for projection in ground.named(NodeName::Projection).iter().copied() {
        let (Some(items), Some(query)) = (plain_items(ground, projection), query_of(ground, projection)) else {
            continue;
        };
        let readers = ground.readers(query);
        let outputs = ground.scopes.outputs(query);
        for index in 1..items.len().min(outputs.len()) {
            let before_is_used = readers.iter().any(|reader| used.contains(&(*reader, index - 1)));
            let Some(alias) = alias_of(ground, items[index]).filter(|_| before_is_used) else { continue };
            let name = ground.tree().children(alias)[0];
            let edit = Edit::replacement(ground.tree().span(name), outputs[index - 1].name.clone());
            out.push(ground.text(), items[index], vec![edit]);
        }
    }
}

/// Two neighbours of the same type change places where only the position tells them apart: in the list of an INSERT
/// and in a branch of a UNION.
pub(super) fn exchange_outputs(ground: &Ground<'_>, out: &mut Proposals) {
    for projection in ground.named(NodeName::Projection).iter().copied() {
        let Some(items) = plain_items(ground, projection).filter(|_| is_positional(ground, projection)) else {
            continue;
        };
        for pair in items.windows(2) {
            let value = |item: NodeId| ground.tree().children(item)[0];
            let types = (ground.scopes.type_of(value(pair[0])), ground.scopes.type_of(value(pair[1])));
            let same = types.0 == types.1 && !matches!(types.0, Type::Unknown | Type::Null);
            if !same || is_constant(ground, value(pair[0])) && is_constant(ground, value(pair[1])) {
                continue;
            }
            let (first, second) = (ground.tree().span(pair[0]), ground.tree().span(pair[1]));
            let edits = vec![
                Edit::replacement(first, second.of(ground.text())),
                Edit::replacement(second, first.of(ground.text())),
            ];
            out.push_whole(ground.text(), projection, edits);
        }
    }
}

fn is_positional(ground: &Ground<'_>, projection: NodeId) -> bool {
    let position =
        |kind: &Kind| matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::SetOperation { .. });
    owners(ground, projection).iter().any(position)
}

fn is_constant(ground: &Ground<'_>, node: NodeId) -> bool {
    matches!(ground.tree().kind(node), Kind::Text | Kind::Number | Kind::Null | Kind::Placeholder)
}

/// The partition column is selected although PARTITION gives its value.
pub(super) fn select_static_partition(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for item in ground.named(NodeName::PartitionItem).iter().copied() {
        let [name, value] = tree.children(item) else { continue };
        let insert = tree.parent(item).and_then(|list| tree.parent(list));
        let query = insert.and_then(|insert| tree.child(insert, |kind| kind == Kind::Query));
        let block = query.and_then(|query| tree.child(query, |kind| matches!(kind, Kind::Select { .. })));
        let projection = block.and_then(|block| tree.child(block, |kind| kind == Kind::Projection));
        let items = projection.map_or(&[][..], |projection| tree.children(projection));
        let Some(last) = items.last() else { continue };
        let column = format!(
            "{}{} {} {}",
            separator(ground, items),
            ground.script.slice(*value),
            ground.keyword(item, "AS"),
            ground.script.slice(*name)
        );
        out.push(ground.text(), *last, vec![Edit::insertion(tree.span(*last).end, column)]);
    }
}

/// A comma is lost, so that the next column becomes the alias of the one before it, whose own name nothing uses.
pub(super) fn lost_comma_makes_alias(ground: &Ground<'_>, out: &mut Proposals) {
    let used = used_columns(ground);
    for projection in ground.named(NodeName::Projection).iter().copied() {
        let (Some(items), Some(query)) = (plain_items(ground, projection), query_of(ground, projection)) else {
            continue;
        };
        let readers = ground.readers(query);
        let bare = |item: NodeId| {
            let value = ground.tree().children(item)[0];
            ground.tree().kind(value) == Kind::Column && alias_of(ground, item).is_none()
        };
        for (index, pair) in items.windows(2).enumerate() {
            let unused = !readers.iter().any(|reader| used.contains(&(*reader, index)));
            let single = ground.ends(pair[1]).0 == ground.ends(pair[1]).1;
            if !readers.is_empty() && unused && single && bare(pair[0]) && bare(pair[1]) {
                let comma = ground.token_span(ground.ends(pair[0]).1 + 1);
                out.push(ground.text(), pair[1], vec![removal(ground.text(), comma)]);
            }
        }
    }
}

/// `CAST(x AS INT) AS y` becomes `CAST(x AS INT AS y)`.
pub(super) fn alias_into_cast(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for cast in ground.named(NodeName::Cast).iter().copied() {
        let (_, close) = ground.ends(cast);
        let item = tree.parent(cast).filter(|item| tree.kind(*item) == Kind::SelectItem);
        let Some(alias) = item.and_then(|item| alias_of(ground, item)) else { continue };
        let written = ground.script.slice(alias);
        if !ground.token_is(close, ")") || !ground.token_is(ground.ends(alias).0, "AS") {
            continue;
        }
        let inner = Edit::insertion(ground.token_span(close).start, format!(" {written}"));
        let blank_start = tree.span(cast).end;
        let edits = vec![inner, Edit::deletion(Span::new(blank_start, tree.span(alias).end))];
        out.push_whole(ground.text(), cast, edits);
    }
}

/// `rn = 1` moves from the outer WHERE into the block that computes `rn` by a window function.
pub(super) fn window_alias_in_where(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for clause in ground.named(NodeName::Where).iter().copied() {
        for condition in conjuncts(ground, tree.children(clause)[0]) {
            let Some((column, block)) = window_behind(ground, condition) else { continue };
            let name = ground.script.slice(column);
            let bare = name.rsplit('.').next().unwrap_or(name);
            let text = ground.script.slice(condition).replacen(name, bare, 1);
            let added = added_to_where(ground, block, &text);
            let (Some(mut edits), Some(added)) = (remove_node(ground, condition), added) else { continue };
            edits.push(added);
            out.push_whole(ground.text(), condition, edits);
        }
    }
}

/// For `t.rn = 1`: the column, and the block of the sub-query in which it is a window function.
fn window_behind(ground: &Ground<'_>, condition: NodeId) -> Option<(NodeId, NodeId)> {
    let tree = ground.tree();
    let column = *tree.children(condition).first().filter(|id| tree.kind(**id) == Kind::Column)?;
    let Target::Column(id, index) = ground.scopes.binding(column)?.target else { return None };
    let query = ground.scopes.relation(id).source.query(tree)?;
    let expression = ground.scopes.outputs(query).get(index)?.expression?;
    let windowed = tree.child(expression, |kind| matches!(kind, Kind::Over)).is_some();
    let block = tree.child(query, |kind| matches!(kind, Kind::Select { .. }))?;
    (windowed && tree.descendants(query).any(|id| id == expression)).then_some((column, block))
}
