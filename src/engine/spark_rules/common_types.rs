//! Which types Spark brings to a common one, with ANSI mode off.

use crate::code::types::Type;
use crate::code::widest;

/// Whether one column can hold values of both types. Text takes in any plain type but booleans and bytes; nested types
/// do so part by part.
pub(super) fn combine(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => true,
        (Array(a), Array(b)) => combine(a, b),
        (Map(a, b), Map(c, d)) => combine(a, c) && combine(b, d),
        (Struct(a), Struct(b)) => {
            let named_alike = a.iter().zip(b).all(|(x, y)| x.0 == y.0);
            let fields = a.len() == b.len() && named_alike && a.iter().zip(b).all(|(x, y)| combine(&x.1, &y.1));
            fields || alike(left, right)
        }
        (Boolean | Binary, _) | (_, Boolean | Binary) => left == right,
        (String, other) | (other, String) => !other.is_nested(),
        (Interval(left), Interval(right)) => left.with(*right).is_some(),
        (Interval(_), _) | (_, Interval(_)) => false,
        (a, b) if a.is_nested() || b.is_nested() => false,
        (a, b) if a.is_temporal() || b.is_temporal() => a.is_temporal() && b.is_temporal(),
        _ => true,
    }
}

/// Whether one column can hold values of all these types. Text is looked at first, because it takes in what has nothing
/// else in common.
pub(super) fn combine_all<'t>(types: impl Iterator<Item = &'t Type>) -> bool {
    accumulate(types, combine)
}

/// As [`combine_all`], without turning anything into text.
pub(super) fn combine_without_text<'t>(types: impl Iterator<Item = &'t Type>) -> bool {
    accumulate(types, |left, right| combine(left, right) && !makes_text(left, right))
}

/// Whether one of two types is text, or has text in it, where the other has something else.
fn makes_text(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => false,
        (Array(a), Array(b)) => makes_text(a, b),
        (Map(a, b), Map(c, d)) => makes_text(a, c) || makes_text(b, d),
        (Struct(a), Struct(b)) => a.iter().zip(b).any(|(x, y)| makes_text(&x.1, &y.1)),
        _ => (*left == String) != (*right == String),
    }
}

fn accumulate<'t>(types: impl Iterator<Item = &'t Type>, fits: impl Fn(&Type, &Type) -> bool) -> bool {
    let mut types: Vec<&Type> = types.collect();
    types.sort_by_key(|data_type| **data_type != Type::String);
    let mut common = Type::Null;
    for data_type in types {
        if !fits(&common, data_type) {
            return false;
        }
        common = widest([&common, data_type]);
    }
    true
}

/// Whether two types have a common one that loses nothing and turns nothing into text, as the parts of collections need
/// that are compared.
pub(super) fn tightest(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown | Null, _) | (_, Unknown | Null) => true,
        (Array(a), Array(b)) => tightest(a, b),
        (Map(a, b), Map(c, d)) => tightest(a, c) && tightest(b, d),
        (Struct(a), Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0 && tightest(&x.1, &y.1)) || alike(left, right)
        }
        // The digits of a whole number that may also be a TINYINT.
        (Int, Decimal(precision, scale)) | (Decimal(precision, scale), Int) => precision - scale >= 3,
        (BigInt, Decimal(precision, scale)) | (Decimal(precision, scale), BigInt) => precision - scale >= 20,
        (Decimal(..), _) | (_, Decimal(..)) => left == right,
        (a, b) if a.is_numeric() && b.is_numeric() => true,
        (a, b) if a.is_temporal() && b.is_temporal() => true,
        _ => left == right,
    }
}

/// Whether two types are the same but for the names of fields.
fn alike(left: &Type, right: &Type) -> bool {
    use Type::*;
    match (left, right) {
        (Unknown, _) | (_, Unknown) => true,
        (Array(a), Array(b)) => alike(a, b),
        (Map(a, b), Map(c, d)) => alike(a, c) && alike(b, d),
        (Struct(a), Struct(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| alike(&x.1, &y.1)),
        _ => left == right,
    }
}

/// Whether Spark casts a value of one type to the other by itself where an argument must have it.
pub(super) fn casts_by_itself(from: &Type, to: &Type) -> bool {
    use Type::*;
    match (from, to) {
        (Unknown | Null, _) | (_, Unknown) => true,
        (from, String) => !from.is_nested(),
        (String, Date | Timestamp | Binary) => true,
        (String, to) => to.is_numeric(),
        (from, to) if from.is_temporal() && to.is_temporal() => true,
        (from, to) if from.is_numeric() && to.is_numeric() => true,
        (Array(a), Array(b)) => casts_by_itself(a, b),
        (Map(a, b), Map(c, d)) => casts_by_itself(a, c) && casts_by_itself(b, d),
        _ => from == to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::read_type;

    fn types(texts: &[&str]) -> Vec<Type> {
        texts.iter().map(|text| read_type(text).unwrap()).collect()
    }

    #[test]
    fn text_takes_in_plain_types_wherever_it_stands() {
        let cases: [(&[&str], bool, bool); 9] = [
            (&["INT", "DOUBLE", "DECIMAL(5,2)"], true, true),
            (&["INT", "STRING", "DATE"], true, false),
            (&["BOOLEAN", "STRING"], false, false),
            (&["BOOLEAN", "INT"], false, false),
            (&["DATE", "TIMESTAMP"], true, true),
            (&["DATE", "INT"], false, false),
            (&["ARRAY<INT>", "ARRAY<STRING>"], true, false),
            (&["ARRAY<INT>", "INT"], false, false),
            (&["BINARY", "STRING"], false, false),
        ];
        for (texts, with_text, without_text) in cases {
            assert_eq!(combine_all(types(texts).iter()), with_text, "{texts:?}");
            assert_eq!(combine_without_text(types(texts).iter()), without_text, "{texts:?} without text");
        }
    }

    #[test]
    fn collections_are_compared_by_parts_that_lose_nothing() {
        let cases = [
            ("ARRAY<INT>", "ARRAY<BIGINT>", true),
            ("ARRAY<INT>", "ARRAY<STRING>", false),
            ("ARRAY<DATE>", "ARRAY<TIMESTAMP>", true),
            ("INT", "DECIMAL(2,1)", false),
            ("INT", "DECIMAL(12,1)", true),
            ("STRUCT<a: INT>", "STRUCT<b: INT>", true),
            ("STRUCT<a: INT>", "STRUCT<b: BIGINT>", false),
        ];
        for (left, right, wanted) in cases {
            assert_eq!(tightest(&read_type(left).unwrap(), &read_type(right).unwrap()), wanted, "{left}, {right}");
        }
    }
}
