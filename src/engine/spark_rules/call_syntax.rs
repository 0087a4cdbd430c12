//! Checks what only some functions take beside their arguments: DISTINCT, FILTER, IGNORE NULLS, WITHIN GROUP.

use super::aggregates::own_aggregates;
use super::known_call::{KnownCall, is_window_call};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::windows::own_window;
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(call: &KnownCall<'_>) -> Option<RuleFinding> {
    unsupported(call).or_else(|| filter(call)).or_else(|| group(call))
}

fn unsupported(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let (context, name) = (call.context, call.function.name);
    let has = |wanted: Kind| context.tree().child(call.node, |kind| kind == wanted).is_some();
    let aggregate = call.function.kind == FunctionKind::Aggregate;
    let syntax = if !aggregate && context.kind(call.node) == (Kind::Call { distinct: true }) {
        "DISTINCT"
    } else if !aggregate && has(Kind::Filter) {
        "FILTER"
    } else if has(Kind::WithinGroup) && !call.function.of_ordered_group {
        "WITHIN GROUP"
    } else if treats_nulls(context, call.node) && !call.function.may_ignore_nulls {
        "IGNORE NULLS"
    } else {
        return None;
    };
    let words = format!("Invalid SQL syntax: The function `{name}` does not support {syntax}.");
    Some(RuleFinding::new("INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX", "42000", call.span(), words))
}

/// Whether IGNORE NULLS stands behind the brackets of a call.
fn treats_nulls(context: &RuleContext<'_>, call: NodeId) -> bool {
    let word = |at: usize, wanted: &str| context.script.token_text(at).eq_ignore_ascii_case(wanted);
    let over =
        context.tree().child(call, |kind| kind == Kind::Over).map(|over| *context.script.token_range(over).start());
    let end = over.unwrap_or(*context.script.token_range(call).end() + 1);
    end >= 2 && word(end - 1, "NULLS") && word(end - 2, "IGNORE")
}

fn filter(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let context = call.context;
    let filter = context.tree().child(call.node, |kind| kind == Kind::Filter)?;
    let condition = *context.tree().children(filter).first()?;
    let class = if !matches!(context.scopes.type_of(condition), Type::Boolean | Type::Unknown) {
        "INVALID_AGGREGATE_FILTER.NOT_BOOLEAN"
    } else if !own_aggregates(context, condition).is_empty() {
        "INVALID_AGGREGATE_FILTER.CONTAINS_AGGREGATE"
    } else if own_window(context, condition).is_some() {
        "INVALID_AGGREGATE_FILTER.CONTAINS_WINDOW_FUNCTION"
    } else {
        return None;
    };
    let words = format!("The FILTER expression \"{}\" is invalid.", context.quoted(condition));
    Some(RuleFinding::new(class, "42903", call.span(), words))
}

/// Checks the order of a group: some functions need one of a single key, and DISTINCT allows only that of the values
/// themselves.
fn group(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let (context, name) = (call.context, call.function.name);
    let distinct = context.kind(call.node) == (Kind::Call { distinct: true });
    let needed = matches!(name, "percentile_cont" | "percentile_disc") || name == "mode" && call.arguments.is_empty();
    let Some(group) = context.tree().child(call.node, |kind| kind == Kind::WithinGroup) else {
        return needed
            .then(|| invalid_group(call, "INVALID_WITHIN_GROUP_EXPRESSION.WITHIN_GROUP_MISSING", "is required"));
    };
    let order = *context.tree().children(group).first()?;
    let keys: Vec<NodeId> =
        context.tree().children(order).iter().map(|item| context.tree().children(*item)[0]).collect();
    if needed && distinct {
        let class = "INVALID_WITHIN_GROUP_EXPRESSION.DISTINCT_UNSUPPORTED";
        return Some(invalid_group(call, class, "cannot be used with DISTINCT"));
    }
    if needed && keys.len() != 1 || name == "mode" && !needed {
        let class = "INVALID_WITHIN_GROUP_EXPRESSION.WRONG_NUM_ORDERINGS";
        return Some(invalid_group(call, class, "takes another number of keys"));
    }
    if !distinct || !matches!(name, "listagg" | "string_agg") || is_window_call(context, call.node) {
        return None;
    }
    let value = context.quoted(*call.arguments.first()?);
    let by_value = keys.iter().all(|key| context.quoted(*key).eq_ignore_ascii_case(&value));
    let class = "INVALID_WITHIN_GROUP_EXPRESSION.MISMATCH_WITH_DISTINCT_INPUT";
    (!by_value).then(|| invalid_group(call, class, "orders by something else than the values"))
}

fn invalid_group(call: &KnownCall<'_>, class: &'static str, reason: &str) -> RuleFinding {
    let words = format!("Invalid function `{}` with WITHIN GROUP: it {reason}.", call.function.name);
    RuleFinding::new(class, "42K0K", call.span(), words)
}
