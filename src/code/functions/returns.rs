//! How the type of a call follows from the types of its arguments.

use crate::code::types::Type;
use crate::code::widen::{widen, widest};

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
    /// Always a decimal of this precision and scale.
    Decimal(u8, u8),
    /// DATE of two arguments; TIMESTAMP of three, the first being a unit.
    DateOrMoment,
    /// INT of two arguments; BIGINT of three, the first being a unit.
    DaysOrUnits,
    /// A struct of two moments, `start` and `end`.
    TimeWindow,
    /// The type of argument `.0`.
    Same(usize),
    /// The type of argument `.0`; DOUBLE when it is text.
    Number(usize),
    /// The type of array or bytes argument `.0`; text otherwise.
    SameOrText(usize),
    /// The common type of all arguments from `.0` on.
    Common(usize),
    /// The common type of argument 0 and INT.
    CommonWithInt,
    /// BIGINT if argument 0 is BIGINT, else INT.
    Shifted,
    /// DOUBLE; unknown if an argument is a decimal.
    DoubleOfPlain,
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
    /// A map of the structs of two fields in an array.
    MapOfEntries,
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
    /// An array that holds the elements of all arguments if argument 0 is one, bytes if it is bytes; text otherwise.
    Concatenation,
    /// Sum of argument 0: BIGINT for whole numbers, a decimal of ten more digits for a decimal, else DOUBLE.
    Sum,
    /// Average of argument 0: a decimal with four more digits before and after the point for a decimal, else DOUBLE.
    Average,
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
            Self::Decimal(precision, scale) => Type::Decimal(precision, scale),
            Self::DateOrMoment => {
                if arguments.len() == 3 {
                    Type::Timestamp
                } else {
                    Type::Date
                }
            }
            Self::DaysOrUnits => {
                if arguments.len() == 3 {
                    Type::BigInt
                } else {
                    Type::Int
                }
            }
            Self::TimeWindow => Type::Struct(["start", "end"].map(|name| (name.to_owned(), Type::Timestamp)).into()),
            Self::Same(at) => argument(at),
            Self::Number(at) => match argument(at) {
                Type::String => Type::Double,
                other => other,
            },
            Self::SameOrText(at) => match argument(at) {
                same @ (Type::Array(_) | Type::Binary | Type::Unknown) => same,
                _ => Type::String,
            },
            Self::Common(from) => widest(arguments.get(from..).unwrap_or_default()),
            Self::CommonWithInt => widen(&argument(0), &Type::Int),
            Self::Shifted => {
                if argument(0) == Type::BigInt {
                    Type::BigInt
                } else {
                    Type::Int
                }
            }
            Self::DoubleOfPlain => {
                let is_plain = |given: &Type| matches!(given, Type::Int | Type::BigInt | Type::Double);
                if arguments.iter().all(is_plain) { Type::Double } else { Type::Unknown }
            }
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
            (Self::Sum, Type::Interval(units)) => Type::Interval(*units),
            (Self::Average, Type::Interval(units)) => Type::Interval(units.scaled()),
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
        let array = |element: Type| Some(Type::Array(Box::new(element)));
        let map = |key: Type, value: Type| Some(Type::Map(Box::new(key), Box::new(value)));
        let argument = |at: usize| arguments.get(at).cloned();
        let element = |at: usize| arguments.get(at).map(element_of).unwrap_or_default();
        let entry = |at: usize| arguments.get(at).map(entry_of).unwrap_or_default();
        match self {
            Self::TextArray => array(Type::String),
            Self::TextMap => map(Type::String, Type::String),
            Self::Array => array(widest(arguments)),
            Self::ArrayOf(at) => array(argument(at)?),
            Self::Sequence => array(widest(arguments.get(..2)?)),
            Self::ArrayWith(at) => array(widen(&element(0), arguments.get(at)?)),
            Self::ArrayOfLast => array(arguments.get(1..)?.last()?.clone()),
            Self::Accumulator => argument(3).or(argument(1)),
            Self::Concatenation => match arguments.first()? {
                Type::Array(_) => Some(widest(arguments)),
                same @ (Type::Binary | Type::Unknown) => Some(same.clone()),
                _ => Some(Type::String),
            },
            Self::ElementOf(at) => match arguments.get(at)? {
                Type::Array(element) | Type::Map(_, element) => Some((**element).clone()),
                _ => None,
            },
            Self::Map => map(widest(arguments.iter().step_by(2)), widest(arguments.iter().skip(1).step_by(2))),
            Self::MapOfArrays => map(element(0), element(1)),
            Self::MapOfEntries => match element(0) {
                Type::Struct(fields) => match fields.as_slice() {
                    [(_, key), (_, value)] => map(key.clone(), value.clone()),
                    _ => None,
                },
                _ => None,
            },
            Self::Keys => array(entry(0).0),
            Self::Values => array(entry(0).1),
            Self::Entries => {
                let (key, value) = entry(0);
                array(Type::Struct([("key", key), ("value", value)].map(|(name, of)| (name.to_owned(), of)).into()))
            }
            Self::MapKeys => map(arguments.get(1..)?.last()?.clone(), entry(0).1),
            Self::MapValues => map(entry(0).0, arguments.get(1..)?.last()?.clone()),
            _ => None,
        }
    }
}

/// The type of an array's elements; unknown for another type.
pub fn element_of(data_type: &Type) -> Type {
    match data_type {
        Type::Array(element) => (**element).clone(),
        _ => Type::Unknown,
    }
}

/// The types of a map's keys and values; unknown for another type.
pub fn entry_of(data_type: &Type) -> (Type, Type) {
    match data_type {
        Type::Map(key, value) => ((**key).clone(), (**value).clone()),
        _ => (Type::Unknown, Type::Unknown),
    }
}

/// One fraction gives one value, an array of fractions an array.
fn by_shares(one: Type, shares: &Type) -> Type {
    if matches!(shares, Type::Array(_)) { Type::Array(Box::new(one)) } else { one }
}
