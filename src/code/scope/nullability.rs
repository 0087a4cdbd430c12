//! Which calls can give NULL.

use crate::code::types::Type;

/// How NULL arguments lead to a NULL result.
enum NullRule {
    /// The result is never NULL.
    Never,
    /// NULL if any argument from this position on is.
    AnyFrom(usize),
    /// NULL if any argument is, or if text is no date or number.
    AnyOrUnreadable,
    /// NULL only if all arguments are.
    All,
    /// NULL if the first argument is.
    First,
    /// It can be NULL whatever the arguments are.
    Always,
}

/// Whether a call can give NULL; true when nothing is known of the function.
pub(super) fn can_be_null(function: &str, arguments: &[(Type, bool)]) -> bool {
    let mut nullable = arguments.iter().map(|(_, nullable)| *nullable);
    match rule(function, arguments.len()) {
        NullRule::Never => false,
        NullRule::Always => true,
        NullRule::All => nullable.all(|nullable| nullable),
        NullRule::First => nullable.next().unwrap_or(true),
        NullRule::AnyFrom(position) => nullable.skip(position).any(|nullable| nullable),
        NullRule::AnyOrUnreadable => {
            arguments.iter().any(|(data_type, nullable)| *nullable || matches!(data_type, Type::String | Type::Unknown))
        }
    }
}

fn rule(function: &str, arguments: usize) -> NullRule {
    match function {
        "count"
        | "count_if"
        | "approx_count_distinct"
        | "row_number"
        | "rank"
        | "dense_rank"
        | "ntile"
        | "percent_rank"
        | "cume_dist"
        | "collect_list"
        | "collect_set"
        | "array_agg"
        | "isnull"
        | "isnotnull"
        | "isnan"
        | "grouping"
        | "grouping_id"
        | "current_date"
        | "current_timestamp"
        | "now"
        | "array"
        | "map"
        | "struct"
        | "named_struct"
        | "rand"
        | "uuid"
        | "hash"
        | "pi"
        | "typeof"
        | "size"
        | "cardinality" => NullRule::Never,
        "unix_timestamp" if arguments == 0 => NullRule::Never,
        "coalesce" | "nvl" | "ifnull" | "greatest" | "least" => NullRule::All,
        "if" | "nvl2" => NullRule::AnyFrom(1),
        "lag" | "lead" if arguments == 3 => NullRule::AnyFrom(0),
        "concat_ws" | "transform" | "filter" | "array_distinct" | "sort_array" | "array_sort" | "slice"
        | "transform_keys" | "transform_values" | "map_filter" | "map_keys" | "map_values" | "map_entries" => {
            NullRule::First
        }
        "upper" | "lower" | "ucase" | "lcase" | "initcap" | "trim" | "ltrim" | "rtrim" | "btrim" | "concat"
        | "length" | "char_length" | "substr" | "substring" | "left" | "right" | "replace" | "translate"
        | "reverse" | "repeat" | "lpad" | "rpad" | "instr" | "locate" | "split" | "regexp_replace"
        | "regexp_extract" | "md5" | "sha" | "sha1" | "sha2" | "str_to_map" | "substring_index" | "split_part"
        | "ascii" | "base64" | "format_number" | "crc32" | "startswith" | "endswith" | "contains" => {
            NullRule::AnyFrom(0)
        }
        "abs" | "round" | "bround" | "floor" | "ceil" | "ceiling" | "negative" | "sign" | "signum" | "exp" | "pow"
        | "power" | "sqrt" | "year" | "month" | "day" | "dayofmonth" | "dayofweek" | "dayofyear" | "weekofyear"
        | "weekday" | "quarter" | "hour" | "minute" | "second" | "date_add" | "date_sub" | "datediff" | "date_diff"
        | "add_months" | "last_day" | "months_between" => NullRule::AnyOrUnreadable,
        _ => NullRule::Always,
    }
}
