//! How the type of a call follows from the types of its arguments.

use crate::code::types::Type;

/// A rule for the type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Returns {
    /// Always text.
    Text,
    /// Always INT.
    Int,
    /// Always BIGINT.
    BigInt,
    /// Always DOUBLE.
    Double,
    /// Always BOOLEAN.
    Boolean,
    /// Always BINARY.
    Binary,
    /// Always DATE.
    Date,
    /// Always TIMESTAMP.
    Timestamp,
    /// The type of argument `.0`.
    Same(usize),
    /// The type of argument `.0`; DOUBLE when it is text.
    Number(usize),
    /// The type of array or bytes argument `.0`; text otherwise.
    SameOrText(usize),
    /// The common type of all arguments from `.0` on.
    Common(usize),
    /// An array of argument `.0`'s type.
    ArrayOf(usize),
    /// The element type of array argument `.0`, or the value type of a map.
    ElementOf(usize),
    /// An array of text.
    TextArray,
    /// A map from text to text.
    TextMap,
    /// An array of the arguments' common type.
    Array,
    /// A map from the common type of the odd arguments to that of the even ones.
    Map,
    /// A map from the elements of the first array to those of the second.
    MapOfArrays,
    /// An array of a map's keys.
    Keys,
    /// An array of a map's values.
    Values,
    /// An array of structs `key`, `value`.
    Entries,
    /// The map with the last argument's type for its keys.
    MapKeys,
    /// The map with the last argument's type for its values.
    MapValues,
    /// An array of the last argument's type: what a lambda gives.
    ArrayOfLast,
    /// The result of a fold: the type of its fourth argument, or of its initial value.
    Accumulator,
    /// The type of argument 0 if it is an array or bytes; text otherwise.
    Concatenation,
    /// Sum of argument 0: BIGINT for whole numbers, a decimal of ten more digits for a decimal, else DOUBLE.
    Sum,
    /// Average of argument 0: a decimal with four more digits before and after the point for a decimal, else DOUBLE.
    Average,
    /// The type of the remainder of argument 0 divided by argument 1.
    Remainder,
    /// As `Number(0)`; unknown for a decimal, whose type depends on the value of argument 1.
    Rounded,
    /// DOUBLE, or an array of it if argument 1 is an array of fractions.
    Shares,
    /// The type of argument 0, or an array of it if argument 1 is an array of fractions.
    SharesOf,
    /// The array with its elements widened to hold argument `.0`.
    ArrayWith(usize),
    /// An array of the common type of the first two arguments.
    Sequence,
    /// Argument 0 without its fraction: a decimal of scale 0 for a decimal, else BIGINT.
    WholePart,
    /// By the function's own rule, or unknown.
    Special,
}

const MOST_DIGITS: u8 = 38;

impl Returns {
    /// The type of a call with arguments of these types; unknown where nothing follows.
    pub fn of(self, arguments: &[Type]) -> Type {
        let argument = |at: usize| arguments.get(at).cloned().unwrap_or_default();
        match self {
            Self::Text => Type::String,
            Self::Int => Type::Int,
            Self::BigInt => Type::BigInt,
            Self::Double => Type::Double,
            Self::Boolean => Type::Boolean,
            Self::Binary => Type::Binary,
            Self::Date => Type::Date,
            Self::Timestamp => Type::Timestamp,
            Self::Same(at) => argument(at),
            Self::Number(at) => match argument(at) {
                Type::String => Type::Double,
                other => other,
            },
            Self::SameOrText(at) => match argument(at) {
                same @ (Type::Array(_) | Type::Binary | Type::Unknown) => same,
                _ => Type::String,
            },
            Self::Common(from) => common(arguments.get(from..).unwrap_or_default()),
            Self::Remainder => remainder(&argument(0), &argument(1)),
            Self::Rounded => match Self::Number(0).of(arguments) {
                Type::Decimal(..) => Type::Unknown,
                other => other,
            },
            Self::Shares => by_shares(Type::Double, &argument(1)),
            Self::SharesOf => by_shares(Self::Number(0).of(arguments), &argument(1)),
            Self::Sum | Self::Average | Self::WholePart => self.number(&argument(0)),
            _ => self.nested(arguments).unwrap_or_default(),
        }
    }

    fn number(self, given: &Type) -> Type {
        let decimal = |precision: u8, scale: u8| Type::Decimal(precision.min(MOST_DIGITS), scale.min(MOST_DIGITS));
        match (self, given) {
            (_, Type::Unknown) => Type::Unknown,
            (Self::Sum, Type::Int | Type::BigInt) => Type::BigInt,
            (Self::Sum, Type::Decimal(precision, scale)) => decimal(precision.saturating_add(10), *scale),
            (Self::Average, Type::Decimal(precision, scale)) => {
                decimal(precision.saturating_add(4), scale.saturating_add(4))
            }
            (Self::WholePart, Type::Decimal(precision, 0)) => decimal(*precision, 0),
            (Self::WholePart, Type::Decimal(precision, scale)) => decimal(precision.saturating_sub(*scale) + 1, 0),
            (Self::WholePart, _) => Type::BigInt,
            _ => Type::Double,
        }
    }

    fn nested(self, arguments: &[Type]) -> Option<Type> {
        let array = |element: &Type| Some(Type::Array(Box::new(element.clone())));
        let map = |key: &Type, value: &Type| Some(Type::Map(Box::new(key.clone()), Box::new(value.clone())));
        match (self, arguments) {
            (Self::TextArray, _) => array(&Type::String),
            (Self::TextMap, _) => map(&Type::String, &Type::String),
            (Self::Array, _) => array(&common(arguments)),
            (Self::ArrayOf(at), _) => array(arguments.get(at)?),
            (Self::Sequence, _) => array(&common(arguments.get(..2)?)),
            (Self::ArrayWith(at), [Type::Array(element), ..]) => array(&wider(element, arguments.get(at)?)),
            (Self::ArrayOfLast, [_, .., last]) => array(last),
            (Self::Accumulator, _) => arguments.get(3).or(arguments.get(1)).cloned(),
            (Self::Concatenation, [same @ (Type::Array(_) | Type::Binary | Type::Unknown), ..]) => Some(same.clone()),
            (Self::Concatenation, _) => Some(Type::String),
            (Self::ElementOf(at), _) => match arguments.get(at)? {
                Type::Array(element) | Type::Map(_, element) => Some((**element).clone()),
                _ => None,
            },
            (Self::Map, _) => {
                let part = |from: usize| common(&arguments.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>());
                map(&part(0), &part(1))
            }
            (Self::MapOfArrays, [Type::Array(key), Type::Array(value), ..]) => map(key, value),
            (Self::Keys, [Type::Map(key, _), ..]) => array(key),
            (Self::Values, [Type::Map(_, value), ..]) => array(value),
            (Self::Entries, [Type::Map(key, value), ..]) => {
                let fields = [("key", key), ("value", value)].map(|(name, field)| (name.to_owned(), (**field).clone()));
                array(&Type::Struct(fields.into()))
            }
            (Self::MapKeys, [Type::Map(_, value), .., last]) => map(last, value),
            (Self::MapValues, [Type::Map(key, _), .., last]) => map(key, last),
            _ => None,
        }
    }
}

/// One fraction gives one value, an array of fractions an array.
fn by_shares(one: Type, shares: &Type) -> Type {
    if matches!(shares, Type::Array(_)) { Type::Array(Box::new(one)) } else { one }
}

fn remainder(left: &Type, right: &Type) -> Type {
    if [left, right].iter().any(|given| matches!(given, Type::String | Type::Double)) {
        return Type::Double;
    }
    match (left.is_integer() && right.is_integer(), digits(left), digits(right)) {
        (true, ..) => wider(left, right),
        (_, Some(left), Some(right)) => {
            let scale = left.1.max(right.1);
            Type::Decimal((left.0.min(right.0) + scale).min(MOST_DIGITS), scale)
        }
        _ => Type::Unknown,
    }
}

/// Digits before and after the point.
fn digits(data_type: &Type) -> Option<(u8, u8)> {
    match data_type {
        Type::Int => Some((10, 0)),
        Type::BigInt => Some((20, 0)),
        Type::Decimal(precision, scale) => Some((precision.saturating_sub(*scale), *scale)),
        _ => None,
    }
}

/// The type to which Spark brings several values, as far as it follows from the types alone.
fn common(types: &[Type]) -> Type {
    let mut known = types.iter().filter(|data_type| **data_type != Type::Null);
    let Some(first) = known.next() else { return types.first().cloned().unwrap_or_default() };
    known.fold(first.clone(), |left, right| wider(&left, right))
}

fn wider(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (left, right) if left == right => left.clone(),
        (Type::Double, other) | (other, Type::Double) if other.is_numeric() => Type::Double,
        (Type::Int | Type::BigInt, Type::Int | Type::BigInt) => Type::BigInt,
        (Type::Date | Type::Timestamp, Type::Date | Type::Timestamp) => Type::Timestamp,
        (Type::String, other) | (other, Type::String) if !other.is_nested() && *other != Type::Unknown => Type::String,
        _ => match (digits(left), digits(right)) {
            (Some(left), Some(right)) => {
                let scale = left.1.max(right.1);
                Type::Decimal((left.0.max(right.0) + scale).min(MOST_DIGITS), scale)
            }
            _ => Type::Unknown,
        },
    }
}
