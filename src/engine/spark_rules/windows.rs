//! Checks where windows may stand and how they must look.

use super::frames;
use super::known_call::{is_aggregate, is_window_call, window_only};
use super::operators::UNORDERED;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::Where => findings.extend(misplaced(context, node, "WHERE")),
        Kind::Having => findings.extend(misplaced(context, node, "HAVING")),
        Kind::GroupBy => findings.extend(in_group_by(context, node)),
        Kind::Query => findings.extend(in_order(context, node)),
        Kind::Qualify => findings.extend(without_window(context, node)),
        Kind::WindowSpec => findings.extend(partition(context, node)),
        Kind::Call { .. } => findings.extend(window_call(context, node)),
        _ => {}
    })
}

/// Reports a window function as a sort key of a query.
fn in_order(context: &RuleContext<'_>, query: NodeId) -> Option<RuleFinding> {
    let orders = context.tree().children_where(query, |kind| matches!(kind, Kind::OrderBy | Kind::SortBy));
    let window = orders.into_iter().find_map(|order| own_window(context, order))?;
    Some(context.unsupported_in("Sort", window, window))
}

/// Returns the first window call of a clause, not looking into sub-queries.
pub(super) fn own_window(context: &RuleContext<'_>, clause: NodeId) -> Option<NodeId> {
    let is_call = |node: &NodeId| matches!(context.kind(*node), Kind::Call { .. });
    context.own_nodes(clause).find(|node| is_call(node) && is_window_call(context, *node))
}

fn misplaced(context: &RuleContext<'_>, clause: NodeId, name: &str) -> Option<RuleFinding> {
    let window = own_window(context, clause)?;
    let words = format!("It is not allowed to use window functions inside {name} clause.");
    Some(RuleFinding::new("WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE", "42601", context.span(window), words))
}

fn in_group_by(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let window = own_window(context, clause)?;
    Some(context.unsupported_in("Aggregate", window, clause))
}

/// QUALIFY needs a window function, in its condition or in the SELECT list.
fn without_window(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let select = context.tree().parent(clause)?;
    let list = context.tree().child(select, |kind| kind == Kind::Projection);
    let windowed = list.into_iter().chain([clause]).any(|part| own_window(context, part).is_some());
    let words = "The QUALIFY clause requires a window function in the SELECT list or in itself.";
    (!windowed).then(|| RuleFinding::new("QUALIFY_REQUIRES_WINDOW_FUNCTION", "42903", context.span(clause), words))
}

/// Keys of a window must have an order; that of ORDER BY is checked with all sort keys.
fn partition(context: &RuleContext<'_>, specification: NodeId) -> Option<RuleFinding> {
    let keys = context.tree().child(specification, |kind| kind == Kind::PartitionBy)?;
    let mut keys = context.tree().children(keys).iter();
    let bad = *keys.find(|key| context.scopes.type_of(**key).has_map())?;
    let words =
        format!("Column expression \"{}\" cannot be sorted because its type is not orderable.", context.quoted(bad));
    Some(RuleFinding::new("EXPRESSION_TYPE_IS_NOT_ORDERABLE", "42822", context.span(specification), words))
}

/// Reports a map as a sort key.
pub(super) fn unordered_keys(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let keys = context.tree().children(clause).iter().map(|item| match context.kind(*item) {
        Kind::SortItem { .. } => context.tree().children(*item)[0],
        _ => *item,
    });
    let bad = keys.into_iter().find(|key| context.scopes.type_of(*key).has_map())?;
    let words = format!(
        "Cannot resolve \"{0}\" due to data type mismatch: The `sortorder` does not support ordering on type \"{1}\".",
        context.quoted(bad),
        context.scopes.type_of(bad)
    );
    Some(RuleFinding::new(UNORDERED, "42K09", context.span(bad), words))
}

fn window_call(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let name = context.script.function_name(call);
    let Some(over) = context.tree().child(call, |kind| kind == Kind::Over) else {
        return without_over(context, call, &name);
    };
    if let Some(found) = unfit(context, call) {
        return Some(found);
    }
    let specification = match specification(context, over) {
        Ok(specification) => specification?,
        Err(unknown) => return Some(unknown),
    };
    let ordered = context.tree().child(specification, |kind| kind == Kind::OrderBy).is_some();
    if window_only(&name) && !ordered && !matches!(name.as_str(), "nth_value") {
        let words =
            format!("Window function {name} requires the window to be ordered. You need to add an ORDER BY clause.");
        return Some(RuleFinding::new("WINDOW_FUNCTION_FRAME_NOT_ORDERED", "42601", context.span(call), words));
    }
    frames::check(context, call, specification)
}

/// Reports a window function without OVER, and an aggregate of such functions that have one.
fn without_over(context: &RuleContext<'_>, call: NodeId, name: &str) -> Option<RuleFinding> {
    if window_only(name) {
        let words = format!("Window function \"{}\" requires an OVER clause.", context.quoted(call));
        return Some(RuleFinding::new("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "42601", context.span(call), words));
    }
    let mut arguments = context.script.arguments(call).into_iter().filter(|_| is_aggregate(context, call));
    let inner = arguments.find_map(|argument| own_window(context, argument))?;
    let words = "It is not allowed to use a window function inside an aggregate function. Please use the inner window \
                 function in a sub-query.";
    Some(RuleFinding::new("_LEGACY_ERROR_TEMP_1031", "", context.span(inner), words))
}

/// Reports OVER behind a function of single rows, and DISTINCT of rows that come and go.
fn unfit(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let function = context.script.function(call)?;
    let span = context.span(call);
    if matches!(function.kind, FunctionKind::Scalar) {
        let words = format!("Expression \"{}\" not supported within a window function.", context.quoted(call));
        return Some(RuleFinding::new("UNSUPPORTED_EXPR_FOR_WINDOW", "42P20", span, words));
    }
    (context.kind(call) == Kind::Call { distinct: true }).then(|| {
        let words = format!("Distinct window functions are not supported: \"{}\".", context.quoted(call));
        RuleFinding::new("DISTINCT_WINDOW_FUNCTION_UNSUPPORTED", "0A000", span, words)
    })
}

/// Returns what says how a window looks: that behind OVER, or that of the window whose name stands there; the finding
/// that there is none of this name. Spark tells capitals apart here.
pub(super) fn specification(context: &RuleContext<'_>, over: NodeId) -> Result<Option<NodeId>, RuleFinding> {
    let tree = context.tree();
    let Some(inner) = tree.children(over).first().copied() else { return Ok(None) };
    let name = match context.kind(inner) {
        Kind::WindowSpec => tree.child(inner, |kind| kind == Kind::Identifier),
        _ => Some(inner),
    };
    let Some(name) = name else { return Ok(Some(inner)) };
    let blocks = tree.ancestors(over).filter(|node| matches!(context.kind(*node), Kind::Select { .. } | Kind::Query));
    let clauses = blocks.take(2).filter_map(|block| tree.child(block, |kind| kind == Kind::Windows));
    let mut defined = clauses.flat_map(|clause| tree.children(clause)).map(|window| tree.children(*window));
    let same = defined.find(|window| context.script.slice(window[0]) == context.script.slice(name));
    let words = || format!("Window specification is not defined in the WINDOW clause for `{}`.", context.quoted(name));
    match same {
        Some(window) => Ok(window.get(1).copied()),
        None => Err(RuleFinding::new("MISSING_WINDOW_SPECIFICATION", "42P20", context.span(name), words())),
    }
}
