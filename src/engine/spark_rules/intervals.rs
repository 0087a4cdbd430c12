//! Two kinds of intervals, of months and of time, which Spark neither adds nor compares with each other.

use super::rule_context::RuleContext;
use crate::code::literal::text_value;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

#[derive(Clone, Copy, PartialEq)]
enum Units {
    Months,
    Time,
}

/// Whether one of two intervals is of months and the other of time.
pub(super) fn differ(context: &RuleContext<'_>, left: NodeId, right: NodeId) -> bool {
    matches!((units(context, left), units(context, right)), (Some(left), Some(right)) if left != right)
}

/// Returns the kind of an interval; `None` if it is no interval or of both kinds.
fn units(context: &RuleContext<'_>, node: NodeId) -> Option<Units> {
    let children = context.tree().children(node);
    match context.kind(node) {
        Kind::Paren | Kind::Unary => units(context, *children.first()?),
        Kind::Binary(BinaryOperator::Minus)
            if children.iter().all(|side| context.scopes.type_of(*side).is_temporal()) =>
        {
            Some(Units::Time)
        }
        Kind::Interval => {
            let words = context.script.token_range(node).skip(1).map(|at| context.script.token_text(at));
            let text = words.map(text_or_word).collect::<Vec<_>>().join(" ").to_lowercase();
            let named = |unit: &str| text.split_whitespace().any(|word| word.trim_end_matches('s') == unit);
            let months = named("year") || named("month");
            let time = ["week", "day", "hour", "minute", "second"].iter().any(|unit| named(unit));
            match (months, time) {
                (true, false) => Some(Units::Months),
                (false, true) => Some(Units::Time),
                _ => None,
            }
        }
        _ => None,
    }
}

fn text_or_word(token: &str) -> String {
    if token.starts_with(['\'', '"']) { text_value(token) } else { token.to_owned() }
}
