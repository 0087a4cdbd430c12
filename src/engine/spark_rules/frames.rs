//! Checks the frames of windows.

use super::constants::number;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

const UNACCEPTED: &str = "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE";

/// A call over a window with a frame.
#[derive(Clone, Copy)]
struct Framed {
    call: NodeId,
    specification: NodeId,
    frame: NodeId,
    rows: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum FrameBound {
    UnboundedPreceding,
    CurrentRow,
    UnboundedFollowing,
    /// A distance, and its value with PRECEDING below 0 if it is a number.
    Distance(NodeId, Option<f64>),
}

pub(super) fn check(context: &RuleContext<'_>, call: NodeId, specification: NodeId) -> Option<RuleFinding> {
    let frame = context.tree().child(specification, |kind| matches!(kind, Kind::Frame { .. }))?;
    let rows = context.kind(frame) == Kind::Frame { rows: true };
    let framed = Framed { call, specification, frame, rows };
    let (lower, upper) = bounds(context, frame);
    let checks = [bound_types(context, framed, lower), bound_types(context, framed, upper)];
    checks
        .into_iter()
        .flatten()
        .next()
        .or_else(|| bounds_in_order(context, framed, lower, upper))
        .or_else(|| range(context, framed, lower, upper))
        .or_else(|| of_function(context, framed, lower, upper))
}

fn bounds(context: &RuleContext<'_>, frame: NodeId) -> (FrameBound, FrameBound) {
    let bounds = context.tree().children(frame);
    let upper = bounds.get(1).map_or(FrameBound::CurrentRow, |upper| bound(context, *upper));
    (bound(context, bounds[0]), upper)
}

fn bound(context: &RuleContext<'_>, node: NodeId) -> FrameBound {
    let last = context.script.token_text(*context.script.token_range(node).end());
    let preceding = last.eq_ignore_ascii_case("PRECEDING");
    match context.tree().children(node).first() {
        Some(distance) => {
            let value = number(context, *distance).map(|value| if preceding { -value } else { value });
            FrameBound::Distance(*distance, value)
        }
        None if preceding => FrameBound::UnboundedPreceding,
        None if last.eq_ignore_ascii_case("FOLLOWING") => FrameBound::UnboundedFollowing,
        None => FrameBound::CurrentRow,
    }
}

fn finding(context: &RuleContext<'_>, class: &'static str, framed: Framed, reason: &str) -> RuleFinding {
    let words = format!("Cannot resolve \"{}\" due to data type mismatch: {reason}.", context.quoted(framed.frame));
    RuleFinding::new(class, "42K09", context.span(framed.specification), words)
}

/// ROWS count in INT; RANGE measures in what the one sort key is measured in.
fn bound_types(context: &RuleContext<'_>, framed: Framed, bound: FrameBound) -> Option<RuleFinding> {
    let FrameBound::Distance(distance, _) = bound else { return None };
    let given = context.scopes.type_of(distance);
    if matches!(given, Type::Unknown | Type::Null) {
        return None;
    }
    let fits = if framed.rows {
        *given == Type::Int
    } else {
        // The distance is cast to the type of the sort key first.
        let key = match *sort_keys(context, framed.specification) {
            [item] => context.scopes.type_of(context.tree().children(item)[0]),
            _ => &Type::Unknown,
        };
        !matches!(key, Type::String | Type::Boolean | Type::Binary) && !key.is_nested()
    };
    let reason = format!("the data type of a bound is \"{given}\", which does not match the expected data type");
    (!fits).then(|| finding(context, UNACCEPTED, framed, &reason))
}

fn sort_keys<'a>(context: &RuleContext<'a>, specification: NodeId) -> &'a [NodeId] {
    let order = context.tree().child(specification, |kind| kind == Kind::OrderBy);
    order.map_or(&[], |order| context.tree().children(order))
}

fn bounds_in_order(
    context: &RuleContext<'_>,
    framed: Framed,
    lower: FrameBound,
    upper: FrameBound,
) -> Option<RuleFinding> {
    if lower == FrameBound::UnboundedFollowing || upper == FrameBound::UnboundedPreceding {
        let reason = "the upper bound of the window frame does not follow the lower bound";
        let class = "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_INVALID_BOUND";
        return Some(finding(context, class, framed, reason));
    }
    let (FrameBound::Distance(_, Some(from)), FrameBound::Distance(_, Some(to))) = (lower, upper) else { return None };
    let class = "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON";
    (from > to).then(|| finding(context, class, framed, "the lower bound must be less than or equal to the upper one"))
}

/// RANGE needs a sort key, and with distances just one, of a type that has distances.
fn range(context: &RuleContext<'_>, framed: Framed, lower: FrameBound, upper: FrameBound) -> Option<RuleFinding> {
    let whole = lower == FrameBound::UnboundedPreceding && upper == FrameBound::UnboundedFollowing;
    if framed.rows || whole {
        return None;
    }
    let keys = sort_keys(context, framed.specification);
    if keys.is_empty() {
        let reason = "a range window frame cannot be used in an unordered window specification";
        return Some(finding(context, "DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER", framed, reason));
    }
    let distance = [lower, upper].into_iter().find_map(|bound| match bound {
        FrameBound::Distance(distance, _) => Some(distance),
        _ => None,
    })?;
    if keys.len() > 1 {
        let reason = "a range window frame with value boundaries cannot have several order by expressions";
        return Some(finding(context, "DATATYPE_MISMATCH.RANGE_FRAME_MULTI_ORDER", framed, reason));
    }
    let key = context.scopes.type_of(context.tree().children(keys[0])[0]);
    let timed = *key == Type::Timestamp && context.scopes.type_of(distance).is_numeric();
    let reason = "the data type of the sort key does not match that of the distance";
    timed.then(|| finding(context, "DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE", framed, reason))
}

/// Window functions have a frame of their own.
fn of_function(context: &RuleContext<'_>, framed: Framed, lower: FrameBound, upper: FrameBound) -> Option<RuleFinding> {
    let function = context.script.function(framed.call)?;
    let name = function.name;
    let own = framed.rows && lower == FrameBound::UnboundedPreceding && upper == FrameBound::CurrentRow;
    let class = match name {
        _ if function.row_offset.is_some() => "_LEGACY_ERROR_TEMP_1035",
        "nth_value" => return None,
        _ if function.kind == FunctionKind::Window && !own => "_LEGACY_ERROR_TEMP_1036",
        _ => return None,
    };
    let frame = context.quoted(framed.frame);
    let words = format!("The window frame {frame} does not match the frame that {name} requires.");
    Some(RuleFinding::new(class, "", context.span(framed.call), words))
}
