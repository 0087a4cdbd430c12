//! `null-comparison`: a lint that refuses every comparison with NULL.

use super::context::PolicyContext;
use super::finding::PolicyFinding;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// Finds the first comparison with a literal NULL on one side. `<=>` is meant for NULL and is allowed.
pub(super) fn check(context: &PolicyContext<'_>) -> Option<PolicyFinding> {
    let tree = context.tree();
    let is_null = |node: &NodeId| tree.kind(*node) == Kind::Null;
    let compares = |node: &NodeId| match tree.kind(*node) {
        Kind::Binary(BinaryOperator::NullSafeEqual) => false,
        Kind::Binary(operator) => operator.is_comparison() && tree.children(*node).iter().any(is_null),
        _ => false,
    };
    let first = tree.ids().filter(compares).min_by_key(|node| context.span(*node).start)?;
    let quoted = context.script.line(first);
    Some(PolicyFinding::new(context.span(first), move |place| {
        format!(
            "L:{:4} | P:{:4} | null-comparison | `{quoted}` is neither true nor false; NULL is tested by IS",
            place.line, place.column
        )
    }))
}
