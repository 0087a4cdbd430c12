//! Types and nullability of calls.

use super::arithmetic::{arithmetic_type, limited_decimal};
use super::nullability::can_be_null;
use super::resolver::Resolver;
use super::widen::widest;
use crate::code::functions;
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

impl Resolver<'_> {
    /// Type and nullability of a call whose arguments are resolved.
    pub fn call(&self, call: NodeId) -> (Type, bool) {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let typed: Vec<(Type, bool)> = arguments.iter().map(|argument| self.typed(*argument)).collect();
        let nullable = can_be_null(&name, &typed);
        let types: Vec<Type> = typed.into_iter().map(|(data_type, _)| data_type).collect();
        let data_type = match (name.as_str(), types.first()) {
            ("struct", _) => Type::Struct(self.fields_by_column(&arguments, &types)),
            ("named_struct", _) => Type::Struct(self.fields_by_name(&arguments, &types)),
            ("round" | "bround", Some(Type::Decimal(precision, scale))) => {
                self.rounded((*precision, *scale), arguments.get(1).copied())
            }
            (name, _) => call_type(name, &types),
        };
        (data_type, nullable)
    }

    /// A decimal rounded at a constant place has its digits; one more may be needed in front.
    fn rounded(&self, (precision, scale): (u8, u8), place: Option<NodeId>) -> Type {
        let place: Option<i32> = match place {
            Some(place) => self.script.slice(place).parse().ok(),
            None => Some(0),
        };
        let Some(place) = place else { return Type::Decimal(precision, scale) };
        let whole = i32::from(precision) - i32::from(scale) + 1;
        if place < 0 {
            return limited_decimal(whole.max(1 - place).min(38), 0);
        }
        let kept = place.min(i32::from(scale));
        Type::Decimal((whole + kept).min(38) as u8, kept as u8)
    }

    fn fields_by_column(&self, arguments: &[NodeId], types: &[Type]) -> Vec<(String, Type)> {
        let name = |(index, argument): (usize, &NodeId)| match self.tree.kind(*argument) {
            Kind::Column | Kind::Field => self.script.last_name(*argument),
            _ => format!("col{}", index + 1),
        };
        arguments.iter().enumerate().map(name).zip(types.iter().cloned()).collect()
    }

    fn fields_by_name(&self, arguments: &[NodeId], types: &[Type]) -> Vec<(String, Type)> {
        let pairs = arguments.chunks_exact(2).zip(types.chunks_exact(2));
        let field = |(names, types): (&[NodeId], &[Type])| {
            let name = crate::code::literal::text_value(self.script.slice(names[0])).to_lowercase();
            (name, types[1].clone())
        };
        pairs.map(field).collect()
    }
}

/// The type of a call, as Spark tells it; the catalogue knows the functions without a rule of their own.
fn call_type(name: &str, types: &[Type]) -> Type {
    let first = || types.first().cloned().unwrap_or_default();
    match name {
        "abs" | "negative" | "positive" | "round" | "bround" | "percentile_approx" | "approx_percentile" => {
            as_number(first())
        }
        "date_part" | "datepart" => Type::Int,
        "sum" => sum_type(&first()),
        "avg" | "mean" => match first() {
            Type::Decimal(precision, scale) => limited_decimal(i32::from(precision) + 4, i32::from(scale) + 4),
            _ => Type::Double,
        },
        "floor" | "ceil" | "ceiling" => match first() {
            Type::Decimal(precision, 0) => Type::Decimal(precision, 0),
            Type::Decimal(precision, scale) => Type::Decimal(precision - scale + 1, 0),
            Type::Unknown => Type::Unknown,
            _ => Type::BigInt,
        },
        "mod" | "pmod" => match types {
            [left, right] => arithmetic_type(BinaryOperator::Modulo, left, right),
            _ => Type::Unknown,
        },
        "coalesce" | "nvl" | "ifnull" | "greatest" | "least" => widest(types),
        "if" | "nvl2" => widest(types.iter().skip(1)),
        "decode" => {
            widest(types.iter().skip(1).enumerate().filter(|(at, _)| is_decoded(*at, types.len())).map(|(_, t)| t))
        }
        "int" | "bigint" | "double" | "float" | "string" | "boolean" | "smallint" | "tinyint" => {
            crate::code::schema::read_type(name).unwrap_or_default()
        }
        _ => nested_type(name, types)
            .or_else(|| functions::lookup(name).map(|function| function.return_type(types)))
            .unwrap_or_default(),
    }
}

/// Of the arguments after the first, which `decode` can give: every second one, and a last one without partner.
fn is_decoded(at: usize, count: usize) -> bool {
    at % 2 == 1 || at + 2 == count
}

fn as_number(data_type: Type) -> Type {
    if data_type == Type::String { Type::Double } else { data_type }
}

fn sum_type(summed: &Type) -> Type {
    match summed {
        Type::Int | Type::BigInt => Type::BigInt,
        Type::Decimal(precision, scale) => limited_decimal(i32::from(*precision) + 10, i32::from(*scale)),
        Type::Unknown => Type::Unknown,
        _ => Type::Double,
    }
}

/// The types of functions that take arrays, maps and structs apart or build them.
fn nested_type(name: &str, types: &[Type]) -> Option<Type> {
    let first = types.first();
    let array = |element: Type| Some(Type::Array(Box::new(element)));
    match (name, first) {
        ("concat", Some(Type::Array(_))) => first.cloned(),
        ("concat", _) => Some(Type::String),
        ("array", _) => array(widest(types)),
        ("collect_list" | "collect_set" | "array_agg" | "array_repeat" | "sequence", Some(element)) => {
            array(element.clone())
        }
        ("map_keys", Some(Type::Map(key, _))) => array((**key).clone()),
        ("map_values", Some(Type::Map(_, value))) => array((**value).clone()),
        ("flatten", Some(Type::Array(inner))) => Some((**inner).clone()),
        ("map", _) => {
            let (keys, values) = (types.iter().step_by(2), types.iter().skip(1).step_by(2));
            Some(Type::Map(Box::new(widest(keys)), Box::new(widest(values))))
        }
        ("element_at" | "array_max" | "array_min", Some(Type::Array(value) | Type::Map(_, value))) => {
            Some((**value).clone())
        }
        ("transform", _) => array(types.get(1).cloned().unwrap_or_default()),
        ("aggregate" | "reduce", _) => types.get(3).or(types.get(1)).cloned(),
        _ => None,
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
