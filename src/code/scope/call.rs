//! Types of calls: the catalogue's rules, and those that it cannot express.

use super::resolver::Resolver;
use crate::code::arithmetic::{arithmetic_type, limited_decimal};
use crate::code::functions::{self, element_of, entry_of};
use crate::code::literal::text_value;
use crate::code::schema::read_type;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::code::widen::widest;

/// The largest precision and scale of a decimal.
const MAX_DIGITS: u8 = 38;

impl Resolver<'_> {
    /// Type and nullability of a call whose arguments are resolved.
    pub fn call(&self, call: NodeId) -> (Type, bool) {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let typed: Vec<(Type, bool)> = arguments.iter().map(|argument| self.typed(*argument)).collect();
        let function = functions::lookup(&name);
        let nullable = super::nullability::can_be_null(function, &typed);
        let catalogued = || {
            let types: Vec<Type> = typed.iter().map(|(data_type, _)| data_type.clone()).collect();
            function.map_or(Type::Unknown, |function| function.return_type(&types))
        };
        let special = self.special_type(&name, &arguments, &typed);
        (special.unwrap_or_else(catalogued), nullable)
    }

    /// Types that depend on literals, names or more than one argument.
    fn special_type(&self, name: &str, arguments: &[NodeId], typed: &[(Type, bool)]) -> Option<Type> {
        let first = || type_at(typed, 0);
        Some(match name {
            "struct" => Type::Struct(self.struct_fields_of(arguments, typed)),
            "named_struct" => Type::Struct(self.named_fields_of(arguments, typed)),
            "from_json" | "from_csv" => self.json_type(*arguments.get(1)?),
            "round" | "bround" => self.rounded(&first(), arguments.get(1).copied()),
            // Without a last value for all else there is the NULL of a text.
            "decode" if typed.len() % 2 == 1 => widest(decoded(typed).chain([&Type::String])),
            "decode" => widest(decoded(typed)),
            "to_number" | "try_to_number" => self.number_by_format(*arguments.get(1)?),
            "arrays_zip" => self.zipped(arguments, typed)?,
            _ => return self.operator_type(name, arguments),
        })
    }

    /// Functions that are operators by another name.
    fn operator_type(&self, name: &str, arguments: &[NodeId]) -> Option<Type> {
        let operator = functions::lookup(name)?.operator?;
        let [left, right] = arguments else { return None };
        let (left, right) = self.operands(*left, *right);
        Some(arithmetic_type(operator, &left, &right))
    }

    /// A decimal keeps as many digits as it is rounded to; text becomes DOUBLE, other numbers keep their type.
    fn rounded(&self, number: &Type, digits: Option<NodeId>) -> Type {
        let digits = digits.map_or(Some(0), |digits| self.script.slice(digits).parse::<i32>().ok());
        match (number, digits) {
            (Type::Decimal(precision, scale), Some(digits)) => {
                let whole = i32::from(precision - scale) + 1;
                if digits < 0 {
                    return limited_decimal(whole.max(1 - digits), 0);
                }
                let scale = i32::from(*scale).min(digits);
                Type::Decimal((whole + scale).min(MAX_DIGITS.into()) as u8, scale as u8)
            }
            (Type::String, _) => Type::Double,
            (other, _) => other.clone(),
        }
    }

    /// `from_json(x, 'a INT, b STRING')` or `from_json(x, 'ARRAY<STRING>')`.
    fn json_type(&self, schema: NodeId) -> Type {
        let text = text_value(self.script.slice(schema));
        read_type(&text).or_else(|_| read_type(&format!("STRUCT<{text}>"))).unwrap_or_default()
    }

    /// A decimal with the digits of a format such as `$9,999.00`; unknown if the format is no literal.
    fn number_by_format(&self, format: NodeId) -> Type {
        let text = text_value(self.script.slice(format)).to_ascii_uppercase().replace('D', ".");
        let digits = |part: &str| part.chars().filter(|c| matches!(c, '0' | '9')).count();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let (whole, fraction) = (digits(whole), digits(fraction));
        match (u8::try_from(whole + fraction), u8::try_from(fraction)) {
            (Ok(precision @ 1..=MAX_DIGITS), Ok(scale)) if self.tree.kind(format) == Kind::Text => {
                Type::Decimal(precision, scale)
            }
            _ => Type::Unknown,
        }
    }

    /// Structs of the arrays' elements; a field has the name of its column, else its position from 0.
    fn zipped(&self, arguments: &[NodeId], typed: &[(Type, bool)]) -> Option<Type> {
        let field = |((at, argument), (of, _)): ((usize, &NodeId), &(Type, bool))| {
            let Type::Array(element) = of else { return None };
            let name = match self.tree.kind(*argument) {
                Kind::Column | Kind::Field => self.script.last_name(*argument),
                _ => at.to_string(),
            };
            Some((name, (**element).clone()))
        };
        let fields: Option<Vec<(String, Type)>> = arguments.iter().enumerate().zip(typed).map(field).collect();
        Some(Type::Array(Box::new(Type::Struct(fields?))))
    }

    fn struct_fields_of(&self, arguments: &[NodeId], typed: &[(Type, bool)]) -> Vec<(String, Type)> {
        let unnamed = |(index, argument): (usize, &NodeId)| match self.tree.kind(*argument) {
            Kind::Column | Kind::Field => self.script.last_name(*argument),
            _ => format!("col{}", index + 1),
        };
        let name = |at: (usize, &NodeId)| self.script.field_name(*at.1).unwrap_or_else(|| unnamed(at));
        arguments.iter().enumerate().map(name).zip(typed.iter().map(|(data_type, _)| data_type.clone())).collect()
    }

    fn named_fields_of(&self, arguments: &[NodeId], typed: &[(Type, bool)]) -> Vec<(String, Type)> {
        let pairs = arguments.chunks_exact(2).zip(typed.chunks_exact(2));
        let field = |(names, types): (&[NodeId], &[(Type, bool)])| {
            (text_value(self.script.slice(names[0])).to_lowercase(), types[1].0.clone())
        };
        pairs.map(field).collect()
    }
}

fn type_at(typed: &[(Type, bool)], position: usize) -> Type {
    typed.get(position).map(|(data_type, _)| data_type.clone()).unwrap_or_default()
}

/// The values that `decode(x, key, value, …, otherwise)` can give.
fn decoded(typed: &[(Type, bool)]) -> impl Iterator<Item = &Type> {
    let last = typed.len().saturating_sub(1);
    let gives = move |at: usize| at > 0 && (at.is_multiple_of(2) || at == last);
    typed.iter().enumerate().filter(move |(at, _)| gives(*at)).map(|(_, (data_type, _))| data_type)
}

/// The types of a lambda's `count` parameters, from those of the arguments before it; empty if nothing is known.
pub(super) fn parameter_types(function: &str, before: &[Type], count: usize) -> Vec<Type> {
    let element = |at: usize| before.get(at).map(element_of).unwrap_or_default();
    let entry = |at: usize| before.get(at).map(entry_of).unwrap_or_default();
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
    const UNITS: [&str; 13] = [
        "year", "yearofweek", "quarter", "month", "week", "day", "dayofweek", "dow", "doy", "dayofyear", "hour",
        "minute", "second",
    ];
    if !matches!(script.tree().kind(call), Kind::Call { .. }) || script.arguments(call).first() != Some(&argument) {
        return false;
    }
    let Some(function) = script.function(call) else { return false };
    // Whatever stands before FROM is a part of a date, although it may be none that exists.
    function.name == "extract" || function.takes_unit && UNITS.contains(&name.strip_suffix('s').unwrap_or(name))
}
