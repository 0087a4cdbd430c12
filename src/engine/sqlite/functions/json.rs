//! JSON text, and the building blocks of nested values.

use std::borrow::Cow;

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::arguments::{Arguments, value_of};
use super::body::{Body, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_nested", |a| marked(a.json(0)?)),
    ("h_as_array", |a| marked(a.json(0)?)),
    ("h_bool", |a| marked(Json::Bool(a.boolean(0)?))),
    ("h_array", |a| nested(Json::Array((0..a.len()).map(|at| a.element(at)).collect()))),
    ("h_map", |a| pairs(a)),
    ("h_named_struct", |a| pairs(a)),
    ("h_zip", zip),
    ("h_get_index", get_index),
    ("h_get_key", |a| value_of(a.parsed(0)?.as_object()?.get(&*a.text(1)?)?)),
    ("h_get_field", |a| get_field(a)),
    ("h_element_at_array", element_at_array),
    ("h_element_at_map", |a| value_of(a.parsed(0)?.as_object()?.get(&*a.text(1)?)?)),
];

/// The fewest bytes of a struct's field besides its name: quotes, colon, value and comma.
pub(super) const LEAST_FIELD: usize = 5;

/// Returns a nested value as text.
pub(super) fn nested(json: Json) -> Option<Value> {
    text(json.to_string())
}

/// Returns a value marked as JSON, which is put into another one unchanged.
fn marked(json: Json) -> Option<Value> {
    Some(Value::Blob(json.to_string().into_bytes()))
}

/// Returns a scalar as plain text and a nested value as JSON.
pub(super) fn plain(json: &Json) -> Cow<'_, str> {
    match json {
        Json::String(text) => text.into(),
        Json::Number(number) if number.is_f64() => {
            super::arguments::double_text(number.as_f64().unwrap_or_default()).into()
        }
        other => other.to_string().into(),
    }
}

/// Turns `key, value, key, value …` into an object in that order; entries with a NULL key are left out.
fn pairs(a: &Arguments<'_>) -> Option<Value> {
    let mut object = Map::new();
    for at in (0..a.len().saturating_sub(1)).step_by(2) {
        if let Some(key) = a.text(at) {
            object.insert(key.into_owned(), a.element(at + 1));
        }
    }
    nested(Json::Object(object))
}

fn get_index(a: &Arguments<'_>) -> Option<Value> {
    let index = usize::try_from(a.integer(1)?).ok()?;
    value_of(&a.item(0, index)?)
}

/// Returns the pairs of two arrays; the shorter one is filled up with NULL.
fn zip(a: &Arguments<'_>) -> Option<Value> {
    let (mut left, mut right) = (a.array(0)?, a.array(1)?);
    let length = left.len().max(right.len());
    left.resize(length, Json::Null);
    right.resize(length, Json::Null);
    nested(Json::Array(left.into_iter().zip(right).map(|(left, right)| Json::Array(vec![left, right])).collect()))
}

/// Field names are case-insensitive. A field of an array of structs is the array of the structs' fields.
fn get_field(a: &Arguments<'_>) -> Option<Value> {
    let name = a.text(1)?;
    let find = |json: &Json| {
        let object = json.as_object()?;
        object.iter().find(|(key, _)| key.eq_ignore_ascii_case(&name)).map(|(_, value)| value.clone())
    };
    match &*a.parsed(0)? {
        Json::Array(items) => nested(Json::Array(items.iter().map(|item| find(item).unwrap_or(Json::Null)).collect())),
        json => value_of(&find(json)?),
    }
}

fn element_at_array(a: &Arguments<'_>) -> Option<Value> {
    let (items, position) = (a.array(0)?, a.integer(1)?);
    let at = if position > 0 { position - 1 } else { items.len() as i64 + position };
    value_of(items.get(usize::try_from(at).ok()?)?)
}
