//! What a use says of the type of a column, and how several uses together decide.

use crate::code::functions::Argument;
use crate::code::types::Type;
use crate::code::widest;

/// What one use of a column says of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypeEvidence {
    /// It is compared with, filled into or replaced by something of this type.
    Same(Type),
    /// It is compared with a text, matched with a pattern, or handed over as text.
    Text,
    /// It is a condition.
    Condition,
    /// It is equal to a whole number, or handed over as one.
    Whole,
    /// A whole number bounds it or stands in for it, as in `x > 0` and `COALESCE(x, 0)`: amounts are written so as well.
    Bound,
    /// It is set against a number with a fraction.
    Fraction,
    /// It is calculated with.
    Number,
    /// It is a day, for a function of days.
    Day,
    /// It is a moment, for a function of times.
    Moment,
    /// It is an array or a map.
    Collection(Type),
}

impl TypeEvidence {
    /// What an argument says of the column that is handed over; `None` if anything can be.
    pub fn of_argument(argument: Argument, function: &str) -> Option<TypeEvidence> {
        Some(match argument {
            Argument::Text | Argument::TextOrBinary => TypeEvidence::Text,
            Argument::Number | Argument::Numeric | Argument::Summable | Argument::Measure => TypeEvidence::Number,
            Argument::Double => TypeEvidence::Number,
            Argument::Whole => TypeEvidence::Same(Type::BigInt),
            Argument::Count | Argument::Int | Argument::DayCount | Argument::Bits => TypeEvidence::Whole,
            Argument::Date => TypeEvidence::Day,
            Argument::Temporal if DAYS.contains(&function) => TypeEvidence::Day,
            Argument::Temporal | Argument::Moment | Argument::MomentOrMillis | Argument::Timestamp => {
                TypeEvidence::Moment
            }
            Argument::Boolean => TypeEvidence::Condition,
            Argument::Array | Argument::ArrayOrMap | Argument::OrderableArray | Argument::ArrayOfText => {
                TypeEvidence::Collection(Type::Array(Box::new(Type::String)))
            }
            Argument::Map | Argument::Document => {
                TypeEvidence::Collection(Type::Map(Box::new(Type::String), Box::new(Type::String)))
            }
            _ => return None,
        })
    }
}

/// Functions that drop the time of day.
const DAYS: [&str; 10] = [
    "add_months", "date_add", "date_diff", "date_sub", "datediff", "last_day", "months_between", "next_day", "trunc",
    "weekofyear",
];

/// How far uses are trusted, the surest first.
pub(super) const LEVELS: [Trust; 5] = [Trust::Said, Trust::Text, Trust::Whole, Trust::Number, Trust::Time];

/// A kind of uses that decides.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trust {
    /// By what the column is the same as, or by what it must be.
    Said,
    /// By texts: a text that is also calculated with stays one.
    Text,
    /// By whole numbers.
    Whole,
    /// By any other arithmetic: money, mostly.
    Number,
    /// By functions of dates, which take texts too.
    Time,
}

/// The type of amounts.
const AMOUNT: Type = Type::Decimal(18, 2);

impl Trust {
    /// The type that these uses want together; `None` if uses of this kind cannot tell.
    pub fn decide(self, said: &[&TypeEvidence]) -> Option<Type> {
        let has = |wanted: TypeEvidence| said.iter().any(|said| **said == wanted);
        match self {
            Trust::Said => {
                let same = said.iter().filter_map(|said| match said {
                    TypeEvidence::Same(data_type) => Some(data_type),
                    _ => None,
                });
                let collection = said.iter().find_map(|said| match said {
                    TypeEvidence::Collection(data_type) => Some(data_type.clone()),
                    _ => None,
                });
                let common = Some(widest(same)).filter(|common| !matches!(common, Type::Null | Type::Unknown));
                common.or(collection).or_else(|| has(TypeEvidence::Condition).then_some(Type::Boolean))
            }
            Trust::Text => has(TypeEvidence::Text).then_some(Type::String),
            Trust::Whole => (has(TypeEvidence::Whole) && !has(TypeEvidence::Fraction)).then_some(Type::Int),
            Trust::Number if has(TypeEvidence::Number) || has(TypeEvidence::Fraction) => Some(AMOUNT),
            Trust::Number => has(TypeEvidence::Bound).then_some(Type::Int),
            Trust::Time if has(TypeEvidence::Moment) => Some(Type::Timestamp),
            Trust::Time => has(TypeEvidence::Day).then_some(Type::Date),
        }
    }
}

/// Returns what a value of a type says of a column with which it is equal; `None` if the type is not known.
pub(super) fn evidence_of_type(data_type: &Type) -> Option<TypeEvidence> {
    let told = !matches!(data_type, Type::Unknown | Type::Null | Type::Interval(_));
    told.then(|| TypeEvidence::Same(data_type.clone()))
}
