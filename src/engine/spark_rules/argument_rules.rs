//! Checks the types of arguments against the catalogue, and the functions that are operators by another name.

use super::casts;
use super::constants::is_constant;
use super::known_call::KnownCall;
use super::operators::{UNEXPECTED, UNORDERED, arithmetic};
use super::rule_finding::RuleFinding;
use super::type_findings::{OperandPair, not_comparable, nothing_in_common};
use crate::code::functions::Argument;
use crate::code::literal::text_value;
use crate::code::tree::{BinaryOperator, Kind};
use crate::code::types::Type;

pub(super) fn check(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let operators = by_operator(call);
    operators.or_else(|| casts::by_function(call)).or_else(|| by_catalogue(call))
}

/// Functions that compare their arguments or choose one of them.
fn by_operator(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let name = call.function.canonical_name();
    if let (Some(operator), 2) = (call.function.operator, call.arguments.len()) {
        return calculated(call, operator);
    }
    match (name, call.arguments.len()) {
        ("nullif", 2) => compared(call, BinaryOperator::Equal, 1),
        ("equal_null", 2) => compared(call, BinaryOperator::NullSafeEqual, 1),
        ("decode", 3..) => decoded(call),
        ("date_add" | "date_sub", 2) => days(call),
        ("coalesce", _) => nothing_in_common(call.context, call.node, "coalesce", &call.types()),
        ("nvl2" | "if", 3) => {
            let fits = nothing_in_common(call.context, call.node, "if", &call.types()[1..]);
            fits.filter(|_| name == "nvl2" || matches!(call.type_at(0), Type::Boolean | Type::Unknown | Type::Null))
        }
        _ => None,
    }
}

fn calculated(call: &KnownCall<'_>, operator: BinaryOperator) -> Option<RuleFinding> {
    let (left, right) = (call.type_at(0), call.type_at(1));
    let class = arithmetic(operator, left, right)?;
    Some(call.mismatch(class, &format!("the operation does not take the types \"{left}\" and \"{right}\"")))
}

/// Days may be given as text only where the text is known, and is a whole number.
fn days(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let count = *call.arguments.get(1).filter(|_| *call.type_at(1) == Type::String)?;
    let text = call.context.script.slice(count);
    if call.context.kind(count) == Kind::Text && !text.contains(['$', '{']) {
        let whole = text_value(text).trim().parse::<i32>().is_ok();
        let words = format!("The second argument of `{}` function needs to be an integer.", call.function.name);
        return (!whole).then(|| RuleFinding::new("SECOND_FUNCTION_ARGUMENT_NOT_INTEGER", "22023", call.span(), words));
    }
    let varies = !is_constant(call.context, count);
    varies
        .then(|| call.mismatch(UNEXPECTED, "The second parameter requires the \"INT\" type, however it is \"STRING\""))
}

/// The comparison of the first argument with another.
fn compared(call: &KnownCall<'_>, operator: BinaryOperator, with: usize) -> Option<RuleFinding> {
    let (left, right) = (call.arguments[0], call.arguments[with]);
    let found = not_comparable(call.context, OperandPair { node: call.node, operator, left, right })?;
    Some(RuleFinding { span: call.span(), ..found })
}

/// `decode(x, key, value, …, otherwise)` compares with every key and gives one of the values.
fn decoded(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let last = call.arguments.len() - 1;
    let keys = (1..last).step_by(2);
    let unlike = keys.into_iter().find_map(|key| compared(call, BinaryOperator::NullSafeEqual, key));
    unlike.or_else(|| {
        let gives = |at: &usize| *at > 0 && (at.is_multiple_of(2) || *at == last);
        let otherwise = if last.is_multiple_of(2) { &Type::String } else { &Type::Null };
        let types: Vec<&Type> = (0..=last).filter(gives).map(|at| call.type_at(at)).chain([otherwise]).collect();
        nothing_in_common(call.context, call.node, "casewhen", &types)
    })
}

fn by_catalogue(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let by_key =
        matches!(call.function.name, "element_at" | "try_element_at") && matches!(call.type_at(0), Type::Map(..));
    if by_key || call.function.name == "decode" && call.arguments.len() > 2 {
        return None;
    }
    (0..call.arguments.len()).find_map(|position| {
        let wanted = call.function.argument(position);
        let given = call.type_at(position);
        if wanted.accepts(given) {
            return None;
        }
        let reason = format!(
            "The {} parameter requires the {} type, however \"{}\" has the type \"{given}\"",
            ordinal(position),
            name_of(wanted),
            call.context.quoted(call.arguments[position])
        );
        Some(call.mismatch(class_of(call.function.name, wanted, given), &reason))
    })
}

/// Returns the class of Spark's error for a type that is not wanted.
fn class_of(function: &str, wanted: Argument, given: &Type) -> &'static str {
    let has_map = given.has_map();
    match wanted {
        _ if function == "json_tuple" => "DATATYPE_MISMATCH.NON_STRING_TYPE",
        Argument::Orderable => UNORDERED,
        Argument::OrderableArray if has_map && matches!(given, Type::Array(_)) => UNORDERED,
        Argument::Hashable => "DATATYPE_MISMATCH.HASH_MAP_TYPE",
        Argument::Distinguishable | Argument::Row => "DATATYPE_MISMATCH.UNSUPPORTED_INPUT_TYPE",
        Argument::Document => "DATATYPE_MISMATCH.INVALID_JSON_SCHEMA",
        _ => UNEXPECTED,
    }
}

/// Returns the types that an argument may have, as messages name them.
fn name_of(wanted: Argument) -> &'static str {
    match wanted {
        Argument::Array | Argument::OrderableArray => "\"ARRAY\"",
        Argument::ArrayOfArrays => "\"ARRAY\" of \"ARRAY\"",
        Argument::ArrayOfRows | Argument::ArrayOfPairs => "\"ARRAY\" of \"STRUCT\"",
        Argument::ArrayOfText => "\"ARRAY<STRING>\"",
        Argument::Map => "\"MAP\"",
        Argument::Row => "\"STRUCT\"",
        Argument::ArrayOrMap => "(\"ARRAY\" or \"MAP\")",
        Argument::TextOrArray => "(\"ARRAY<STRING>\" or \"STRING\")",
        Argument::Number | Argument::Double => "\"DOUBLE\"",
        Argument::Numeric => "\"NUMERIC\"",
        Argument::Summable => "\"NUMERIC\" or \"ANSI INTERVAL\"",
        Argument::Whole | Argument::Bits => "\"INTEGRAL\"",
        Argument::Int | Argument::Count => "\"INT\"",
        Argument::DayCount => "(\"INT\" or \"SMALLINT\" or \"TINYINT\")",
        Argument::TextOrBinary => "\"BINARY\"",
        Argument::Temporal | Argument::Date => "\"DATE\"",
        Argument::Timestamp | Argument::Moment | Argument::MomentOrMillis => "\"TIMESTAMP\"",
        Argument::Boolean => "\"BOOLEAN\"",
        _ => "\"STRING\"",
    }
}

fn ordinal(position: usize) -> String {
    const WORDS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    WORDS.get(position).map_or_else(|| format!("{}th", position + 1), |word| (*word).to_owned())
}
