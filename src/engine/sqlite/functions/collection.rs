//! Arrays and maps.

use std::cmp::Ordering;
use std::collections::HashSet;

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::arguments::{Arguments, CallError, value_of};
use super::body::{Body, boolean, integer};
use super::json::{LEAST_FIELD, nested, plain};
use super::pattern;
use super::sequence::sequence;
use super::text::join;

/// Bytes of `null,` in an array.
const BYTES_OF_NULL: usize = 5;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_size", |a| integer(size(a))),
    ("h_size_array", |a| integer(size(a))),
    ("h_size_map", |a| integer(size(a))),
    ("h_cardinality", |a| integer(size(a))),
    ("h_array_size", |a| integer(a.array(0)?.len() as i64)),
    ("h_array_contains", array_contains),
    ("h_array_distinct", |a| nested(Json::Array(distinct(a.array(0)?)))),
    ("h_array_union", |a| nested(Json::Array(distinct([a.array(0)?, a.array(1)?].concat())))),
    ("h_array_intersect", |a| common(a, true)),
    ("h_array_except", |a| common(a, false)),
    ("h_arrays_overlap", arrays_overlap),
    ("h_array_append", |a| {
        let mut items = a.array(0)?;
        items.push(a.element(1));
        nested(Json::Array(items))
    }),
    ("h_array_prepend", |a| {
        let mut items = a.array(0)?;
        items.insert(0, a.element(1));
        nested(Json::Array(items))
    }),
    ("h_array_insert", array_insert),
    ("h_array_compact", |a| nested(a.array(0)?.into_iter().filter(|item| !item.is_null()).collect())),
    ("h_array_join", array_join),
    ("h_array_max", |a| value_of(a.array(0)?.iter().filter(|item| !item.is_null()).max_by(|x, y| order(x, y))?)),
    ("h_array_min", |a| value_of(a.array(0)?.iter().filter(|item| !item.is_null()).min_by(|x, y| order(x, y))?)),
    ("h_array_position", array_position),
    ("h_array_remove", |a| {
        let gone = Some(a.element(1)).filter(|gone| !gone.is_null())?;
        nested(Json::Array(a.array(0)?.into_iter().filter(|item| *item != gone).collect()))
    }),
    ("h_array_repeat", array_repeat),
    ("h_array_sort", |a| sorted(a, true)),
    ("h_sort_array", |a| sorted(a, false)),
    ("h_concat_array", concat_array),
    ("h_flatten", flatten),
    ("h_reverse_array", |a| nested(Json::Array(a.array(0)?.into_iter().rev().collect()))),
    ("h_sequence", sequence),
    ("h_slice", slice),
    ("h_split", split),
    ("h_str_to_map", str_to_map),
    ("h_map_keys", |a| nested(Json::Array(a.object(0)?.keys().map(|key| Json::from(key.clone())).collect()))),
    ("h_map_values", |a| nested(Json::Array(a.object(0)?.into_iter().map(|(_, value)| value).collect()))),
    ("h_map_concat", map_concat),
    ("h_map_from_pairs", map_from_pairs),
    ("h_map_entries", |a| nested(Json::Array(a.object(0)?.into_iter().map(entry).collect()))),
    ("h_map_from_arrays", map_from_arrays),
    ("h_map_contains_key", |a| boolean(a.object(0)?.contains_key(&*a.text(1)?))),
    ("h_get", |a| value_of(a.array(0)?.get(usize::try_from(a.integer(1)?).ok()?)?)),
    ("h_map_from_entries", map_from_entries),
    ("h_arrays_zip_named", arrays_zip),
];

/// Returns the size, which is -1 for NULL with ANSI mode off.
fn size(a: &Arguments<'_>) -> i64 {
    match a.json(0) {
        Some(Json::Array(items)) => items.len() as i64,
        Some(Json::Object(object)) => object.len() as i64,
        _ => -1,
    }
}

/// Gives NULL if no element is equal but one is NULL.
fn array_contains(a: &Arguments<'_>) -> Option<Value> {
    if a.is_null(1) {
        return None;
    }
    let (items, wanted) = (a.array(0)?, a.element(1));
    if items.iter().any(|item| order(item, &wanted) == Ordering::Equal) {
        return boolean(true);
    }
    if items.contains(&Json::Null) { None } else { boolean(false) }
}

/// Returns the first occurrences, in order.
pub(super) fn distinct(items: Vec<Json>) -> Vec<Json> {
    let mut seen = HashSet::with_capacity(items.len());
    items.into_iter().filter(|item| seen.insert(key(item))).collect()
}

/// Returns a key that is the same for equal elements: the text, in which `-0.0` is `0.0`.
pub(super) fn key(item: &Json) -> String {
    if item.as_f64() == Some(0.0) && item.is_f64() { "0.0".to_owned() } else { item.to_string() }
}

fn keys(items: &[Json]) -> HashSet<String> {
    items.iter().map(key).collect()
}

fn common(a: &Arguments<'_>, wanted: bool) -> Option<Value> {
    let other = keys(&a.array(1)?);
    let kept = distinct(a.array(0)?).into_iter().filter(|item| other.contains(&key(item)) == wanted);
    nested(Json::Array(kept.collect()))
}

fn array_join(a: &Arguments<'_>) -> Option<Value> {
    let separator = a.text(1)?;
    let replacement = if a.len() > 2 { Some(a.text(2)?.into_owned()) } else { None };
    let parts = a.array(0)?.into_iter().filter_map(|item| match item {
        Json::Null => replacement.clone(),
        item => Some(plain(&item).into_owned()),
    });
    join(a, &parts.collect::<Vec<_>>(), &separator)
}

fn array_position(a: &Arguments<'_>) -> Option<Value> {
    if a.is_null(1) {
        return None;
    }
    let wanted = a.element(1);
    integer(a.array(0)?.iter().position(|item| *item == wanted).map_or(0, |at| at as i64 + 1))
}

fn array_repeat(a: &Arguments<'_>) -> Option<Value> {
    let (item, times) = (a.element(0), usize::try_from(a.integer(1)?).unwrap_or(0));
    a.fits(times.saturating_mul(item.to_string().len() + 1))?;
    nested(Json::Array(vec![item; times]))
}

/// Compares numbers by value, arrays and objects element by element, and everything else by its text; NULL is the least.
pub(super) fn order(left: &Json, right: &Json) -> Ordering {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => {
            left.as_f64().unwrap_or_default().total_cmp(&right.as_f64().unwrap_or_default())
        }
        (Json::String(left), Json::String(right)) => left.cmp(right),
        (Json::Bool(left), Json::Bool(right)) => left.cmp(right),
        (Json::Null, right) => right.is_null().cmp(&true),
        (left, Json::Null) => true.cmp(&left.is_null()),
        (Json::Array(left), Json::Array(right)) => {
            let differing = left.iter().zip(right).map(|(x, y)| order(x, y)).find(|ordering| ordering.is_ne());
            differing.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Json::Object(left), Json::Object(right)) => {
            let differing = left.values().zip(right.values()).map(|(x, y)| order(x, y)).find(|o| o.is_ne());
            differing.unwrap_or(Ordering::Equal)
        }
        // The text of an array may be long, so it is written only if the cheap comparison of nesting says nothing.
        (left, right) => nesting(left).cmp(&nesting(right)).then_with(|| plain(left).cmp(&plain(right))),
    }
}

/// Ranks single values before arrays and arrays before objects.
fn nesting(item: &Json) -> u8 {
    match item {
        Json::Array(_) => 1,
        Json::Object(_) => 2,
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => 0,
    }
}

/// `sort_array` puts NULLs first when ascending, last when descending; `array_sort` always last.
fn sorted(a: &Arguments<'_>, nulls_last: bool) -> Option<Value> {
    let ascending = a.len() < 2 || a.boolean(1)?;
    let mut items = a.array(0)?;
    items.sort_by(|x, y| match (x.is_null(), y.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => {
            if nulls_last || !ascending {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (false, true) => {
            if nulls_last || !ascending {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (false, false) if ascending => order(x, y),
        (false, false) => order(y, x),
    });
    nested(Json::Array(items))
}

fn concat_array(a: &Arguments<'_>) -> Option<Value> {
    let mut whole = Vec::new();
    for at in 0..a.len() {
        whole.extend(a.array(at)?);
    }
    nested(Json::Array(whole))
}

fn flatten(a: &Arguments<'_>) -> Option<Value> {
    let mut whole = Vec::new();
    for inner in a.array(0)? {
        match inner {
            Json::Array(items) => whole.extend(items),
            _ => return None,
        }
    }
    nested(Json::Array(whole))
}

/// Gives NULL if nothing is common, both have elements and one has a NULL.
fn arrays_overlap(a: &Arguments<'_>) -> Option<Value> {
    let (left, right) = (a.array(0)?, a.array(1)?);
    let known = keys(&right);
    if left.iter().any(|item| !item.is_null() && known.contains(&key(item))) {
        return boolean(true);
    }
    let unknown = !left.is_empty() && !right.is_empty() && left.iter().chain(&right).any(Json::is_null);
    if unknown { None } else { boolean(false) }
}

/// Positions count from 1, negative ones from the end. A gap is filled with NULLs.
fn array_insert(a: &Arguments<'_>) -> Option<Value> {
    let (mut items, position, item) = (a.array(0)?, a.integer(1)?, a.element(2));
    if position == 0 {
        return a.refuse(CallError::Argument);
    }
    let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX) - 1;
    a.fits(distance.saturating_mul(BYTES_OF_NULL))?;
    if position < 0 {
        items.reverse();
    }
    while items.len() < distance {
        items.push(Json::Null);
    }
    items.insert(distance, item);
    if position < 0 {
        items.reverse();
    }
    nested(Json::Array(items))
}

fn slice(a: &Arguments<'_>) -> Option<Value> {
    let (items, start, length) = (a.array(0)?, a.integer(1)?, usize::try_from(a.integer(2)?).ok()?);
    let first = if start > 0 { start - 1 } else { items.len() as i64 + start };
    let first = usize::try_from(first).unwrap_or(items.len());
    nested(Json::Array(items.into_iter().skip(first).take(length).collect()))
}

/// Splits by a regular expression. With a limit the last part holds the rest.
fn split(a: &Arguments<'_>) -> Option<Value> {
    let (source, limit) = (a.text(0)?, if a.len() > 2 { a.integer(2)? } else { -1 });
    let separator = a.text(1)?;
    if separator.is_empty() {
        return nested(Json::Array(source.chars().map(|c| Json::from(c.to_string())).collect()));
    }
    let most = if limit > 0 { limit as usize } else { usize::MAX };
    let parts = pattern::with(a, &separator, |expression| java_split(expression, &source, most))?;
    nested(Json::Array(parts))
}

/// An empty match at the start splits nothing off, unlike in the regex crate.
fn java_split(expression: &regex::Regex, source: &str, most: usize) -> Vec<Json> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for found in expression.find_iter(source).filter(|found| found.end() > 0) {
        if parts.len() + 1 >= most {
            break;
        }
        parts.push(Json::from(&source[from..found.start()]));
        from = found.end();
    }
    parts.push(Json::from(&source[from..]));
    parts
}

fn str_to_map(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let pair = if a.len() > 1 { a.text(1)?.into_owned() } else { ",".to_owned() };
    let inner = if a.len() > 2 { a.text(2)?.into_owned() } else { ":".to_owned() };
    let pieces: Vec<String> = pattern::with(a, &pair, |by| by.split(&source).map(str::to_owned).collect())?;
    let mut object = Map::new();
    for piece in pieces {
        let halves: Vec<String> = pattern::with(a, &inner, |by| by.splitn(&piece, 2).map(str::to_owned).collect())?;
        let value = halves.get(1).map_or(Json::Null, |value| Json::from(value.clone()));
        object.insert(halves.first()?.clone(), value);
    }
    nested(Json::Object(object))
}

fn map_concat(a: &Arguments<'_>) -> Option<Value> {
    let mut whole = Map::new();
    for at in 0..a.len() {
        whole.extend(a.object(at)?);
    }
    nested(Json::Object(whole))
}

fn entry((key, value): (String, Json)) -> Json {
    let mut object = Map::new();
    object.insert("key".to_owned(), Json::String(key));
    object.insert("value".to_owned(), value);
    Json::Object(object)
}

fn map_from_arrays(a: &Arguments<'_>) -> Option<Value> {
    let (keys, values) = (a.array(0)?, a.array(1)?);
    if keys.len() != values.len() {
        return None;
    }
    nested(Json::Object(keys.iter().map(|key| plain(key).into_owned()).zip(values).collect()))
}

/// Turns `[[key, value], …]` into a map in that order. If a key occurs twice, the later value wins.
fn map_from_pairs(a: &Arguments<'_>) -> Option<Value> {
    let pair = |item: Json| match item {
        Json::Array(pair) => match <[Json; 2]>::try_from(pair) {
            Ok([key, value]) if !key.is_null() => Some((plain(&key).into_owned(), value)),
            _ => None,
        },
        _ => None,
    };
    nested(Json::Object(a.array(0)?.into_iter().filter_map(pair).collect()))
}

/// Turns `name, array, name, array …` into an array of structs, as long as the longest array.
fn arrays_zip(a: &Arguments<'_>) -> Option<Value> {
    let arrays: Vec<(String, Vec<Json>)> =
        (0..a.len() / 2).map(|at| Some((a.text(2 * at)?.into_owned(), a.array(2 * at + 1)?))).collect::<Option<_>>()?;
    let length = arrays.iter().map(|(_, items)| items.len()).max().unwrap_or(0);
    let fields: usize = arrays.iter().map(|(name, _)| name.len() + LEAST_FIELD).sum();
    a.fits(length.saturating_mul(fields))?;
    let row = |at: usize| {
        let field = |(name, items): &(String, Vec<Json>)| (name.clone(), items.get(at).cloned().unwrap_or(Json::Null));
        Json::Object(arrays.iter().map(field).collect())
    };
    nested((0..length).map(row).collect())
}

/// A NULL entry makes the map NULL. A key that is NULL or occurs twice is an error.
fn map_from_entries(a: &Arguments<'_>) -> Option<Value> {
    let mut map = Map::new();
    for entry in a.array(0)? {
        let Json::Object(entry) = entry else { return None };
        let mut parts = entry.into_iter().map(|(_, value)| value);
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else { return a.refuse(CallError::Argument) };
        if key.is_null() || map.insert(plain(&key).into_owned(), value).is_some() {
            return a.refuse(CallError::MapKey);
        }
    }
    nested(Json::Object(map))
}
