//! `unwrap`: one child stays, what was around it goes.

use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::Unwrap;
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::selection::select;

/// `COALESCE(x, 0)` becomes `x`, `NOT x` becomes `x`, `a OR b` becomes `a`.
pub(super) fn unwrap(ground: &Ground<'_>, parameters: &Unwrap, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Some(kept) = child(ground, node, parameters.keep) else { continue };
        let names = NodeName::of(ground.tree().kind(kept));
        if parameters.kept.is_empty() || names.iter().any(|name| parameters.kept.contains(name)) {
            // What stood around the child goes in one gesture: a call without its other arguments is not less of it.
            out.push_whole(ground.text(), node, edits(ground, node, kept));
        }
    }
}

fn child(ground: &Ground<'_>, node: NodeId, index: usize) -> Option<NodeId> {
    match ground.tree().kind(node) {
        Kind::Call { .. } => ground.script.arguments(node).get(index).copied(),
        _ => ground.tree().children(node).get(index).copied(),
    }
}

fn edits(ground: &Ground<'_>, node: NodeId, kept: NodeId) -> Vec<Edit> {
    let (outer, inner) = (ground.tree().span(node), ground.tree().span(kept));
    let brackets = needs_brackets(ground, node, kept);
    let lead = Edit::replacement(Span::new(outer.start, inner.start), if brackets { "(" } else { "" });
    let tail = Edit::replacement(Span::new(inner.end, outer.end), if brackets { ")" } else { "" });
    [lead, tail].into_iter().filter(|edit| !edit.span().is_empty() || !edit.text.is_empty()).collect()
}

/// Whether what stays would fall apart among the operators around the node.
fn needs_brackets(ground: &Ground<'_>, node: NodeId, kept: NodeId) -> bool {
    let operators = |kind: Kind| {
        matches!(
            kind,
            Kind::Binary(_)
                | Kind::And
                | Kind::Or
                | Kind::Not
                | Kind::Unary
                | Kind::Between { .. }
                | Kind::IsNull { .. }
                | Kind::InList { .. }
                | Kind::InQuery { .. }
                | Kind::Pattern { .. }
        )
    };
    let parent = ground.tree().parent(node).map(|parent| ground.tree().kind(parent));
    operators(ground.tree().kind(kept))
        && parent.is_some_and(operators)
        && !matches!(ground.tree().kind(node), Kind::Paren)
}
