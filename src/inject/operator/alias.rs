//! Operators about table aliases.

use crate::code::edit::Edit;
use crate::code::scope::{OutputColumn, Relation, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::names::{ColumnReference, join_key, reference, relations, repeats_a_sibling};
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "wrong_alias", propose: wrong_alias },
    NamedFunction { name: "inner_alias_outside", propose: inner_alias_outside },
    NamedFunction { name: "duplicate_table_alias", propose: duplicate_table_alias },
    NamedFunction { name: "duplicate_view_name", propose: duplicate_view_name },
    NamedFunction { name: "alias_of_no_table", propose: alias_of_no_table },
];

/// A qualified column is taken from another table of the block that has a column of its name and type.
fn wrong_alias(context: &ScriptContext<'_>, out: &mut Proposals) {
    for column in context.named(NodeName::Column).iter().copied() {
        let Some(found) = reference(context, column) else { continue };
        let Some(qualifier) = found.qualifier else { continue };
        let same = |other: &OutputColumn| other.name == found.column.name && other.data_type == found.column.data_type;
        for (id, relation) in relations(context, column) {
            let candidate = id != found.id && !relation.name.is_empty() && relation.columns.iter().any(same);
            let written = format!("{}.{}", relation.name, context.script.slice(found.name));
            let is_odd = repeats_a_sibling(context, column, &written);
            let usable = candidate && !is_odd && is_visible(context, relation, column);
            if usable && !are_joined(context, column, &found, relation) {
                let edit = Edit::replacement(context.tree().span(qualifier), relation.name.clone());
                out.push(context.text(), column, vec![edit]);
            }
        }
    }
}

/// Whether a reference at `column` may use the relation. In ON it may not be joined later; elsewhere it may not be the
/// right side of a semi or anti join, which is visible in its own ON only.
fn is_visible(context: &ScriptContext<'_>, relation: &Relation, column: NodeId) -> bool {
    let join = context.tree().enclosing(column, |kind| matches!(kind, Kind::Join { .. }));
    match join.filter(|_| context.above_in_block(column).any(|id| context.tree().kind(id) == Kind::On)) {
        Some(join) => context.tree().span(relation.node).start <= context.tree().span(join).end,
        None => !relation.condition_only,
    }
}

/// Whether an inner join of the block makes the two columns equal, so that the mutant would be equivalent.
fn are_joined(context: &ScriptContext<'_>, column: NodeId, found: &ColumnReference<'_>, other: &Relation) -> bool {
    let tree = context.tree();
    let Some(block) = context.block_of(column) else { return false };
    let inner = |on: &NodeId| {
        let join = tree.parent(*on).map(|join| tree.kind(join));
        matches!(join, Some(Kind::Join { kind: JoinKind::Inner | JoinKind::LeftSemi, .. }))
    };
    let ons = tree.descendants(block).filter(|id| tree.kind(*id) == Kind::On);
    let ons = ons.filter(|on| context.block_of(*on) == Some(block) && inner(on));
    let mut keys = ons.flat_map(|on| tree.descendants(on)).filter_map(|id| join_key(context, id));
    keys.any(|(left, right)| {
        let sides = [reference(context, left), reference(context, right)];
        let named = sides.iter().flatten().all(|side| side.column.name == found.column.name);
        let mut nodes = sides.iter().flatten().map(|side| side.relation.node);
        named && nodes.clone().any(|node| node == found.relation.node) && nodes.any(|node| node == other.node)
    })
}

/// A column of a sub-query is qualified by the name of a table inside it.
fn inner_alias_outside(context: &ScriptContext<'_>, out: &mut Proposals) {
    for column in context.named(NodeName::Column).iter().copied() {
        let Some(found) = reference(context, column) else { continue };
        let (Some(qualifier), RelationSource::Query(query)) = (found.qualifier, &found.relation.source) else {
            continue;
        };
        let block = context.tree().child(*query, |kind| matches!(kind, Kind::Select { .. }));
        let inner = block.map(|block| relations(context, block)).unwrap_or_default();
        let visible: Vec<&str> =
            relations(context, column).iter().map(|(_, relation)| relation.name.as_str()).collect();
        let has = |relation: &Relation| {
            let named = !relation.name.is_empty() && !visible.contains(&relation.name.as_str());
            named && relation.columns.iter().any(|other| other.name == found.column.name)
        };
        if let Some((_, relation)) = inner.into_iter().find(|(_, relation)| has(relation)) {
            let edit = Edit::replacement(context.tree().span(qualifier), relation.name.clone());
            out.push(context.text(), column, vec![edit]);
        }
    }
}

/// The alias of a joined table repeats the alias of the table before it.
fn duplicate_table_alias(context: &ScriptContext<'_>, out: &mut Proposals) {
    for block in context.named(NodeName::Select).iter().copied() {
        let names: Vec<(String, Option<NodeId>)> =
            relations(context, block).iter().map(|(_, r)| (r.name.clone(), alias_name(context, r.node))).collect();
        for pair in names.windows(2) {
            let (before, Some(alias)) = (&pair[0].0, pair[1].1) else { continue };
            if !before.is_empty() {
                out.push(context.text(), alias, vec![Edit::replacement(context.tree().span(alias), before.clone())]);
            }
        }
    }
}

/// A common table gets the name of the one before it.
fn duplicate_view_name(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for with in context.named(NodeName::With).iter().copied() {
        for pair in tree.children(with).windows(2) {
            let name = |table: NodeId| tree.children(table)[0];
            let (before, after) = (context.script.slice(name(pair[0])), tree.span(name(pair[1])));
            out.push(context.text(), pair[1], vec![Edit::replacement(after, before)]);
        }
    }
}

/// A qualifier is replaced by an alias that other queries of the script use, but not this one.
fn alias_of_no_table(context: &ScriptContext<'_>, out: &mut Proposals) {
    let mut aliases: Vec<&str> = context.scopes.relations().map(|(_, relation)| relation.name.as_str()).collect();
    aliases.retain(|name| !name.is_empty() && name.len() <= 3);
    aliases.sort_unstable();
    aliases.dedup();
    for column in context.named(NodeName::Column).iter().copied() {
        let Some(qualifier) = reference(context, column).and_then(|found| found.qualifier) else { continue };
        let written = context.script.name(qualifier);
        let visible = |name: &str| {
            let blocks = std::iter::once(column).chain(context.tree().ancestors(column));
            let mut blocks = blocks.filter(|id| matches!(context.tree().kind(*id), Kind::Select { .. }));
            blocks.any(|block| relations(context, block).iter().any(|(_, relation)| relation.name == name))
        };
        let nearest = aliases
            .iter()
            .filter(|name| written.len() <= 3 && !visible(name))
            .min_by_key(|name| (strsim::levenshtein(name, &written), name.len().abs_diff(written.len()), **name));
        if let Some(alias) = nearest {
            out.push(context.text(), column, vec![Edit::replacement(context.tree().span(qualifier), *alias)]);
        }
    }
}

/// Returns the identifier of the alias of a table or sub-query; `None` if it has none.
fn alias_name(context: &ScriptContext<'_>, relation: NodeId) -> Option<NodeId> {
    if !matches!(context.tree().kind(relation), Kind::Table | Kind::Derived | Kind::Piped) {
        return None;
    }
    let alias = context.tree().child(relation, |kind| kind == Kind::Alias)?;
    context.tree().children(alias).first().copied()
}
