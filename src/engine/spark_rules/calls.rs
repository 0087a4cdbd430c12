//! Checks calls: functions that do not exist, wrong numbers of arguments, arguments of the wrong type.

use super::known_call::KnownCall;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::{argument_rules, call_syntax, collections, constant_arguments, lambdas};
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let calls = context.nodes_where(|kind| matches!(kind, Kind::Call { .. }));
    calls.into_iter().filter_map(|call| check_call(context, call)).collect()
}

fn check_call(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let Some(function) = context.script.function(node) else { return unknown(context, node) };
    let call = KnownCall { context, node, function, arguments: context.script.arguments(node) };
    let checks: [fn(&KnownCall<'_>) -> Option<RuleFinding>; 6] = [
        arity,
        call_syntax::check,
        lambdas::check,
        constant_arguments::check,
        collections::check,
        argument_rules::check,
    ];
    checks.iter().find_map(|check| check(&call))
}

fn unknown(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let written = context.script.slice(tree.children(node)[0]).to_lowercase();
    let span = context.span(node);
    if matches!(written.as_str(), "cast" | "try_cast") {
        let words = format!("The `{written}` requires a value and a type behind AS.");
        return Some(RuleFinding::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", span, words));
    }
    let view = tree.parent(node).filter(|parent| matches!(context.kind(*parent), Kind::LateralView { .. }));
    if tree.parent(node).is_some_and(|parent| context.kind(parent) == Kind::TableFunction) {
        let words = format!("Could not resolve `{written}` to a table-valued function.");
        return Some(RuleFinding::new("UNRESOLVABLE_TABLE_VALUED_FUNCTION", "42883", span, words));
    }
    let words = format!("Cannot resolve routine `{written}` on search path [`system`.`builtin`, `system`.`session`].");
    Some(RuleFinding::new("UNRESOLVED_ROUTINE", "42883", context.span(view.unwrap_or(node)), words))
}

fn arity(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let function = call.function;
    let all_of_table = |argument: &NodeId| {
        call.context.kind(*argument) == Kind::Wildcard && !call.context.tree().children(*argument).is_empty()
    };
    if function.name == "count" && call.arguments.iter().any(all_of_table) {
        let words = "The usage of a star with a table name in count is invalid.";
        let class = "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT";
        return Some(RuleFinding::new(class, "42000", call.span(), words));
    }
    let given = argument_count(call)?;
    let pairs = matches!(function.name, "map" | "named_struct");
    if function.takes(given) && !(pairs && given % 2 == 1) {
        return None;
    }
    if function.kind == FunctionKind::Generator && given == 0 && function.name != "range" {
        let words = format!(
            "Cannot invoke routine `{}` because the parameter named `collection` is required, but the routine call did not \
             supply a value.",
            function.name
        );
        return Some(RuleFinding::new("REQUIRED_PARAMETER_NOT_FOUND", "4274K", call.span(), words));
    }
    let wanted = match function.maximum {
        _ if pairs => "2n (n > 0)".to_owned(),
        Some(maximum) if maximum == function.minimum => maximum.to_string(),
        Some(maximum) => {
            let counts: Vec<String> = (function.minimum..=maximum).map(|count| count.to_string()).collect();
            format!("[{}]", counts.join(", "))
        }
        None => format!("> {}", function.minimum.saturating_sub(1)),
    };
    let words = format!("The `{}` requires {wanted} parameters but the actual number is {given}.", function.name);
    let class = match function.name {
        // Spark 2 took it, which its message says.
        "count" => "WRONG_NUM_ARGS.WITH_SUGGESTION",
        _ => "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
    };
    Some(RuleFinding::new(class, "42605", call.span(), words))
}

/// Returns the number of arguments, where a star stands for all columns; `None` if these are not known.
fn argument_count(call: &KnownCall<'_>) -> Option<usize> {
    let star = |node: &&NodeId| matches!(call.context.kind(**node), Kind::Star | Kind::Wildcard);
    if call.arguments.iter().find(star).is_none() || call.function.name == "count" {
        return Some(call.arguments.len());
    }
    let context = call.context;
    let select = context.tree().enclosing(call.node, |kind| matches!(kind, Kind::Select { .. }))?;
    let mut columns = 0;
    for relation in context.scopes.relations_of(select).iter().map(|id| context.scopes.relation(*id)) {
        if relation.open {
            return None;
        }
        columns += if relation.condition_only { 0 } else { relation.columns.len() };
    }
    let whole = call.arguments.iter().all(|node| context.tree().children(*node).is_empty() || !star(&node));
    whole.then(|| call.arguments.iter().map(|node| if star(&node) { columns } else { 1 }).sum())
}
