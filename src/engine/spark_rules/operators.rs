//! Which types arithmetic and comparisons take, and the class of Spark's error for others.

use super::common_types::{combine, tightest};
use crate::code::tree::BinaryOperator;
use crate::code::types::{IntervalUnits, Type};

/// The classes of errors about types are `DATATYPE_MISMATCH.…`.
pub(super) const DIFFERENT: &str = "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES";
pub(super) const WRONG: &str = "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE";
pub(super) const UNEXPECTED: &str = "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE";
pub(super) const UNORDERED: &str = "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE";

/// Returns the class of the error of a comparison; `None` if Spark compares the types.
pub(super) fn comparison(operator: BinaryOperator, left: &Type, right: &Type) -> Option<&'static str> {
    use BinaryOperator::{Equal, NotEqual, NullSafeEqual};
    let for_equality = matches!(operator, Equal | NotEqual | NullSafeEqual);
    if !comparable(for_equality, left, right) {
        return Some(DIFFERENT);
    }
    (left.has_map() || right.has_map()).then_some(UNORDERED)
}

fn comparable(for_equality: bool, left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => true,
        (Interval(left), Interval(right)) => left.with(*right).is_some(),
        (Interval(_), _) | (_, Interval(_)) => false,
        (Boolean | Binary, String) | (String, Boolean | Binary) => true,
        // A number stands for a boolean where only equality is asked for.
        (Boolean, number) | (number, Boolean) if number.is_numeric() => for_equality,
        (a, b) if a.is_nested() || b.is_nested() => tightest(left, right),
        _ => combine(left, right),
    }
}

/// Returns the class of the error of arithmetic; `None` if Spark calculates with the types.
pub(super) fn arithmetic(operator: BinaryOperator, left: &Type, right: &Type) -> Option<&'static str> {
    use BinaryOperator::*;
    let known = |data_type: &Type| !matches!(data_type, Type::Unknown | Type::Null);
    if !known(left) || !known(right) {
        return None;
    }
    match operator {
        Concat => None,
        Plus if is_moment(left) || is_moment(right) => moved(left, right),
        Minus if is_moment(left) || is_moment(right) => distance(left, right),
        _ if left.is_interval() || right.is_interval() => scaled(operator, left, right),
        IntegerDivide => mismatch(|given| given.is_integer() || matches!(given, Type::Decimal(..)), left, right),
        BitAnd | BitOr | BitXor => mismatch(Type::is_integer, left, right),
        ShiftLeft | ShiftRight | ShiftRightUnsigned => {
            let number = |data_type: &Type| data_type.is_numeric() || *data_type == Type::String;
            (!number(left) || !number(right)).then_some(UNEXPECTED)
        }
        _ => mismatch(Type::is_numeric, left, right),
    }
}

fn is_moment(data_type: &Type) -> bool {
    data_type.is_temporal() || data_type.is_interval()
}

/// Sums with a date, a timestamp or an interval: a date is moved by days of the type INT, all three by an interval.
fn moved(left: &Type, right: &Type) -> Option<&'static str> {
    let fits = |moment: &Type, by: &Type| match (moment, by) {
        (Type::Interval(units), Type::Interval(by)) => units.with(*by).is_some(),
        (Type::Date, by) => *by == Type::Int || by.is_interval(),
        (Type::Timestamp, by) => by.is_interval(),
        (Type::String, Type::Interval(units)) => *units != IntervalUnits::Months,
        _ => false,
    };
    if fits(left, right) || fits(right, left) {
        return None;
    }
    let months = |side: &Type| *side == Type::Interval(IntervalUnits::Months);
    let is_text_by_months = [left, right].contains(&&Type::String) && (months(left) || months(right));
    let dated = !is_text_by_months && [left, right].iter().any(|side| matches!(side, Type::Date | Type::Interval(_)));
    Some(match (dated, left == right) {
        (true, _) => UNEXPECTED,
        (false, true) => WRONG,
        (false, false) => DIFFERENT,
    })
}

/// Differences with a date, a timestamp or an interval.
fn distance(left: &Type, right: &Type) -> Option<&'static str> {
    use Type::{Date, Int, Interval, String, Timestamp};
    match (left, right) {
        (Interval(left), Interval(right)) => left.with(*right).is_none().then_some(DIFFERENT),
        (String, Interval(IntervalUnits::Months)) => Some(DIFFERENT),
        (Date | Timestamp | String, Interval(_)) => None,
        (Interval(_), other) if !other.is_temporal() => Some(DIFFERENT),
        (Date | Timestamp | String, Date | Timestamp) | (Date, Int) => None,
        _ => Some(UNEXPECTED),
    }
}

/// Products and quotients with an interval.
fn scaled(operator: BinaryOperator, left: &Type, right: &Type) -> Option<&'static str> {
    let number = |data_type: &Type| data_type.is_numeric() || *data_type == Type::String;
    match (operator, left, right) {
        (BinaryOperator::IntegerDivide, Type::Interval(_), Type::Interval(_)) => None,
        (BinaryOperator::Multiply, Type::Interval(_), by)
        | (BinaryOperator::Multiply, by, Type::Interval(_))
        | (BinaryOperator::Divide, Type::Interval(_), by) => (!number(by)).then_some(UNEXPECTED),
        _ => Some(DIFFERENT),
    }
}

/// Operands must be numbers, as `wanted` says; text is read as a double. What differs after that is told apart from what
/// is wrong on both sides.
fn mismatch(wanted: fn(&Type) -> bool, left: &Type, right: &Type) -> Option<&'static str> {
    let read = |data_type: &Type| if *data_type == Type::String { Type::Double } else { data_type.clone() };
    let (mut left, mut right) = (read(left), read(right));
    if wanted(&left) && wanted(&right) {
        return None;
    }
    match (&left, &right) {
        (Type::Decimal(..), Type::Double) => left = Type::Double,
        (Type::Double, Type::Decimal(..)) => right = Type::Double,
        _ => {}
    }
    Some(if left == right { WRONG } else { DIFFERENT })
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator::*;
    use Type::{BigInt, Boolean, Date, Decimal, Double, Int, String, Timestamp};

    const DAYS: Type = Type::Interval(IntervalUnits::Days);
    const MONTHS: Type = Type::Interval(IntervalUnits::Months);

    #[test]
    fn arithmetic_is_refused_with_the_classes_of_spark() {
        let cases = [
            (Plus, Date, Int, None),
            (Plus, Date, BigInt, Some(UNEXPECTED)),
            (Plus, Date, Date, Some(UNEXPECTED)),
            (Plus, Timestamp, Int, Some(DIFFERENT)),
            (Plus, Timestamp, Timestamp, Some(WRONG)),
            (Plus, BigInt, DAYS, Some(UNEXPECTED)),
            (Plus, String, DAYS, None),
            (Plus, String, MONTHS, Some(DIFFERENT)),
            (Plus, MONTHS, DAYS, Some(UNEXPECTED)),
            (Minus, String, Date, None),
            (Minus, DAYS, Int, Some(DIFFERENT)),
            (Multiply, Boolean, Int, Some(DIFFERENT)),
            (Multiply, DAYS, String, None),
            (Divide, Int, DAYS, Some(DIFFERENT)),
            (IntegerDivide, Double, Double, Some(WRONG)),
            (IntegerDivide, BigInt, Decimal(3, 1), None),
            (BitAnd, Double, Decimal(2, 1), Some(WRONG)),
            (BitAnd, BigInt, String, Some(DIFFERENT)),
            (ShiftLeft, String, Int, None),
        ];
        for (operator, left, right, class) in cases {
            assert_eq!(arithmetic(operator, &left, &right), class, "{left} {operator:?} {right}");
        }
    }

    #[test]
    fn booleans_are_like_numbers_for_equality_only() {
        assert_eq!(comparison(Equal, &Boolean, &Int), None);
        assert_eq!(comparison(Less, &Boolean, &Int), Some(DIFFERENT));
        assert_eq!(comparison(Less, &Boolean, &String), None);
    }
}
