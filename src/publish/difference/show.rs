//! Shows values as a business user reads them on a report.

use serde_json::Value as Json;

use crate::code::types::Type;
use crate::engine::table::Value;
use crate::publish::vocabulary::{ValueWords, is_read_on};

/// Characters of a text that are shown; longer ones are cut.
const LONGEST_TEXT: usize = 48;

/// Returns a value as a report shows it, lists without brackets.
pub fn shown(value: &Value, data_type: &Type, words: &ValueWords) -> String {
    match (value, data_type) {
        (Value::Null, _) => words.empty.clone(),
        (Value::Integer(0), Type::Boolean) => words.when_false.clone(),
        (Value::Integer(_), Type::Boolean) => words.when_true.clone(),
        (Value::Integer(number), _) => number.to_string(),
        (Value::Real(number), _) => {
            let short = shown_number(*number, 4);
            // What is not 0 is not shown as 0.
            if short == "0" { shown_number(*number, 12) } else { short }
        }
        (Value::Text(text), data_type) if data_type.is_nested() => shown_nested(text, words),
        (Value::Text(text), _) => shown_text(text, words),
    }
}

/// Returns a value as it stands on a report, whatever its type.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => shown_number(*number, 9),
        Value::Text(text) => text.to_string(),
    }
}

/// Returns the expected and the actual value as a report shows them, with more digits or with quotes if they would look
/// the same otherwise.
pub fn shown_pair(expected: &Value, actual: &Value, data_type: &Type, words: &ValueWords) -> (String, String) {
    let pair = (shown(expected, data_type, words), shown(actual, data_type, words));
    if pair.0 != pair.1 {
        return pair;
    }
    match (expected, actual) {
        (Value::Real(left), Value::Real(right)) => (shown_number(*left, 12), shown_number(*right, 12)),
        (Value::Text(left), Value::Text(right)) => (quoted_text(left, right), quoted_text(right, left)),
        (Value::Null, _) => (words.nothing.clone(), words.blank.clone()),
        (_, Value::Null) => (words.blank.clone(), words.nothing.clone()),
        _ => pair,
    }
}

/// Returns a number with at most `digits` decimals and no trailing zeros.
pub fn shown_number(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let bare = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if bare == "-0" { "0".to_owned() } else { bare.to_owned() }
}

fn shown_text(text: &str, words: &ValueWords) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return words.empty.clone();
    }
    if is_read_on(&line) {
        return format!("\"{line}\"");
    }
    if line.chars().count() <= LONGEST_TEXT {
        return line;
    }
    let cut: String = line.chars().take(LONGEST_TEXT - 1).collect();
    format!("{}…", cut.trim_end())
}

/// `text` in quotes with its white space as it is, and without most of a long beginning that it shares with `other`.
fn quoted_text(text: &str, other: &str) -> String {
    let common = text.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let skipped = common.saturating_sub(12);
    let tail: String = text.chars().skip(skipped).take(LONGEST_TEXT).collect();
    if skipped == 0 { format!("\"{tail}\"") } else { format!("\"…{tail}\"") }
}

fn shown_nested(text: &str, words: &ValueWords) -> String {
    let parsed = serde_json::from_str::<Json>(text);
    parsed.map_or_else(|_| shown_text(text, words), |json| shown_text(&shown_json(&json, words), words))
}

fn shown_json(json: &Json, words: &ValueWords) -> String {
    match json {
        Json::Null => words.empty.clone(),
        Json::Bool(value) => if *value { &words.when_true } else { &words.when_false }.clone(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(|item| shown_json(item, words)).collect::<Vec<_>>().join(", "),
        Json::Object(fields) => {
            let field =
                |(name, value): (&String, &Json)| format!("{}: {}", name.replace('_', " "), shown_json(value, words));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::complaint::PhraseBook;

    fn words() -> ValueWords {
        PhraseBook::built_in().unwrap().vocabulary().value.clone()
    }

    #[test]
    fn values_read_like_a_report() {
        let list = Type::Array(Box::new(Type::String));
        for (value, data_type, shows) in [
            (Value::Null, Type::Int, "a blank"),
            (Value::Integer(1), Type::Boolean, "true"),
            (Value::Real(12.5), Type::Double, "12.5"),
            (Value::Real(300.0), Type::Double, "300"),
            (Value::Real(0.000_001), Type::Double, "0.000001"),
            (Value::Real(-0.0), Type::Double, "0"),
            (Value::Text("  ".into()), Type::String, "a blank"),
            (Value::Text("[\"a\",\"b\"]".into()), list, "a, b"),
        ] {
            assert_eq!(shown(&value, &data_type, &words()), shows);
        }
    }

    #[test]
    fn two_different_values_never_look_the_same() {
        for (left, right, data_type) in [
            (Value::Real(0.12341), Value::Real(0.12342), Type::Double),
            (Value::Text("a".into()), Value::Text("a ".into()), Type::String),
            (Value::Text(format!("{}b", "a".repeat(90))), Value::Text(format!("{}c", "a".repeat(90))), Type::String),
            (Value::Null, Value::Text(String::new()), Type::String),
        ] {
            let (expected, actual) = shown_pair(&left, &right, &data_type, &words());
            assert_ne!(expected, actual);
        }
    }
}
