//! `flip_sort` and `swap_children`: the order of rows and the order of parts.

use crate::code::edit::Edit;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::{OnNodes, SwapChildren};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, replace_tokens};
use crate::inject::selection::select;

use super::words::like;

/// `a DESC` becomes `a`, `a ASC` becomes `a DESC`, `a` becomes `a DESC`.
pub(super) fn flip_sort(ground: &Ground<'_>, parameters: &OnNodes, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Some(key) = ground.tree().children(node).first().copied() else { continue };
        let (_, last) = ground.ends(key);
        let descending = matches!(ground.tree().kind(node), Kind::SortItem { descending: true, .. });
        let edit = if descending {
            removal(ground.text(), ground.token_span(last + 1))
        } else if ground.token_is(last + 1, "ASC") {
            replace_tokens(ground, last + 1, last + 1, &like(ground.script.token_text(last + 1), "DESC"))
        } else {
            Edit::insertion(ground.tree().span(key).end, format!(" {}", ground.keyword(node, "DESC")))
        };
        out.push(ground.text(), node, vec![edit]);
    }
}

/// Exchanges neighbours: the last two children, or every two neighbours of the given names.
pub(super) fn swap_children(ground: &Ground<'_>, parameters: &SwapChildren, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let children = ground.tree().children(node);
        let pairs: Vec<&[NodeId]> = if parameters.of.is_empty() {
            children.windows(2).last().into_iter().collect()
        } else {
            children
                .windows(2)
                .filter(|pair| pair.iter().all(|child| has_name(ground, *child, &parameters.of)))
                .collect()
        };
        for pair in pairs {
            let (first, second) = (ground.tree().span(pair[0]), ground.tree().span(pair[1]));
            let edits = vec![
                Edit::replacement(first, second.of(ground.text())),
                Edit::replacement(second, first.of(ground.text())),
            ];
            out.push_whole(ground.text(), node, edits);
        }
    }
}

fn has_name(ground: &Ground<'_>, node: NodeId, names: &[NodeName]) -> bool {
    NodeName::of(ground.tree().kind(node)).iter().any(|name| names.contains(name))
}
