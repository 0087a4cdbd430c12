//! Functions of one row, and helpers for their results.

use rusqlite::types::Value;

use super::arguments::Arguments;

/// A function of one row; `None` is NULL.
pub(super) type Body = fn(&Arguments<'_>) -> Option<Value>;

pub(super) fn text(value: impl Into<String>) -> Option<Value> {
    Some(Value::Text(value.into()))
}

pub(super) fn integer(value: impl Into<i64>) -> Option<Value> {
    Some(Value::Integer(value.into()))
}

pub(super) fn real(value: f64) -> Option<Value> {
    if value.is_nan() { None } else { Some(Value::Real(value)) }
}

pub(super) fn boolean(value: bool) -> Option<Value> {
    integer(value)
}
