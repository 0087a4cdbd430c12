//! Checks generators such as `explode`: where they may stand, what they take, how many columns they name.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::functions::{Function, RowGenerator, lookup};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let mut findings = Vec::new();
    for call in context.nodes_where(|kind| matches!(kind, Kind::Call { .. })) {
        let name = context.script.function_name(call);
        if lookup(&name).is_some_and(Function::makes_rows_in_place) {
            let found = placement(context, call, &name).or_else(|| aliases(context, call));
            findings.extend(found.or_else(|| several_over_groups(context, call)));
        } else if let Some(view) =
            context.tree().parent(call).filter(|p| matches!(context.kind(*p), Kind::LateralView { .. }))
        {
            findings.push(no_generator(context, view, &name));
        }
    }
    findings
}

fn no_generator(context: &RuleContext<'_>, view: NodeId, name: &str) -> RuleFinding {
    let words = format!("The function `{name}` is no generator and cannot stand in LATERAL VIEW.");
    RuleFinding::new("UNSUPPORTED_GENERATOR.NOT_GENERATOR", "42K0E", context.span(view), words)
}

fn placement(context: &RuleContext<'_>, call: NodeId, name: &str) -> Option<RuleFinding> {
    let parent = context.tree().parent(call)?;
    let mut around = std::iter::once(parent).chain(context.tree().ancestors(parent));
    let clause = around.find(|id| is_clause(context.kind(*id)))?;
    let quoted = context.quoted(parent);
    let windowed = super::known_call::is_window_call(context, call);
    match (context.kind(parent), context.kind(clause)) {
        (Kind::SelectItem, Kind::Projection | Kind::Extend) if windowed || is_extended_by_many(context, parent) => {
            let words = format!("The generator is not supported: nested in expressions \"{quoted}\".");
            Some(RuleFinding::new("UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "42K0E", context.span(call), words))
        }
        (Kind::LateralView { .. } | Kind::TableFunction | Kind::SelectItem, _) => None,
        (_, Kind::Projection | Kind::Extend) => {
            let words = format!("The generator is not supported: nested in expressions \"{quoted}\".");
            Some(RuleFinding::new("UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "42K0E", context.span(call), words))
        }
        _ => {
            let words =
                format!("The generator is not supported: outside the SELECT clause, found {name} in \"{quoted}\".");
            Some(RuleFinding::new("UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "42K0E", context.span(call), words))
        }
    }
}

/// Refuses the second generator of a list in a block that groups rows.
fn several_over_groups(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let select = tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. }))?;
    let list = tree.child(select, |kind| kind == Kind::Projection)?;
    let is_grouped = tree.child(select, |kind| kind == Kind::GroupBy).is_some();
    let values = tree.children(list).iter().filter_map(|item| tree.children(*item).first().copied());
    let is_generator = |value: &NodeId| {
        matches!(context.kind(*value), Kind::Call { .. })
            && lookup(&context.script.function_name(*value)).is_some_and(Function::makes_rows_in_place)
    };
    let generators: Vec<NodeId> = values.filter(is_generator).collect();
    if generators.get(1) != Some(&call) || !(is_grouped || context.script.has_own_aggregate(list)) {
        return None;
    }
    let quoted: Vec<String> = generators.iter().map(|call| format!("\"{}\"", context.quoted(*call))).collect();
    let words = format!(
        "The generator is not supported: only one generator allowed per SELECT clause but found {}: {}.",
        generators.len(),
        quoted.join(", ")
    );
    Some(RuleFinding::new("UNSUPPORTED_GENERATOR.MULTI_GENERATOR", "42K0E", context.span(call), words))
}

/// Whether an item of EXTEND names several columns.
fn is_extended_by_many(context: &RuleContext<'_>, item: NodeId) -> bool {
    let extends = context.tree().parent(item).is_some_and(|list| context.kind(list) == Kind::Extend);
    extends && context.tree().child(item, |kind| kind == Kind::ColumnList).is_some()
}

fn is_clause(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Projection
            | Kind::Extend
            | Kind::Where
            | Kind::Having
            | Kind::GroupBy
            | Kind::OrderBy
            | Kind::On
            | Kind::LateralView { .. }
            | Kind::From
    )
}

/// Checks that a generator has as many aliases as columns.
fn aliases(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let parent = context.tree().parent(call)?;
    let view = matches!(context.kind(parent), Kind::LateralView { .. });
    let given = match context.tree().child(parent, |kind| kind == Kind::ColumnList) {
        Some(list) => context.tree().children(list).len(),
        None if context.kind(parent) == Kind::SelectItem && context.tree().children(parent).len() > 1 => 1,
        None => return None,
    };
    let wanted = width(context, call)?;
    if given == wanted {
        return None;
    }
    let span = context.span(if view { parent } else { call });
    let words = format!(
        "The number of aliases supplied in the AS clause does not match the number of columns output by the UDTF. \
         Expected {wanted} aliases, but got {given}."
    );
    Some(RuleFinding::new("UDTF_ALIAS_NUMBER_MISMATCH", "42802", span, words))
}

/// Whether a finding is about the number of a generator's aliases.
pub(super) fn is_miscounted(finding: &RuleFinding) -> bool {
    finding.class == "UDTF_ALIAS_NUMBER_MISMATCH"
}

/// Returns how many columns a generator gives; `None` if the type of its argument is not known.
pub(super) fn width(context: &RuleContext<'_>, call: NodeId) -> Option<usize> {
    let arguments = context.script.arguments(call);
    let rows = context.script.function(call)?.row_generator()?;
    let position = usize::from(rows == RowGenerator::PositionExplode);
    match (rows, context.scopes.type_of(*arguments.first()?)) {
        (RowGenerator::Explode | RowGenerator::PositionExplode, Type::Array(_)) => Some(1 + position),
        (RowGenerator::Explode | RowGenerator::PositionExplode, Type::Map(..)) => Some(2 + position),
        (RowGenerator::JsonTuple, _) => Some(arguments.len() - 1),
        (RowGenerator::Inline, Type::Array(element)) => match element.as_ref() {
            Type::Struct(fields) => Some(fields.len()),
            _ => None,
        },
        _ => None,
    }
}
