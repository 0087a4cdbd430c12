//! Reads and writes rows of comma-separated text, and infers the types of JSON and CSV texts.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::arguments::{Arguments, CallError, double_text};
use super::body::{Body, text};
use super::json::nested;
use super::moment::{read_date, read_moment};
use crate::code::dialect::Dialect;
use crate::code::schema::read_type;
use crate::code::types::Type;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_to_csv", to_csv),
    ("h_from_csv", from_csv),
    ("h_schema_of_csv", |a| {
        let fields = cells(&a.text(0)?)?;
        let named = fields.iter().enumerate().map(|(at, cell)| format!("_c{at}: {}", cell_type(cell.as_deref())));
        text(format!("STRUCT<{}>", named.collect::<Vec<_>>().join(", ")))
    }),
    ("h_schema_of_json", |a| match serde_json::from_str::<Json>(&a.text(0)?) {
        Ok(json) => text(JsonType::of(&json).shown()),
        Err(_) => a.refuse(CallError::Argument),
    }),
];

/// Returns the fields of the struct type that argument `at` names.
fn fields(a: &Arguments<'_>, at: usize) -> Option<Vec<(String, Type)>> {
    match read_type(&a.text(at)?) {
        Ok(Type::Struct(fields)) => Some(fields),
        _ => a.refuse(CallError::Argument),
    }
}

fn to_csv(a: &Arguments<'_>) -> Option<Value> {
    let object = a.object(0)?;
    let mut cells = Vec::new();
    for (at, ((_, value), (_, of))) in object.iter().zip(fields(a, 1)?).enumerate() {
        let Some(cell) = written(value, &of) else { return a.refuse(CallError::Argument) };
        cells.push(quoted(cell, at == 0));
    }
    text(cells.iter().map(|cell| cell.as_deref().unwrap_or("")).collect::<Vec<_>>().join(","))
}

/// Returns a value as text without blanks around it. The inner `None` stands for NULL, the outer one for a type that is
/// not supported.
fn written(value: &Json, of: &Type) -> Option<Option<String>> {
    Some(Some(match (value, of) {
        (Json::Null, _) => return Some(None),
        (Json::Number(number), Type::Decimal(_, scale)) => format!("{:.*}", usize::from(*scale), number.as_f64()?),
        (Json::Number(number), Type::Double) => double_text(number.as_f64()?),
        (Json::Number(number), _) => number.to_string(),
        (Json::Bool(flag), _) => flag.to_string(),
        (Json::String(_), Type::Timestamp) => return None,
        (Json::String(text), _) => text.trim().to_owned(),
        _ => return None,
    }))
}

fn quoted(cell: Option<String>, first: bool) -> Option<String> {
    let cell = cell?;
    let needed = cell.is_empty() || cell.contains([',', '"', '\n', '\r']) || first && cell.starts_with('#');
    Some(if needed { format!("\"{}\"", cell.replace('"', "\\\"")) } else { cell })
}

/// Returns the cells of a line, with `None` for empty ones. The outer `None` stands for a line that Spark and the crate
/// may read differently: one with escapes, line breaks, or quotes anywhere but around a whole cell.
fn cells(line: &str) -> Option<Vec<Option<String>>> {
    let bytes = line.as_bytes();
    let borders = |at: usize| at == 0 || at + 1 == bytes.len() || bytes[at - 1] == b',' || bytes[at + 1] == b',';
    let plain = line.bytes().enumerate().all(|(at, byte)| match byte {
        b'\\' | b'\n' | b'\r' => false,
        b'"' => borders(at),
        _ => true,
    });
    if !plain || line.matches('"').count() % 2 == 1 {
        return None;
    }
    if line.is_empty() {
        return Some(vec![None]);
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(|cell| Some(cell.to_owned()).filter(|cell| !cell.is_empty())).collect())
}

fn from_csv(a: &Arguments<'_>) -> Option<Value> {
    let line = a.text(0)?;
    let Some(cells) = cells(&line) else { return a.refuse(CallError::Argument) };
    let mut object = Map::new();
    for (at, (name, of)) in fields(a, 1)?.into_iter().enumerate() {
        let cell = cells.get(at).cloned().flatten();
        let Some(value) = read(cell.as_deref(), &of) else { return a.refuse(CallError::Argument) };
        object.insert(name, value);
    }
    nested(Json::Object(object))
}

/// Reads a cell as a value of a type, or NULL if it is none; `None` if the type is not supported.
fn read(cell: Option<&str>, of: &Type) -> Option<Json> {
    let null = |value: Option<Json>| value.unwrap_or(Json::Null);
    Some(match of {
        Type::String => cell.map_or(Json::Null, Json::from),
        Type::Int => null(cell.and_then(|it| it.parse::<i32>().ok()).map(Json::from)),
        Type::BigInt => null(cell.and_then(|it| it.parse::<i64>().ok()).map(Json::from)),
        Type::Double => null(cell.and_then(|it| it.parse::<f64>().ok()).map(Json::from)),
        Type::Boolean => null(cell.and_then(|it| it.to_lowercase().parse::<bool>().ok()).map(Json::from)),
        Type::Date => null(cell.and_then(read_date).map(|date| Json::from(date.format("%Y-%m-%d").to_string()))),
        _ => return None,
    })
}

fn cell_type(cell: Option<&str>) -> &'static str {
    let Some(cell) = cell else { return "STRING" };
    let dashed = cell.len() >= 8 && cell.contains('-');
    match cell {
        _ if cell.parse::<i32>().is_ok() => "INT",
        _ if cell.parse::<i64>().is_ok() => "BIGINT",
        _ if cell.parse::<f64>().is_ok() => "DOUBLE",
        _ if cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false") => "BOOLEAN",
        _ if dashed && cell.len() == 10 && read_date(cell).is_some() => "DATE",
        _ if dashed && cell.contains(':') && read_moment(cell).is_some() => "TIMESTAMP",
        _ => "STRING",
    }
}

/// The type that a JSON value has.
#[derive(Clone, Debug, PartialEq)]
enum JsonType {
    Null,
    Text,
    Flag,
    Whole,
    /// A whole number with this many digits, more than BIGINT holds.
    Large(usize),
    Real,
    Array(Box<JsonType>),
    Object(Vec<(String, JsonType)>),
}

impl JsonType {
    fn of(json: &Json) -> JsonType {
        match json {
            Json::Null => JsonType::Null,
            Json::Bool(_) => JsonType::Flag,
            Json::Number(number) if number.is_i64() => JsonType::Whole,
            Json::Number(number) if number.is_u64() => JsonType::Large(number.to_string().len()),
            Json::Number(_) => JsonType::Real,
            Json::String(_) => JsonType::Text,
            Json::Array(items) => {
                JsonType::Array(Box::new(items.iter().map(JsonType::of).fold(JsonType::Null, JsonType::common)))
            }
            Json::Object(object) => {
                let mut fields: Vec<(String, JsonType)> =
                    object.iter().map(|(name, value)| (name.clone(), JsonType::of(value))).collect();
                fields.sort_by(|left, right| left.0.cmp(&right.0));
                JsonType::Object(fields)
            }
        }
    }

    fn common(self, other: JsonType) -> JsonType {
        match (self, other) {
            (JsonType::Null, one) | (one, JsonType::Null) => one,
            (one, same) if one == same => one,
            (JsonType::Whole | JsonType::Real, JsonType::Whole | JsonType::Real) => JsonType::Real,
            (JsonType::Array(left), JsonType::Array(right)) => JsonType::Array(Box::new(left.common(*right))),
            (JsonType::Object(mut left), JsonType::Object(right)) => {
                for (name, shape) in right {
                    match left.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) => *known = known.clone().common(shape),
                        None => left.push((name, shape)),
                    }
                }
                left.sort_by(|left, right| left.0.cmp(&right.0));
                JsonType::Object(left)
            }
            _ => JsonType::Text,
        }
    }

    fn shown(&self) -> String {
        match self {
            JsonType::Null | JsonType::Text => "STRING".to_owned(),
            JsonType::Flag => "BOOLEAN".to_owned(),
            JsonType::Whole => "BIGINT".to_owned(),
            JsonType::Large(digits) => format!("DECIMAL({digits},0)"),
            JsonType::Real => "DOUBLE".to_owned(),
            JsonType::Array(element) => format!("ARRAY<{}>", element.shown()),
            JsonType::Object(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, shape)| format!("{}: {}", identifier(name), shape.shown())).collect();
                format!("STRUCT<{}>", fields.join(", "))
            }
        }
    }
}

fn identifier(name: &str) -> String {
    let plain =
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.to_owned() } else { Dialect::Hive.quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_at_commas_outside_quotes() {
        let cut =
            |line: &str| cells(line).map(|cells| cells.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>());
        assert_eq!(cut("a,\"b,c\",,d"), Some(vec!["a".into(), "b,c".into(), String::new(), "d".into()]));
        assert_eq!(cut("\"a"), None);
        assert_eq!(cut("\"a\"b"), None);
    }
}
