//! Expressions whose value is known before a query runs.

use super::known_call::is_window_call;
use super::rule_context::RuleContext;
use crate::code::functions::{Embedded, UnsupportedReason};
use crate::code::scope::{ColumnTarget, names_no_column};
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// Whether Spark can compute an expression without any row; true of names that are not known.
pub(super) fn is_constant(context: &RuleContext<'_>, expression: NodeId) -> bool {
    context.tree().descendants(expression).all(|node| match context.kind(node) {
        Kind::Query => false,
        Kind::Column => match context.scopes.binding(node) {
            Some(binding) => matches!(binding.target, ColumnTarget::Parameter(..)),
            None => true,
        },
        Kind::Call { .. } => is_constant_call(context, node),
        _ => true,
    })
}

fn is_constant_call(context: &RuleContext<'_>, call: NodeId) -> bool {
    let Some(function) = context.script.function(call) else { return true };
    let chance = Embedded::Refused(UnsupportedReason::Chance);
    let order = Embedded::Refused(UnsupportedReason::RowOrder);
    let many_rows = context.script.is_aggregate(call) || context.script.is_generator(call);
    !many_rows && !is_window_call(context, call) && function.embedded != chance && function.embedded != order
}

pub(super) fn reads_column(context: &RuleContext<'_>, expression: NodeId) -> bool {
    let column = |node: NodeId| context.kind(node) == Kind::Column && !names_no_column(context.script, node);
    context.tree().descendants(expression).any(column)
}

/// Returns the value of a number, or of a calculation with numbers; `None` for anything else.
pub(super) fn number(context: &RuleContext<'_>, expression: NodeId) -> Option<f64> {
    let children = context.tree().children(expression);
    match (context.kind(expression), children) {
        (Kind::Number, _) => {
            let text = context.script.slice(expression);
            text.trim_end_matches(|c: char| "LlSsYyDdFfBb".contains(c)).parse().ok()
        }
        (Kind::Paren, [inner]) => number(context, *inner),
        (Kind::Unary, [inner]) => {
            let value = number(context, *inner)?;
            match context.script.slice(expression).as_bytes().first()? {
                b'-' => Some(-value),
                b'+' => Some(value),
                _ => None,
            }
        }
        (Kind::Binary(operator), [left, right]) => {
            let (left, right) = (number(context, *left)?, number(context, *right)?);
            match operator {
                BinaryOperator::Plus => Some(left + right),
                BinaryOperator::Minus => Some(left - right),
                BinaryOperator::Multiply => Some(left * right),
                _ => None,
            }
        }
        _ => None,
    }
}
