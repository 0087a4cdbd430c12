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
    /// The same, where Spark asks for a timestamp.
    Moment,
    /// The same, or a whole number of milliseconds since 1970, which Hive takes and Spark refuses.
    MomentOrMillis,
    /// A date, not text.
    Date,
    /// A timestamp, not text.
    Timestamp,
    /// A boolean; nothing else is cast to it.
    Boolean,
    /// Anything that has an order: all but maps and what has one in it.
    Orderable,
    /// Anything that has a hash: all but maps and what has one in it.
    Hashable,
    /// Anything of which copies can be told: all but maps and what has one in it.
    Distinguishable,
    /// A whole number or a boolean.
    Bits,
    /// A DOUBLE, not a decimal.
    Double,
    /// A struct.
    Row,
    /// A struct, an array or a map.
    Document,
    /// An array.
    Array,
    /// An array whose elements have an order.
    OrderableArray,
    /// An array of arrays.
    ArrayOfArrays,
    /// An array of structs.
    ArrayOfRows,
    /// An array of structs of two fields.
    ArrayOfPairs,
    /// An array whose elements are cast to text: anything plain.
    ArrayOfText,
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
            Type::Array(element) => self.takes_array(element),
            Type::Map(..) => matches!(self, Self::Any | Self::Document | Self::Map | Self::ArrayOrMap | Self::Lambda),
            Type::Struct(_) => {
                matches!(self, Self::Any | Self::Row | Self::Document | Self::Lambda)
                    || self.takes_all_but_maps() && !given.has_map()
            }
            Type::Interval(_) => !self.is_collection(),
            plain => self.takes_plain(plain),
        }
    }

    fn takes_all_but_maps(self) -> bool {
        matches!(self, Self::Orderable | Self::Hashable | Self::Distinguishable)
    }

    fn takes_array(self, element: &Type) -> bool {
        let unknown = matches!(element, Type::Unknown | Type::Null);
        match self {
            Self::Any | Self::Array | Self::ArrayOrMap | Self::TextOrArray | Self::Document | Self::Lambda => true,
            Self::OrderableArray => !element.has_map(),
            Self::ArrayOfArrays => unknown || matches!(element, Type::Array(_)),
            Self::ArrayOfRows => unknown || matches!(element, Type::Struct(_)),
            Self::ArrayOfPairs => unknown || matches!(element, Type::Struct(fields) if fields.len() == 2),
            Self::ArrayOfText => !element.is_nested(),
            other => other.takes_all_but_maps() && !element.has_map(),
        }
    }

    fn is_collection(self) -> bool {
        use Argument::*;
        let arrays = matches!(self, Array | OrderableArray | ArrayOfArrays | ArrayOfRows | ArrayOfPairs | ArrayOfText);
        arrays || matches!(self, Map | ArrayOrMap | Row | Document)
    }

    fn takes_plain(self, given: &Type) -> bool {
        let text = *given == Type::String;
        match self {
            Self::Any | Self::Plain | Self::TextOrArray | Self::Lambda => true,
            Self::Orderable | Self::Hashable | Self::Distinguishable => true,
            Self::Text => text,
            Self::TextOrBinary => text || *given == Type::Binary,
            Self::Number | Self::Count => text || given.is_numeric(),
            Self::Numeric => given.is_numeric(),
            Self::Whole => given.is_integer(),
            Self::Int => *given == Type::Int,
            Self::DayCount => text || *given == Type::Int,
            Self::Summable => text || given.is_numeric() || *given == Type::Timestamp,
            Self::Measure => text || given.is_numeric() || given.is_temporal(),
            Self::Temporal | Self::Moment => text || given.is_temporal(),
            Self::MomentOrMillis => text || given.is_temporal() || given.is_integer(),
            Self::Date => *given == Type::Date,
            Self::Timestamp => *given == Type::Timestamp,
            Self::Boolean => *given == Type::Boolean,
            Self::Bits => given.is_integer() || *given == Type::Boolean,
            Self::Double => *given == Type::Double,
            _ => false,
        }
    }
}
