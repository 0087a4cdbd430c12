//! `drop_qualifier`, `confuse_column`, `misspell`: names of columns and tables.

use crate::code::edit::Edit;
use crate::code::scope::OutputColumn;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::operator::{ConfuseColumn, Misspell, OnNodes};
use crate::inject::confusion::{confusable, misspellings};
use crate::inject::ground::Ground;
use crate::inject::names::{owners, reference};
use crate::inject::proposal::Proposals;
use crate::inject::selection::select;

/// Deletes `t.` where several tables of the block have the column.
pub(super) fn drop_qualifier(ground: &Ground<'_>, parameters: &OnNodes, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Some(found) = reference(ground, node) else { continue };
        let Some(qualifier) = found.qualifier else { continue };
        if owners(ground, node, &found.column.name).len() > 1 {
            let span = Span::new(ground.tree().span(qualifier).start, ground.tree().span(found.name).start);
            out.push(ground.text(), node, vec![Edit::deletion(span)]);
        }
    }
}

/// Writes another column of the same relation; not one that the block has twice, unless it is qualified.
pub(super) fn confuse_column(ground: &Ground<'_>, parameters: &ConfuseColumn, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Some(found) = reference(ground, node) else { continue };
        let clear = |column: &&OutputColumn| found.qualifier.is_some() || owners(ground, node, &column.name).len() == 1;
        let candidates = confusable(found.column, &found.relation.columns).into_iter().filter(clear);
        for candidate in candidates.take(parameters.candidates) {
            let span = ground.tree().span(found.name);
            out.push(ground.text(), node, vec![Edit::replacement(span, candidate.name.clone())]);
        }
    }
}

/// How many misspellings are offered for one name.
const MISSPELLINGS: usize = 2;

/// Mistypes the last name of a column, a table or a function so that nothing has it.
pub(super) fn misspell(ground: &Ground<'_>, parameters: &Misspell, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Some(name) = misspelt_part(ground, node) else { continue };
        let inside = inside_quotes(ground, name);
        let new =
            misspellings(inside.of(ground.text())).into_iter().filter(|new| is_free(ground, node, &new.to_lowercase()));
        for new in new.take(MISSPELLINGS) {
            out.push(ground.text(), node, vec![Edit::replacement(inside, new)]);
        }
    }
}

/// The bytes of a name without its back quotes.
fn inside_quotes(ground: &Ground<'_>, name: NodeId) -> Span {
    let span = ground.tree().span(name);
    let quoted = ground.script.slice(name).starts_with('`') && span.end - span.start > 2;
    if quoted { Span::new(span.start + 1, span.end - 1) } else { span }
}

fn misspelt_part(ground: &Ground<'_>, node: NodeId) -> Option<NodeId> {
    match ground.tree().kind(node) {
        Kind::Column => reference(ground, node).map(|found| found.name),
        Kind::Table => ground.tree().children_where(node, |kind| kind == Kind::Identifier).last(),
        Kind::Identifier | Kind::FunctionName => Some(node),
        _ => None,
    }
}

/// Whether no column, table or CTE that the node could mean has this name.
fn is_free(ground: &Ground<'_>, node: NodeId, name: &str) -> bool {
    match ground.tree().kind(node) {
        Kind::Column => {
            let block_has = !owners(ground, node, name).is_empty();
            let outputs = ground.block_of(node).map_or(&[][..], |block| ground.scopes.outputs(block));
            !block_has && !outputs.iter().any(|output| output.name == name)
        }
        _ => !ground.has_word(name) && ground.schema.table(name).is_none(),
    }
}
