//! Operators that replace or add something by its counterpart elsewhere in the script: a literal, a map key, a
//! parameter, a filter.

use std::collections::{BTreeMap, BTreeSet};

use super::join::added_to_where;
use super::named_function::NamedFunction;
use crate::code::edit::Edit;
use crate::code::scope::{RelationId, RelationSource};
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::names::{columns_in, reference, relations, written};
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "sibling_literal", propose: sibling_literal },
    NamedFunction { name: "sibling_map_key", propose: sibling_map_key },
    NamedFunction { name: "sibling_parameter", propose: sibling_parameter },
    NamedFunction { name: "sibling_filter", propose: sibling_filter },
];

/// How many other values are proposed for one place.
const CANDIDATES: usize = 2;

/// A string that a column is compared with is replaced by another string that the script compares the same column name
/// with.
fn sibling_literal(context: &ScriptContext<'_>, out: &mut Proposals) {
    let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let compared = compared_texts(context);
    for (column, text) in &compared {
        known.entry(column.clone()).or_default().insert(context.script.slice(*text));
    }
    for (column, text) in compared {
        // In a list that holds the other value already, only a duplicate would result.
        let beside = context.tree().parent(text).map_or("", |list| context.script.slice(list));
        let others = known[&column].iter().filter(|other| !beside.contains(**other));
        for other in others.take(CANDIDATES) {
            out.push(context.text(), text, vec![Edit::replacement(context.tree().span(text), *other)]);
        }
    }
}

/// Returns every string literal that a plain column is compared with by `=`, `<>` or IN, with the column's name.
fn compared_texts(context: &ScriptContext<'_>) -> Vec<(String, NodeId)> {
    let tree = context.tree();
    let mut found = Vec::new();
    for name in [NodeName::Equal, NodeName::NotEqual, NodeName::InList, NodeName::NotInList] {
        for node in context.named(name) {
            let children = tree.children(*node);
            let column = children.iter().copied().find(|child| tree.kind(*child) == Kind::Column);
            let is_text =
                |child: &NodeId| tree.kind(*child) == Kind::Text && !context.script.slice(*child).contains('$');
            let Some(column) = column else { continue };
            let name = context.script.last_name(column);
            found.extend(children.iter().copied().filter(is_text).map(|text| (name.clone(), text)));
        }
    }
    found.sort_by_key(|(_, text)| tree.span(*text).start);
    found
}

/// The key of `map['key']` is replaced by another key that the script reads from a map of that name.
fn sibling_map_key(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    let keyed = |index: &NodeId| match tree.children(*index) {
        [map, key] if tree.kind(*key) == Kind::Text => Some((context.script.last_name(*map), *key)),
        _ => None,
    };
    let reads: Vec<(String, NodeId)> = context.named(NodeName::Index).iter().filter_map(keyed).collect();
    for (map, key) in &reads {
        let written = context.script.slice(*key);
        let others = reads.iter().filter(|(other, _)| other == map).map(|(_, other)| context.script.slice(*other));
        let others: BTreeSet<&str> = others.filter(|other| *other != written).collect();
        for other in others.into_iter().take(CANDIDATES) {
            out.push(context.text(), *key, vec![Edit::replacement(tree.span(*key), other)]);
        }
    }
}

/// A placeholder that is the whole of a string literal is replaced by another such placeholder.
fn sibling_parameter(context: &ScriptContext<'_>, out: &mut Proposals) {
    let texts = context.named(NodeName::Text);
    let placeholder = |text: &NodeId| {
        let inner = context.script.slice(*text).trim_matches(['\'', '"']);
        let alone = inner.starts_with("${") && inner.ends_with('}') && inner.matches("${").count() == 1;
        alone.then_some(inner)
    };
    let known: BTreeSet<&str> = texts.iter().filter_map(placeholder).collect();
    for text in texts.iter().copied() {
        let Some(written) = placeholder(&text) else { continue };
        let start = context.tree().span(text).start + 1;
        let span = Span::new(start, start + written.len());
        for other in known.iter().filter(|other| **other != written).take(CANDIDATES) {
            out.push(context.text(), text, vec![Edit::replacement(span, *other)]);
        }
    }
}

/// A filter on one read of a table is added to another read of it that has no filter on that column.
fn sibling_filter(context: &ScriptContext<'_>, out: &mut Proposals) {
    let tree = context.tree();
    let filters: Vec<TableFilter> = context
        .named(NodeName::Where)
        .iter()
        .flat_map(|clause| tree.conjuncts(*clause).iter().copied())
        .filter_map(|condition| table_filter(context, condition))
        .collect();
    for block in context.named(NodeName::Select).iter().copied() {
        for (id, relation) in relations(context, block) {
            let RelationSource::Table(table) = &relation.source else { continue };
            let reads = |filter: &&TableFilter| filter.table == *table && filter.relation != id;
            let has = |column: &str| filters.iter().any(|own| own.relation == id && own.column == column);
            // In WHERE, a filter on the optional side of a join would be another fault.
            let usable = filters.iter().filter(reads).filter(|filter| !has(&filter.column) && !relation.optional);
            for filter in usable.take(CANDIDATES) {
                let column = written(context, block, relation, &filter.column);
                let text = context.script.slice(filter.condition).replacen(filter.written, &column, 1);
                if let Some(edit) = added_to_where(context, block, &text) {
                    out.push_about(context.text(), block, vec![edit], vec![filter.condition]);
                }
            }
        }
    }
}

/// A condition in WHERE on one column of a table.
struct TableFilter<'a> {
    condition: NodeId,
    relation: RelationId,
    table: String,
    column: String,
    /// The column as the condition writes it.
    written: &'a str,
}

fn table_filter<'a>(context: &'a ScriptContext<'_>, condition: NodeId) -> Option<TableFilter<'a>> {
    let tree = context.tree();
    let simple = matches!(
        tree.kind(condition),
        Kind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual) | Kind::InList { .. } | Kind::IsNull { .. }
    );
    let [column] = columns_in(context, condition)[..] else { return None };
    let text = context.script.slice(condition);
    if !simple || text.contains('$') || tree.parent(column) != Some(condition) {
        return None;
    }
    let found = reference(context, column)?;
    let RelationSource::Table(table) = &found.relation.source else { return None };
    Some(TableFilter {
        condition,
        relation: found.id,
        table: table.clone(),
        column: found.column.name.clone(),
        written: context.script.slice(column),
    })
}
