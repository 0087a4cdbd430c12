//! Reports operands whose types Spark refuses with ANSI mode off.

use super::common_types::casts_by_itself;
use super::operators::{self, DIFFERENT, UNEXPECTED, UNORDERED, WRONG};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::type_findings::{
    OperandPair, mismatch, not_comparable, nothing_in_common, operands_differ, predicate, unjoined,
};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::Binary(BinaryOperator::Concat) => findings.extend(concatenation(context, node)),
        Kind::Binary(operator) => findings.extend(binary(context, node, operator)),
        Kind::Unary => findings.extend(unary(context, node)),
        Kind::Not => findings.extend(negation(context, node)),
        Kind::IsBoolean { .. } | Kind::IsDistinct { .. } => findings.extend(tested(context, node)),
        Kind::Where | Kind::On => findings.extend(condition(context, node)),
        Kind::Case { operand } => {
            findings.extend(if operand { compared_cases(context, node) } else { tests(context, node) });
            findings.extend(arms(context, node));
        }
        Kind::InList { .. } => findings.extend(list(context, node)),
        Kind::Between { .. } => findings.extend(between(context, node)),
        Kind::Pattern { .. } => findings.extend(pattern(context, node)),
        Kind::Index => findings.extend(index(context, node)),
        Kind::And | Kind::Or => findings.extend(operands(context, node)),
        Kind::Lambda => findings.extend(lone_lambda(context, node)),
        _ => {}
    })
}

fn binary(context: &RuleContext<'_>, node: NodeId, operator: BinaryOperator) -> Option<RuleFinding> {
    let [left, right] = *context.tree().children(node) else { return None };
    if operator.is_comparison() {
        return not_comparable(context, OperandPair { node, operator, left, right });
    }
    let types = [context.scopes.type_of(left), context.scopes.type_of(right)];
    let class = operators::arithmetic(operator, types[0], types[1])?;
    Some(operands_differ(context, class, node, types))
}

fn concatenation(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let parts = context.tree().children(node).iter().map(|part| context.scopes.type_of(*part));
    unjoined(context, node, &parts.collect::<Vec<_>>())
}

/// Reports a sign before what is no number, `~` before what is no whole number.
fn unary(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let value = *context.tree().children(node).first()?;
    let data_type = context.scopes.type_of(value);
    let bits = context.script.slice(node).starts_with('~');
    let fits = match data_type {
        Type::Unknown | Type::Null => true,
        Type::String | Type::Interval(_) => !bits,
        other => {
            if bits {
                other.is_integer()
            } else {
                other.is_numeric()
            }
        }
    };
    (!fits)
        .then(|| mismatch(context, UNEXPECTED, node, &format!("the operator does not take the type \"{data_type}\"")))
}

/// Reports a lambda that is no argument. Spark has no class for it.
fn lone_lambda(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let argument = context.tree().parent(node).is_some_and(|parent| matches!(context.kind(parent), Kind::Call { .. }));
    let words = "A lambda can only be an argument of a higher order function.";
    (!argument).then(|| RuleFinding::new("INTERNAL_ERROR", "XX000", context.span(node), words))
}

fn negation(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let data_type = context.scopes.type_of(*context.tree().children(node).first()?);
    let fits = matches!(data_type, Type::Boolean | Type::Unknown | Type::Null);
    (!fits).then(|| mismatch(context, UNEXPECTED, node, &format!("NOT requires \"BOOLEAN\", not \"{data_type}\"")))
}

/// `x IS TRUE`, `x IS DISTINCT FROM y`: comparisons that know NULL.
fn tested(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let right = children.get(1).map_or(&Type::Boolean, |right| context.scopes.type_of(*right));
    let left = context.scopes.type_of(*children.first()?);
    let class = operators::comparison(BinaryOperator::NullSafeEqual, left, right)?;
    Some(RuleFinding { span: predicate(context, node), ..operands_differ(context, class, node, [left, right]) })
}

/// Reports `x LIKE y` with a nested type on one side, or with several patterns and neither ANY nor ALL.
fn pattern(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let [text, pattern, ..] = *context.tree().children(node) else { return None };
    let before = context.script.token_text((*context.script.token_range(pattern).start()).checked_sub(1)?);
    let quantified = ["ANY", "ALL", "SOME"].iter().any(|word| before.eq_ignore_ascii_case(word));
    let nested = |side: NodeId| context.scopes.type_of(side).is_nested();
    if !nested(text) && (quantified || !nested(pattern)) {
        return None;
    }
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: the operands require the \"STRING\" type, however one has the \
         type \"{}\".",
        context.quoted(node),
        context.scopes.type_of(if nested(text) { text } else { pattern })
    );
    Some(RuleFinding::new(UNEXPECTED, "42K09", predicate(context, node), words))
}

/// Reports an index on anything but an array, map or struct, and one of the wrong type.
fn index(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let [base, index] = *context.tree().children(node) else { return None };
    let data_type = context.scopes.type_of(base);
    let given = context.scopes.type_of(index);
    let (fits, wanted) = match data_type {
        Type::Unknown | Type::Null => return None,
        Type::Struct(_) => {
            let words =
                format!("Field name should be a non-null string literal, but it's \"{}\".", context.quoted(index));
            let found = RuleFinding::new("INVALID_EXTRACT_FIELD_TYPE", "42000", context.span(node), words);
            return (context.kind(index) == Kind::Number).then_some(found);
        }
        Type::Array(_) => (given.is_integer() || matches!(given, Type::Unknown | Type::Null), "INTEGRAL".to_owned()),
        Type::Map(key, _) => (casts_by_itself(given, key), key.to_string()),
        _ => {
            let words = format!(
                "Can't extract a value from \"{}\". Need a complex type [STRUCT, ARRAY, MAP] but got \"{data_type}\".",
                context.quoted(base)
            );
            return Some(RuleFinding::new("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", context.span(node), words));
        }
    };
    let reason = format!("the second parameter requires the \"{wanted}\" type, however it has the type \"{given}\"");
    (!fits).then(|| mismatch(context, UNEXPECTED, node, &reason))
}

fn condition(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let value = *context.tree().children(clause).first()?;
    let data_type = context.scopes.type_of(value);
    // Unlike an operand, a whole condition must be known to be a boolean.
    if matches!(data_type, Type::Boolean | Type::Unknown) {
        return None;
    }
    let span = context.span(context.tree().parent(clause).unwrap_or(clause));
    if context.kind(clause) == Kind::On {
        let words =
            format!("The join condition \"{}\" has the type \"{data_type}\", not \"BOOLEAN\".", context.quoted(value));
        return Some(RuleFinding::new("JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "42K0E", span, words));
    }
    let words = format!(
        "Cannot resolve \"{0}\" due to data type mismatch: Filter expression \"{0}\" of type \"{data_type}\" is not a boolean.",
        context.quoted(value)
    );
    Some(RuleFinding::new("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", span, words))
}

fn operands(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let type_at = |at: usize| context.scopes.type_of(children[at]);
    let accepts = |at: &usize| matches!(type_at(*at), Type::Boolean | Type::Unknown | Type::Null);
    let bad = (0..children.len()).find(|at| !accepts(at))?;
    // The first two are joined first; what stands further to the right meets the boolean that they give.
    let partner = if bad == 0 { type_at(1) } else { &Type::Boolean };
    let class = if partner == type_at(bad) { WRONG } else { DIFFERENT };
    let words = format!(
        "Cannot resolve \"({})\" due to data type mismatch: the operator requires \"BOOLEAN\", however \"{}\" has the type \"{}\".",
        context.quoted(node),
        context.quoted(children[bad]),
        type_at(bad)
    );
    Some(RuleFinding::new(class, "42K09", context.span(node), words))
}

fn arms(context: &RuleContext<'_>, case: NodeId) -> Option<RuleFinding> {
    let types: Vec<&Type> = context.tree().case_values(case).map(|value| context.scopes.type_of(value)).collect();
    nothing_in_common(context, case, "casewhen", &types)
}

/// Reports a `CASE WHEN x` whose `x` is no boolean.
fn tests(context: &RuleContext<'_>, case: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let whens = tree.children_where(case, |kind| kind == Kind::When);
    let mut tests = whens.filter_map(|when| tree.children(when).first().copied());
    let bad = tests.find(|test| !matches!(context.scopes.type_of(*test), Type::Boolean | Type::Unknown))?;
    let words = format!(
        "Cannot resolve \"{}\" due to data type mismatch: The first parameter requires the \"BOOLEAN\" type, however \"{}\" has \
         the type \"{}\".",
        context.quoted(case),
        context.quoted(bad),
        context.scopes.type_of(bad)
    );
    Some(RuleFinding::new(UNEXPECTED, "42K09", context.span(case), words))
}

/// Reports a `CASE x WHEN y` whose `y` cannot be compared with `x`.
fn compared_cases(context: &RuleContext<'_>, case: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let value = *tree.children(case).first()?;
    let whens = tree.children_where(case, |kind| kind == Kind::When);
    let mut keys = whens.filter_map(|when| tree.children(when).first().copied());
    let operator = BinaryOperator::Equal;
    keys.find_map(|key| not_comparable(context, OperandPair { node: case, operator, left: value, right: key }))
}

/// `x IN (a, b)`: all must have one type in common.
fn list(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let children = context.tree().children(node);
    let types: Vec<&Type> = children.iter().map(|child| context.scopes.type_of(*child)).collect();
    let found = nothing_in_common(context, node, "in", &types).or_else(|| {
        let reason = "the operator cannot compare maps";
        types.iter().any(|data_type| data_type.has_map()).then(|| mismatch(context, UNORDERED, node, reason))
    })?;
    Some(RuleFinding { span: predicate(context, node), ..found })
}

/// `x BETWEEN low AND high` compares twice.
fn between(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let [value, low, high] = *context.tree().children(node) else { return None };
    let operator = BinaryOperator::LessOrEqual;
    let compare = |bound| not_comparable(context, OperandPair { node, operator, left: value, right: bound });
    let found = compare(low).or_else(|| compare(high))?;
    Some(RuleFinding { span: predicate(context, node), ..found })
}
