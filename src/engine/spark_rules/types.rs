//! Operands whose types Spark refuses with ANSI mode off.

use super::queries::combine;
use super::{Finding, Ground};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(ground: &Ground<'_>, statement: NodeId) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in ground.tree().descendants(statement) {
        match ground.kind(node) {
            Kind::Binary(operator) => findings.extend(binary(ground, node, operator)),
            Kind::Where | Kind::Having | Kind::On => findings.extend(condition(ground, node)),
            Kind::Case { .. } => findings.extend(branches(ground, node)),
            Kind::InList { .. } | Kind::Between { .. } => findings.extend(list(ground, node)),
            Kind::And | Kind::Or => findings.extend(operands(ground, node)),
            _ => {}
        }
    }
    findings
}

fn binary(ground: &Ground<'_>, node: NodeId, operator: BinaryOperator) -> Option<Finding> {
    let children = ground.tree().children(node);
    let (left, right) = (ground.scopes.type_of(children[0]), ground.scopes.type_of(children[1]));
    let fits = if operator.is_comparison() { comparable(left, right) } else { arithmetic(operator, left, right) };
    (!fits).then(|| {
        let words = format!(
            "Cannot resolve \"({})\" due to data type mismatch: the left and right operands of the binary operator have \
             incompatible types (\"{left}\" and \"{right}\").",
            ground.quoted(node)
        );
        Finding::new("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09", ground.span(node), words)
    })
}

/// Booleans compare with numbers and text when ANSI mode is off; nested types only with their like.
fn comparable(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Boolean, other) | (other, Type::Boolean) if !other.is_nested() => !other.is_temporal(),
        _ => combine(left, right),
    }
}

fn arithmetic(operator: BinaryOperator, left: &Type, right: &Type) -> bool {
    use BinaryOperator::*;
    let known = |data_type: &Type| !matches!(data_type, Type::Unknown | Type::Null);
    if !known(left) || !known(right) {
        return true;
    }
    if operator == Concat {
        return true;
    }
    let dated = left.is_temporal() || right.is_temporal();
    if dated && matches!(operator, Plus | Minus) {
        return !(left.is_nested() || right.is_nested() || *left == Type::Boolean || *right == Type::Boolean);
    }
    let plain = |data_type: &Type| !(data_type.is_nested() || data_type.is_temporal() || *data_type == Type::Boolean);
    let interval = *left == Type::Interval || *right == Type::Interval;
    interval || plain(left) && plain(right)
}

fn condition(ground: &Ground<'_>, clause: NodeId) -> Option<Finding> {
    let value = *ground.tree().children(clause).first()?;
    let data_type = ground.scopes.type_of(value);
    if matches!(data_type, Type::Boolean | Type::Unknown | Type::Null | Type::String) {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{0}\" due to data type mismatch: Filter expression \"{0}\" of type \"{data_type}\" is not a boolean.",
        ground.quoted(value)
    );
    let span = ground.span(ground.tree().parent(clause).unwrap_or(clause));
    Some(Finding::new("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", span, words))
}

fn operands(ground: &Ground<'_>, node: NodeId) -> Option<Finding> {
    let refuses = |data_type: &Type| data_type.is_numeric() || data_type.is_nested() || data_type.is_temporal();
    let children = ground.tree().children(node);
    let bad = children.iter().find(|child| refuses(ground.scopes.type_of(**child)))?;
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: the operator requires \"BOOLEAN\", however \"{}\" has the type \"{}\".",
        ground.quoted(node),
        ground.quoted(*bad),
        ground.scopes.type_of(*bad)
    );
    Some(Finding::new("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09", ground.span(node), words))
}

fn branches(ground: &Ground<'_>, case: NodeId) -> Option<Finding> {
    let tree = ground.tree();
    let values = tree.children(case).iter().filter_map(|child| match ground.kind(*child) {
        Kind::When => tree.children(*child).get(1).copied(),
        Kind::Else => tree.children(*child).first().copied(),
        _ => None,
    });
    let types: Vec<&Type> = values.map(|value| ground.scopes.type_of(value)).collect();
    let first = types.iter().find(|data_type| !matches!(data_type, Type::Unknown | Type::Null))?;
    if types.iter().all(|data_type| combine(first, data_type)) {
        return None;
    }
    let names = types.iter().map(|data_type| format!("\"{data_type}\"")).collect::<Vec<_>>().join(", ");
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: Input to `casewhen` should all be the same type, but it's [{names}].",
        ground.quoted(case)
    );
    Some(Finding::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", ground.span(case), words))
}

fn list(ground: &Ground<'_>, node: NodeId) -> Option<Finding> {
    let children = ground.tree().children(node);
    let left = ground.scopes.type_of(children[0]);
    let bad = children[1..].iter().find(|item| !comparable(left, ground.scopes.type_of(**item)))?;
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: Input to `in` should all be the same type, but it's [\"{left}\", \"{}\"].",
        ground.quoted(node),
        ground.scopes.type_of(*bad)
    );
    Some(Finding::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", ground.span(node), words))
}
