//! What a use says of the type of a column, and how several uses together decide.

use crate::code::functions::Argument;
use crate::code::scope::widest;
use crate::code::types::Type;

/// What one use of a column says of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
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

impl Evidence {
    /// What an argument says of the column that is handed over; `None` if anything can be.
    pub fn of_argument(argument: Argument, function: &str) -> Option<Evidence> {
        Some(match argument {
            Argument::Text | Argument::TextOrBinary => Evidence::Text,
            Argument::Number | Argument::Numeric | Argument::Summable | Argument::Measure => Evidence::Number,
            Argument::Count | Argument::Whole | Argument::Int | Argument::DayCount => Evidence::Whole,
            Argument::Date => Evidence::Day,
            Argument::Temporal if DAYS.contains(&function) => Evidence::Day,
            Argument::Temporal | Argument::Timestamp => Evidence::Moment,
            Argument::Boolean => Evidence::Condition,
            Argument::Array | Argument::ArrayOrMap => Evidence::Collection(Type::Array(Box::new(Type::String))),
            Argument::Map => Evidence::Collection(Type::Map(Box::new(Type::String), Box::new(Type::String))),
            Argument::Any | Argument::Plain | Argument::Orderable | Argument::TextOrArray | Argument::Lambda => {
                return None;
            }
        })
    }
}

/// Functions that drop the time of day.
const DAYS: [&str; 10] = [
    "add_months", "date_add", "date_diff", "date_sub", "datediff", "last_day", "months_between", "next_day", "trunc",
    "weekofyear",
];

/// How far uses are trusted, the surest first.
pub(super) const PHASES: [Phase; 5] = [Phase::Said, Phase::Text, Phase::Whole, Phase::Number, Phase::Time];

/// One kind of decision.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
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

impl Phase {
    /// The type that these uses want together; `None` if this phase cannot tell.
    pub fn decide(self, said: &[&Evidence]) -> Option<Type> {
        let has = |wanted: Evidence| said.iter().any(|said| **said == wanted);
        match self {
            Phase::Said => {
                let same = said.iter().filter_map(|said| match said {
                    Evidence::Same(data_type) => Some(data_type),
                    _ => None,
                });
                let collection = said.iter().find_map(|said| match said {
                    Evidence::Collection(data_type) => Some(data_type.clone()),
                    _ => None,
                });
                let common = Some(widest(same)).filter(|common| !matches!(common, Type::Null | Type::Unknown));
                common.or(collection).or_else(|| has(Evidence::Condition).then_some(Type::Boolean))
            }
            Phase::Text => has(Evidence::Text).then_some(Type::String),
            Phase::Whole => (has(Evidence::Whole) && !has(Evidence::Fraction)).then_some(Type::BigInt),
            Phase::Number if has(Evidence::Number) || has(Evidence::Fraction) => Some(AMOUNT),
            Phase::Number => has(Evidence::Bound).then_some(Type::BigInt),
            Phase::Time if has(Evidence::Moment) => Some(Type::Timestamp),
            Phase::Time => has(Evidence::Day).then_some(Type::Date),
        }
    }
}
