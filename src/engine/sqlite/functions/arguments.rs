//! Reads the arguments of a call as the types that the function wants.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Json;

use super::json_text::{nested_value, read_nested};
use crate::engine::sqlite::guard::RunAllowance;

/// The size limit of a function's result, in bytes of its text.
pub(super) const MAX_RESULT: usize = 16 << 20;

/// The step limit of a function whose time grows with the product of two sizes; it takes a good second.
const MAX_STEPS: usize = 1 << 28;

/// Why a call is an error instead of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("a function's result is larger than 16 MiB")]
    TooLarge,
    #[error("a function would take too long on texts or arrays of this size")]
    TooLong,
    #[error("a regular expression that the embedded engine cannot run")]
    Pattern,
    #[error("a date pattern that Spark refuses or the embedded engine does not know")]
    DatePattern,
    #[error("a time zone that the embedded engine does not know")]
    Zone,
    #[error("bytes that are no text")]
    Bytes,
    #[error("a format that does not fit its arguments")]
    Format,
    #[error("a value of a type that the embedded engine cannot hash")]
    Unhashable,
    #[error("a key of a map that is NULL or occurs twice")]
    MapKey,
    #[error("an argument that Spark refuses")]
    Argument,
}

pub(crate) struct Arguments<'a> {
    context: &'a Context<'a>,
    allowance: &'a RunAllowance,
    refusal: Cell<Option<CallError>>,
}

impl<'a> Arguments<'a> {
    pub fn new(context: &'a Context<'a>, allowance: &'a RunAllowance) -> Self {
        Self { context, allowance, refusal: Cell::new(None) }
    }

    /// Makes the call an error.
    pub fn refuse<T>(&self, refusal: CallError) -> Option<T> {
        self.refusal.set(Some(refusal));
        None
    }

    /// Makes the call an error if its result would have more than `MAX_RESULT` bytes. Must be called before the
    /// result is built.
    pub fn fits(&self, bytes: usize) -> Option<()> {
        if bytes > MAX_RESULT { self.refuse(CallError::TooLarge) } else { Some(()) }
    }

    /// Makes the call an error if it would take more than [`MAX_STEPS`] steps of a few nanoseconds, or more than the run
    /// has left: SQLite looks at the limits of a run between instructions, and a call is only one.
    pub fn affords(&self, steps: usize) -> Option<()> {
        if steps > MAX_STEPS || self.allowance.spend_steps(steps) { self.refuse(CallError::TooLong) } else { Some(()) }
    }

    /// Returns the bytes of all arguments, each of which a call reads at least once.
    pub fn bytes(&self) -> usize {
        let bytes = |at| match self.context.get_raw(at) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
            _ => 0,
        };
        (0..self.len()).map(bytes).sum()
    }

    /// Why the call is an error, if it is one.
    pub fn refusal(&self) -> Option<CallError> {
        self.refusal.get()
    }

    pub fn len(&self) -> usize {
        self.context.len()
    }

    pub fn raw(&self, at: usize) -> ValueRef<'_> {
        if at < self.len() { self.context.get_raw(at) } else { ValueRef::Null }
    }

    pub fn is_null(&self, at: usize) -> bool {
        self.raw(at) == ValueRef::Null
    }

    pub fn value(&self, at: usize) -> Value {
        owned(self.raw(at))
    }

    /// Returns text, or the text form of a number; `None` for NULL.
    pub fn text(&self, at: usize) -> Option<Cow<'_, str>> {
        text_of(self.raw(at))
    }

    /// Returns a whole number, truncated from a fraction or read from text.
    pub fn integer(&self, at: usize) -> Option<i64> {
        match self.raw(at) {
            ValueRef::Integer(number) => Some(number),
            ValueRef::Real(number) => Some(number as i64),
            ValueRef::Text(bytes) => {
                let text = std::str::from_utf8(bytes).ok()?.trim();
                text.parse().ok().or_else(|| text.parse::<f64>().ok().map(|number| number as i64))
            }
            _ => None,
        }
    }

    /// Returns a number, also if it is given as text.
    pub fn real(&self, at: usize) -> Option<f64> {
        match self.raw(at) {
            ValueRef::Integer(number) => Some(number as f64),
            ValueRef::Real(number) => Some(number),
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok()?.trim().parse().ok(),
            _ => None,
        }
    }

    pub fn boolean(&self, at: usize) -> Option<bool> {
        match self.raw(at) {
            ValueRef::Null => None,
            ValueRef::Text(_) => Some(self.text(at)?.eq_ignore_ascii_case("true")),
            _ => self.real(at).map(|number| number != 0.0),
        }
    }

    /// Returns an array; `None` for NULL and for anything else.
    pub fn array(&self, at: usize) -> Option<Vec<Json>> {
        match self.json(at)? {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns an item of an array; `None` if there is none.
    pub fn item(&self, at: usize, index: usize) -> Option<Json> {
        self.parsed(at)?.as_array()?.get(index).cloned()
    }

    /// Returns a nested value without taking it apart; `None` for NULL and for anything else.
    pub fn parsed(&self, at: usize) -> Option<Rc<Json>> {
        match self.raw(at) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => nested_value(bytes),
            _ => None,
        }
    }

    /// Returns a map or struct; `None` for NULL and for anything else.
    pub fn object(&self, at: usize) -> Option<serde_json::Map<String, Json>> {
        match self.json(at)? {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Parses text or a marked nested value as JSON.
    pub fn json(&self, at: usize) -> Option<Json> {
        match self.raw(at) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => read_nested(bytes),
            _ => None,
        }
    }

    /// Returns the argument as an element of a nested value; marked values are JSON already.
    pub fn element(&self, at: usize) -> Json {
        element_of(self.raw(at))
    }
}

/// Converts a value to an element of a nested value.
pub fn element_of(value: ValueRef<'_>) -> Json {
    match value {
        ValueRef::Null => Json::Null,
        ValueRef::Integer(number) => Json::from(number),
        ValueRef::Real(number) => Json::from(number),
        ValueRef::Text(bytes) => Json::from(String::from_utf8_lossy(bytes)),
        ValueRef::Blob(bytes) => read_nested(bytes).unwrap_or(Json::Null),
    }
}

/// Converts an element of a nested value to a value.
pub fn value_of(json: &Json) -> Option<Value> {
    match json {
        Json::Null => None,
        Json::Bool(flag) => Some(Value::Integer(i64::from(*flag))),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Some(Value::Integer(whole)),
            None => number.as_f64().map(Value::Real),
        },
        Json::String(text) => Some(Value::Text(text.clone())),
        nested => Some(Value::Text(nested.to_string())),
    }
}

/// Returns a value as text, as Spark casts it; `None` for NULL.
pub fn text_of(value: ValueRef<'_>) -> Option<Cow<'_, str>> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(Cow::Owned(number.to_string())),
        ValueRef::Real(number) => Some(Cow::Owned(double_text(number))),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
    }
}

/// A double as Java prints it: `1.0`, `0.001`, `1.0E7`.
pub fn double_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() };
    }
    let size = number.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        let text = format!("{number}");
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let text = format!("{number:E}");
    let (digits, exponent) = text.split_once('E').unwrap_or((&text, "0"));
    let digits = if digits.contains('.') { digits.to_owned() } else { format!("{digits}.0") };
    format!("{digits}E{exponent}")
}

/// Copies a value. In text, bytes that are not UTF-8 become U+FFFD.
pub(super) fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}
