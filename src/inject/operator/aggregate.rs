//! Operators about aggregation.

use crate::code::edit::Edit;
use crate::code::scope::{OutputColumn, Relation};
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::layout::separator;
use crate::inject::names::{columns_in, owners, reference, relations, written};
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::is_windowed;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "count_column_for_star", propose: count_column_for_star },
    NamedFunction { name: "extra_group_key", propose: extra_group_key },
    NamedFunction { name: "denominator_of_all_rows", propose: denominator_of_all_rows },
];

/// How many columns are proposed for one place.
const CANDIDATES: usize = 2;

/// `COUNT(*)` and `COUNT(1)` become `COUNT(column)` of a column that can be NULL, preferably a key of the optional side
/// of a join, because that is the column people count.
fn count_column_for_star(context: &ScriptContext<'_>, out: &mut Proposals) {
    for call in context.named(NodeName::Call).iter().copied() {
        let arguments = context.script.arguments(call);
        let [argument] = arguments.as_slice() else { continue };
        let all_rows = matches!(context.tree().kind(*argument), Kind::Star) || context.script.slice(*argument) == "1";
        let Some(block) = context.block_of(call).filter(|_| all_rows) else { continue };
        if context.script.function_name(call) != "count" {
            continue;
        }
        for name in countable(context, block).into_iter().take(CANDIDATES) {
            out.push(context.text(), call, vec![Edit::replacement(context.tree().span(*argument), name)]);
        }
    }
}

/// Returns the nullable columns that one might count, as they would be written, the likeliest first.
fn countable(context: &ScriptContext<'_>, block: NodeId) -> Vec<String> {
    let mut found: Vec<(u8, String)> = Vec::new();
    for (_, relation) in relations(context, block).into_iter().filter(|(_, relation)| !relation.condition_only) {
        for column in relation.columns.iter().filter(|column| column.nullable && !column.partition) {
            let clear = !relation.name.is_empty() || owners(context, block, &column.name).len() == 1;
            if clear && !column.data_type.is_nested() {
                found.push((unlikeliness(relation, column), written(context, block, relation, &column.name)));
            }
        }
    }
    found.sort_by_key(|(unlikeliness, _)| *unlikeliness);
    found.into_iter().map(|(_, name)| name).collect()
}

fn unlikeliness(relation: &Relation, column: &OutputColumn) -> u8 {
    let key = column.name == "id" || ["_id", "_no", "_code", "_key"].iter().any(|end| column.name.ends_with(end));
    u8::from(!relation.optional) * 2 + u8::from(!key)
}

/// A ratio is taken over all rows: `COUNT(x)` in a denominator becomes `COUNT(*)`.
fn denominator_of_all_rows(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    for divide in context.named(NodeName::Divide).iter().copied() {
        let Some(denominator) = tree.children(divide).last().copied() else { continue };
        let is_count = |node: &NodeId| {
            matches!(tree.kind(*node), Kind::Call { .. }) && context.script.function_name(*node) == "count"
        };
        let Some(count) = tree.descendants(denominator).find(is_count).filter(|count| !is_windowed(context, *count))
        else {
            continue;
        };
        let arguments = context.script.arguments(count);
        let [argument] = arguments.as_slice() else { continue };
        if tree.kind(*argument) == Kind::Star || tree.kind(*argument) == Kind::Number {
            continue;
        }
        // `COUNT(DISTINCT *)` would be another fault, so DISTINCT is replaced as well.
        let distinct = matches!(tree.kind(count), Kind::Call { distinct: true });
        let first = context.ends(*argument).0 - usize::from(distinct);
        let span = context.token_span(first).cover(tree.span(*argument));
        out.push(context.text(), count, vec![Edit::replacement(span, "*")]);
    }
}

/// GROUP BY gains a column of the SELECT list, preferably one whose name shares a word with a key.
fn extra_group_key(context: &ScriptContext<'_>, out: &mut Proposals) {
    for group in context.named(NodeName::GroupBy).iter().copied() {
        let keys: Vec<NodeId> = context.tree().children(group).to_vec();
        let extended = keys.iter().any(|key| matches!(context.tree().kind(*key), Kind::Grouping { .. }));
        let (Some(block), Some(last), false) = (context.block_of(group), keys.last(), extended) else { continue };
        let comma = separator(context, &keys);
        for (column, name) in near_columns(context, block, &keys).into_iter().take(CANDIDATES) {
            let edit = Edit::insertion(context.tree().span(*last).end, format!("{comma}{name}"));
            out.push_about(context.text(), group, vec![edit], vec![column]);
        }
    }
}

/// Returns the columns of the SELECT list that are not keys, as they are written there. Those whose names share a word
/// with a key come first.
fn near_columns(context: &ScriptContext<'_>, block: NodeId, keys: &[NodeId]) -> Vec<(NodeId, String)> {
    let key_names: Vec<String> = keys.iter().map(|key| context.script.last_name(*key)).collect();
    let key_words: Vec<&str> = key_names.iter().flat_map(|name| name.split('_')).collect();
    let Some(projection) = context.tree().child(block, |kind| kind == Kind::Projection) else { return Vec::new() };
    let mut found: Vec<(bool, NodeId, String)> = Vec::new();
    for column in columns_in(context, projection) {
        let Some(reference) = reference(context, column) else { continue };
        let name = context.script.slice(column).to_owned();
        let known = key_names.contains(&reference.column.name) || found.iter().any(|(_, _, other)| *other == name);
        if !known && !reference.column.data_type.is_nested() {
            let shares = reference.column.name.split('_').any(|word| key_words.contains(&word));
            found.push((!shares, column, name));
        }
    }
    found.sort_by_key(|(far, ..)| *far);
    found.into_iter().map(|(_, column, name)| (column, name)).collect()
}
