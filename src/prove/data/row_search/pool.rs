//! Values worth trying for a column.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::super::calendar;
use super::super::evaluator::Evaluator;
use super::super::pattern::regexp_example;
use super::super::scalar::plain;
use crate::code::literal::quoted;
use crate::code::script::unquoted;
use crate::code::token::{TokenKind, tokenize};
use crate::code::types::Type;
use crate::engine::table::Value;

/// Most values of one column.
const MOST_VALUES: usize = 1_500;
/// Most literals of conditions that texts are put together from in pairs.
const MOST_PAIRED: usize = 8;
/// The longest literal of which the parts are tried, in characters.
const LONGEST_TAKEN_APART: usize = 12;
/// Most days that are written in each format that a condition names.
const MOST_WRITTEN: usize = 12;
/// A day where conditions name none.
const USUAL_DAY: &str = "2024-03-15";
/// Distances from a named day that are tried, in days.
const DISTANCES: [i64; 26] = [
    0, -1, 1, -2, 2, -3, 3, -7, 7, -14, 14, -30, 30, -31, 31, -60, 60, -90, 90, -365, 365, -1_830, -3_660, -7_310,
    -10_960, -14_620,
];
/// Times of a day, before and behind the usual limits.
const TIMES: [&str; 6] = ["00:00:00", "03:15:00", "09:30:00", "12:00:00", "15:45:00", "22:10:00"];
/// Seconds of a day.
const DAY: i64 = 86_400;

/// What conditions name, from which values are made.
pub struct LiteralValues {
    texts: Vec<String>,
    numbers: Vec<f64>,
    /// Days that are named, then those around them, then the rest of a year.
    days: Vec<String>,
    /// Days in the formats that conditions name.
    written: Vec<String>,
}

impl LiteralValues {
    /// Reads the literals of conditions.
    pub fn of<'c>(conditions: impl IntoIterator<Item = &'c str>, evaluator: &Evaluator<'_>) -> LiteralValues {
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        for sql in conditions {
            for token in tokenize(sql) {
                let text = token.span().of(sql);
                match token.kind {
                    TokenKind::Text => texts.push(unquoted(text).to_owned()),
                    TokenKind::Number => numbers.extend(text.parse::<f64>().ok()),
                    _ => {}
                }
            }
        }
        let mut seen = BTreeSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        let days = days(&texts, &numbers);
        let formats = texts.iter().filter(|text| ["yy", "MM", "dd"].iter().any(|part| text.contains(part)));
        let written = formats.flat_map(|format| {
            let in_format = |day: &String| {
                let text = evaluator.value(&format!("date_format(DATE'{day}', {})", quoted(format)))?;
                matches!(&text, Value::Text(_)).then(|| plain(&text))
            };
            days.iter().take(MOST_WRITTEN).filter_map(in_format).collect::<Vec<String>>()
        });
        let written = written.collect();
        LiteralValues { texts, numbers, days, written }
    }

    /// Returns the values that are tried for a column of a type, with those that its rows have by now.
    pub fn pool(&self, data_type: &Type, present: Vec<Value>) -> Vec<Value> {
        let mut seen = BTreeSet::new();
        // What is there and what is made take turns, as a search may look at the first ones only.
        let (mut present, mut made) = (present.into_iter(), self.made(data_type).into_iter());
        let pairs = std::iter::from_fn(|| match (made.next(), present.next()) {
            (None, None) => None,
            pair => Some([pair.0, pair.1]),
        });
        let mut pool: Vec<Value> = pairs.flatten().flatten().collect();
        pool.retain(|value| *value != Value::Null && value.fits(data_type) && seen.insert(format!("{value:?}")));
        pool.truncate(MOST_VALUES);
        pool
    }

    fn made(&self, data_type: &Type) -> Vec<Value> {
        let text = |text: String| Value::Text(text);
        match data_type {
            Type::Boolean => vec![Value::Integer(1), Value::Integer(0)],
            Type::Date => self.days.iter().cloned().map(text).collect(),
            Type::Timestamp => self.moments().map(text).collect(),
            Type::Int | Type::BigInt => self.integers().into_iter().map(Value::Integer).collect(),
            Type::Double | Type::Decimal(..) => {
                let parts = self.numbers.iter().flat_map(|number| [*number, number + 0.5, number - 0.5, number * 2.0]);
                let whole = self.integers().into_iter().filter(|number| number.unsigned_abs() < 100_000);
                let whole = whole.map(|number| number as f64).flat_map(|number| [number, number + 0.25]);
                parts.chain([0.0, 0.1, 0.5, 0.9]).chain(whole).map(Value::Real).collect()
            }
            Type::String => self.strings().into_iter().map(text).collect(),
            Type::Array(element) => self.lists(element).into_iter().map(text).collect(),
            Type::Map(key, value) if **key == Type::String && **value == Type::String => {
                self.maps().into_iter().map(text).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lists in JSON of the literals that may be elements: all of them, and each alone.
    fn lists(&self, element: &Type) -> Vec<String> {
        let elements: Vec<Json> = match element {
            Type::Struct(fields) => self.texts.iter().take(MOST_PAIRED).map(|text| structure(fields, text)).collect(),
            _ => self.texts.iter().map(|text| Json::from(text.as_str())).filter(|_| *element == Type::String).collect(),
        };
        let numbers = self.numbers.iter().filter(|_| element.is_integer()).map(|number| Json::from(*number as i64));
        let elements: Vec<Json> = elements.into_iter().chain(numbers).collect();
        let alone = elements.iter().map(|element| vec![element.clone()]);
        std::iter::once(elements.clone()).chain(alone).map(|list| Json::from(list).to_string()).collect()
    }

    /// Maps in JSON with one literal as key and another as value.
    fn maps(&self) -> Vec<String> {
        let paired = || self.texts.iter().take(MOST_PAIRED);
        let pairs = paired().flat_map(|key| paired().map(move |value| (key, value)));
        pairs.map(|(key, value)| serde_json::json!({ key.as_str(): value }).to_string()).collect()
    }

    fn moments(&self) -> impl Iterator<Item = String> + '_ {
        let near = self.days.iter().take(DISTANCES.len()).flat_map(|day| TIMES.map(|time| format!("{day} {time}")));
        near.chain(self.days.iter().skip(DISTANCES.len()).map(|day| format!("{day} 10:30:00")))
    }

    /// A small number to begin with, numbers near those that are named, other small ones, years, and days as numbers of eight
    /// digits or as seconds.
    fn integers(&self) -> Vec<i64> {
        let named = self.numbers.iter().map(|number| *number as i64);
        let of_texts = self.texts.iter().filter_map(|text| text.trim().parse::<i64>().ok());
        let near =
            named.chain(of_texts).flat_map(|number| [number, number.saturating_sub(1), number.saturating_add(1)]);
        let mut numbers: Vec<i64> = std::iter::once(1).chain(near).collect();
        let products = self.numbers.iter().flat_map(|number| [number * 2.0, number * 10.0, number / 2.0]);
        numbers.extend(products.map(|number| number as i64));
        numbers.extend(0..=64);
        numbers.extend([100, 128, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000]);
        numbers.extend(1_980..=2_035);
        for day in &self.days {
            numbers.extend(day.replace('-', "").parse::<i64>().ok());
        }
        let seconds = self.days.iter().filter_map(|day| calendar::seconds(day));
        numbers.extend(seconds.flat_map(|seconds| [seconds + DAY / 2, (seconds + DAY / 2) * 1_000]));
        numbers.into_iter().filter(|number| *number >= 0 || self.numbers.contains(&(*number as f64))).collect()
    }

    /// The texts that are named, alone, inside others and one behind the other, days in the usual forms, and what regular
    /// expressions match.
    fn strings(&self) -> Vec<String> {
        let mut strings = self.texts.clone();
        strings.extend(self.written.iter().cloned());
        strings.extend(self.days.iter().take(1).flat_map(|day| as_text(day)));
        // A text may be put together from several columns.
        let parts = self.texts.iter().take(MOST_PAIRED).filter(|text| text.chars().count() <= LONGEST_TAKEN_APART);
        strings.extend(parts.flat_map(|text| {
            let cuts = text.char_indices().map(|(at, _)| at).skip(1);
            cuts.flat_map(|at| [text[..at].to_owned(), text[at..].to_owned()]).collect::<Vec<_>>()
        }));
        strings.extend(self.texts.iter().map(|text| regexp_example(text)));
        let paired = || self.texts.iter().filter(|text| !text.is_empty()).take(MOST_PAIRED);
        let matched: Vec<String> = paired().map(|text| regexp_example(text)).collect();
        for (one, first) in paired().zip(&matched) {
            strings.extend([format!("ab{one}"), format!("{one}cd"), format!("ab{one}cd"), one.to_uppercase()]);
            strings.extend(paired().zip(&matched).flat_map(|(other, regexp)| {
                [
                    format!("{one}{other}"),
                    format!("{one}12345{other}"),
                    format!("{one},{other}"),
                    format!("{one}{regexp}"),
                    format!("{first}{regexp}"),
                ]
            }));
        }
        let separators = self.texts.iter().map(|text| text.trim_start_matches('\\')).filter(|text| is_separator(text));
        for (separator, one) in separators.flat_map(|separator| paired().map(move |one| (separator, one))) {
            let parts = [vec!["x", one], vec![one, "x"], vec!["x", "y", one], vec!["x", one, "y"], vec![one, "x", "y"]];
            strings.extend(parts.map(|parts| parts.join(separator)));
        }
        strings.extend(self.texts.iter().map(|text| text.chars().rev().collect()));
        strings.extend(self.integers().into_iter().take(80).map(|number| number.to_string()));
        strings.extend((0..32).map(|number| format!("{number:02}")));
        strings.extend(self.days.iter().flat_map(|day| as_text(day)));
        strings
    }
}

/// Returns a structure in JSON whose texts are all the same; its numbers are 1, and what is neither is NULL.
fn structure(fields: &[(String, Type)], text: &str) -> Json {
    let field = |(name, data_type): &(String, Type)| {
        let value = match data_type {
            Type::String => Json::from(text),
            data_type if data_type.is_numeric() => Json::from(1),
            _ => Json::Null,
        };
        (name.clone(), value)
    };
    Json::Object(fields.iter().map(field).collect())
}

/// Whether a text is such as stands between the parts of others.
fn is_separator(text: &str) -> bool {
    (1..=2).contains(&text.len()) && text.chars().all(|sign| sign.is_ascii_punctuation() || sign == ' ')
}

/// The usual forms in which texts hold a day, its month and its year.
fn as_text(day: &str) -> [String; 7] {
    let seconds = calendar::seconds(day).map(|seconds| seconds.to_string()).unwrap_or_default();
    let (month, year) = (day[..7].to_owned(), day[..4].to_owned());
    [day.to_owned(), format!("{day} 10:30:00"), day.replace('-', ""), month.replace('-', ""), month, year, seconds]
}

/// The days that literals name, those around them, and the year of the first.
fn days(texts: &[String], numbers: &[f64]) -> Vec<String> {
    let of_numbers = numbers.iter().map(|number| format!("{number}"));
    let named = texts.iter().cloned().chain(of_numbers).filter_map(|text| named_day(&text));
    let named: Vec<String> = named.chain([USUAL_DAY.to_owned()]).collect();
    let around = named.iter().flat_map(|day| DISTANCES.iter().filter_map(|distance| calendar::shift(day, *distance)));
    let year = named.first().and_then(|day| day.get(..4)).unwrap_or(&USUAL_DAY[..4]);
    let first = format!("{year}-01-01");
    let of_year = (0..366).filter_map(|number| calendar::shift(&first, number));
    let mut seen = BTreeSet::new();
    named.iter().cloned().chain(around).chain(of_year).filter(|day| seen.insert(day.clone())).collect()
}

/// The day that a literal names: `2024-03-15 10:00:00`, `20240315`, `2024-03`, `202403`, `2024`.
fn named_day(text: &str) -> Option<String> {
    let is_year = |year: &str| year.parse::<i32>().is_ok_and(|year| (1900..2200).contains(&year));
    let digits: String = text.chars().take(10).filter(|sign| *sign != '-' && *sign != '/').collect();
    if !digits.is_ascii() || !digits.chars().all(|sign| sign.is_ascii_digit()) || !is_year(digits.get(..4)?) {
        return None;
    }
    let day = match digits.len() {
        4 => format!("{digits}-01-01"),
        6 => format!("{}-{}-01", &digits[..4], &digits[4..]),
        8 => format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]),
        _ => return None,
    };
    calendar::shift(&day, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_too_large_for_its_neighbours() {
        let texts = ["9223372036854775807", "-9223372036854775808"].map(str::to_owned).to_vec();
        let literals = LiteralValues { texts, numbers: vec![1e300], days: Vec::new(), written: Vec::new() };
        assert!(literals.pool(&Type::BigInt, Vec::new()).contains(&Value::Integer(i64::MAX - 1)));
        assert!(literals.pool(&Type::Double, Vec::new()).contains(&Value::Real(1e300)));
    }

    #[test]
    fn literals_name_days_in_the_usual_forms() {
        for (text, day) in [
            ("2024-03-15 10:00:00", Some("2024-03-15")),
            ("20240315", Some("2024-03-15")),
            ("2024-03", Some("2024-03-01")),
            ("202403", Some("2024-03-01")),
            ("2024", Some("2024-01-01")),
            ("1234567", None),
            ("20241399", None),
            ("web", None),
        ] {
            assert_eq!(named_day(text).as_deref(), day, "{text}");
        }
    }
}
