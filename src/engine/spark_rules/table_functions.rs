//! Checks functions in FROM: that they give rows, what `range` takes, how many names their columns get.

use super::aliases::listed;
use super::common_types::casts_by_itself;
use super::generators::width;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::functions::FunctionKind;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context
        .nodes_where(|kind| kind == Kind::TableFunction)
        .filter_map(|node| check_table_function(context, node))
        .collect()
}

fn check_table_function(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let call = *context.tree().children(node).first()?;
    let function = context.script.function(call)?;
    if function.kind != FunctionKind::Generator && !function.name.starts_with("variant_explode") {
        let words = format!(
            "`{0}` appears as a table function here, but the function was defined as a scalar function. Please move the \
             call outside the FROM clause.",
            function.name
        );
        return Some(RuleFinding::new("NOT_A_TABLE_FUNCTION", "42887", context.span(call), words));
    }
    if function.name == "range" {
        return range(context, call);
    }
    let given = listed(context, context.tree().child(node, |kind| kind == Kind::Alias)?)?;
    let columns = width(context, call)?;
    (given != columns).then(|| {
        let words =
            format!("Number of given aliases does not match number of output columns: {given} instead of {columns}.");
        RuleFinding::new("NUM_TABLE_VALUE_ALIASES_MISMATCH", "42802", context.span(node), words)
    })
}

/// `range` counts in BIGINT, and reads text as a number if it is one.
fn range(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let fits = |argument: &NodeId| {
        let given = context.scopes.type_of(*argument);
        let text = context.script.slice(*argument).trim_matches(['\'', '"']);
        match given {
            Type::Null => false,
            Type::String => context.kind(*argument) != Kind::Text || text.trim().parse::<i64>().is_ok(),
            given => casts_by_itself(given, &Type::BigInt),
        }
    };
    let arguments = context.script.arguments(call);
    let bad = *arguments.iter().find(|argument| !fits(argument))?;
    let words = format!(
        "The parameter of the function `range` requires the \"BIGINT\" type, however \"{}\" has the type \"{}\".",
        context.quoted(bad),
        context.scopes.type_of(bad)
    );
    Some(RuleFinding::new("UNEXPECTED_INPUT_TYPE", "42K09", context.span(call), words))
}
