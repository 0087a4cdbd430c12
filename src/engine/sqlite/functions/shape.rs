//! Functions of nested values that depend on the declared type, which is the second argument (`ARRAY<INT>`): structs
//! and maps are both JSON objects here, but Spark shows and reads them differently.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::arguments::Arguments;
use super::body::{Body, text};
use super::json::{nested, plain};
use super::json_text::read_json;
use crate::code::schema::read_type;
use crate::code::types::Type;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_cast_string_from_nested", |a| {
        let json = a.json(0)?;
        text(shown(&json, &declared(a)))
    }),
    ("h_to_json", |a| {
        let json = a.json(0)?;
        text(written(&json, &declared(a)))
    }),
    ("h_from_json", from_json),
];

/// Returns the type in the second argument; unknown if there is none.
fn declared(a: &Arguments<'_>) -> Type {
    a.text(1).and_then(|name| read_type(&name).ok()).unwrap_or_default()
}

fn element(declared: &Type) -> &Type {
    match declared {
        Type::Array(element) | Type::Map(_, element) => element,
        _ => &Type::Unknown,
    }
}

fn field<'t>(declared: &'t Type, name: &str) -> &'t Type {
    match declared {
        Type::Struct(fields) => fields.iter().find(|(known, _)| known == name).map_or(&Type::Unknown, |(_, of)| of),
        other => element(other),
    }
}

/// Returns a nested value as Spark casts it to text: arrays `[a, b]`, maps `{a -> 1}`, structs `{1, x}`.
fn shown(json: &Json, declared: &Type) -> String {
    match json {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(item, element(declared))).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(object) => {
            let is_struct = matches!(declared, Type::Struct(_));
            let entries = object.iter().map(|(key, value)| {
                let value = shown(value, field(declared, key));
                if is_struct { value } else { format!("{key} -> {value}") }
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Json::Number(number) => match (declared, number.as_f64()) {
            (Type::Decimal(_, scale), Some(number)) => format!("{number:.*}", usize::from(*scale)),
            (Type::Double, Some(number)) => super::arguments::double_text(number),
            _ => plain(json).into_owned(),
        },
        other => plain(other).into_owned(),
    }
}

/// Returns a value as `to_json` writes it: NULL fields of structs are left out, NULL entries of maps are kept.
fn written(json: &Json, declared: &Type) -> String {
    match (json, declared) {
        (Json::Array(items), _) => {
            let items: Vec<String> = items.iter().map(|item| written(item, element(declared))).collect();
            format!("[{}]", items.join(","))
        }
        (Json::Object(object), _) => {
            let is_struct = matches!(declared, Type::Struct(_));
            let kept = object.iter().filter(|(_, value)| !is_struct || !value.is_null());
            let entry = |(key, value): (&String, &Json)| {
                format!("{}:{}", Json::from(key.as_str()), written(value, field(declared, key)))
            };
            format!("{{{}}}", kept.map(entry).collect::<Vec<_>>().join(","))
        }
        (Json::Number(_), Type::Double | Type::Decimal(..)) => shown(json, declared),
        (Json::String(time), Type::Timestamp) => Json::from(moment(time)).to_string(),
        (other, _) => other.to_string(),
    }
}

/// Turns `2024-03-15 08:09:10.5` into the form in JSON: `2024-03-15T08:09:10.500Z`.
fn moment(time: &str) -> String {
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    format!("{}.{fraction:0<3.3}Z", whole.replacen(' ', "T", 1))
}

/// Text that is not JSON gives a struct of NULLs; a value that does not fit its type becomes NULL.
fn from_json(a: &Arguments<'_>) -> Option<Value> {
    let (source, declared) = (a.text(0)?, declared(a));
    let read = read_json(&source).and_then(|json| fitted(&json, &declared));
    match (read, &declared) {
        (Some(json), _) => super::arguments::value_of(&json),
        (None, Type::Struct(fields)) if !source.trim().is_empty() => {
            nested(Json::Object(fields.iter().map(|(name, _)| (name.clone(), Json::Null)).collect()))
        }
        _ => None,
    }
}

fn fitted(json: &Json, declared: &Type) -> Option<Json> {
    let part = |json: &Json, of: &Type| fitted(json, of).unwrap_or(Json::Null);
    match (declared, json) {
        (Type::Struct(fields), Json::Object(object)) => {
            let found = |name: &str| object.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
            let read =
                |(name, of): &(String, Type)| (name.clone(), found(name).map_or(Json::Null, |json| part(json, of)));
            Some(Json::Object(fields.iter().map(read).collect::<Map<_, _>>()))
        }
        (Type::Map(_, value), Json::Object(object)) => {
            Some(Json::Object(object.iter().map(|(key, json)| (key.clone(), part(json, value))).collect()))
        }
        (Type::Array(of), Json::Array(items)) => Some(items.iter().map(|item| part(item, of)).collect()),
        (Type::String, Json::String(_)) | (Type::Boolean, Json::Bool(_)) => Some(json.clone()),
        (Type::String, Json::Null) => None,
        (Type::String, other) => Some(Json::from(other.to_string())),
        (Type::Int, Json::Number(number)) => i32::try_from(number.as_i64()?).ok().map(Json::from),
        (Type::BigInt, Json::Number(number)) => number.as_i64().map(Json::from),
        (Type::Double | Type::Decimal(..), Json::Number(number)) => number.as_f64().map(Json::from),
        (Type::Date | Type::Timestamp, Json::String(_)) => Some(json.clone()),
        _ => None,
    }
}
