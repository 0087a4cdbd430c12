//! Values in JSON texts.

use serde_json::{Map, Value as Json};

use crate::code::types::Type;
use crate::engine::table::Value;

/// Returns a JSON document as the text that a column holds.
pub(super) fn json_text(json: Json) -> Value {
    Value::Text(json.to_string())
}

/// Returns a value as a part of a JSON document.
pub(super) fn to_json(data_type: &Type, value: Value) -> Json {
    match (data_type, value) {
        (_, Value::Null) => Json::Null,
        (Type::Boolean, Value::Integer(flag)) => Json::Bool(flag != 0),
        (_, Value::Integer(number)) => Json::from(number),
        (_, Value::Real(number)) => Json::from(number),
        (data_type, Value::Text(text)) if data_type.is_nested() => serde_json::from_str(&text).unwrap_or(Json::Null),
        (_, Value::Text(text)) => Json::from(text),
    }
}

/// Puts `leaf` into a document at a path with dots.
pub(super) fn insert_path(document: &mut Json, path: &str, leaf: Json) {
    let mut at = document;
    let steps: Vec<&str> = path.split('.').map(|step| step.split('[').next().unwrap_or(step)).collect();
    for (index, step) in steps.iter().enumerate() {
        let Json::Object(object) = at else { return };
        if index + 1 == steps.len() {
            object.insert((*step).to_owned(), leaf);
            return;
        }
        at = object.entry((*step).to_owned()).or_insert_with(|| Json::Object(Map::new()));
    }
}
