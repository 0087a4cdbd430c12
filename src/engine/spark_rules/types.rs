//! Reports operands whose types Spark refuses with ANSI mode off.

use super::{RuleContext, RuleFinding};
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let mut findings = Vec::new();
    for node in context.nodes() {
        match context.kind(node) {
            Kind::Binary(operator) => findings.extend(binary(context, node, operator)),
            Kind::Where | Kind::Having | Kind::On => findings.extend(condition(context, node)),
            Kind::Case { operand } => {
                findings.extend(if operand { None } else { tests(context, node) });
                findings.extend(branches(context, node));
            }
            Kind::Call { .. } => findings.extend(alternatives(context, node)),
            Kind::InList { .. } | Kind::Between { .. } => findings.extend(list(context, node)),
            Kind::Pattern { .. } => findings.extend(pattern(context, node)),
            Kind::Index => findings.extend(index(context, node)),
            Kind::And | Kind::Or => findings.extend(operands(context, node)),
            _ => {}
        }
    }
    findings
}

fn binary(context: &RuleContext<'_>, node: NodeId, operator: BinaryOperator) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let (left, right) = (&operand(context, children[0]), &operand(context, children[1]));
    if let Some(found) = shifted_date(context, node, operator, left, right) {
        return Some(found);
    }
    let fits = if operator.is_comparison() { comparable(left, right) } else { arithmetic(operator, left, right) };
    (!fits).then(|| {
        let words = format!(
            "Cannot resolve \"({})\" due to data type mismatch: the left and right operands of the binary operator have \
             incompatible types (\"{left}\" and \"{right}\").",
            context.quoted(node)
        );
        RuleFinding::new("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09", context.span(node), words)
    })
}

/// Whether Spark finds a common type with ANSI mode off. Plain types mix; nested types do not, nor do booleans and
/// numbers.
pub(super) fn combine(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => true,
        (Array(a), Array(b)) => combine(a, b),
        (Map(a, b), Map(c, d)) => combine(a, c) && combine(b, d),
        (Struct(a), Struct(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| combine(&x.1, &y.1)),
        (Boolean, Boolean) | (String, _) | (_, String) => !(left.is_nested() || right.is_nested()),
        (Boolean, other) | (other, Boolean) => *other == Boolean,
        (a, b) if a.is_nested() || b.is_nested() => false,
        (a, b) if a.is_temporal() || b.is_temporal() => a.is_temporal() && b.is_temporal(),
        _ => true,
    }
}

/// Whether two types can be compared. With ANSI mode off booleans compare with numbers and text; nested types compare
/// only with similar ones.
fn comparable(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Interval, other) | (other, Type::Interval) => {
            matches!(other, Type::Interval | Type::Unknown | Type::Null | Type::String)
        }
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
        return dated_arithmetic(operator, left, right);
    }
    let plain = |data_type: &Type| !(data_type.is_nested() || data_type.is_temporal() || *data_type == Type::Boolean);
    let interval = *left == Type::Interval || *right == Type::Interval;
    interval || plain(left) && plain(right)
}

/// Returns the type of an operand. The difference of two dates or timestamps is an interval.
fn operand(context: &RuleContext<'_>, node: NodeId) -> Type {
    let tree = context.tree();
    match context.kind(node) {
        Kind::Parenthesized => tree.children(node).first().map_or(Type::Unknown, |inner| operand(context, *inner)),
        Kind::Binary(BinaryOperator::Minus) => {
            let temporal = |side: &NodeId| context.scopes.type_of(*side).is_temporal();
            if tree.children(node).iter().all(temporal) { Type::Interval } else { context.scopes.type_of(node).clone() }
        }
        _ => context.scopes.type_of(node).clone(),
    }
}

/// Reports `date + 'x'` as `date_add` with a second argument of the wrong type.
fn shifted_date(
    context: &RuleContext<'_>,
    node: NodeId,
    operator: BinaryOperator,
    left: &Type,
    right: &Type,
) -> Option<RuleFinding> {
    let shifts = matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus);
    let by = |data_type: &Type| matches!(data_type, Type::String | Type::Double | Type::Decimal(..));
    if !shifts || *left != Type::Date || !by(right) {
        return None;
    }
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: the second operand requires a whole number, however it has the type \"{}\".",
        context.quoted(node),
        right
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", context.span(node), words))
}

/// Whether Spark allows arithmetic with a date or timestamp: whole numbers may be added to dates, intervals to both,
/// but numbers not to timestamps.
fn dated_arithmetic(operator: BinaryOperator, left: &Type, right: &Type) -> bool {
    let interval = *left == Type::Interval || *right == Type::Interval;
    let both = left.is_temporal() && right.is_temporal();
    let by_days = |date: &Type, days: &Type| *date == Type::Date && days.is_integer();
    interval || both && operator == BinaryOperator::Minus || by_days(left, right) || {
        let text = *left == Type::String || *right == Type::String;
        by_days(right, left) && operator == BinaryOperator::Plus || text && operator == BinaryOperator::Minus
    }
}

/// Reports `x LIKE ('a%', 'b%')` without ANY or ALL.
fn pattern(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let right = *context.tree().children(node).get(1)?;
    let before = context.script.token_text((*context.script.token_range(right).start()).checked_sub(1)?);
    let quantified = ["ANY", "ALL", "SOME"].iter().any(|word| before.eq_ignore_ascii_case(word));
    if quantified || context.kind(right) != Kind::Tuple {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: the second operand requires the \"STRING\" type, however it has a \"STRUCT\" type.",
        context.quoted(node)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", predicate(context, node), words))
}

/// Reports an index on anything but an array, map or struct.
fn index(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let base = *context.tree().children(node).first()?;
    let data_type = context.scopes.type_of(base);
    if data_type.is_nested() || matches!(data_type, Type::Unknown | Type::Null) {
        return None;
    }
    let words = format!(
        "Can't extract a value from \"{}\". Need a complex type [STRUCT, ARRAY, MAP] but got \"{data_type}\".",
        context.quoted(base)
    );
    Some(RuleFinding::new("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", context.span(node), words))
}

fn condition(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let value = *context.tree().children(clause).first()?;
    let data_type = context.scopes.type_of(value);
    if matches!(data_type, Type::Boolean | Type::Unknown | Type::Null) {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{0}\" due to data type mismatch: Filter expression \"{0}\" of type \"{data_type}\" is not a boolean.",
        context.quoted(value)
    );
    let span = context.span(context.tree().parent(clause).unwrap_or(clause));
    Some(RuleFinding::new("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", span, words))
}

fn operands(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let refuses = |data_type: &Type| {
        data_type.is_numeric() || data_type.is_nested() || data_type.is_temporal() || *data_type == Type::String
    };
    let children = context.tree().children(node);
    let bad = children.iter().find(|child| refuses(context.scopes.type_of(**child)))?;
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: the operator requires \"BOOLEAN\", however \"{}\" has the type \"{}\".",
        context.quoted(node),
        context.quoted(*bad),
        context.scopes.type_of(*bad)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09", context.span(node), words))
}

fn branches(context: &RuleContext<'_>, case: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let values = tree.children(case).iter().filter_map(|child| match context.kind(*child) {
        Kind::When => tree.children(*child).get(1).copied(),
        Kind::Else => tree.children(*child).first().copied(),
        _ => None,
    });
    let types: Vec<&Type> = values.map(|value| context.scopes.type_of(value)).collect();
    let first = types.iter().find(|data_type| !matches!(data_type, Type::Unknown | Type::Null))?;
    if types.iter().all(|data_type| combine(first, data_type)) {
        return None;
    }
    let names = types.iter().map(|data_type| format!("\"{data_type}\"")).collect::<Vec<_>>().join(", ");
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: Input to `casewhen` should all be the same type, but it's [{names}].",
        context.quoted(case)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", context.span(case), words))
}

/// Reports a `CASE WHEN x` whose `x` is no boolean.
fn tests(context: &RuleContext<'_>, case: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let whens = tree.children_where(case, |kind| kind == Kind::When);
    let mut tests = whens.filter_map(|when| tree.children(when).first().copied());
    let bad =
        tests.find(|test| !matches!(context.scopes.type_of(*test), Type::Boolean | Type::Unknown | Type::Null))?;
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: The first parameter requires the \"BOOLEAN\" type, however \"{}\" has \
         the type \"{}\".",
        context.quoted(case),
        context.quoted(bad),
        context.scopes.type_of(bad)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", context.span(case), words))
}

/// Reports a `coalesce` of types that nothing has in common.
fn alternatives(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let name = context.script.function_name(call);
    if !matches!(name.as_str(), "coalesce" | "nvl" | "ifnull") {
        return None;
    }
    let types: Vec<&Type> =
        context.script.arguments(call).into_iter().map(|argument| context.scopes.type_of(argument)).collect();
    let first = types.iter().find(|data_type| !matches!(data_type, Type::Unknown | Type::Null))?;
    if types.iter().all(|data_type| combine(first, data_type)) {
        return None;
    }
    let names = types.iter().map(|data_type| format!("\"{data_type}\"")).collect::<Vec<_>>().join(", ");
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: Input to `coalesce` should all be the same type, but it's [{names}].",
        context.quoted(call)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", context.span(call), words))
}

fn list(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let left = context.scopes.type_of(children[0]);
    let bad = children[1..].iter().find(|item| !comparable(left, context.scopes.type_of(**item)))?;
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: Input to `in` should all be the same type, but it's [\"{left}\", \"{}\"].",
        context.quoted(node),
        context.scopes.type_of(*bad)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", predicate(context, node), words))
}

/// Returns the span of a predicate without its left side: Spark places errors at `IN` or at the `NOT` before it.
pub(super) fn predicate(context: &RuleContext<'_>, node: NodeId) -> Span {
    let left = context.tree().children(node)[0];
    let whole = context.span(node);
    let after = *context.script.token_range(left).end() + 1;
    let start = context.script.tokens().get(after).map_or(whole.start, |token| token.span().start);
    if start < whole.end { Span::new(start, whole.end) } else { whole }
}
