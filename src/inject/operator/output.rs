//! Operators about SELECT lists.

use crate::code::edit::Edit;
use crate::code::scope::ColumnTarget;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::fault::NodeName;
use crate::inject::layout::separator;
use crate::inject::names::used_columns;
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::owners;

use super::join::added_to_where;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "duplicate_output_name", propose: duplicate_output_name },
    NamedFunction { name: "window_alias_in_where", propose: window_alias_in_where },
    NamedFunction { name: "alias_into_cast", propose: alias_into_cast },
    NamedFunction { name: "exchange_outputs", propose: exchange_outputs },
    NamedFunction { name: "select_static_partition", propose: select_static_partition },
    NamedFunction { name: "lost_comma_makes_alias", propose: lost_comma_makes_alias },
];

/// The alias of a SELECT item.
fn alias_of(context: &ScriptContext<'_>, item: NodeId) -> Option<NodeId> {
    context.tree().child(item, |kind| kind == Kind::Alias)
}

/// The SELECT items of a list that has no `*`.
fn plain_items(context: &ScriptContext<'_>, projection: NodeId) -> Option<Vec<NodeId>> {
    let items = context.tree().children(projection);
    items.iter().all(|item| context.tree().kind(*item) == Kind::SelectItem).then(|| items.to_vec())
}

/// Returns the query whose output the SELECT list is; `None` inside a set operation.
fn query_of(context: &ScriptContext<'_>, projection: NodeId) -> Option<NodeId> {
    let block = context.tree().parent(projection)?;
    context.tree().parent(block).filter(|query| context.tree().kind(*query) == Kind::Query)
}

/// An alias repeats the name of the item before it, as happens when a line is copied, and that name is used outside.
fn duplicate_output_name(context: &ScriptContext<'_>, out: &mut Proposals) {
    let used = used_columns(context);
    for projection in context.named(NodeName::Projection).iter().copied() {
        let (Some(items), Some(query)) = (plain_items(context, projection), query_of(context, projection)) else {
            continue;
        };
        let readers = context.readers(query);
        let outputs = context.scopes.outputs(query);
        for index in 1..items.len().min(outputs.len()) {
            let before_is_used = readers.iter().any(|reader| used.contains(&(*reader, index - 1)));
            let Some(alias) = alias_of(context, items[index]).filter(|_| before_is_used) else { continue };
            let name = context.tree().children(alias)[0];
            let edit = Edit::replacement(context.tree().span(name), outputs[index - 1].name.clone());
            out.push(context.text(), items[index], vec![edit]);
        }
    }
}

/// Two adjacent items of the same type change places where only their position matters: in the query of an INSERT and
/// in an operand of a UNION.
fn exchange_outputs(context: &ScriptContext<'_>, out: &mut Proposals) {
    for projection in context.named(NodeName::Projection).iter().copied() {
        let Some(items) = plain_items(context, projection).filter(|_| is_positional(context, projection)) else {
            continue;
        };
        for pair in items.windows(2) {
            let value = |item: NodeId| context.tree().children(item)[0];
            let types = (context.scopes.type_of(value(pair[0])), context.scopes.type_of(value(pair[1])));
            let same = types.0 == types.1 && !matches!(types.0, Type::Unknown | Type::Null);
            if !same || is_constant(context, value(pair[0])) && is_constant(context, value(pair[1])) {
                continue;
            }
            let edits = Edit::exchange(context.text(), context.tree().span(pair[0]), context.tree().span(pair[1]));
            out.push_whole(context.text(), projection, edits);
        }
    }
}

fn is_positional(context: &ScriptContext<'_>, projection: NodeId) -> bool {
    let position =
        |kind: &Kind| matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::SetOperation { .. });
    owners(context, projection).iter().any(position)
}

fn is_constant(context: &ScriptContext<'_>, node: NodeId) -> bool {
    matches!(context.tree().kind(node), Kind::Text | Kind::Number | Kind::Null | Kind::Placeholder)
}

/// The partition column is selected although PARTITION gives its value already.
fn select_static_partition(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for item in context.named(NodeName::PartitionItem).iter().copied() {
        let [name, value] = tree.children(item) else { continue };
        let insert = tree.parent(item).and_then(|list| tree.parent(list));
        let query = insert.and_then(|insert| tree.child(insert, |kind| kind == Kind::Query));
        let block = query.and_then(|query| tree.child(query, |kind| matches!(kind, Kind::Select { .. })));
        let projection = block.and_then(|block| tree.child(block, |kind| kind == Kind::Projection));
        let items = projection.map_or(&[][..], |projection| tree.children(projection));
        let Some(last) = items.last() else { continue };
        let column = format!(
            "{}{} {} {}",
            separator(context, items),
            context.script.slice(*value),
            context.keyword(item, "AS"),
            context.script.slice(*name)
        );
        out.push(context.text(), *last, vec![Edit::insertion(tree.span(*last).end, column)]);
    }
}

/// A comma is lost, so that the next column becomes the alias of the one before it, whose own name nothing uses.
fn lost_comma_makes_alias(context: &ScriptContext<'_>, out: &mut Proposals) {
    let used = used_columns(context);
    for projection in context.named(NodeName::Projection).iter().copied() {
        let (Some(items), Some(query)) = (plain_items(context, projection), query_of(context, projection)) else {
            continue;
        };
        let readers = context.readers(query);
        let bare = |item: NodeId| {
            let value = context.tree().children(item)[0];
            context.tree().kind(value) == Kind::Column && alias_of(context, item).is_none()
        };
        for (index, pair) in items.windows(2).enumerate() {
            let unused = !readers.iter().any(|reader| used.contains(&(*reader, index)));
            let single = context.ends(pair[1]).0 == context.ends(pair[1]).1;
            if !readers.is_empty() && unused && single && bare(pair[0]) && bare(pair[1]) {
                let comma = context.token_span(context.ends(pair[0]).1 + 1);
                out.push(context.text(), pair[1], vec![removal(context.text(), comma)]);
            }
        }
    }
}

/// `CAST(x AS INT) AS y` becomes `CAST(x AS INT AS y)`.
fn alias_into_cast(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for cast in context.named(NodeName::Cast).iter().copied() {
        let (_, close) = context.ends(cast);
        let item = tree.parent(cast).filter(|item| tree.kind(*item) == Kind::SelectItem);
        let Some(alias) = item.and_then(|item| alias_of(context, item)) else { continue };
        let written = context.script.slice(alias);
        if !context.token_is(close, ")") || !context.token_is(context.ends(alias).0, "AS") {
            continue;
        }
        let inner = Edit::insertion(context.token_span(close).start, format!(" {written}"));
        let blank_start = tree.span(cast).end;
        let edits = vec![inner, Edit::deletion(Span::new(blank_start, tree.span(alias).end))];
        out.push_whole(context.text(), cast, edits);
    }
}

/// `rn = 1` moves from the outer WHERE into the block that computes `rn` by a window function.
fn window_alias_in_where(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for clause in context.named(NodeName::Where).iter().copied() {
        for condition in tree.conjuncts(clause).iter().copied() {
            let Some((column, block)) = window_behind(context, condition) else { continue };
            let name = context.script.slice(column);
            let bare = name.rsplit('.').next().unwrap_or(name);
            let text = context.script.slice(condition).replacen(name, bare, 1);
            let added = added_to_where(context, block, &text);
            let (Some(mut edits), Some(added)) = (remove_node(context, condition), added) else { continue };
            edits.push(added);
            out.push_whole(context.text(), condition, edits);
        }
    }
}

/// Returns, for `t.rn = 1`, the column `t.rn` and the block of the sub-query that computes it by a window function.
fn window_behind(context: &ScriptContext<'_>, condition: NodeId) -> Option<(NodeId, NodeId)> {
    let tree = context.tree();
    let column = *tree.children(condition).first().filter(|id| tree.kind(**id) == Kind::Column)?;
    let ColumnTarget::Column(id, index) = context.scopes.binding(column)?.target else { return None };
    let query = context.scopes.relation(id).source.query(tree)?;
    let expression = context.scopes.outputs(query).get(index)?.expression?;
    let windowed = tree.child(expression, |kind| matches!(kind, Kind::Over)).is_some();
    let block = tree.child(query, |kind| matches!(kind, Kind::Select { .. }))?;
    (windowed && tree.descendants(query).any(|id| id == expression)).then_some((column, block))
}
