//! Findings about types that do not fit together, as several rules report them.

use super::common_types::combine_all;
use super::operators::{self, DIFFERENT, UNEXPECTED, UNORDERED};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, NodeId};
use crate::code::types::Type;

pub(super) const DATA_DIFFERS: &str = "DATATYPE_MISMATCH.DATA_DIFF_TYPES";

/// The finding that the types of `node` do not fit, at `span`.
pub(super) fn mismatch(context: &RuleContext<'_>, class: &'static str, node: NodeId, reason: &str) -> RuleFinding {
    let words = format!("Cannot resolve \"({})\" due to data type mismatch: {reason}.", context.quoted(node));
    RuleFinding::new(class, "42K09", context.span(node), words)
}

/// The finding that two operands do not fit together.
pub(super) fn operands_differ(
    context: &RuleContext<'_>,
    class: &'static str,
    node: NodeId,
    [left, right]: [&Type; 2],
) -> RuleFinding {
    let reason = match class {
        DIFFERENT => format!(
            "the left and right operands of the binary operator have incompatible types (\"{left}\" and \"{right}\")"
        ),
        UNORDERED => format!("the operator cannot order or compare values of the type \"{left}\""),
        _ => format!("the operator does not take the types \"{left}\" and \"{right}\""),
    };
    mismatch(context, class, node, &reason)
}

/// A comparison that an expression makes, by an operator or otherwise.
#[derive(Clone, Copy)]
pub(super) struct OperandPair {
    pub node: NodeId,
    pub operator: BinaryOperator,
    pub left: NodeId,
    pub right: NodeId,
}

/// Returns why Spark does not make a comparison.
pub(super) fn not_comparable(context: &RuleContext<'_>, comparison: OperandPair) -> Option<RuleFinding> {
    let OperandPair { node, operator, left, right } = comparison;
    let types = [context.scopes.type_of(left), context.scopes.type_of(right)];
    let class = operators::comparison(operator, types[0], types[1])?;
    Some(operands_differ(context, class, node, types))
}

/// Returns why values cannot be joined: they must all be arrays of one kind, or all be plain.
pub(super) fn unjoined(context: &RuleContext<'_>, node: NodeId, types: &[&Type]) -> Option<RuleFinding> {
    if let Some(bad) = types.iter().find(|data_type| matches!(data_type, Type::Map(..) | Type::Struct(_))) {
        return Some(mismatch(context, UNEXPECTED, node, &format!("values of the type \"{bad}\" cannot be joined")));
    }
    let arrays = types.iter().filter(|data_type| matches!(data_type, Type::Array(_))).count();
    let unknown = types.iter().any(|data_type| **data_type == Type::Unknown);
    let alike = arrays == 0 || arrays == types.len() && combine_all(types.iter().copied());
    (!alike && !unknown).then(|| mismatch(context, DATA_DIFFERS, node, &listed("concat", types)))
}

fn listed(name: &str, types: &[&Type]) -> String {
    let names = types.iter().map(|data_type| format!("\"{data_type}\"")).collect::<Vec<_>>().join(", ");
    format!("Input to `{name}` should all be the same type, but it's [{names}]")
}

/// Returns why values have no common type; `None` if they have one.
pub(super) fn nothing_in_common(
    context: &RuleContext<'_>,
    node: NodeId,
    name: &str,
    types: &[&Type],
) -> Option<RuleFinding> {
    let fits = combine_all(types.iter().copied());
    (!fits).then(|| mismatch(context, DATA_DIFFERS, node, &listed(name, types)))
}

/// Returns the span of a predicate without its left side: Spark places errors at `IN` or at the `NOT` before it.
pub(super) fn predicate(context: &RuleContext<'_>, node: NodeId) -> Span {
    let left = context.tree().children(node)[0];
    let whole = context.span(node);
    let after = *context.script.token_range(left).end() + 1;
    let start = context.script.tokens().get(after).map_or(whole.start, |token| token.span().start);
    if start < whole.end { Span::new(start, whole.end) } else { whole }
}
