//! Values that meet wishes: the smallest sensible value of a type for which all predicates on a column hold.

use serde_json::{Map, Value as Json};

use super::calendar;
use super::constraint::{Wish, Wrapper};
use super::meets::{meets, plain_text};
use super::pattern;
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::engine::table::Value;

/// A wish and what still lies between the value being made and the value it is about.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// From the inside outwards.
    pub wrappers: &'a [Wrapper],
    /// None for a form without a wish.
    pub wish: Option<&'a Wish>,
}

/// What distinguishes one value from the others where nothing is asked.
#[derive(Clone, Debug)]
pub struct Fill<'a> {
    /// Name of the column or field, lower case.
    pub name: &'a str,
    /// A small number that differs between groups of rows.
    pub group: usize,
    /// A small number that differs between rows of a group.
    pub row: usize,
    /// The day around which everything happens, `yyyy-MM-dd`.
    pub day: &'a str,
    /// In an ordering of values, how many must lie below this one.
    pub level: Option<usize>,
    /// Words must differ between groups, for rows are joined by them.
    pub distinct: bool,
}

/// A value of `data_type` that meets what is asked, as far as it can be met.
pub fn make(data_type: &Type, asked: &[Asked<'_>], fill: &Fill<'_>) -> Value {
    if asked.iter().any(|ask| ask.wrappers.is_empty() && ask.wish == Some(&Wish::Null)) {
        return Value::Null;
    }
    match data_type {
        Type::Array(element) => json_text(array(element, asked, fill)),
        Type::Map(_, value) => json_text(Json::Object(map(value, asked, fill))),
        Type::Struct(fields) => json_text(Json::Object(structure(fields, asked, fill))),
        Type::String | Type::Unknown | Type::Binary => text(asked, fill),
        other => scalar(other, asked, fill),
    }
}

fn json_text(json: Json) -> Value {
    Value::Text(json.to_string())
}

/// What is asked below a wrapper that `select` recognises.
fn below<'a>(asked: &[Asked<'a>], select: impl Fn(&Wrapper) -> bool) -> Vec<Asked<'a>> {
    let matching = asked.iter().filter(|ask| ask.wrappers.first().is_some_and(&select));
    matching.map(|ask| Asked { wrappers: &ask.wrappers[1..], wish: ask.wish }).collect()
}

fn array(element: &Type, asked: &[Asked<'_>], fill: &Fill<'_>) -> Json {
    let length = asked.iter().find_map(wished_length).unwrap_or_else(|| positions(asked).max(2));
    let items = (0..length.min(12)).map(|index| {
        let fill = Fill { row: fill.row + index, ..fill.clone() };
        to_json(element, make(element, &of_item(asked, index), &fill))
    });
    Json::Array(items.collect())
}

/// What is asked of the item at `index`: what names its position, and for the first what asks for some element.
fn of_item<'a>(asked: &[Asked<'a>], index: usize) -> Vec<Asked<'a>> {
    below(asked, |wrapper| *wrapper == Wrapper::Item(index) || (index == 0 && *wrapper == Wrapper::Element))
}

/// The number of positions that are asked for.
fn positions(asked: &[Asked<'_>]) -> usize {
    let position = |ask: &Asked<'_>| match ask.wrappers.first() {
        Some(Wrapper::Item(index)) => index + 1,
        _ => 0,
    };
    asked.iter().map(position).max().unwrap_or(0)
}

fn wished_length(ask: &Asked<'_>) -> Option<usize> {
    let Some(Wish::Compare(operator, Value::Integer(length))) = ask.wish else { return None };
    if ask.wrappers != [Wrapper::Length] {
        return None;
    }
    let length = usize::try_from(*length).ok()?;
    Some(match operator {
        BinaryOperator::Greater => length + 1,
        BinaryOperator::Less => length.saturating_sub(1),
        BinaryOperator::NotEqual => length + 1,
        _ => length,
    })
}

fn map(value_type: &Type, asked: &[Asked<'_>], fill: &Fill<'_>) -> Map<String, Json> {
    let mut object = Map::new();
    let keys = below(asked, |wrapper| *wrapper == Wrapper::Key);
    let values = below(asked, |wrapper| *wrapper == Wrapper::MapValue);
    if !keys.is_empty() || !values.is_empty() {
        let key = plain(&text(&keys, &Fill { name: "key", ..fill.clone() }));
        object.insert(key, to_json(value_type, make(value_type, &values, fill)));
    }
    for ask in asked {
        if let Some(Wrapper::MapKey(key)) = ask.wrappers.first() {
            let inner = below(asked, |wrapper| *wrapper == Wrapper::MapKey(key.clone()));
            let fill = Fill { name: key, ..fill.clone() };
            object.insert(key.clone(), to_json(value_type, make(value_type, &inner, &fill)));
        }
    }
    if object.is_empty() {
        object.insert(format!("k{}", fill.group % 3), to_json(value_type, make(value_type, &[], fill)));
    }
    object
}

fn structure(fields: &[(String, Type)], asked: &[Asked<'_>], fill: &Fill<'_>) -> Map<String, Json> {
    let mut object = Map::new();
    for (name, data_type) in fields {
        let lower = name.to_lowercase();
        let inner = below(asked, |wrapper| matches!(wrapper, Wrapper::Field(field) if *field == lower));
        let fill = Fill { name: &lower, ..fill.clone() };
        object.insert(name.clone(), to_json(data_type, make(data_type, &inner, &fill)));
    }
    object
}

fn to_json(data_type: &Type, value: Value) -> Json {
    match (data_type, value) {
        (_, Value::Null) => Json::Null,
        (Type::Boolean, Value::Integer(flag)) => Json::Bool(flag != 0),
        (_, Value::Integer(number)) => Json::from(number),
        (_, Value::Real(number)) => Json::from(number),
        (data_type, Value::Text(text)) if data_type.is_nested() => serde_json::from_str(&text).unwrap_or(Json::Null),
        (_, Value::Text(text)) => Json::from(text),
    }
}

/// The text form of a value.
pub fn plain(value: &Value) -> String {
    plain_text(value).into_owned()
}

/// A text column: JSON, a separated list, digits, a date, or a word, as it is read.
fn text(asked: &[Asked<'_>], fill: &Fill<'_>) -> Value {
    let json: Vec<_> = asked.iter().filter_map(|ask| json_path(ask.wrappers.first()?)).collect();
    if !json.is_empty() {
        return json_text(json_document(&json, asked, fill));
    }
    let split = asked.iter().find_map(|ask| match ask.wrappers.first() {
        Some(Wrapper::Split(separator)) => Some(separator.clone()),
        _ => None,
    });
    if let Some(separator) = split {
        return separated(&separator, asked, fill);
    }
    if let Some(Wrapper::Slice(..)) = asked.iter().find_map(|ask| ask.wish.and(ask.wrappers.first())) {
        return Value::Text(sliced(asked, fill));
    }
    let numeric = asked.iter().any(|ask| matches!(ask.wrappers.first(), Some(Wrapper::Number)));
    if numeric && !asked.iter().any(|ask| ask.wrappers.is_empty() && is_equality(ask.wish)) {
        let inner = below(asked, |wrapper| *wrapper == Wrapper::Number);
        return Value::Text(plain(&scalar(&Type::BigInt, &inner, fill)));
    }
    scalar(&Type::String, asked, fill)
}

fn is_equality(wish: Option<&Wish>) -> bool {
    matches!(wish, Some(Wish::Compare(BinaryOperator::Equal, _) | Wish::OneOf(_)))
}

fn json_path(wrapper: &Wrapper) -> Option<&str> {
    match wrapper {
        Wrapper::Json(path) => Some(path),
        _ => None,
    }
}

fn json_document(paths: &[&str], asked: &[Asked<'_>], fill: &Fill<'_>) -> Json {
    let mut document = Json::Object(Map::new());
    for path in paths {
        let inner = below(asked, |wrapper| json_path(wrapper) == Some(path));
        let last = path.rsplit('.').next().unwrap_or(path).to_lowercase();
        let value = text(&inner, &Fill { name: &last, ..fill.clone() });
        let leaf = match &value {
            Value::Null => Json::Null,
            other => Json::from(plain(other)),
        };
        insert_path(&mut document, path, leaf);
    }
    document
}

fn insert_path(document: &mut Json, path: &str, leaf: Json) {
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

fn separated(separator: &str, asked: &[Asked<'_>], fill: &Fill<'_>) -> Value {
    let inner = below(asked, |wrapper| matches!(wrapper, Wrapper::Split(_)));
    let literal = separator.trim_start_matches(['\\', '[']).trim_end_matches(']');
    let literal = if literal.is_empty() { "," } else { literal };
    let items = (0..positions(&inner).clamp(2, 12))
        .map(|index| plain(&text(&of_item(&inner, index), &Fill { row: fill.row + index, ..fill.clone() })));
    Value::Text(items.collect::<Vec<_>>().join(literal))
}

/// A text of which slices are asked: the default text with the slices put in place.
fn sliced(asked: &[Asked<'_>], fill: &Fill<'_>) -> String {
    let whole: Vec<Asked<'_>> =
        asked.iter().filter(|ask| !matches!(ask.wrappers.first(), Some(Wrapper::Slice(..)))).copied().collect();
    let mut chars: Vec<char> = plain(&scalar(&Type::String, &whole, fill)).chars().collect();
    for ask in asked {
        let Some(Wrapper::Slice(start, length)) = ask.wrappers.first() else { continue };
        let inner = [Asked { wrappers: &ask.wrappers[1..], wish: ask.wish }];
        let piece: Vec<char> = plain(&text(&inner, fill)).chars().take(*length).collect();
        let end = start - 1 + piece.len();
        while chars.len() < end {
            chars.push('0');
        }
        chars.splice(start - 1..end, piece);
    }
    let text: String = chars.into_iter().collect();
    if text.len() == 10 && calendar::date(&text).is_some() && fill.name.contains("time") {
        return format!("{text} {:02}:15:00", 9 + fill.row % 10);
    }
    text
}

/// A value without inner structure.
fn scalar(data_type: &Type, asked: &[Asked<'_>], fill: &Fill<'_>) -> Value {
    let wishes: Vec<&Wish> = asked.iter().filter_map(|ask| ask.wish).collect();
    let dated = asked.iter().any(|ask| matches!(ask.wrappers.first(), Some(Wrapper::Date | Wrapper::Format(_))));
    let candidates = candidates(data_type, &wishes, dated, fill);
    let meets_all = |value: &&Value| wishes.iter().all(|wish| meets(wish, value));
    let meeting: Vec<&Value> = candidates.iter().filter(meets_all).collect();
    // Where values are ordered, the default stands at its level.
    let levelled = meeting.last().filter(|last| fill.level.is_some() && candidates.last() == Some(**last)).copied();
    let chosen = levelled.or_else(|| meeting.get((fill.group + fill.row) % meeting.len().max(1)).copied());
    let value = chosen.or_else(|| closest(&candidates, &wishes, fill)).cloned().unwrap_or(Value::Null);
    let as_written = asked.iter().any(|ask| ask.wrappers.is_empty() && ask.wish.is_some());
    if dated && !as_written && *data_type == Type::String {
        return with_time(value, fill);
    }
    fit(data_type, value, fill)
}

/// A date read by `to_date` alone is in truth a moment of that day, where the column's name says so.
fn with_time(value: Value, fill: &Fill<'_>) -> Value {
    match value {
        Value::Text(day) if day.len() == 10 && super::defaults::names_moment(fill.name) => {
            Value::Text(format!("{day} {:02}:30:00", 8 + (fill.group + fill.row) % 12))
        }
        other => other,
    }
}

/// A candidate that meets as many wishes as any; rows take turns, so that wishes that exclude each other are all met.
fn closest<'a>(candidates: &'a [Value], wishes: &[&Wish], fill: &Fill<'_>) -> Option<&'a Value> {
    let met = |value: &Value| wishes.iter().filter(|wish| meets(wish, value)).count();
    let most = candidates.iter().map(met).max()?;
    let best: Vec<&Value> = candidates.iter().filter(|value| met(value) == most).collect();
    best.get((fill.row + fill.group) % best.len()).copied()
}

/// Values worth trying: near each constant of the wishes, else the default of the type and name.
fn candidates(data_type: &Type, wishes: &[&Wish], dated: bool, fill: &Fill<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    for wish in wishes {
        match wish {
            Wish::Compare(operator, value) => {
                if !matches!(operator, BinaryOperator::NotEqual | BinaryOperator::Less | BinaryOperator::Greater) {
                    values.push(value.clone());
                }
                values.extend([-1, 1].iter().filter_map(|step| neighbour(value, *step)));
            }
            Wish::OneOf(list) => values.extend(list.iter().cloned()),
            Wish::Between(low, high) => {
                values.extend([high.clone(), low.clone()]);
                values.extend(neighbour(low, 1));
            }
            Wish::Like(pattern) => values.push(Value::Text(pattern::like_example(pattern, fill.row))),
            Wish::Matches(pattern) => values.push(Value::Text(pattern::regexp_example(pattern))),
            Wish::Truth(truth) if data_type.is_numeric() || *data_type == Type::Boolean => {
                values.push(Value::Integer(i64::from(*truth)));
            }
            Wish::Truth(truth) => values.push(Value::Text(truth.to_string())),
            Wish::NoneOf(_) | Wish::NotNull | Wish::Null => {}
        }
    }
    let only_free =
        values.is_empty() || wishes.iter().all(|wish| matches!(wish, Wish::Compare(BinaryOperator::NotEqual, _)));
    if only_free {
        values = vec![super::defaults::value(data_type, dated, fill)];
    } else {
        values.push(super::defaults::value(data_type, dated, fill));
    }
    values
}

/// The value one step away: a number by one, a date by one day.
pub fn neighbour(value: &Value, step: i64) -> Option<Value> {
    match value {
        Value::Integer(number) => Some(Value::Integer(number.saturating_add(step))),
        Value::Real(number) => Some(Value::Real(number + step as f64)),
        Value::Text(text) => match calendar::shift_in_place(text, step) {
            Some(shifted) => Some(Value::Text(shifted)),
            None => text.parse::<i64>().ok().map(|number| Value::Text(number.saturating_add(step).to_string())),
        },
        Value::Null => None,
    }
}

/// Brings a value into the form of its column: a date column takes the date of a timestamp, and so on.
fn fit(data_type: &Type, value: Value, fill: &Fill<'_>) -> Value {
    if matches!(
        (data_type, &value),
        (_, Value::Null)
            | (Type::Int | Type::BigInt, Value::Integer(_))
            | (Type::Double | Type::Decimal(..), Value::Real(_))
            | (Type::String, Value::Text(_))
    ) {
        return value;
    }
    let text = plain(&value);
    match data_type {
        Type::Date => calendar::shift(&text, 0).map_or(value, Value::Text),
        Type::Timestamp if text.len() == 10 => {
            Value::Text(format!("{text} {:02}:30:00", 8 + (fill.group + fill.row) % 12))
        }
        Type::Int | Type::BigInt => {
            text.parse::<f64>().map_or(Value::Integer(1), |number| Value::Integer(number as i64))
        }
        Type::Double | Type::Decimal(..) => text.parse::<f64>().map_or(Value::Real(1.0), Value::Real),
        Type::Boolean => Value::Integer(i64::from(matches!(text.as_str(), "1" | "true"))),
        Type::String => Value::Text(text),
        _ => value,
    }
}
