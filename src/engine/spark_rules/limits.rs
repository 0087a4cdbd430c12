//! Checks LIMIT and OFFSET: constant whole numbers that are not below 0.

use super::constants::{is_constant, number, reads_column};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let limits = context.nodes_where(|kind| kind == Kind::Limit);
    limits.flat_map(|limit| context.tree().children(limit)).filter_map(|count| check_limit(context, *count)).collect()
}

fn check_limit(context: &RuleContext<'_>, count: NodeId) -> Option<RuleFinding> {
    let data_type = context.scopes.type_of(count);
    let unresolved = reads_column(context, count) && !binds(context, count);
    let (class, reason) = if unresolved {
        return None;
    } else if !is_constant(context, count) {
        ("INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE", "must evaluate to a constant value".to_owned())
    } else if !matches!(data_type, Type::Int | Type::Unknown) {
        let reason = format!("must be an integer type, but got \"{data_type}\"");
        ("INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", reason)
    } else if is_null(context, count) {
        ("INVALID_LIMIT_LIKE_EXPRESSION.IS_NULL", "must not be null".to_owned())
    } else if let Some(value) = number(context, count).filter(|value| *value < 0.0) {
        ("INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE", format!("must be equal to or greater than 0, but got {value}"))
    } else {
        return None;
    };
    let words = format!("The limit like expression \"{}\" is invalid: it {reason}.", context.quoted(count));
    Some(RuleFinding::new(class, "42K0E", context.span(count), words))
}

/// Whether all columns below an expression are known.
fn binds(context: &RuleContext<'_>, expression: NodeId) -> bool {
    let mut columns = context.tree().descendants(expression).filter(|node| context.kind(*node) == Kind::Column);
    columns.all(|column| context.scopes.binding(column).is_some())
}

fn is_null(context: &RuleContext<'_>, expression: NodeId) -> bool {
    match context.kind(expression) {
        Kind::Null => true,
        Kind::Cast | Kind::Paren | Kind::Unary => {
            context.tree().children(expression).first().is_some_and(|inner| is_null(context, *inner))
        }
        _ => false,
    }
}
