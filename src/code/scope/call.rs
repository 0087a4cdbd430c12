//! Types of calls.

use super::resolver::Resolver;
use super::widen::widest;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Resolver<'_> {
    /// Type and nullability of a call whose arguments are resolved.
    pub fn call(&self, call: NodeId) -> (Type, bool) {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let typed: Vec<(Type, bool)> = arguments.iter().map(|argument| self.typed(*argument)).collect();
        let any = typed.iter().any(|(_, nullable)| *nullable);
        let first = typed.first().map(|(data_type, _)| data_type.clone()).unwrap_or_default();
        let types = || typed.iter().map(|(data_type, _)| data_type);
        let nullable = match name.as_str() {
            "coalesce" | "nvl" | "ifnull" => typed.iter().all(|(_, nullable)| *nullable),
            "count"
            | "row_number"
            | "rank"
            | "dense_rank"
            | "ntile"
            | "percent_rank"
            | "cume_dist"
            | "collect_list"
            | "collect_set"
            | "isnull"
            | "isnotnull"
            | "grouping"
            | "grouping_id"
            | "current_date"
            | "now"
            | "current_timestamp"
            | "array"
            | "map"
            | "struct"
            | "named_struct"
            | "rand"
            | "uuid"
            | "hash"
            | "approx_count_distinct"
            | "count_if"
            | "size" => false,
            "if" => typed.iter().skip(1).any(|(_, nullable)| *nullable),
            "concat_ws" => typed.first().is_some_and(|(_, nullable)| *nullable),
            "upper" | "lower" | "trim" | "ltrim" | "rtrim" | "concat" | "length" | "substr" | "substring"
            | "replace" | "abs" | "round" | "floor" | "ceil" | "year" | "month" | "day" | "greatest" | "least"
            | "md5" => any,
            _ => true,
        };
        let data_type = match name.as_str() {
            "count" | "approx_count_distinct" | "count_if" | "unix_timestamp" | "to_unix_timestamp" | "grouping_id" => {
                Type::BigInt
            }
            "row_number" | "rank" | "dense_rank" | "ntile" | "length" | "char_length" | "datediff" | "year"
            | "month" | "day" | "dayofmonth" | "hour" | "minute" | "second" | "quarter" | "dayofweek"
            | "weekofyear" | "instr" | "locate" | "size" | "grouping" | "ascii" | "hash" | "sign" => Type::Int,
            "sum" => match first {
                Type::Int | Type::BigInt => Type::BigInt,
                Type::Decimal(precision, scale) => {
                    super::arithmetic::limited_decimal(i32::from(precision) + 10, scale.into())
                }
                Type::Unknown => Type::Unknown,
                _ => Type::Double,
            },
            "avg" | "mean" => match first {
                Type::Decimal(precision, scale) => {
                    super::arithmetic::limited_decimal(i32::from(precision) + 4, i32::from(scale) + 4)
                }
                _ => Type::Double,
            },
            "stddev" | "stddev_pop" | "stddev_samp" | "variance" | "var_pop" | "var_samp" | "percent_rank"
            | "cume_dist" | "rand" | "sqrt" | "ln" | "log" | "log10" | "log2" | "exp" | "power" | "pow"
            | "months_between" | "corr" => Type::Double,
            "min" | "max" | "first" | "last" | "first_value" | "last_value" | "any_value" | "lag" | "lead"
            | "nullif" | "abs" | "distinct" | "nth_value" | "reverse" | "array_distinct" | "sort_array"
            | "array_sort" | "slice" | "filter" | "negative" | "positive" | "array_remove" => first,
            "round" | "bround" => match first {
                Type::Decimal(precision, scale) => Type::Decimal(precision, scale),
                other => other,
            },
            "floor" | "ceil" | "ceiling" => match first {
                Type::Decimal(precision, scale) => Type::Decimal(precision - scale + 1, 0),
                Type::Unknown => Type::Unknown,
                _ => Type::BigInt,
            },
            "coalesce" | "nvl" | "ifnull" | "greatest" | "least" => widest(types()),
            "if" => widest(types().skip(1)),
            "nvl2" => widest(types().skip(1)),
            "to_date" | "date_add" | "date_sub" | "add_months" | "last_day" | "next_day" | "trunc" | "current_date"
            | "date" | "make_date" => Type::Date,
            "to_timestamp" | "current_timestamp" | "now" | "date_trunc" | "from_utc_timestamp" | "to_utc_timestamp"
            | "timestamp" => Type::Timestamp,
            "concat" => match first {
                Type::Array(_) => first,
                _ => Type::String,
            },
            "concat_ws" | "upper" | "lower" | "trim" | "ltrim" | "rtrim" | "substr" | "substring" | "replace"
            | "regexp_replace" | "regexp_extract" | "get_json_object" | "date_format" | "from_unixtime" | "md5"
            | "sha1" | "sha2" | "lpad" | "rpad" | "translate" | "initcap" | "parse_url" | "split_part" | "left"
            | "right" | "hex" | "base64" | "to_json" | "substring_index" | "repeat" | "conv" | "format_number"
            | "string" | "uuid" => Type::String,
            "split" => Type::Array(Box::new(Type::String)),
            "collect_list" | "collect_set" => Type::Array(Box::new(first)),
            "array" => Type::Array(Box::new(widest(types()))),
            "map_keys" => match first {
                Type::Map(key, _) => Type::Array(key),
                _ => Type::Array(Box::new(Type::Unknown)),
            },
            "map_values" => match first {
                Type::Map(_, value) => Type::Array(value),
                _ => Type::Array(Box::new(Type::Unknown)),
            },
            "str_to_map" => Type::Map(Box::new(Type::String), Box::new(Type::String)),
            "map" => Type::Map(Box::new(widest(types().step_by(2))), Box::new(widest(types().skip(1).step_by(2)))),
            "struct" => Type::Struct(self.struct_fields_of(&arguments, &typed)),
            "named_struct" => Type::Struct(self.named_fields_of(&arguments, &typed)),
            "element_at" => match first {
                Type::Array(element) => *element,
                Type::Map(_, value) => *value,
                _ => Type::Unknown,
            },
            "transform" => Type::Array(Box::new(typed.get(1).map(|(body, _)| body.clone()).unwrap_or_default())),
            "aggregate" | "reduce" => {
                typed.last().filter(|_| typed.len() > 3).or(typed.get(1)).map(|(t, _)| t.clone()).unwrap_or_default()
            }
            "array_contains" | "isnull" | "isnotnull" | "exists" | "forall" | "startswith" | "endswith"
            | "contains" | "bool_and" | "bool_or" | "every" | "some" | "any" => Type::Boolean,
            "array_max" | "array_min" => match first {
                Type::Array(element) => *element,
                _ => Type::Unknown,
            },
            "int" => Type::Int,
            "bigint" => Type::BigInt,
            "double" | "float" => Type::Double,
            "sequence" => Type::Array(Box::new(first)),
            _ => Type::Unknown,
        };
        (data_type, nullable)
    }

    fn struct_fields_of(&self, arguments: &[NodeId], typed: &[(Type, bool)]) -> Vec<(String, Type)> {
        let name = |(index, argument): (usize, &NodeId)| match self.tree.kind(*argument) {
            Kind::Column | Kind::Field => self.script.last_name(*argument),
            _ => format!("col{}", index + 1),
        };
        arguments.iter().enumerate().map(name).zip(typed.iter().map(|(data_type, _)| data_type.clone())).collect()
    }

    fn named_fields_of(&self, arguments: &[NodeId], typed: &[(Type, bool)]) -> Vec<(String, Type)> {
        let pairs = arguments.chunks_exact(2).zip(typed.chunks_exact(2));
        let field = |(names, types): (&[NodeId], &[(Type, bool)])| {
            let name = crate::code::literal::text_value(self.script.slice(names[0])).to_lowercase();
            (name, types[1].0.clone())
        };
        pairs.map(field).collect()
    }
}

/// What the parameters of a lambda are, from the arguments before it.
pub(super) fn parameter_types(function: &str, before: &[Type], count: usize) -> Vec<Type> {
    let element = |at: usize| match before.get(at) {
        Some(Type::Array(element)) => (**element).clone(),
        _ => Type::Unknown,
    };
    let entry = |at: usize| match before.get(at) {
        Some(Type::Map(key, value)) => ((**key).clone(), (**value).clone()),
        _ => (Type::Unknown, Type::Unknown),
    };
    match function {
        "transform" | "filter" => vec![element(0), Type::Int],
        "exists" | "any" | "forall" | "all" => vec![element(0)],
        "array_sort" => vec![element(0), element(0)],
        "zip_with" => vec![element(0), element(1)],
        "aggregate" | "reduce" if count == 2 => vec![before.get(1).cloned().unwrap_or_default(), element(0)],
        "aggregate" | "reduce" => vec![before.get(1).cloned().unwrap_or_default()],
        "map_filter" | "transform_keys" | "transform_values" => {
            let (key, value) = entry(0);
            vec![key, value]
        }
        "map_zip_with" => vec![entry(0).0, entry(0).1, entry(1).1],
        _ => Vec::new(),
    }
}

/// Whether `name` is a unit of time as the first argument of a date function, such as `timestampdiff(DAY, a, b)`.
pub(super) fn is_unit_argument(script: &Script, call: NodeId, argument: NodeId, name: &str) -> bool {
    const FUNCTIONS: [&str; 9] = [
        "extract",
        "timestampdiff",
        "timestampadd",
        "datediff",
        "date_diff",
        "dateadd",
        "date_add",
        "date_part",
        "datepart",
    ];
    const UNITS: [&str; 21] = [
        "year",
        "years",
        "yearofweek",
        "quarter",
        "month",
        "months",
        "week",
        "weeks",
        "day",
        "days",
        "dayofweek",
        "dow",
        "doy",
        "dayofyear",
        "hour",
        "hours",
        "minute",
        "minutes",
        "second",
        "seconds",
        "microsecond",
    ];
    matches!(script.tree().kind(call), Kind::Call { .. })
        && script.arguments(call).first() == Some(&argument)
        && UNITS.contains(&name)
        && FUNCTIONS.contains(&script.function_name(call).as_str())
}
