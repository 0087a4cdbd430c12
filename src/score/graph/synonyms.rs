//! Synonyms of functions in Spark.

/// Returns the name that stands for a function and all its synonyms.
///
/// Only synonyms with the same arguments, types and treatment of NULL are listed. `stddev` and `variance` are left out,
/// because Hive and Spark mean different functions by them.
pub(super) fn canonical(name: &str) -> &str {
    match name {
        "nvl" | "ifnull" => "coalesce",
        "substring" => "substr",
        "lcase" => "lower",
        "ucase" => "upper",
        "char_length" | "character_length" | "len" => "length",
        "pow" => "power",
        "ceiling" => "ceil",
        "dayofmonth" => "day",
        "date_diff" => "datediff",
        "dateadd" => "date_add",
        "first_value" => "first",
        "last_value" => "last",
        "bool_and" => "every",
        "bool_or" | "some" => "any",
        "array_agg" => "collect_list",
        "sha" => "sha1",
        "signum" => "sign",
        "printf" => "format_string",
        "now" => "current_timestamp",
        "mean" => "avg",
        "cardinality" => "size",
        other => other,
    }
}

/// Returns the type to which a function named after a type casts; `None` for other functions.
pub(super) fn cast_type(name: &str) -> Option<&str> {
    let types = [
        "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "date", "timestamp", "binary",
        "string",
    ];
    types.contains(&name).then_some(name)
}
