//! What an argument must be.

use crate::code::types::Type;

/// A class of argument types: those that Spark takes, with the casts that it makes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// Anything.
    Any,
    /// Anything that is not nested: text, number, date and boolean are cast to text.
    Plain,
    /// Text and nothing else; other types are not cast.
    Text,
    /// Text or bytes.
    TextOrBinary,
    /// A number, or text that is read as one.
    Number,
    /// A number without its fraction, which is cut off; or text that is read as one.
    Count,
    /// A number, not text.
    Numeric,
    /// A whole number, not text.
    Whole,
    /// INT, not BIGINT.
    Int,
    /// A number of days: INT, or text that is read as one.
    DayCount,
    /// What `sum` adds up: numbers, text that is read as one, timestamps.
    Summable,
    /// What has distances: numbers, dates and timestamps, text that is read as a number.
    Measure,
    /// A date or a timestamp, or text that is read as one.
    Temporal,
    /// A date, not text.
    Date,
    /// A timestamp, not text.
    Timestamp,
    /// A boolean; nothing else is cast to it.
    Boolean,
    /// Anything that has an order or a hash: all but maps.
    Orderable,
    /// An array.
    Array,
    /// A map.
    Map,
    /// An array or a map.
    ArrayOrMap,
    /// An array, or anything plain, which is cast to text.
    TextOrArray,
    /// A lambda.
    Lambda,
}

impl Argument {
    /// Whether Spark takes a value of this type; true if the type is not known. An interval is refused only where a
    /// collection is wanted.
    pub fn accepts(self, given: &Type) -> bool {
        match given {
            Type::Unknown | Type::Null => true,
            Type::Array(_) => self.takes_array(),
            Type::Map(..) => matches!(self, Self::Any | Self::Map | Self::ArrayOrMap | Self::Lambda),
            Type::Struct(_) => matches!(self, Self::Any | Self::Orderable | Self::Lambda),
            Type::Interval => !self.is_collection(),
            plain => self.takes_plain(plain),
        }
    }

    fn takes_array(self) -> bool {
        use Argument::{Any, Array, ArrayOrMap, Lambda, Orderable, TextOrArray};
        matches!(self, Any | Orderable | Array | ArrayOrMap | TextOrArray | Lambda)
    }

    fn is_collection(self) -> bool {
        matches!(self, Self::Array | Self::Map | Self::ArrayOrMap)
    }

    fn takes_plain(self, given: &Type) -> bool {
        let text = *given == Type::String;
        match self {
            Self::Any | Self::Plain | Self::Orderable | Self::TextOrArray | Self::Lambda => true,
            Self::Text => text,
            Self::TextOrBinary => text || *given == Type::Binary,
            Self::Number | Self::Count => text || given.is_numeric(),
            Self::Numeric => given.is_numeric(),
            Self::Whole => given.is_integer(),
            Self::Int => *given == Type::Int,
            Self::DayCount => text || *given == Type::Int,
            Self::Summable => text || given.is_numeric() || *given == Type::Timestamp,
            Self::Measure => text || given.is_numeric() || given.is_temporal(),
            Self::Temporal => text || given.is_temporal(),
            Self::Date => *given == Type::Date,
            Self::Timestamp => *given == Type::Timestamp,
            Self::Boolean => *given == Type::Boolean,
            Self::Array | Self::Map | Self::ArrayOrMap => false,
        }
    }
}
