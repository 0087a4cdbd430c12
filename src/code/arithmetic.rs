//! Types of literals and of arithmetic (Spark's rules with ANSI mode off).

use crate::code::tree::BinaryOperator;
use crate::code::types::{IntervalUnits, Type};

/// The largest precision of a decimal.
const MAX_PRECISION: i32 = 38;
/// The scale that a result too wide keeps at least, if it has so many digits; also the least scale of a quotient.
const KEPT_SCALE: i32 = 6;

/// The type of a number literal.
pub(super) fn number_type(text: &str) -> Type {
    let upper = text.to_ascii_uppercase();
    if let Some(number) = upper.strip_suffix("BD") {
        return decimal_literal(number);
    }
    if upper.ends_with('L') {
        return Type::BigInt;
    }
    if upper.ends_with(['S', 'Y']) {
        return Type::Int;
    }
    if upper.ends_with(['D', 'F']) || upper.contains('E') {
        return Type::Double;
    }
    if upper.contains('.') {
        return decimal_literal(&upper);
    }
    if upper.parse::<i32>().is_ok() {
        Type::Int
    } else if upper.parse::<i64>().is_ok() {
        Type::BigInt
    } else {
        decimal_literal(&upper)
    }
}

/// Precision and scale of the digits as written, leading zeros not counted.
pub(super) fn decimal_literal(text: &str) -> Type {
    let text = text.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.trim_start_matches('0').len() as i32;
    let scale = fraction.len() as i32;
    limited_decimal((whole + scale).max(1), scale)
}

/// The type of `DATE '…'`, `TIMESTAMP '…'` or `X'…'`; unknown for one that does not exist.
pub(super) fn typed_literal_type(text: &str) -> Type {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    match word.to_ascii_uppercase().as_str() {
        "DATE" => Type::Date,
        "X" => Type::Binary,
        "TIMESTAMP" | "TIMESTAMP_NTZ" | "TIMESTAMP_LTZ" => Type::Timestamp,
        _ => Type::Unknown,
    }
}

/// How many digits a decimal has.
#[derive(Clone, Copy)]
pub(super) struct DecimalSize {
    /// Before the point: precision less scale.
    pub whole: i32,
    /// Behind the point.
    pub scale: i32,
}

/// The size of a number as a decimal; that of INT for all but decimals and BIGINT.
pub(super) fn decimal_of(data_type: &Type) -> DecimalSize {
    match data_type {
        Type::Decimal(precision, scale) => {
            let scale = i32::from(*scale);
            DecimalSize { whole: i32::from(*precision) - scale, scale }
        }
        Type::BigInt => DecimalSize { whole: 20, scale: 0 },
        _ => DecimalSize { whole: 10, scale: 0 },
    }
}

/// A decimal within [`MAX_PRECISION`]: one that is too wide loses digits of its scale, down to [`KEPT_SCALE`] at most.
pub(super) fn limited_decimal(precision: i32, scale: i32) -> Type {
    if precision <= MAX_PRECISION {
        return Type::Decimal(precision as u8, scale as u8);
    }
    let whole = precision - scale;
    let scale = (MAX_PRECISION - whole).max(scale.min(KEPT_SCALE)).clamp(0, MAX_PRECISION);
    Type::Decimal(MAX_PRECISION as u8, scale as u8)
}

/// The type of `left operator right`.
pub(super) fn arithmetic_type(operator: BinaryOperator, left: &Type, right: &Type) -> Type {
    if operator == BinaryOperator::IntegerDivide {
        return Type::BigInt;
    }
    if let Some(temporal) = temporal_type(operator, left, right) {
        return temporal;
    }
    match (left, right) {
        (Type::Unknown, _) | (_, Type::Unknown) => unknown_operand(operator, left, right),
        (Type::Decimal(..), other) | (other, Type::Decimal(..)) if other.is_numeric() && *other != Type::Double => {
            decimal_arithmetic(operator, decimal_of(left), decimal_of(right))
        }
        (left, right) if left.is_integer() && right.is_integer() && operator != BinaryOperator::Divide => {
            if *left == Type::BigInt || *right == Type::BigInt { Type::BigInt } else { Type::Int }
        }
        _ => Type::Double,
    }
}

/// With one operand unknown only a double is certain.
fn unknown_operand(operator: BinaryOperator, left: &Type, right: &Type) -> Type {
    let double = *left == Type::Double || *right == Type::Double;
    let plain = [left, right].iter().all(|side| !side.is_temporal() && !side.is_interval());
    if double && plain && operator != BinaryOperator::Concat { Type::Double } else { Type::Unknown }
}

fn temporal_type(operator: BinaryOperator, left: &Type, right: &Type) -> Option<Type> {
    match (left, operator, right) {
        (Type::Date, BinaryOperator::Minus, Type::Date) => Some(Type::Interval(IntervalUnits::Days)),
        (left, BinaryOperator::Minus, right) if left.is_temporal() && right.is_temporal() => {
            Some(Type::Interval(IntervalUnits::Time))
        }
        (Type::Date, BinaryOperator::Plus | BinaryOperator::Minus, other) if other.is_integer() => Some(Type::Date),
        (Type::Interval(units), BinaryOperator::Plus, other)
        | (other, BinaryOperator::Plus | BinaryOperator::Minus, Type::Interval(units)) => Some(moved(other, *units)),
        (Type::Interval(units), _, _) | (_, _, Type::Interval(units)) => Some(Type::Interval(units.scaled())),
        _ => None,
    }
}

/// The type of a moment, or of another interval, plus or minus an interval. Text is read as a timestamp and stays text.
fn moved(value: &Type, by: IntervalUnits) -> Type {
    match value {
        Type::Date if by == IntervalUnits::Time => Type::Timestamp,
        Type::Date | Type::Timestamp | Type::String => value.clone(),
        Type::Interval(units) => units.with(by).map_or(Type::Unknown, Type::Interval),
        _ => Type::Unknown,
    }
}

/// Spark's `DecimalPrecision` rules.
fn decimal_arithmetic(operator: BinaryOperator, left: DecimalSize, right: DecimalSize) -> Type {
    let scale = left.scale.max(right.scale);
    match operator {
        BinaryOperator::Multiply => {
            let scale = left.scale + right.scale;
            limited_decimal(left.whole + right.whole + scale + 1, scale)
        }
        BinaryOperator::Divide => {
            let scale = KEPT_SCALE.max(left.scale + right.whole + right.scale + 1);
            limited_decimal(left.whole + right.scale + scale, scale)
        }
        BinaryOperator::Modulo => limited_decimal(left.whole.min(right.whole) + scale, scale),
        _ => limited_decimal(left.whole.max(right.whole) + scale + 1, scale),
    }
}

/// The type of `&`, `|` and `^`.
pub(super) fn bit_type(left: &Type, right: &Type) -> Type {
    if *left == Type::BigInt || *right == Type::BigInt { Type::BigInt } else { Type::Int }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator::*;

    const DAYS: Type = Type::Interval(IntervalUnits::Days);
    const TIME: Type = Type::Interval(IntervalUnits::Time);

    #[test]
    fn number_literals_have_the_types_of_spark() {
        let cases = [
            ("1", Type::Int),
            ("5L", Type::BigInt),
            ("3000000000", Type::BigInt),
            ("1.50", Type::Decimal(3, 2)),
            ("0.05", Type::Decimal(2, 2)),
            ("1000.0", Type::Decimal(5, 1)),
            ("1e3", Type::Double),
            ("0.6D", Type::Double),
            ("2.5BD", Type::Decimal(2, 1)),
            ("100S", Type::Int),
        ];
        for (text, data_type) in cases {
            assert_eq!(number_type(text), data_type, "{text}");
        }
    }

    #[test]
    fn arithmetic_has_the_types_of_spark() {
        let cases = [
            (Type::Int, Divide, Type::Int, Type::Double),
            (Type::Int, Plus, Type::BigInt, Type::BigInt),
            (Type::String, Plus, Type::Int, Type::Double),
            (Type::Decimal(10, 2), Plus, Type::Decimal(10, 2), Type::Decimal(11, 2)),
            (Type::Decimal(10, 2), Multiply, Type::Decimal(10, 2), Type::Decimal(21, 4)),
            (Type::Decimal(10, 2), Divide, Type::Decimal(10, 2), Type::Decimal(23, 13)),
            (Type::Decimal(38, 10), Multiply, Type::Decimal(38, 10), Type::Decimal(38, 6)),
            (Type::Decimal(10, 2), Multiply, Type::Double, Type::Double),
            (Type::Date, Minus, Type::Date, DAYS),
            (Type::Timestamp, Minus, Type::Date, TIME),
            (Type::Date, Plus, DAYS, Type::Date),
            (Type::Date, Plus, TIME, Type::Timestamp),
            (Type::String, Minus, DAYS, Type::String),
            (DAYS, Plus, TIME, TIME),
            (DAYS, Multiply, Type::Int, TIME),
            (Type::Int, IntegerDivide, Type::Int, Type::BigInt),
        ];
        for (left, operator, right, result) in cases {
            assert_eq!(arithmetic_type(operator, &left, &right), result, "{left} {operator:?} {right}");
        }
    }
}
