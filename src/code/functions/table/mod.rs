//! The table itself, by topic; each part is sorted by name. Numbers of arguments, what they must be and when the
//! result is NULL were asked of Spark 4.3 with ANSI mode off, function by function.

mod aggregate;
mod collection;
mod date;
mod general;
mod number;
mod rare;
mod text;

use super::{Argument, Function, FunctionKind, Nulls, Returns};

const fn function(
    name: &'static str,
    kind: FunctionKind,
    (minimum, maximum): (usize, Option<usize>),
    arguments: &'static [Argument],
    (returns, family, nulls): (Returns, &'static str, Nulls),
) -> Function {
    Function { name, kind, minimum, maximum, arguments, returns, nulls, family }
}

/// The parts of the catalogue.
pub(super) static PARTS: [&[Function]; 7] = [
    text::FUNCTIONS,
    number::FUNCTIONS,
    date::FUNCTIONS,
    collection::FUNCTIONS,
    aggregate::FUNCTIONS,
    general::FUNCTIONS,
    rare::FUNCTIONS,
];

/// Names of one and the same function; the first of a group is the usual one.
#[rustfmt::skip]
pub(super) static SYNONYMS: &[&[&str]] = &[
    &["aggregate", "reduce"],
    &["avg", "mean"],
    &["bit_get", "getbit"],
    &["bool_and", "every"],
    &["bool_or", "any", "some"],
    &["ceil", "ceiling"],
    &["chr", "char"],
    &["collect_list", "array_agg"],
    &["current_database", "current_schema"],
    &["current_date", "curdate"],
    &["current_timestamp", "now"],
    &["current_user", "session_user"],
    &["date_add", "dateadd"],
    &["date_part", "datepart", "extract"],
    &["datediff", "date_diff"],
    &["dayofmonth", "day"],
    &["first", "first_value"],
    &["format_string", "printf"],
    &["last", "last_value"],
    &["length", "len", "char_length", "character_length"],
    &["listagg", "string_agg"],
    &["locate", "position"],
    &["lower", "lcase"],
    &["nvl", "ifnull"],
    &["percentile_approx", "approx_percentile"],
    &["pow", "power"],
    &["rand", "random"],
    &["rlike", "regexp", "regexp_like"],
    &["sha1", "sha"],
    &["sign", "signum"],
    &["size", "cardinality"],
    &["stddev_samp", "stddev", "std"],
    &["substr", "substring"],
    &["to_char", "to_varchar"],
    &["upper", "ucase"],
    &["var_samp", "variance"],
];
