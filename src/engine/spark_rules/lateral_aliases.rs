//! Checks that windows and aggregates of a SELECT list name no column that the list itself makes: Spark takes such an
//! alias only in other expressions.

use super::known_call::{is_aggregate, is_window_call};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::windows::specification;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let lists = context.nodes_where(|kind| kind == Kind::Projection);
    let calls = lists.flat_map(|list| context.own_nodes(list)).filter(|node| is_call(context.kind(*node)));
    calls.filter_map(|call| finding(context, call)).collect()
}

fn is_call(kind: Kind) -> bool {
    matches!(kind, Kind::Call { .. })
}

fn finding(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let (class, kind) = if is_window_call(context, call) {
        ("UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_WINDOW", "window expression")
    } else if is_aggregate(context, call) {
        ("UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_AGGREGATE_FUNC", "aggregate function")
    } else {
        return None;
    };
    let over = context.tree().child(call, |kind| kind == Kind::Over);
    let window = over.and_then(|over| specification(context, over).ok().flatten());
    let mut named = std::iter::once(call).chain(window).flat_map(|part| context.own_nodes(part));
    let alias = named.find(|node| {
        context.scopes.binding(*node).is_some_and(|binding| matches!(binding.target, ColumnTarget::Alias(_)))
    })?;
    let words = format!(
        "The feature is not supported: Referencing a lateral column alias {} in the {kind} \"{}\".",
        context.quoted(alias),
        context.quoted(call)
    );
    Some(RuleFinding::new(class, "0A000", context.span(call), words))
}
