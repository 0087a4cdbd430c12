//! `flip_sort` and `swap_children`: the order of rows and the order of parts.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::{OnNodes, SwapChildren};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, replace_tokens};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

use super::words::like;

/// `a DESC` becomes `a`, `a ASC` becomes `a DESC`, `a` becomes `a DESC`.
pub(super) fn flip_sort(context: &ScriptContext<'_>, parameters: &OnNodes, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Some(key) = context.tree().children(node).first().copied() else { continue };
        let (_, last) = context.ends(key);
        let descending = matches!(context.tree().kind(node), Kind::SortItem { descending: true, .. });
        let edit = if descending {
            removal(context.text(), context.token_span(last + 1))
        } else if context.token_is(last + 1, "ASC") {
            replace_tokens(context, last + 1, last + 1, &like(context.script.token_text(last + 1), "DESC"))
        } else {
            Edit::insertion(context.tree().span(key).end, format!(" {}", context.keyword(node, "DESC")))
        };
        out.push(context.text(), node, vec![edit]);
    }
}

/// Exchanges neighbours: the last two children, or every two neighbours of the given names.
pub(super) fn swap_children(context: &ScriptContext<'_>, parameters: &SwapChildren, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let children = context.tree().children(node);
        let pairs: Vec<&[NodeId]> = if parameters.of.is_empty() {
            children.windows(2).last().into_iter().collect()
        } else {
            children
                .windows(2)
                .filter(|pair| pair.iter().all(|child| has_name(context, *child, &parameters.of)))
                .collect()
        };
        for pair in pairs {
            let edits = Edit::exchange(context.text(), context.tree().span(pair[0]), context.tree().span(pair[1]));
            out.push_whole(context.text(), node, edits);
        }
    }
}

fn has_name(context: &ScriptContext<'_>, node: NodeId, names: &[NodeName]) -> bool {
    NodeName::any_fits(names, context.tree().kind(node))
}
