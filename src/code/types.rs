//! The types a column or an expression can have, as Hive and Spark name them.

use std::fmt;

/// A column or expression type. `Unknown` means that nothing is known, never that anything is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Type {
    /// Not known: a column of an undeclared table, a function outside the catalogue.
    #[default]
    Unknown,
    /// The type of the literal `NULL`.
    Null,
    /// `BOOLEAN`.
    Boolean,
    /// `TINYINT`, `SMALLINT` and `INT`.
    Int,
    /// `BIGINT`.
    BigInt,
    /// `FLOAT` and `DOUBLE`.
    Double,
    /// `DECIMAL(precision, scale)`.
    Decimal(u8, u8),
    /// `STRING`, `VARCHAR(n)` and `CHAR(n)`.
    String,
    /// `BINARY`.
    Binary,
    /// `DATE`.
    Date,
    /// `TIMESTAMP`.
    Timestamp,
    /// `INTERVAL` values, by the units in which they count.
    Interval(IntervalUnits),
    /// `ARRAY<element>`.
    Array(Box<Type>),
    /// `MAP<key, value>`.
    Map(Box<Type>, Box<Type>),
    /// `STRUCT<name: type, …>`, in declared order.
    Struct(Vec<(String, Type)>),
}

/// The units in which an interval counts. Spark neither adds nor compares months with the other two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum IntervalUnits {
    /// Years and months.
    Months,
    /// Days alone: a date moved by them is a date.
    Days,
    /// Days, hours, minutes and seconds: a date moved by them is a timestamp.
    Time,
    /// Months as well as days or hours, as Hive has them; also what is not understood.
    Mixed,
}

impl IntervalUnits {
    /// Returns the units of the sum of two intervals; `None` if Spark does not add them.
    pub fn with(self, other: IntervalUnits) -> Option<IntervalUnits> {
        use IntervalUnits::{Days, Mixed, Months, Time};
        match (self, other) {
            (Mixed, _) | (_, Mixed) => Some(Mixed),
            (Months, Months) => Some(Months),
            (Days, Days) => Some(Days),
            (Days | Time, Days | Time) => Some(Time),
            (Months, Days | Time) | (Days | Time, Months) => None,
        }
    }

    /// Returns the units of an interval taken several times, or a part of it.
    pub fn scaled(self) -> IntervalUnits {
        if self == IntervalUnits::Days { IntervalUnits::Time } else { self }
    }
}

impl Type {
    /// Whether values of this type are numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Type::Int | Type::BigInt | Type::Double | Type::Decimal(..))
    }

    /// Whether values of this type are whole numbers.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Int | Type::BigInt)
    }

    /// Whether values of this type are arrays, maps or structs.
    pub fn is_nested(&self) -> bool {
        matches!(self, Type::Array(_) | Type::Map(..) | Type::Struct(_))
    }

    /// Whether it is a map or has one in it; maps have neither an order nor a hash.
    pub(crate) fn has_map(&self) -> bool {
        match self {
            Type::Map(..) => true,
            Type::Array(element) => element.has_map(),
            Type::Struct(fields) => fields.iter().any(|(_, field)| field.has_map()),
            _ => false,
        }
    }

    /// Whether it is unknown or has a part that is.
    pub(crate) fn has_unknown(&self) -> bool {
        match self {
            Type::Unknown => true,
            Type::Array(element) => element.has_unknown(),
            Type::Map(key, value) => key.has_unknown() || value.has_unknown(),
            Type::Struct(fields) => fields.iter().any(|(_, field)| field.has_unknown()),
            _ => false,
        }
    }

    /// Returns a number as a column of this type holds it: for a decimal, divided by ten until it fits the precision and
    /// rounded at the scale. In DECIMAL(5,2), 12345.67 is 123.46.
    pub(crate) fn at_scale(&self, number: f64) -> f64 {
        /// More digits than a double tells apart.
        const MOST_DIGITS: u8 = 15;
        match self {
            Type::Decimal(precision, scale) if *scale < MOST_DIGITS => {
                let unit = 10f64.powi(i32::from(*scale));
                let beyond = 10f64.powi(i32::from(*precision) - i32::from(*scale));
                let rounded = (number * unit).round() / unit;
                if rounded.abs() < beyond || !number.is_finite() { rounded } else { self.at_scale(number / 10.0) }
            }
            _ => number,
        }
    }

    /// Whether values of this type are intervals.
    pub fn is_interval(&self) -> bool {
        matches!(self, Type::Interval(_))
    }

    /// Whether values of this type are dates or timestamps.
    pub fn is_temporal(&self) -> bool {
        matches!(self, Type::Date | Type::Timestamp)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unknown => write!(out, "UNKNOWN"),
            Type::Null => write!(out, "VOID"),
            Type::Boolean => write!(out, "BOOLEAN"),
            Type::Int => write!(out, "INT"),
            Type::BigInt => write!(out, "BIGINT"),
            Type::Double => write!(out, "DOUBLE"),
            Type::Decimal(precision, scale) => write!(out, "DECIMAL({precision},{scale})"),
            Type::String => write!(out, "STRING"),
            Type::Binary => write!(out, "BINARY"),
            Type::Date => write!(out, "DATE"),
            Type::Timestamp => write!(out, "TIMESTAMP"),
            Type::Interval(_) => write!(out, "INTERVAL"),
            Type::Array(element) => write!(out, "ARRAY<{element}>"),
            Type::Map(key, value) => write!(out, "MAP<{key}, {value}>"),
            Type::Struct(fields) => {
                write!(out, "STRUCT<")?;
                for (index, (name, field)) in fields.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(out, "{comma}{name}: {field}")?;
                }
                write!(out, ">")
            }
        }
    }
}
