//! The common type of several values, as CASE, COALESCE and UNION find it.

use super::arithmetic::{decimal_of, limited_decimal};
use crate::code::types::Type;

/// The narrowest type both fit in (Spark's `findWiderCommonType` with promotion to text); unknown if none.
pub(super) fn widen(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (left, right) if left == right => left.clone(),
        (Type::Null, other) | (other, Type::Null) => other.clone(),
        (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
        (Type::Array(a), Type::Array(b)) => Type::Array(Box::new(widen(a, b))),
        (Type::Map(key, value), Type::Map(other_key, other_value)) => {
            Type::Map(Box::new(widen(key, other_key)), Box::new(widen(value, other_value)))
        }
        (Type::Struct(a), Type::Struct(b)) if a.len() == b.len() => {
            let fields = a.iter().zip(b).map(|((name, a), (_, b))| (name.clone(), widen(a, b)));
            Type::Struct(fields.collect())
        }
        (left, right) if left.is_nested() || right.is_nested() => Type::Unknown,
        (Type::String, _) | (_, Type::String) => Type::String,
        (left, right) if left.is_temporal() && right.is_temporal() => Type::Timestamp,
        (Type::Interval(units), Type::Interval(other)) => units.with(*other).map_or(Type::Unknown, Type::Interval),
        (left, right) if left.is_numeric() && right.is_numeric() => widen_numbers(left, right),
        _ => Type::Unknown,
    }
}

/// The common type of all; [`Type::Null`] for an empty list.
pub(crate) fn widest<'a>(types: impl IntoIterator<Item = &'a Type>) -> Type {
    types.into_iter().fold(Type::Null, |widest, next| widen(&widest, next))
}

fn widen_numbers(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (Type::Double, _) | (_, Type::Double) => Type::Double,
        (Type::Decimal(..), _) | (_, Type::Decimal(..)) => {
            let [left, right] = [decimal_of(left), decimal_of(right)];
            let scale = left.scale.max(right.scale);
            limited_decimal(left.whole.max(right.whole) + scale, scale)
        }
        (Type::BigInt, _) | (_, Type::BigInt) => Type::BigInt,
        _ => Type::Int,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_are_those_of_spark() {
        let cases = [
            (Type::Int, Type::BigInt, Type::BigInt),
            (Type::Int, Type::Double, Type::Double),
            (Type::Decimal(10, 2), Type::Int, Type::Decimal(12, 2)),
            (Type::Decimal(10, 2), Type::Decimal(18, 4), Type::Decimal(18, 4)),
            (Type::Date, Type::Timestamp, Type::Timestamp),
            (Type::String, Type::Int, Type::String),
            (Type::Null, Type::Date, Type::Date),
            (Type::Boolean, Type::Int, Type::Unknown),
        ];
        for (left, right, common) in cases {
            assert_eq!(widen(&left, &right), common, "{left} and {right}");
            assert_eq!(widen(&right, &left), common, "{right} and {left}");
        }
    }
}
