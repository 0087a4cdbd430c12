//! Checks that the parts of arrays, maps and rows of one call fit together.

use super::common_types::{combine_all, combine_without_text, tightest};
use super::known_call::KnownCall;
use super::operators::{UNEXPECTED, UNORDERED};
use super::rule_finding::RuleFinding;
use super::type_findings::{DATA_DIFFERS, nothing_in_common, unjoined};
use crate::code::types::Type;

const KEY: &str = "DATATYPE_MISMATCH.INVALID_MAP_KEY_TYPE";

pub(super) fn check(call: &KnownCall<'_>) -> Option<RuleFinding> {
    match call.function.name {
        "array" => nothing_in_common(call.context, call.node, "array", &call.types()),
        "concat" => unjoined(call.context, call.node, &call.types()),
        "map" => map(call),
        "map_from_arrays" => key(call, element(call.type_at(0))?),
        "map_from_entries" => match element(call.type_at(0))? {
            Type::Struct(fields) if fields.len() == 2 => key(call, &fields[0].1),
            _ => None,
        },
        "map_concat" => joined_maps(call),
        "map_contains_key" => key_of_map(call),
        "element_at" | "try_element_at" if matches!(call.type_at(0), Type::Map(..)) => key_of_map(call),
        "array_union" | "array_intersect" | "array_except" | "arrays_overlap" => two_arrays(call),
        "array_contains" => {
            value_of_array(call, 1, |element, value| combine_without_text([element, value].into_iter()))
        }
        "array_position" | "array_remove" | "array_append" | "array_prepend" => value_of_array(call, 1, tightest),
        "array_insert" => value_of_array(call, 2, tightest),
        "sequence" => sequence(call),
        "stack" => stack(call),
        "greatest" | "least" => extreme(call),
        _ => None,
    }
}

fn element(data_type: &Type) -> Option<&Type> {
    match data_type {
        Type::Array(element) => Some(element),
        _ => None,
    }
}

fn key(call: &KnownCall<'_>, key: &Type) -> Option<RuleFinding> {
    key.has_map().then(|| call.mismatch(KEY, "the key of map cannot be or contain \"MAP\""))
}

fn map(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let types = call.types();
    let keys = || types.iter().copied().step_by(2);
    let values = || types.iter().copied().skip(1).step_by(2);
    if !combine_all(keys()) {
        return Some(
            call.mismatch("DATATYPE_MISMATCH.CREATE_MAP_KEY_DIFF_TYPES", "the keys should all be the same type"),
        );
    }
    if !combine_all(values()) {
        let class = "DATATYPE_MISMATCH.CREATE_MAP_VALUE_DIFF_TYPES";
        return Some(call.mismatch(class, "the values should all be the same type"));
    }
    keys().find_map(|data_type| key(call, data_type))
}

fn joined_maps(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let types = call.types();
    if types.iter().any(|data_type| !matches!(data_type, Type::Map(..) | Type::Unknown)) {
        return Some(call.mismatch("DATATYPE_MISMATCH.MAP_CONCAT_DIFF_TYPES", "the inputs should all be maps"));
    }
    let class = "DATATYPE_MISMATCH.MAP_CONCAT_DIFF_TYPES";
    (!combine_all(types.into_iter())).then(|| call.mismatch(class, "the inputs should all be of one type"))
}

/// The value by which a map is read must be like its keys.
fn key_of_map(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let (Type::Map(key, _), given) = (call.type_at(0), call.type_at(1)) else { return None };
    let class = "DATATYPE_MISMATCH.MAP_FUNCTION_DIFF_TYPES";
    (!tightest(key, given)).then(|| call.mismatch(class, &format!("the keys are \"{key}\", the value is \"{given}\"")))
}

fn two_arrays(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let known = |data_type: &Type| !matches!(data_type, Type::Unknown | Type::Null);
    let (left, right) = (call.type_at(0), call.type_at(1));
    let class = "DATATYPE_MISMATCH.BINARY_ARRAY_DIFF_TYPES";
    let fits =
        !known(left) || !known(right) || element(left).is_some() && element(right).is_some() && tightest(left, right);
    if !fits {
        return Some(
            call.mismatch(class, &format!("both should be arrays of one type, not \"{left}\" and \"{right}\"")),
        );
    }
    (left.has_map() || right.has_map()).then(|| call.mismatch(UNORDERED, "maps cannot be compared"))
}

/// A value that is looked for in an array, or put into it, must be like its elements.
fn value_of_array(call: &KnownCall<'_>, position: usize, fits: fn(&Type, &Type) -> bool) -> Option<RuleFinding> {
    let (element, given) = (element(call.type_at(0))?, call.type_at(position));
    if !fits(element, given) {
        let reason = format!(
            "Input to `{}` should have been \"ARRAY\" followed by a value with same element type, but it's \
             [\"ARRAY<{element}>\", \"{given}\"]",
            call.function.name
        );
        return Some(call.mismatch("DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES", &reason));
    }
    let compares = matches!(call.function.name, "array_contains" | "array_position" | "array_remove");
    (compares && element.has_map()).then(|| call.mismatch(UNORDERED, "maps cannot be compared"))
}

/// `sequence` counts in whole numbers, or in dates and timestamps by an interval.
fn sequence(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let known = |data_type: &&Type| !matches!(data_type, Type::Unknown | Type::Null);
    let types: Vec<&Type> = call.types().into_iter().filter(known).collect();
    if types.len() < call.arguments.len() {
        return None;
    }
    let [bounds, step] = [&types[..2], &types[2..]];
    let whole = bounds.iter().all(|bound| bound.is_integer()) && step.iter().all(|step| step.is_integer());
    let moments = bounds.iter().all(|bound| bound.is_temporal()) && step.iter().all(|step| step.is_interval());
    let class = "DATATYPE_MISMATCH.SEQUENCE_WRONG_INPUT_TYPES";
    (!whole && !moments).then(|| call.mismatch(class, "sequence uses the wrong parameter type"))
}

/// The columns that `stack` makes hold values of one type each.
fn stack(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let count = *call.arguments.first()?;
    let given = call.type_at(0);
    if !matches!(given, Type::Int | Type::Unknown) {
        return Some(call.mismatch(UNEXPECTED, &format!("the first parameter requires \"INT\", not \"{given}\"")));
    }
    let rows: usize = call.context.script.slice(count).parse().ok().filter(|rows| *rows > 0)?;
    let types = call.types().split_off(1);
    let width = types.len().div_ceil(rows);
    let known = |data_type: &&Type| !matches!(data_type, Type::Unknown | Type::Null);
    let mixed = (0..width).find(|column| {
        let mut values = types.iter().copied().skip(*column).step_by(width).filter(known);
        values.next().is_some_and(|first| values.any(|other| other != first))
    })?;
    let class = "DATATYPE_MISMATCH.STACK_COLUMN_DIFF_TYPES";
    Some(call.mismatch(class, &format!("the data types of the column {mixed} do not have the same type")))
}

/// The greatest and least of values, which are not turned into text.
fn extreme(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let types = call.types();
    if !combine_without_text(types.iter().copied()) {
        let reason = format!("Input to `{}` should all be the same type", call.function.name);
        return Some(call.mismatch(DATA_DIFFERS, &reason));
    }
    types.iter().any(|data_type| data_type.has_map()).then(|| call.mismatch(UNORDERED, "maps have no order"))
}
