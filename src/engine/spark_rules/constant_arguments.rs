//! Checks arguments whose value must be known before a query runs: that it is, and that it is in its range.

use super::constants::{is_constant, number, reads_column};
use super::known_call::KnownCall;
use super::rule_finding::RuleFinding;
use super::type_findings::mismatch;
use crate::code::functions::RowOrder;
use crate::code::literal::text_value;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

const NOT_CONSTANT: &str = "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT";
const OUT_OF_RANGE: &str = "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE";

/// Functions, the positions of arguments that must be constant, and Spark's class for those that are not.
const CONSTANT: [(&[&str], &[usize], &str); 13] = [
    (&["bround", "round", "truncate"], &[1], NOT_CONSTANT),
    (&["ceil", "ceiling", "floor"], &[1], "NON_FOLDABLE_ARGUMENT"),
    (&["date_part", "datepart"], &[0], "NON_FOLDABLE_ARGUMENT"),
    (&["to_binary", "to_char", "to_number", "to_varchar", "try_to_binary", "try_to_number"], &[1], NOT_CONSTANT),
    (&["listagg", "string_agg", "percentile", "histogram_numeric", "nth_value"], &[1], NOT_CONSTANT),
    (&["approx_percentile", "percentile_approx"], &[1, 2], NOT_CONSTANT),
    (&["ntile", "percentile_cont", "percentile_disc", "schema_of_csv", "schema_of_json"], &[0], NOT_CONSTANT),
    (&["count_min_sketch"], &[1, 2, 3], NOT_CONSTANT),
    (&["regexp_replace"], &[3], NOT_CONSTANT),
    (&["sort_array"], &[1], NOT_CONSTANT),
    (&["lag", "lead"], &[1], "_LEGACY_ERROR_TEMP_1035"),
    (&["rand", "randn", "random"], &[0], "SEED_EXPRESSION_IS_UNFOLDABLE"),
    (&["approx_count_distinct"], &[1], "_LEGACY_ERROR_TEMP_1104"),
];

pub(super) fn check(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let checks = [not_constant, without_value, out_of_range, flag, options, field, field_names];
    checks.iter().find_map(|check| check(call))
}

/// Functions, the position of an argument that must be a number, and Spark's class where it is NULL or other text.
const NUMBERS: [(&[&str], usize, &str); 4] = [
    (&["approx_percentile", "percentile", "percentile_approx"], 1, "DATATYPE_MISMATCH.UNEXPECTED_NULL"),
    (&["histogram_numeric"], 1, "DATATYPE_MISMATCH.UNEXPECTED_NULL"),
    (&["approx_count_distinct"], 1, "_LEGACY_ERROR_TEMP_1104"),
    (&["nth_value"], 1, OUT_OF_RANGE),
];

fn without_value(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let (_, position, class) = NUMBERS.iter().find(|(names, ..)| names.contains(&call.function.name))?;
    let argument = *call.arguments.get(*position)?;
    let text = call.context.script.slice(argument);
    let no_number = match call.context.kind(argument) {
        Kind::Null => true,
        Kind::Text => !text.contains(['$', '{']) && text_value(text).trim().parse::<f64>().is_err(),
        _ => false,
    };
    no_number.then(|| call.mismatch(class, &format!("\"{text}\" has no value as a number")))
}

/// Whether NULL is passed over is said by TRUE or FALSE, not by what gives one of them.
fn flag(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let flagged = call.function.row_order == RowOrder::TakesOne;
    let argument = *call.arguments.get(1).filter(|_| flagged)?;
    let fits = matches!(call.context.kind(argument), Kind::Boolean(_) | Kind::Placeholder);
    let words = format!("The second argument of `{}` should be a boolean literal.", call.function.name);
    (!fits).then(|| RuleFinding::new("_LEGACY_ERROR_TEMP_1210", "22023", call.span(), words))
}

/// Functions and the position of their options, which are a call of `map`.
const OPTIONS: [(&[&str], usize); 2] =
    [(&["schema_of_csv", "schema_of_json", "to_csv", "to_json"], 1), (&["from_csv", "from_json"], 2)];

fn options(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let (_, position) = OPTIONS.iter().find(|(names, _)| names.contains(&call.function.name))?;
    let argument = *call.arguments.get(*position)?;
    let is_call = matches!(call.context.kind(argument), Kind::Call { .. });
    let fits = is_call && call.context.script.function_name(argument) == "map";
    let words = "Invalid options: Must use the `map()` function for options.";
    (!fits).then(|| RuleFinding::new("INVALID_OPTIONS.NON_MAP_FUNCTION", "42K06", call.span(), words))
}

fn not_constant(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let name = call.function.name;
    let (_, positions, class) = CONSTANT.iter().find(|(names, ..)| names.contains(&name))?;
    let varies = |position: &&usize| {
        call.arguments.get(**position).is_some_and(|argument| !is_constant(call.context, *argument))
    };
    let position = *positions.iter().find(varies)?;
    Some(varying(call, class, position))
}

fn varying(call: &KnownCall<'_>, class: &'static str, position: usize) -> RuleFinding {
    let argument = call.context.quoted(call.arguments[position]);
    call.mismatch(class, &format!("the argument \"{argument}\" should be a foldable expression"))
}

/// Functions, the position of an argument, and the numbers between which it must be.
const RANGES: [(&[&str], usize, f64, f64); 6] = [
    (&["ntile", "stack"], 0, 1.0, f64::INFINITY),
    (&["nth_value"], 1, 1.0, f64::INFINITY),
    (&["approx_percentile", "percentile", "percentile_approx"], 1, 0.0, 1.0),
    (&["percentile_cont", "percentile_disc"], 0, 0.0, 1.0),
    (&["approx_percentile", "percentile_approx"], 2, 1.0, f64::INFINITY),
    (&["regexp_replace"], 3, 1.0, f64::INFINITY),
];

fn out_of_range(call: &KnownCall<'_>) -> Option<RuleFinding> {
    let ranges = RANGES.iter().filter(|(names, ..)| names.contains(&call.function.name));
    ranges.into_iter().find_map(|(_, position, least, most)| {
        let argument = *call.arguments.get(*position)?;
        let outside = |value: &f64| value < least || value > most;
        let value = numbers(call, argument).into_iter().find(outside)?;
        let reason = format!("the value must be between [{least}, {most}] (current value = {value})");
        Some(call.mismatch(OUT_OF_RANGE, &reason))
    })
}

/// The number that an argument is, or those in the array that it is.
fn numbers(call: &KnownCall<'_>, argument: NodeId) -> Vec<f64> {
    let context = call.context;
    let array =
        matches!(context.kind(argument), Kind::Call { .. }) && context.script.function_name(argument) == "array";
    let parts = if array { context.script.arguments(argument) } else { vec![argument] };
    let text = |part: NodeId| match context.kind(part) {
        Kind::Text => text_value(context.script.slice(part)).trim().parse().ok(),
        _ => None,
    };
    parts.into_iter().filter_map(|part| number(context, part).or_else(|| text(part))).collect()
}

/// Parts of a date, with their other names.
const FIELDS: [&str; 38] = [
    "year", "y", "years", "yr", "yrs", "yearofweek", "quarter", "qtr", "month", "mon", "mons", "months", "week", "w",
    "weeks", "day", "d", "days", "dayofweek", "dow", "dayofweek_iso", "dow_iso", "doy", "hour", "h", "hours", "hr",
    "hrs", "minute", "m", "min", "mins", "minutes", "second", "s", "sec", "seconds", "secs",
];

/// Checks the part of a date that `extract` and `date_part` give.
fn field(call: &KnownCall<'_>) -> Option<RuleFinding> {
    if !matches!(call.function.name, "extract" | "date_part" | "datepart") {
        return None;
    }
    let field = *call.arguments.first()?;
    let written = call.context.script.slice(field);
    let name = match call.context.kind(field) {
        Kind::Text => text_value(written),
        Kind::Column if call.function.name == "extract" => written.to_owned(),
        _ => return None,
    };
    let dated = call.type_at(1).is_temporal() || *call.type_at(1) == Type::String;
    if !dated || name.contains('$') || name.contains('{') || FIELDS.contains(&name.to_lowercase().as_str()) {
        return None;
    }
    let words = format!("Cannot extract the `{name}` field from a date or timestamp.");
    Some(RuleFinding::new("INVALID_EXTRACT_FIELD", "42601", call.span(), words))
}

/// The names of the fields of `named_struct` must be constant text.
fn field_names(call: &KnownCall<'_>) -> Option<RuleFinding> {
    if call.function.name != "named_struct" {
        return None;
    }
    let mut names = call.arguments.iter().step_by(2);
    let fits = |name: &NodeId| {
        let given = call.context.scopes.type_of(*name);
        matches!(given, Type::String | Type::Unknown) && !reads_column(call.context, *name)
    };
    let bad = *names.find(|name| !fits(name))?;
    let class = "DATATYPE_MISMATCH.CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING";
    let reason =
        format!("only foldable STRING expressions are allowed for names, not \"{}\"", call.context.quoted(bad));
    Some(mismatch(call.context, class, call.node, &reason))
}
