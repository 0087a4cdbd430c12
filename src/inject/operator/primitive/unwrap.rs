//! `unwrap`: replaces a node by one of its children.

use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;
use crate::fault::operator::Unwrap;
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// `COALESCE(x, 0)` becomes `x`, `NOT x` becomes `x`, `a OR b` becomes `a`.
pub(super) fn unwrap(context: &ScriptContext<'_>, parameters: &Unwrap, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Some(kept) = child(context, node, parameters.keep) else { continue };
        if parameters.kept.is_empty() || NodeName::any_fits(&parameters.kept, context.tree().kind(kept)) {
            // The edits before and behind the child only make sense together.
            out.push_whole(context.text(), node, edits(context, node, kept));
        }
    }
}

fn child(context: &ScriptContext<'_>, node: NodeId, index: usize) -> Option<NodeId> {
    match context.tree().kind(node) {
        Kind::Call { .. } => context.script.arguments(node).get(index).copied(),
        _ => context.tree().children(node).get(index).copied(),
    }
}

fn edits(context: &ScriptContext<'_>, node: NodeId, kept: NodeId) -> Vec<Edit> {
    let (outer, inner) = (context.tree().span(node), context.tree().span(kept));
    let brackets = needs_brackets(context, node, kept);
    let lead = Edit::replacement(Span::new(outer.start, inner.start), if brackets { "(" } else { "" });
    let tail = Edit::replacement(Span::new(inner.end, outer.end), if brackets { ")" } else { "" });
    [lead, tail].into_iter().filter(|edit| !edit.span().is_empty() || !edit.text.is_empty()).collect()
}

/// Whether the kept child needs brackets, because the operators around the node might otherwise split it.
fn needs_brackets(context: &ScriptContext<'_>, node: NodeId, kept: NodeId) -> bool {
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
    let parent = context.tree().parent(node).map(|parent| context.tree().kind(parent));
    operators(context.tree().kind(kept))
        && parent.is_some_and(operators)
        && !matches!(context.tree().kind(node), Kind::Paren)
}
