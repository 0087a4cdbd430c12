//! Checks lambdas: which functions take them, with how many parameters, and what they must give.

use super::known_call::KnownCall;
use super::operators::UNEXPECTED;
use super::rule_finding::RuleFinding;
use crate::code::functions::Argument;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let is_lambda = |argument: &NodeId| call.context.kind(*argument) == Kind::Lambda;
    let lambdas = call.arguments.iter().copied().enumerate().filter(|(_, argument)| is_lambda(argument));
    lambdas.into_iter().find_map(|(position, lambda)| check_lambda(call, position, lambda))
}

fn check_lambda(call: &KnownCall<'_>, position: usize, lambda: NodeId) -> Option<RuleFinding> {
    let name = call.function.name;
    if !call.function.arguments.contains(&Argument::Lambda) {
        let words = format!(
            "Invalid lambda function call. A lambda function should only be used in a higher order function, not in `{name}`."
        );
        let class = "INVALID_LAMBDA_FUNCTION_CALL.NON_HIGHER_ORDER_FUNCTION";
        return Some(RuleFinding::new(class, "42K0D", call.span(), words));
    }
    let (least, most) = parameters(name, position)?;
    let given = call.context.tree().children(lambda).len() - 1;
    if given < least || given > most {
        let words =
            format!("Invalid lambda function call. A higher order function expects {most} arguments, but got {given}.");
        let class = "INVALID_LAMBDA_FUNCTION_CALL.NUM_ARGS_MISMATCH";
        return Some(RuleFinding::new(class, "42K0D", call.span(), words));
    }
    result(call, position, call.context.scopes.type_of(lambda))
}

/// Returns the least and most parameters that the lambda at this position has; `None` if nothing is known.
fn parameters(function: &str, position: usize) -> Option<(usize, usize)> {
    Some(match (function, position) {
        ("transform" | "filter", _) => (1, 2),
        ("exists" | "forall", _) | ("aggregate" | "reduce", 3) => (1, 1),
        ("map_zip_with", _) => (3, 3),
        (
            "aggregate" | "reduce" | "zip_with" | "array_sort" | "map_filter" | "transform_keys" | "transform_values",
            _,
        ) => (2, 2),
        _ => return None,
    })
}

fn result(call: &KnownCall<'_>, position: usize, given: &Type) -> Option<RuleFinding> {
    let wanted = match (call.function.name, position) {
        ("filter" | "exists" | "forall" | "map_filter", _) => Type::Boolean,
        ("array_sort", _) => Type::Int,
        // A fold goes on with what it began with.
        ("aggregate" | "reduce", 2) => call.type_at(1).clone(),
        ("transform_keys", _) => {
            let reason = "the key of map cannot be or contain \"MAP\"";
            return given.has_map().then(|| call.mismatch("DATATYPE_MISMATCH.INVALID_MAP_KEY_TYPE", reason));
        }
        _ => return None,
    };
    let open = |data_type: &Type| data_type.to_string().contains("UNKNOWN") || data_type.to_string().contains("VOID");
    if *given == wanted || open(given) || open(&wanted) {
        return None;
    }
    let class =
        if call.function.name == "array_sort" { "DATATYPE_MISMATCH.UNEXPECTED_RETURN_TYPE" } else { UNEXPECTED };
    let reason = format!("the lambda must give the \"{wanted}\" type, however it gives \"{given}\"");
    Some(call.mismatch(class, &reason))
}
