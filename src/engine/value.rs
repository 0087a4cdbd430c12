//! The values of databases and results.

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

    /// Returns the value as a literal of SQL; one of a nested type is its JSON as text.
    pub(crate) fn literal(&self, data_type: &Type) -> String {
        match (self, data_type) {
            (Value::Null, _) => "NULL".to_owned(),
            (Value::Integer(flag), Type::Boolean) => if *flag == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            (Value::Integer(number), _) => number.to_string(),
            (Value::Real(number), _) => number.to_string(),
            (Value::Text(text), Type::Date) => format!("DATE {}", quoted(text)),
            (Value::Text(text), Type::Timestamp) => format!("TIMESTAMP {}", quoted(text)),
            (Value::Text(text), _) => quoted(text),
        }
    }
}
