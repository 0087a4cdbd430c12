//! `drop_qualifier`, `confuse_column`, `misspell`: names of columns and tables.

use crate::code::edit::Edit;
use crate::code::grammar::ends_an_expression;
use crate::code::scope::OutputColumn;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::operator::{ConfuseColumn, Misspell, OnNodes};
use crate::inject::confusion::confusable;
use crate::inject::names::{owners, reference, repeats_a_sibling};
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;
use crate::inject::typo::misspellings;

/// Deletes `t.` where several tables of the block have the column.
pub(super) fn drop_qualifier(context: &ScriptContext<'_>, parameters: &OnNodes, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Some(found) = reference(context, node) else { continue };
        let Some(qualifier) = found.qualifier else { continue };
        if owners(context, node, &found.column.name).len() > 1 {
            let span = Span::new(context.tree().span(qualifier).start, context.tree().span(found.name).start);
            out.push(context.text(), node, vec![Edit::deletion(span)]);
        }
    }
}

/// Replaces a column by another one of the same relation. Unless the reference is qualified, the new name must not be
/// ambiguous in the block.
pub(super) fn confuse_column(context: &ScriptContext<'_>, parameters: &ConfuseColumn, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Some(found) = reference(context, node) else { continue };
        let clear =
            |column: &&OutputColumn| found.qualifier.is_some() || owners(context, node, &column.name).len() == 1;
        let candidates = confusable(found.column, &found.relation.columns).into_iter().filter(clear);
        for candidate in candidates.take(parameters.candidates) {
            let span = context.tree().span(found.name);
            let written = format!("{}{}", &context.text()[context.tree().span(node).start..span.start], candidate.name);
            if !repeats_a_sibling(context, node, &written) {
                out.push(context.text(), node, vec![Edit::replacement(span, candidate.name.clone())]);
            }
        }
    }
}

/// How many misspellings are proposed for one name.
const MISSPELLINGS: usize = 2;

/// Misspells the last part of the name of a column, table or function, so that it refers to nothing.
pub(super) fn misspell(context: &ScriptContext<'_>, parameters: &Misspell, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Some(name) = misspelt_part(context, node) else { continue };
        let inside = inside_quotes(context, name);
        let (place, _) = context.ends(name);
        let typos = misspellings(inside.of(context.text()), place);
        let free = typos.into_iter().filter(|typo| is_free(context, node, &typo.to_lowercase()));
        for typo in free.take(MISSPELLINGS) {
            out.push(context.text(), node, vec![Edit::replacement(inside, typo)]);
        }
    }
}

/// Returns the span of a name without its back quotes.
fn inside_quotes(context: &ScriptContext<'_>, name: NodeId) -> Span {
    let span = context.tree().span(name);
    let quoted = context.script.slice(name).starts_with('`') && span.end - span.start > 2;
    if quoted { Span::new(span.start + 1, span.end - 1) } else { span }
}

fn misspelt_part(context: &ScriptContext<'_>, node: NodeId) -> Option<NodeId> {
    match context.tree().kind(node) {
        Kind::Column => reference(context, node).map(|found| found.name),
        Kind::Table => context.tree().children_where(node, |kind| kind == Kind::Identifier).last(),
        Kind::Identifier | Kind::FunctionName => Some(node),
        _ => None,
    }
}

/// Whether a misspelt name refers to nothing: it is no word of the script, no keyword, and no column or table that the
/// node could refer to.
fn is_free(context: &ScriptContext<'_>, node: NodeId, name: &str) -> bool {
    let known = context.has_word(name) || ends_an_expression(name);
    !known
        && match context.tree().kind(node) {
            Kind::Column => owners(context, node, name).is_empty(),
            _ => !context.schema.tables.iter().any(|table| table.short_name() == name),
        }
}

#[cfg(test)]
mod tests {
    use crate::corpus::embedded;
    use crate::fault::Taxonomy;
    use crate::inject::{ScriptContext, propose};

    #[test]
    fn no_misspelt_name_of_the_seeds_is_a_name_that_somebody_has() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let mut planted = 0;
        for reference in embedded().into_iter().map(Result::unwrap) {
            let scopes = reference.scopes();
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            let columns = reference.schema.tables.iter().flat_map(|table| &table.columns).map(|column| &column.name);
            let columns: Vec<&String> = columns.collect();
            for id in ["column-misspelt", "table-misspelt", "insert-target-misspelt"] {
                for proposal in propose(&context, taxonomy.fault(id).unwrap().written_operator().unwrap()) {
                    let edits = proposal.edits.without_blanks(reference.script.text());
                    let [edit] = edits.as_slice() else { panic!("{id}: one place") };
                    let new = edit.text.to_lowercase();
                    assert!(!context.has_word(&new), "{}: {new}", reference.id);
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
