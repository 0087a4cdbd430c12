//! Usual values: what people expect to see in a column, for databases that are made to be looked at.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::context::{UsualValues, ValueContext};
use super::defaults::plain_word_number;
use crate::code::schema::TableColumn;
use crate::code::types::Type;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::table::Value;
use crate::store::yaml::read_yaml;

/// Values by words in a column's name, for columns of which nothing but the name is known.
static VALUES_BY_NAME: LazyLock<Vec<NamedValues>> =
    LazyLock::new(|| read_yaml(include_str!("../../../templates/sample/values.yaml")).unwrap_or_default());

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedValues {
    words: Vec<String>,
    values: Vec<String>,
}

/// Draws of one value: where the first does not meet what a script asks, the others may.
const DRAWS: usize = 6;
/// One value in this many is not what the script asks for: real data holds rows that a script leaves out.
const UNASKED: u64 = 16;
/// A word with fewer letters has to be a whole part of a name.
const SHORT: usize = 4;
/// Number of rows of one scan in a group that get different keys.
const ROWS_IN_GROUP: usize = 5;

/// Returns usual values of a column, the best first; empty if none are known.
pub fn usual_values(known: &ColumnValues, data_type: &Type, context: &ValueContext<'_>) -> Vec<Value> {
    let whole = data_type.is_integer();
    let number = |text: &String| if whole { text.parse::<i64>().ok().map(Value::Integer) } else { None };
    let text = |text: String| if whole { number(&text) } else { Some(Value::Text(text)) };
    match known {
        ColumnValues::Keys(examples) => text(key(examples, context)).into_iter().collect(),
        ColumnValues::Texts(texts) if context.distinct => {
            let at = context.group % texts.len().max(1);
            texts.get(at).and_then(|(value, _)| text(value.clone())).into_iter().collect()
        }
        ColumnValues::Texts(texts) => {
            (0..DRAWS).filter_map(|number| text(by_share(texts, share(context, number))?)).collect()
        }
        ColumnValues::Examples(examples) => {
            let at = (context.group * 3 + context.row) % examples.len().max(1);
            examples.get(at).and_then(|value| text(value.clone())).into_iter().collect()
        }
        ColumnValues::List { items, separator } => {
            let count = 1 + (share(context, 0) * 3.0) as usize;
            let first = (share(context, 1) * items.len() as f64) as usize;
            let chosen = (first..first + count.min(items.len())).map(|at| items[at % items.len()].as_str());
            vec![Value::Text(chosen.collect::<Vec<_>>().join(separator))]
        }
        ColumnValues::Json(fields) => vec![Value::Text(json_object(fields, context))],
        ColumnValues::Times(form) => text(super::defaults::time(*form, context)).into_iter().collect(),
        ColumnValues::Range(low, high) => vec![in_range(*low, *high, data_type, share(context, 0))],
        ColumnValues::ByName => by_name(data_type, context),
    }
}

/// Returns the usual value that replaces a plain word, which was made of the column's name for want of anything else, the
/// same for the same word; `None` for any other text. `day` is the day around which everything happens.
pub fn instead_of_plain_word(word: &str, column: &TableColumn, known: &ColumnValues, day: &str) -> Option<Value> {
    let group = plain_word_number(word, &column.name)?;
    let usual = Some(UsualValues { values: known, key: "words" });
    let context = ValueContext { name: &column.name, group, row: 0, day, level: None, distinct: false, usual };
    usual_values(known, &column.data_type, &context).into_iter().next()
}

/// Whether this value need not meet what the script asks for.
pub fn is_unasked(context: &ValueContext<'_>) -> bool {
    context.usual.is_some() && draw(context, 99).is_multiple_of(UNASKED)
}

fn by_name(data_type: &Type, context: &ValueContext<'_>) -> Vec<Value> {
    // A short word stands in many others: `os` in `photos`.
    let has = |word: &String| {
        let is_part = || context.name.split('_').any(|part| part == word);
        if word.len() < SHORT { is_part() } else { context.name.contains(word.as_str()) }
    };
    match data_type {
        Type::String if !super::defaults::names_time(context.name) && !is_key(context.name) && !context.distinct => {
            let found = VALUES_BY_NAME.iter().find(|named| named.words.iter().any(has));
            let value = |number: usize| {
                let values = &found?.values;
                values.get((share(context, number) * values.len() as f64) as usize)
            };
            (0..DRAWS).filter_map(value).map(|text| Value::Text(text.clone())).collect()
        }
        Type::Double | Type::Decimal(..) if context.level.is_none() => {
            vec![in_range(4.0, 480.0, data_type, share(context, 0))]
        }
        _ => Vec::new(),
    }
}

/// Returns a JSON object with a value for each field.
fn json_object(fields: &[String], context: &ValueContext<'_>) -> String {
    let leaf = |field: &String| {
        let context = ValueContext { name: field.as_str(), ..context.clone() };
        let named = by_name(&Type::String, &context).into_iter().next();
        let value = named.unwrap_or_else(|| Value::Text(draw(&context, 0).rem_euclid(9).to_string()));
        (field.clone(), Json::from(value.plain_text().into_owned()))
    };
    Json::Object(fields.iter().map(leaf).collect()).to_string()
}

fn is_key(name: &str) -> bool {
    ["_id", "_no", "_sn", "_key", "_code", "uuid"].iter().any(|end| name.ends_with(end)) || matches!(name, "id" | "no")
}

/// Returns a key like one of the examples, with its last digits raised so that no two keys are equal.
fn key(examples: &[String], context: &ValueContext<'_>) -> String {
    let number = context.group * ROWS_IN_GROUP + context.row.min(ROWS_IN_GROUP - 1);
    let Some(example) = examples.get(number % examples.len().max(1)) else { return number.to_string() };
    let step = number / examples.len() * 17;
    let Some(end) = example.rfind(|c: char| c.is_ascii_digit()).map(|last| last + 1) else {
        return if step == 0 { example.clone() } else { format!("{example}{step}") };
    };
    let start = example[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let start = start.max(end.saturating_sub(9));
    let raised = example[start..end].parse::<u64>().unwrap_or_default() + step as u64;
    format!("{}{raised:0width$}{}", &example[..start], &example[end..], width = end - start)
}

/// Returns the text that `share`, from 0 to 1, selects by the weights of the texts; `None` if there are none.
fn by_share(texts: &[(String, f64)], share: f64) -> Option<String> {
    let sum: f64 = texts.iter().map(|(_, weight)| weight).sum();
    let mut left = share * sum;
    for (text, weight) in texts {
        left -= weight;
        if left <= 0.0 {
            return Some(text.clone());
        }
    }
    // Rounding may leave a little.
    texts.last().map(|(text, _)| text.clone())
}

/// Returns a number of the type from `low` to `high`; small ones are more frequent than large ones.
fn in_range(low: f64, high: f64, data_type: &Type, share: f64) -> Value {
    let number = low + (high - low) * share * share;
    if data_type.is_integer() {
        return Value::Integer(number.round() as i64);
    }
    let scale = match data_type {
        Type::Decimal(_, scale) => 10f64.powi(i32::from(*scale).min(6)),
        _ if high <= 1.0 => 10_000.0,
        _ => 100.0,
    };
    Value::Real((number * scale).round() / scale)
}

/// Returns a number from 0 to 1 that depends on the key of the draws, the column, the group,
/// the row and `number` alone.
fn share(context: &ValueContext<'_>, number: usize) -> f64 {
    (draw(context, number) % 10_000) as f64 / 10_000.0
}

fn draw(context: &ValueContext<'_>, number: usize) -> u64 {
    let ValueContext { name, group, row, usual, .. } = context;
    let key = usual.map_or("", |usual| usual.key);
    let digest = Sha256::digest(format!("{key} {name} {group} {row} {number}"));
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(group: usize, row: usize) -> ValueContext<'static> {
        ValueContext { name: "state", group, row, day: "2024-03-15", level: None, distinct: false, usual: None }
    }

    #[test]
    fn keys_go_on_as_they_look_and_no_two_are_equal() {
        let looks = ["SH10023".to_owned(), "CB240301A".to_owned()];
        let made: Vec<String> = (0..12)
            .flat_map(|group| (0..4).map(move |row| (group, row)))
            .map(|(group, row)| key(&looks, &context(group, row)))
            .collect();
        assert_eq!(made[..2], ["SH10023", "CB240301A"]);
        assert!(
            made.iter().all(|key| key.starts_with("SH") || key.starts_with("CB") && key.ends_with('A')),
            "{made:?}"
        );
        let different: std::collections::BTreeSet<&String> = made.iter().collect();
        assert_eq!(different.len(), made.len(), "{made:?}");
    }

    #[test]
    fn texts_follow_their_shares_and_numbers_their_range() {
        let texts = [("PAID".to_owned(), 0.9), ("VOID".to_owned(), 0.1)];
        let known = ColumnValues::Texts(texts.to_vec());
        let drawn: Vec<Value> =
            (0..200).map(|group| usual_values(&known, &Type::String, &context(group, 0)).remove(0)).collect();
        let paid = drawn.iter().filter(|value| **value == Value::Text("PAID".to_owned())).count();
        assert!((150..200).contains(&paid), "{paid}");
        for group in 0..50 {
            let values = usual_values(&ColumnValues::Range(5.0, 12.0), &Type::Decimal(12, 2), &context(group, 0));
            assert!(matches!(values[..], [Value::Real(number)] if (5.0..=12.0).contains(&number)), "{values:?}");
        }
    }

    #[test]
    fn a_column_of_which_only_the_name_is_known_holds_what_its_name_says() {
        let named = |name| ValueContext { name, ..context(1, 0) };
        let first = |name| usual_values(&ColumnValues::ByName, &Type::String, &named(name)).into_iter().next();
        assert!(matches!(first("home_city"), Some(Value::Text(city)) if VALUES_BY_NAME[0].values.contains(&city)));
        assert_eq!(first("create_time"), None);
        assert_eq!(first("city_id"), None);
    }

    #[test]
    fn only_a_word_made_for_want_of_anything_known_is_replaced() {
        let schema = crate::code::schema::Schema::read("CREATE TABLE t (valid_to STRING, wish_json STRING)").unwrap();
        let columns = &schema.tables[0].columns;
        let day = ColumnValues::Times(crate::corpus::dictionary::TimeForm::Day);
        let wishes = ColumnValues::Json(vec!["wash".to_owned(), "lang".to_owned()]);
        let replaced =
            |word: &str, column: usize, known| instead_of_plain_word(word, &columns[column], known, "2024-03-15");
        assert_eq!(replaced("val_b", 0, &day), Some(Value::Text("2024-04-04".to_owned())));
        assert_eq!(replaced("2024-03-01", 0, &day), None);
        assert_eq!(replaced("val_b", 1, &wishes), None);
        let Some(Value::Text(object)) = replaced("wis_a", 1, &wishes) else { panic!("an object") };
        let object: Json = serde_json::from_str(&object).unwrap();
        assert!(["yes", "no"].contains(&object["wash"].as_str().unwrap()) && object["lang"].is_string(), "{object}");
    }
}
