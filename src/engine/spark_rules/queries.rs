//! Checks whole queries: numbers of columns in set operations and sub-queries, positions in ORDER BY.

use super::common_types::combine;
use super::operators::UNORDERED;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::type_findings::predicate;
use super::windows::unordered_keys;
use crate::code::tree::{Kind, NodeId, SetOperator};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::SetOperation { operator, all } => {
            let plain_union = operator == SetOperator::Union && all;
            findings.extend(set_operation(context, node, operator));
            findings.extend(if plain_union { None } else { compared_rows(context, node) });
        }
        Kind::Select { distinct: true } => findings.extend(compared_rows(context, node)),
        Kind::InQuery { .. } => findings.extend(in_query(context, node)),
        Kind::ScalarQuery => findings.extend(scalar_query(context, node)),
        Kind::Query => findings.extend(order_position(context, node)),
        Kind::OrderBy | Kind::SortBy | Kind::ClusterBy => findings.extend(unordered_keys(context, node)),
        _ => {}
    })
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

/// Reports rows with a map of which none may be the same.
fn compared_rows(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let column = context.scopes.outputs(node).iter().find(|column| column.data_type.has_map())?;
    let words = format!(
        "The feature is not supported: Cannot have MAP type columns in DataFrame which calls set operations (INTERSECT, \
         EXCEPT, etc.), but the type of column `{}` is \"{}\".",
        column.name, column.data_type
    );
    Some(RuleFinding::new("UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE", "0A000", context.span(node), words))
}

fn in_query(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let [value, query] = *context.tree().children(node) else { return None };
    let left = match context.kind(value) {
        Kind::Tuple => context.tree().children(value).to_vec(),
        _ => vec![value],
    };
    let outputs = context.scopes.outputs(query);
    if outputs.is_empty() {
        return None;
    }
    let (class, reason) = if left.len() != outputs.len() {
        let reason = format!(
            "The number of columns in the left hand side of an IN subquery ({}) does not match the number of columns in \
             the output of subquery ({})",
            left.len(),
            outputs.len()
        );
        ("DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH", reason)
    } else {
        let pairs = || left.iter().map(|value| context.scopes.type_of(*value)).zip(outputs);
        if let Some((given, column)) = pairs().find(|(given, column)| !combine(given, &column.data_type)) {
            let reason = format!(
                "The data type of one or more elements in the left hand side of an IN subquery (\"{given}\") is not \
                 compatible with the data type of the output of the subquery (\"{}\")",
                column.data_type
            );
            ("DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH", reason)
        } else {
            let map = pairs().find(|(given, _)| given.has_map())?;
            (UNORDERED, format!("the operator cannot compare values of the type \"{}\"", map.0))
        }
    };
    let words = format!("Cannot resolve \"{}\" due to data type mismatch: {reason}.", context.quoted(value));
    Some(RuleFinding::new(class, "42K09", predicate(context, node), words))
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
