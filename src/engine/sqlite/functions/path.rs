//! `get_json_object` and related functions, which read JSON text from data.

use rusqlite::types::Value;
use serde_json::Value as Json;

use super::arguments::Arguments;
use super::body::{Body, integer, text};
use super::json::nested;
use super::json_text::json_of_data;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_get_json_object", get_json_object),
    ("h_json_field", |a| value_text(json_of_data(&a.text(0)?)?.get(&*a.text(1)?)?.clone())),
    ("h_json_array_length", |a| integer(json_of_data(&a.text(0)?)?.as_array()?.len() as i64)),
    ("h_json_object_keys", |a| {
        let json = json_of_data(&a.text(0)?)?;
        nested(json.as_object()?.keys().map(|key| Json::from(key.clone())).collect())
    }),
];

/// Returns a value as `get_json_object` gives it: text without quotes, NULL for JSON null, nested values as JSON.
fn value_text(json: Json) -> Option<Value> {
    match json {
        Json::Null => None,
        Json::String(inner) => text(inner),
        other => text(other.to_string()),
    }
}

fn get_json_object(a: &Arguments<'_>) -> Option<Value> {
    let (source, path) = (a.text(0)?, a.text(1)?);
    let steps = steps(path.strip_prefix('$')?)?;
    let json = json_of_data(&source)?;
    let mut found = Vec::new();
    follow(&json, &steps, &mut found);
    let gathers = steps.contains(&JsonPathStep::Each);
    match (gathers, found.len()) {
        (_, 0) => None,
        // A null in an array is given as text, a null field as NULL.
        (false, _) if matches!(steps.last(), Some(JsonPathStep::Index(_))) && found[0].is_null() => text("null"),
        (false, _) => value_text(found[0].clone()),
        // A single match keeps its quotes, as in Spark.
        (true, 1) => text(found[0].to_string()),
        (true, _) => nested(found.into_iter().cloned().collect()),
    }
}

#[derive(PartialEq, Eq)]
enum JsonPathStep<'a> {
    Field(&'a str),
    Index(usize),
    Each,
}

/// Reads `.name`, `['name']`, `[0]` and `[*]`.
fn steps(path: &str) -> Option<Vec<JsonPathStep<'_>>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return None;
            }
            steps.push(JsonPathStep::Field(name));
            rest = after;
        } else {
            let (inside, after) = rest.strip_prefix('[')?.split_once(']')?;
            let name = inside.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
            steps.push(match (inside, name) {
                ("*", _) => JsonPathStep::Each,
                (_, Some(name)) => JsonPathStep::Field(name),
                _ => JsonPathStep::Index(inside.parse().ok()?),
            });
            rest = after;
        }
    }
    Some(steps)
}

fn follow<'j>(json: &'j Json, steps: &[JsonPathStep<'_>], found: &mut Vec<&'j Json>) {
    let Some((first, rest)) = steps.split_first() else {
        found.push(json);
        return;
    };
    match (first, json) {
        (JsonPathStep::Field(name), Json::Object(object)) => {
            object.get(*name).into_iter().for_each(|value| follow(value, rest, found));
        }
        (JsonPathStep::Index(index), Json::Array(items)) => {
            items.get(*index).into_iter().for_each(|value| follow(value, rest, found));
        }
        (JsonPathStep::Each, Json::Array(items)) => items.iter().for_each(|value| follow(value, rest, found)),
        _ => {}
    }
}
