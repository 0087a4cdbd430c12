//! Checks where windows may stand and how their frames must look.

use super::calls::{is_window_call, window_only};
use super::{RuleContext, RuleFinding};
use crate::code::token::tokenize;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let mut findings = Vec::new();
    for node in context.nodes() {
        match context.kind(node) {
            Kind::Where => findings.extend(misplaced(context, node, "WHERE")),
            Kind::Having => findings.extend(misplaced(context, node, "HAVING")),
            Kind::GroupBy => findings.extend(in_group_by(context, node)),
            Kind::Call { .. } => findings.extend(window_call(context, node)),
            _ => {}
        }
    }
    findings
}

/// Returns the first window call of a clause, not looking into sub-queries.
fn own_window(context: &RuleContext<'_>, clause: NodeId) -> Option<NodeId> {
    let mut stack = vec![clause];
    while let Some(node) = stack.pop() {
        match context.kind(node) {
            Kind::Query => continue,
            Kind::Call { .. } if is_window_call(context, node) => return Some(node),
            _ => stack.extend(context.tree().children(node).iter().rev()),
        }
    }
    None
}

fn misplaced(context: &RuleContext<'_>, clause: NodeId, name: &str) -> Option<RuleFinding> {
    let window = own_window(context, clause)?;
    let words = format!("It is not allowed to use window functions inside {name} clause.");
    Some(RuleFinding::new("WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE", "42601", context.span(window), words))
}

fn in_group_by(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let window = own_window(context, clause)?;
    let words = format!(
        "The query operator Aggregate contains one or more unsupported expressions. Invalid expressions: [\"{}\"].",
        context.quoted(window)
    );
    Some(RuleFinding::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", context.span(clause), words))
}

fn window_call(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let name = context.script.function_name(call);
    let over = context.tree().child(call, |kind| kind == Kind::Over);
    let Some(over) = over else {
        return window_only(&name).then(|| {
            let words = format!("Window function \"{}\" requires an OVER clause.", context.quoted(call));
            RuleFinding::new("WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "42601", context.span(call), words)
        });
    };
    let specification = context.tree().child(over, |kind| kind == Kind::WindowSpec)?;
    let named = context.tree().child(specification, |kind| kind == Kind::Identifier).is_some();
    let ordered = context.tree().child(specification, |kind| kind == Kind::OrderBy).is_some();
    if window_only(&name) && !ordered && !named && !matches!(name.as_str(), "nth_value") {
        let words =
            format!("Window function {name} requires the window to be ordered. You need to add an ORDER BY clause.");
        return Some(RuleFinding::new("WINDOW_FUNCTION_FRAME_NOT_ORDERED", "42601", context.span(call), words));
    }
    let frame = context.tree().child(specification, |kind| matches!(kind, Kind::Frame { .. }))?;
    let frame = Framed { call, specification, frame };
    frame_order(context, frame).or_else(|| frame_fits(context, &name, frame, ordered || named))
}

/// Returns the position of a bound on the scale from UNBOUNDED PRECEDING to UNBOUNDED FOLLOWING.
fn rank(context: &RuleContext<'_>, bound: NodeId) -> f64 {
    let quoted = context.script.slice(bound).to_uppercase();
    // Comments and line breaks may stand between the words.
    let words = tokenize(&quoted).into_iter().filter(|token| !token.kind.is_trivia());
    let text = words.map(|token| token.span().of(&quoted)).collect::<Vec<_>>().join(" ").replace("- ", "-");
    let distance: f64 = text.split(' ').next().and_then(|head| head.parse().ok()).unwrap_or(0.5);
    match text.as_str() {
        "UNBOUNDED PRECEDING" => f64::NEG_INFINITY,
        "UNBOUNDED FOLLOWING" => f64::INFINITY,
        "CURRENT ROW" => 0.0,
        _ if text.ends_with("PRECEDING") => -distance,
        _ => distance,
    }
}

/// A call over a window with a frame.
#[derive(Clone, Copy)]
struct Framed {
    call: NodeId,
    specification: NodeId,
    frame: NodeId,
}

fn frame_order(context: &RuleContext<'_>, Framed { frame, specification, .. }: Framed) -> Option<RuleFinding> {
    let bounds = context.tree().children(frame);
    let upper = bounds.get(1).map_or(0.0, |bound| rank(context, *bound));
    if rank(context, bounds[0]) <= upper && rank(context, bounds[0]) < f64::INFINITY && upper > f64::NEG_INFINITY {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: the upper bound of the window frame does not follow the lower bound.",
        context.quoted(frame)
    );
    Some(RuleFinding::new(
        "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_INVALID_BOUND",
        "42K09",
        context.span(specification),
        words,
    ))
}

fn frame_fits(context: &RuleContext<'_>, name: &str, framed: Framed, ordered: bool) -> Option<RuleFinding> {
    let Framed { call, specification, frame } = framed;
    let rows = context.kind(frame) == Kind::Frame { rows: true };
    if window_only(name) && name != "nth_value" {
        let words =
            format!("The window frame {} does not match the frame that {name} requires.", context.quoted(frame));
        return Some(RuleFinding::new("_LEGACY_ERROR_TEMP_1036", "", context.span(call), words));
    }
    if rows || ordered {
        return None;
    }
    let words = "A range window frame cannot be used in an unordered window specification.";
    Some(RuleFinding::new("DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER", "42K09", context.span(specification), words))
}
