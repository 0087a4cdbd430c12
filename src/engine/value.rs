//! The values of databases and results.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::code::literal::quoted;
use crate::code::types::Type;

/// A value of a fake database or a result. Dates and timestamps are text, booleans 0 or 1, nested values JSON text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A whole number or a boolean.
    Integer(i64),
    /// A floating or decimal number.
    Real(f64),
    /// Text, date, timestamp, or JSON of an array, map or struct.
    Text(String),
}

impl Value {
    /// Returns the number; `None` for NULL and text.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Value::Integer(whole) => Some(*whole as f64),
            Value::Real(number) => Some(*number),
            Value::Null | Value::Text(_) => None,
        }
    }

    /// Returns which of two values comes first: NULL, then numbers, then texts.
    pub(crate) fn order(&self, other: &Value) -> Ordering {
        let rank = |value: &Value| match value {
            Value::Null => 0,
            Value::Integer(_) | Value::Real(_) => 1,
            Value::Text(_) => 2,
        };
        match (self, other) {
            (Value::Text(one), Value::Text(other)) => one.cmp(other),
            (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
            _ => match (self.as_number(), other.as_number()) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                _ => rank(self).cmp(&rank(other)),
            },
        }
    }

    /// Returns the value as text; that of NULL is empty.
    pub(crate) fn plain_text(&self) -> Cow<'_, str> {
        match self {
            Value::Null => Cow::Borrowed(""),
            Value::Integer(number) => Cow::Owned(number.to_string()),
            Value::Real(number) => Cow::Owned(number.to_string()),
            Value::Text(text) => Cow::Borrowed(text),
        }
    }

    /// Whether a column of this type can hold the value.
    pub(crate) fn fits(&self, data_type: &Type) -> bool {
        match (self, data_type) {
            (Value::Text(text), Type::Date | Type::Timestamp) => {
                text.bytes().filter(u8::is_ascii_digit).count() >= "20240315".len()
            }
            (Value::Text(_), Type::Boolean) => false,
            (Value::Text(_), data_type) => !data_type.is_numeric(),
            (Value::Integer(_) | Value::Real(_), data_type) => !data_type.is_temporal() && !data_type.is_nested(),
            (Value::Null, _) => true,
        }
    }

    /// Returns the value as a literal of SQL; one of a nested type is its JSON as text.
    pub(crate) fn literal(&self, data_type: &Type) -> String {
        match (self, data_type) {
            (Value::Null, _) => "NULL".to_owned(),
            (Value::Integer(flag), Type::Boolean) => if *flag == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            (Value::Integer(_) | Value::Real(_), _) => self.plain_text().into_owned(),
            (Value::Text(text), Type::Date) => format!("DATE {}", quoted(text)),
            (Value::Text(text), Type::Timestamp) => format!("TIMESTAMP {}", quoted(text)),
            (Value::Text(text), _) => quoted(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_holds_values_of_its_type() {
        let text = |text: &str| Value::Text(text.to_owned());
        for (value, data_type, fits) in [
            (text(""), Type::Decimal(18, 2), false),
            (text("7"), Type::Int, false),
            (Value::Integer(7), Type::Double, true),
            (Value::Integer(7), Type::String, true),
            (text(""), Type::Date, false),
            (text("2024-03-15"), Type::Date, true),
            (Value::Integer(7), Type::Timestamp, false),
            (Value::Real(0.5), Type::Array(Box::new(Type::Int)), false),
            (Value::Null, Type::Date, true),
        ] {
            assert_eq!(value.fits(&data_type), fits, "{value:?} {data_type:?}");
        }
    }
}
