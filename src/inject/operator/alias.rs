//! Operators about table aliases.

use crate::code::edit::Edit;
use crate::code::scope::{OutputColumn, Relation, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::ground::Ground;
use crate::inject::names::{Reference, join_key, reference, relations};
use crate::inject::proposal::Proposals;

/// A qualified column is taken from another table of the block that has a column of its name and type.
pub(super) fn wrong_alias(ground: &Ground<'_>, out: &mut Proposals) {
    for column in ground.named(NodeName::Column).iter().copied() {
        let Some(found) = reference(ground, column) else { continue };
        let Some(qualifier) = found.qualifier else { continue };
        let same = |other: &OutputColumn| other.name == found.column.name && other.data_type == found.column.data_type;
        for (id, relation) in relations(ground, column) {
            let candidate = id != found.id && !relation.name.is_empty() && relation.columns.iter().any(same);
            if candidate && is_visible(ground, relation, column) && !are_joined(ground, column, &found, relation) {
                let edit = Edit::replacement(ground.tree().span(qualifier), relation.name.clone());
                out.push(ground.text(), column, vec![edit]);
            }
        }
    }
}

/// A condition-only relation is seen in its own ON; a relation joined later is not seen in an earlier ON.
fn is_visible(ground: &Ground<'_>, relation: &Relation, column: NodeId) -> bool {
    let join = ground.tree().enclosing(column, |kind| matches!(kind, Kind::Join { .. }));
    match join.filter(|_| ground.above_in_block(column).any(|id| ground.tree().kind(id) == Kind::On)) {
        Some(join) => ground.tree().span(relation.node).start <= ground.tree().span(join).end,
        None => !relation.condition_only,
    }
}

/// Whether an inner join of the block makes the two columns equal, so that nothing would change.
fn are_joined(ground: &Ground<'_>, column: NodeId, found: &Reference<'_>, other: &Relation) -> bool {
    let tree = ground.tree();
    let Some(block) = ground.block_of(column) else { return false };
    let inner = |on: &NodeId| {
        let join = tree.parent(*on).map(|join| tree.kind(join));
        matches!(join, Some(Kind::Join { kind: JoinKind::Inner | JoinKind::LeftSemi, .. }))
    };
    let ons = tree.descendants(block).filter(|id| tree.kind(*id) == Kind::On);
    let ons = ons.filter(|on| ground.block_of(*on) == Some(block) && inner(on));
    let mut keys = ons.flat_map(|on| tree.descendants(on)).filter_map(|id| join_key(ground, id));
    keys.any(|(left, right)| {
        let sides = [reference(ground, left), reference(ground, right)];
        let named = sides.iter().flatten().all(|side| side.column.name == found.column.name);
        let mut nodes = sides.iter().flatten().map(|side| side.relation.node);
        named && nodes.clone().any(|node| node == found.relation.node) && nodes.any(|node| node == other.node)
    })
}

/// A column of a sub-query is qualified by the name of a table inside it.
pub(super) fn inner_alias_outside(ground: &Ground<'_>, out: &mut Proposals) {
    for column in ground.named(NodeName::Column).iter().copied() {
        let Some(found) = reference(ground, column) else { continue };
        let (Some(qualifier), RelationSource::Query(query)) = (found.qualifier, &found.relation.source) else {
            continue;
        };
        let block = ground.tree().child(*query, |kind| matches!(kind, Kind::Select { .. }));
        let inner = block.map(|block| relations(ground, block)).unwrap_or_default();
        let visible: Vec<&str> = relations(ground, column).iter().map(|(_, relation)| relation.name.as_str()).collect();
        let has = |relation: &Relation| {
            let named = !relation.name.is_empty() && !visible.contains(&relation.name.as_str());
            named && relation.columns.iter().any(|other| other.name == found.column.name)
        };
        if let Some((_, relation)) = inner.into_iter().find(|(_, relation)| has(relation)) {
            let edit = Edit::replacement(ground.tree().span(qualifier), relation.name.clone());
            out.push(ground.text(), column, vec![edit]);
        }
    }
}

/// The alias of a joined table repeats the alias of the table before it.
pub(super) fn duplicate_table_alias(ground: &Ground<'_>, out: &mut Proposals) {
    for block in ground.named(NodeName::Select).iter().copied() {
        let names: Vec<(String, Option<NodeId>)> =
            relations(ground, block).iter().map(|(_, r)| (r.name.clone(), alias_name(ground, r.node))).collect();
        for pair in names.windows(2) {
            let (before, Some(alias)) = (&pair[0].0, pair[1].1) else { continue };
            if !before.is_empty() {
                out.push(ground.text(), alias, vec![Edit::replacement(ground.tree().span(alias), before.clone())]);
            }
        }
    }
}

/// A view gets the name of the view before it.
pub(super) fn duplicate_view_name(ground: &Ground<'_>, out: &mut Proposals) {
    let tree = ground.tree();
    for with in ground.named(NodeName::With).iter().copied() {
        for pair in tree.children(with).windows(2) {
            let name = |table: NodeId| tree.children(table)[0];
            let (before, after) = (ground.script.slice(name(pair[0])), tree.span(name(pair[1])));
            out.push(ground.text(), pair[1], vec![Edit::replacement(after, before)]);
        }
    }
}

/// A qualifier is replaced by an alias that other queries of the script use, but not this one.
pub(super) fn alias_of_no_table(ground: &Ground<'_>, out: &mut Proposals) {
    let mut aliases: Vec<&str> = ground.scopes.relations().map(|(_, relation)| relation.name.as_str()).collect();
    aliases.retain(|name| !name.is_empty() && name.len() <= 3);
    aliases.sort_unstable();
    aliases.dedup();
    for column in ground.named(NodeName::Column).iter().copied() {
        let Some(qualifier) = reference(ground, column).and_then(|found| found.qualifier) else { continue };
        let written = ground.script.name(qualifier);
        let visible = |name: &str| {
            let blocks = std::iter::once(column).chain(ground.tree().ancestors(column));
            let mut blocks = blocks.filter(|id| matches!(ground.tree().kind(*id), Kind::Select { .. }));
            blocks.any(|block| relations(ground, block).iter().any(|(_, relation)| relation.name == name))
        };
        let nearest = aliases
            .iter()
            .filter(|name| written.len() <= 3 && !visible(name))
            .min_by_key(|name| (strsim::levenshtein(name, &written), name.len().abs_diff(written.len()), **name));
        if let Some(alias) = nearest {
            out.push(ground.text(), column, vec![Edit::replacement(ground.tree().span(qualifier), *alias)]);
        }
    }
}

/// The identifier of a table's or sub-query's alias.
fn alias_name(ground: &Ground<'_>, relation: NodeId) -> Option<NodeId> {
    if !matches!(ground.tree().kind(relation), Kind::Table | Kind::Derived) {
        return None;
    }
    let alias = ground.tree().child(relation, |kind| kind == Kind::Alias)?;
    ground.tree().children(alias).first().copied()
}
