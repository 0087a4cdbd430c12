//! `drop_qualifier`, `confuse_column`, `misspell`: names of columns and tables.

use crate::code::edit::Edit;
use crate::code::grammar::ends_an_expression;
use crate::code::scope::OutputColumn;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::operator::{ConfuseColumn, Misspell, OnNodes};
use crate::inject::confusion::confusable;
use crate::inject::ground::Ground;
use crate::inject::names::{owners, reference};
use crate::inject::proposal::Proposals;
use crate::inject::selection::select;
use crate::inject::slip::misspellings;

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
        let (place, _) = ground.ends(name);
        let slips = misspellings(inside.of(ground.text()), place);
        let free = slips.into_iter().filter(|slip| is_free(ground, node, &slip.to_lowercase()));
        for slip in free.take(MISSPELLINGS) {
            out.push(ground.text(), node, vec![Edit::replacement(inside, slip)]);
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

/// Whether nothing that the node could mean has this name: no word of the script, no column or table in scope, no
/// word of the grammar.
fn is_free(ground: &Ground<'_>, node: NodeId, name: &str) -> bool {
    let known = ground.has_word(name) || ends_an_expression(name);
    !known
        && match ground.tree().kind(node) {
            Kind::Column => owners(ground, node, name).is_empty(),
            _ => !ground.schema.tables.iter().any(|table| table.short_name() == name),
        }
}

#[cfg(test)]
mod tests {
    use crate::corpus::embedded;
    use crate::fault::Taxonomy;
    use crate::inject::{Ground, propose};

    #[test]
    fn no_misspelt_name_of_the_seeds_is_a_name_that_somebody_has() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let mut planted = 0;
        for reference in embedded().into_iter().map(Result::unwrap) {
            let scopes = reference.scopes();
            let ground = Ground::new(&reference.script, &scopes, &reference.schema);
            let columns = reference.schema.tables.iter().flat_map(|table| &table.columns).map(|column| &column.name);
            let columns: Vec<&String> = columns.collect();
            for id in ["column-misspelt", "table-misspelt", "insert-target-misspelt"] {
                for proposal in propose(&ground, taxonomy.fault(id).unwrap().written_operator().unwrap()) {
                    let [edit] = &proposal.edits.as_slice() else { panic!("{id}: one place") };
                    let new = edit.text.to_lowercase();
                    assert!(!ground.has_word(&new), "{}: {new}", reference.id);
                    assert!(!columns.contains(&&new), "{}: {new} is a column of some table", reference.id);
                    assert!(
                        reference.schema.tables.iter().all(|table| table.short_name() != new),
                        "{}: {new}",
                        reference.id
                    );
                    planted += 1;
                }
            }
        }
        assert!(planted > 1_000, "{planted}");
    }
}
