//! Operators about sub-queries.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::ground::Ground;
use crate::inject::names::{conjuncts, relations, written};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node};
use crate::inject::selection::block_trait;

/// A condition that compares with a column of the outer query goes.
pub(super) fn drop_correlation(ground: &Ground<'_>, out: &mut Proposals) {
    for clause in ground.named(NodeName::Where).iter().copied() {
        for condition in conjuncts(ground, ground.tree().children(clause)[0]) {
            let outer = |id: NodeId| ground.scopes.binding(id).is_some_and(|binding| binding.outer);
            if !ground
                .tree()
                .descendants(condition)
                .any(|id| outer(id) && ground.block_of(id) == ground.block_of(clause))
            {
                continue;
            }
            if let Some(edits) = remove_node(ground, condition) {
                out.push(ground.text(), condition, edits);
            }
        }
    }
}

/// LIMIT, with the ORDER BY it needs, moves from a query into the one sub-query or CTE that it reads.
pub(super) fn limit_into_subquery(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for limit in ground.named(NodeName::Limit).iter().copied() {
        let Some(query) = tree.parent(limit) else { continue };
        let child = |of: NodeId, wanted: fn(Kind) -> bool| tree.child(of, wanted);
        let order = child(query, |kind| kind == Kind::OrderBy);
        let block = child(query, |kind| matches!(kind, Kind::Select { .. }));
        let (Some(order), Some(block)) = (order, block) else { continue };
        let Some(inner) = query_read_by(ground, block) else { continue };
        let ordered = child(inner, |kind| matches!(kind, Kind::OrderBy | Kind::Limit)).is_some();
        let plain = child(inner, |kind| matches!(kind, Kind::Select { .. })).is_some();
        if ordered || !plain || !sorts_by_outputs_of(ground, order, inner) {
            continue;
        }
        let text = format!(" {} {}", ground.script.slice(order), ground.script.slice(limit));
        let edits = vec![Edit::insertion(tree.span(inner).end, text), removal(ground.text(), tree.span(limit))];
        out.push_whole(ground.text(), limit, edits);
    }
}

/// The query behind the first relation of a block, when nothing else reads it.
fn query_read_by(ground: &Ground<'_>, block: NodeId) -> Option<NodeId> {
    let (id, relation) = relations(ground, block).into_iter().next()?;
    let query = relation.source.query(ground.tree())?;
    (ground.readers(query) == [id]).then_some(query)
}

fn sorts_by_outputs_of(ground: &Ground<'_>, order: NodeId, query: NodeId) -> bool {
    let outputs = ground.scopes.outputs(query);
    let plain = |item: &NodeId| {
        let key = ground.tree().children(*item)[0];
        ground.tree().kind(key) == Kind::Column
            && ground.tree().children(key).len() == 1
            && outputs.iter().any(|output| output.name == ground.script.last_name(key))
    };
    ground.tree().children(order).iter().all(plain)
}

/// The SELECT list of a sub-query used as a value or in IN gains a second column.
pub(super) fn second_subquery_column(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for name in [NodeName::InQuery, NodeName::NotInQuery, NodeName::ScalarQuery] {
        for owner in ground.named(name).iter().copied() {
            let query = tree.child(owner, |kind| kind == Kind::Query);
            let block = query.and_then(|query| tree.child(query, |kind| matches!(kind, Kind::Select { .. })));
            let Some(block) = block else { continue };
            let projection = tree.child(block, |kind| kind == Kind::Projection);
            let items = projection.map_or(&[][..], |projection| tree.children(projection));
            if let ([item], Some(column)) = (items, second_column(ground, block, items)) {
                let edit = Edit::insertion(tree.span(*item).end, format!(", {column}"));
                out.push(ground.text(), owner, vec![edit]);
            }
        }
    }
}

/// A column that is legal beside the one selected: one of the first table, or a count where rows are aggregated.
fn second_column(ground: &Ground<'_>, block: NodeId, items: &[NodeId]) -> Option<String> {
    if block_trait(ground, block) != Some(crate::fault::BlockTrait::Plain) {
        return Some(ground.keyword(block, "COUNT(*)"));
    }
    let selected = items.first().map(|item| ground.script.slice(*item).to_lowercase())?;
    let (_, relation) = relations(ground, block).into_iter().next()?;
    let other = relation.columns.iter().find(|column| !selected.contains(&column.name))?;
    Some(written(ground, block, relation, &other.name))
}
