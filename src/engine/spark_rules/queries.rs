//! Checks whole queries: numbers of columns in set operations and sub-queries, positions in ORDER BY.

use super::types::{combine, predicate};
use super::{RuleContext, RuleFinding};
use crate::code::tree::{Kind, NodeId, SetOperator};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let mut findings = Vec::new();
    for node in context.nodes() {
        match context.kind(node) {
            Kind::SetOperation { operator, .. } => findings.extend(set_operation(context, node, operator)),
            Kind::InQuery { .. } => findings.extend(in_query(context, node)),
            Kind::ScalarQuery => findings.extend(scalar_query(context, node)),
            Kind::Query => findings.extend(order_position(context, node)),
            _ => {}
        }
    }
    findings
}

fn set_operation(context: &RuleContext<'_>, node: NodeId, operator: SetOperator) -> Option<RuleFinding> {
    let name = match operator {
        SetOperator::Union => "UNION",
        SetOperator::Intersect => "INTERSECT",
        SetOperator::Except => "EXCEPT",
    };
    let sides = context.tree().children(node);
    let (left, right) = (context.scopes.outputs(sides[0]), context.scopes.outputs(sides[1]));
    if left.is_empty() || right.is_empty() {
        return None;
    }
    if left.len() != right.len() {
        let words = format!(
            "{name} can only be performed on inputs with the same number of columns, but the first input has {} columns \
             and the second input has {} columns.",
            left.len(),
            right.len()
        );
        return Some(RuleFinding::new("NUM_COLUMNS_MISMATCH", "42826", context.span(node), words));
    }
    let clash = left.iter().zip(right).position(|(a, b)| !combine(&a.data_type, &b.data_type))?;
    let words = format!(
        "{name} can only be performed on tables with compatible column types. Column {} of the second table is \"{}\" \
         type which is not compatible with \"{}\" at the same column of the first table.",
        clash + 1,
        right[clash].data_type,
        left[clash].data_type
    );
    Some(RuleFinding::new("INCOMPATIBLE_COLUMN_TYPE", "42825", context.span(node), words))
}

fn in_query(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let left = match context.kind(children[0]) {
        Kind::Tuple => context.tree().children(children[0]).len(),
        _ => 1,
    };
    let right = context.scopes.outputs(children[1]).len();
    if right == 0 || left == right {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: The number of columns in the left hand side of an IN subquery \
         ({left}) does not match the number of columns in the output of subquery ({right}).",
        context.quoted(children[0])
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH", "42K09", predicate(context, node), words))
}

fn scalar_query(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let width = context.scopes.outputs(context.tree().children(node)[0]).len();
    if width <= 1 {
        return None;
    }
    let words = format!("Invalid subquery: Scalar subquery must return only one column, but got {width}.");
    let class = "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN";
    Some(RuleFinding::new(class, "42823", context.span(node), words))
}

fn order_position(context: &RuleContext<'_>, query: NodeId) -> Option<RuleFinding> {
    let width = context.scopes.outputs(query).len();
    let order = context.tree().child(query, |kind| kind == Kind::OrderBy)?;
    let numbers = context.tree().children(order).iter().map(|item| context.tree().children(*item)[0]);
    let mut numbers = numbers.filter(|key| context.kind(*key) == Kind::Number);
    let bad = numbers.find(|key| context.script.slice(*key).parse().is_ok_and(|n: usize| n == 0 || n > width))?;
    let words =
        format!("ORDER BY position {} is not in select list (valid range is [1, {width}]).", context.script.slice(bad));
    Some(RuleFinding::new("ORDER_BY_POS_OUT_OF_RANGE", "42805", context.span(bad), words))
}
