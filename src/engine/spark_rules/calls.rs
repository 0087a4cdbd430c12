//! Checks calls: functions that do not exist, wrong numbers of arguments, arguments of the wrong type.

use super::{RuleContext, RuleFinding};
use crate::code::functions::{Argument, Function, FunctionKind, lookup};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// Whether a call gives one value from many rows.
pub(super) fn is_aggregate(context: &RuleContext<'_>, call: NodeId) -> bool {
    context.script.is_aggregate(call)
}

/// Whether a call has an OVER clause.
pub(super) fn is_window_call(context: &RuleContext<'_>, call: NodeId) -> bool {
    context.tree().child(call, |kind| kind == Kind::Over).is_some()
}

/// Whether a function makes sense only over a window.
pub(super) fn window_only(name: &str) -> bool {
    lookup(name).is_some_and(|function| function.kind == FunctionKind::Window)
}

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let calls = context.nodes_where(|kind| matches!(kind, Kind::Call { .. }));
    calls.into_iter().filter_map(|call| one(context, call)).collect()
}

fn one(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let span = report_span(context, call);
    let Some(function) = context.script.function(call) else {
        let written = context.script.slice(context.tree().children(call)[0]).to_lowercase();
        let words =
            format!("Cannot resolve routine `{written}` on search path [`system`.`builtin`, `system`.`session`].");
        return Some(RuleFinding::new("UNRESOLVED_ROUTINE", "42883", span, words));
    };
    let arguments = context.script.arguments(call);
    arity(function, &arguments, span).or_else(|| argument_types(context, call, function, &arguments))
}

/// Returns where a call is reported: for a generator in LATERAL VIEW, that is the view.
fn report_span(context: &RuleContext<'_>, call: NodeId) -> crate::code::span::Span {
    let parent = context.tree().parent(call).filter(|parent| matches!(context.kind(*parent), Kind::LateralView { .. }));
    context.span(parent.unwrap_or(call))
}

fn arity(function: &Function, arguments: &[NodeId], span: crate::code::span::Span) -> Option<RuleFinding> {
    let given = arguments.len();
    if given >= function.minimum && function.maximum.is_none_or(|maximum| given <= maximum) {
        return None;
    }
    if function.kind == FunctionKind::Generator && given == 0 {
        let words = format!(
            "Cannot invoke routine `{}` because the parameter named `collection` is required, but the routine call did not \
             supply a value.",
            function.name
        );
        return Some(RuleFinding::new("REQUIRED_PARAMETER_NOT_FOUND", "4274K", span, words));
    }
    let wanted = match function.maximum {
        Some(maximum) if maximum == function.minimum => maximum.to_string(),
        Some(maximum) => {
            let counts: Vec<String> = (function.minimum..=maximum).map(|count| count.to_string()).collect();
            format!("[{}]", counts.join(", "))
        }
        None => format!("> {}", function.minimum.saturating_sub(1)),
    };
    let words = format!("The `{}` requires {wanted} parameters but the actual number is {given}.", function.name);
    Some(RuleFinding::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", span, words))
}

fn argument_types(
    context: &RuleContext<'_>,
    call: NodeId,
    function: &Function,
    arguments: &[NodeId],
) -> Option<RuleFinding> {
    let first = arguments.first().map(|argument| context.scopes.type_of(*argument));
    if matches!(function.name, "element_at" | "try_element_at") && matches!(first, Some(Type::Map(..))) {
        // A map is read by its key, whatever that is.
        return None;
    }
    for (position, argument) in arguments.iter().enumerate() {
        let given = context.scopes.type_of(*argument);
        if let Some(wanted) = refused(function.argument(position), given) {
            let words = format!(
                "Cannot resolve \"{}\" due to data type mismatch: The {} parameter requires the {wanted} type, however \
                 \"{}\" has the type \"{given}\".",
                context.quoted(call),
                ordinal(position),
                context.quoted(*argument)
            );
            let class = "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE";
            return Some(RuleFinding::new(class, "42K09", report_span(context, call), words));
        }
    }
    element_type(context, call, function, arguments)
}

/// Returns the types that are wanted instead of `given`, as messages name them; `None` if `given` is accepted.
fn refused(wanted: Argument, given: &Type) -> Option<&'static str> {
    (!wanted.accepts(given)).then_some(match wanted {
        Argument::Array => "\"ARRAY\"",
        Argument::Map => "\"MAP\"",
        Argument::ArrayOrMap => "(\"ARRAY\" or \"MAP\")",
        Argument::TextOrArray => "(\"ARRAY<STRING>\" or \"STRING\")",
        Argument::Number => "\"DOUBLE\"",
        Argument::Numeric => "\"NUMERIC\"",
        Argument::Summable => "\"NUMERIC\" or \"ANSI INTERVAL\"",
        Argument::Whole => "\"INTEGRAL\"",
        Argument::Int | Argument::Count => "\"INT\"",
        Argument::DayCount => "(\"INT\" or \"SMALLINT\" or \"TINYINT\")",
        Argument::TextOrBinary => "\"BINARY\"",
        Argument::Temporal | Argument::Date => "\"DATE\"",
        Argument::Timestamp => "\"TIMESTAMP\"",
        Argument::Boolean => "\"BOOLEAN\"",
        _ => "\"STRING\"",
    })
}

/// Refuses a value that the elements of the array cannot be compared with, as in `array_contains(array of text, 1)`.
fn element_type(
    context: &RuleContext<'_>,
    call: NodeId,
    function: &Function,
    arguments: &[NodeId],
) -> Option<RuleFinding> {
    if !matches!(function.name, "array_contains" | "array_position" | "array_remove") {
        return None;
    }
    let Type::Array(element) = context.scopes.type_of(*arguments.first()?) else { return None };
    let given = context.scopes.type_of(*arguments.get(1)?);
    let known = |data_type: &Type| !matches!(data_type, Type::Unknown | Type::Null);
    let fits = !known(element) || !known(given) || **element == *given || element.is_numeric() && given.is_numeric();
    (!fits).then(|| {
        let words = format!(
            "Cannot resolve \"{}\" due to data type mismatch: Input to `{}` should have been \"ARRAY\" followed by a value \
             with same element type, but it's [\"ARRAY<{element}>\", \"{given}\"].",
            context.quoted(call),
            function.name
        );
        RuleFinding::new("DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", "42K09", context.span(call), words)
    })
}

fn ordinal(position: usize) -> String {
    const WORDS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    WORDS.get(position).map_or_else(|| format!("{}th", position + 1), |word| (*word).to_owned())
}
