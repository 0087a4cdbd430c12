//! Operators about sub-queries.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::names::{relations, written};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::block_trait;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "limit_into_subquery", propose: limit_into_subquery },
    NamedFunction { name: "drop_correlation", propose: drop_correlation },
    NamedFunction { name: "second_subquery_column", propose: second_subquery_column },
];

/// A condition that refers to a column of the outer query is removed.
fn drop_correlation(context: &ScriptContext<'_>, out: &mut Proposals) {
    for clause in context.named(NodeName::Where).iter().copied() {
        for condition in context.tree().conjuncts(clause).iter().copied() {
            let outer = |id: NodeId| context.scopes.binding(id).is_some_and(|binding| binding.outer);
            if !context
                .tree()
                .descendants(condition)
                .any(|id| outer(id) && context.block_of(id) == context.block_of(clause))
            {
                continue;
            }
            if let Some(edits) = remove_node(context, condition) {
                out.push(context.text(), condition, edits);
            }
        }
    }
}

/// LIMIT, with the ORDER BY it depends on, moves from a query into the one sub-query or CTE that it reads.
fn limit_into_subquery(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for limit in context.named(NodeName::Limit).iter().copied() {
        let Some(query) = tree.parent(limit) else { continue };
        let child = |of: NodeId, wanted: fn(Kind) -> bool| tree.child(of, wanted);
        let order = child(query, |kind| kind == Kind::OrderBy);
        let block = child(query, |kind| matches!(kind, Kind::Select { .. }));
        let (Some(order), Some(block)) = (order, block) else { continue };
        let Some(inner) = query_read_by(context, block) else { continue };
        let ordered = child(inner, |kind| matches!(kind, Kind::OrderBy | Kind::Limit)).is_some();
        let plain = child(inner, |kind| matches!(kind, Kind::Select { .. })).is_some();
        if ordered || !plain || !sorts_by_outputs_of(context, order, inner) {
            continue;
        }
        let text = format!(" {} {}", context.script.slice(order), context.script.slice(limit));
        let edits = vec![Edit::insertion(tree.span(inner).end, text), removal(context.text(), tree.span(limit))];
        out.push_whole(context.text(), limit, edits);
    }
}

/// Returns the query behind the first relation of a block; `None` if something else reads it too.
fn query_read_by(context: &ScriptContext<'_>, block: NodeId) -> Option<NodeId> {
    let (id, relation) = relations(context, block).into_iter().next()?;
    // In a pipe there are no brackets around what a step reads.
    if context.tree().kind(relation.node) == Kind::Piped {
        return None;
    }
    let query = relation.source.query(context.tree())?;
    (context.readers(query) == [id]).then_some(query)
}

fn sorts_by_outputs_of(context: &ScriptContext<'_>, order: NodeId, query: NodeId) -> bool {
    let outputs = context.scopes.outputs(query);
    let plain = |item: &NodeId| {
        let key = context.tree().children(*item)[0];
        context.tree().kind(key) == Kind::Column
            && context.tree().children(key).len() == 1
            && outputs.iter().any(|output| output.name == context.script.last_name(key))
    };
    context.tree().children(order).iter().all(plain)
}

/// The SELECT list of a sub-query used as a value or in IN gains a second column.
fn second_subquery_column(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for name in [NodeName::InQuery, NodeName::NotInQuery, NodeName::ScalarQuery] {
        for owner in context.named(name).iter().copied() {
            let query = tree.child(owner, |kind| kind == Kind::Query);
            let block = query.and_then(|query| tree.child(query, |kind| matches!(kind, Kind::Select { .. })));
            let Some(block) = block else { continue };
            let projection = tree.child(block, |kind| kind == Kind::Projection);
            let items = projection.map_or(&[][..], |projection| tree.children(projection));
            if let ([item], Some(column)) = (items, second_column(context, block, items)) {
                let edit = Edit::insertion(tree.span(*item).end, format!(", {column}"));
                out.push(context.text(), owner, vec![edit]);
            }
        }
    }
}

/// Returns a second item that is legal beside the selected one: a column of the first relation, or `COUNT(*)` if the
/// block is not a plain one.
fn second_column(context: &ScriptContext<'_>, block: NodeId, items: &[NodeId]) -> Option<String> {
    if block_trait(context, block) != Some(crate::fault::BlockTrait::Plain) {
        return Some(context.keyword(block, "COUNT(*)"));
    }
    let selected = items.first().map(|item| context.script.slice(*item).to_lowercase())?;
    let (_, relation) = relations(context, block).into_iter().next()?;
    let other = relation.columns.iter().find(|column| !selected.contains(&column.name))?;
    Some(written(context, block, relation, &other.name))
}
