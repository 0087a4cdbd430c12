//! Values without inner structure: a number, a day or a text for which all predicates hold, or as many as can be.

use super::calendar;
use super::constraint::{PathStep, Predicate, Requirement};
use super::context::{UsualValues, ValueContext};
use super::pattern;
use super::satisfies::satisfies;
use super::usual::{is_unasked, usual_values};
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::table::Value;

/// Returns the text form of a value.
pub fn plain(value: &Value) -> String {
    value.plain_text().into_owned()
}

/// Makes a value without inner structure.
pub(super) fn scalar(data_type: &Type, requirements: &[Requirement<'_>], context: &ValueContext<'_>) -> Value {
    let asked = if is_unasked(context) { &[] } else { requirements };
    // What a length should be says nothing of a value that is no text.
    let asked = asked.iter().filter(|requirement| !requirement.steps.ends_with(&[PathStep::Length]));
    let predicates: Vec<&Predicate> = asked.filter_map(|requirement| requirement.predicate).collect();
    let dated = requirements
        .iter()
        .any(|requirement| matches!(requirement.steps.first(), Some(PathStep::Date | PathStep::Format(_))));
    let candidates = candidates(data_type, &predicates, dated, context);
    let meets_all = |value: &&Value| predicates.iter().all(|predicate| satisfies(predicate, value));
    let meeting: Vec<&Value> = candidates.iter().filter(meets_all).collect();
    // Where values are ordered, the default is preferred: it lies at its level.
    let levelled = meeting.last().filter(|last| context.level.is_some() && candidates.last() == Some(**last)).copied();
    let own = value_of_row(&predicates, context).filter(|value| meets_all(&value));
    let chosen = own
        .as_ref()
        .or(levelled)
        .or_else(|| meeting.get((context.group + context.row) % meeting.len().max(1)).copied());
    let value = chosen.or_else(|| closest(&candidates, &predicates, context)).cloned().unwrap_or(Value::Null);
    let as_written =
        requirements.iter().any(|requirement| requirement.steps.is_empty() && requirement.predicate.is_some());
    if dated && !as_written && *data_type == Type::String {
        return with_time(value, context);
    }
    fit(data_type, value, context)
}

/// Returns the value beyond a bound that is a row's own, where the values of a column are to differ; `None` where they
/// need not, or if there is no bound.
fn value_of_row(predicates: &[&Predicate], context: &ValueContext<'_>) -> Option<Value> {
    use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    /// More rows than one group has of a scan.
    const MOST_ROWS: usize = 16;
    let distance = i64::try_from(1 + context.group * MOST_ROWS + context.row).ok().filter(|_| context.distinct)?;
    predicates.iter().find_map(|predicate| {
        let beyond = match predicate {
            Predicate::Compare(Greater | GreaterOrEqual, bound) => neighbour(bound, distance),
            Predicate::Compare(Less | LessOrEqual, bound) => neighbour(bound, -distance),
            _ => None,
        };
        // Texts of digits do not sort as numbers do.
        beyond.filter(|value| satisfies(predicate, value))
    })
}

/// Adds a time to a date that is read by `to_date` alone, if the column's name says that it holds moments.
fn with_time(value: Value, context: &ValueContext<'_>) -> Value {
    match value {
        Value::Text(day) if day.len() == 10 && super::defaults::names_moment(context.name) => {
            Value::Text(format!("{day} {:02}:30:00", 8 + (context.group + context.row) % 12))
        }
        other => other,
    }
}

/// Returns a candidate that satisfies as many predicates as any. Rows take turns, so that predicates that
/// exclude each other are all met.
fn closest<'a>(candidates: &'a [Value], predicates: &[&Predicate], context: &ValueContext<'_>) -> Option<&'a Value> {
    let met = |value: &Value| predicates.iter().filter(|predicate| satisfies(predicate, value)).count();
    let most = candidates.iter().map(met).max()?;
    let best: Vec<&Value> = candidates.iter().filter(|value| met(value) == most).collect();
    best.get((context.row + context.group) % best.len()).copied()
}

/// Returns values worth trying: those near each constant of the predicates, then usual ones and the default.
fn candidates(data_type: &Type, predicates: &[&Predicate], dated: bool, context: &ValueContext<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    for predicate in predicates {
        match predicate {
            Predicate::Compare(operator, value) => {
                if !matches!(operator, BinaryOperator::NotEqual | BinaryOperator::Less | BinaryOperator::Greater) {
                    values.push(value.clone());
                }
                values.extend([-1, 1].iter().filter_map(|step| neighbour(value, *step)));
                if let (Value::Text(text), None, false) = (value, neighbour(value, 1), is_equality(*operator)) {
                    values.extend(texts_beside(text).map(Value::Text));
                }
            }
            Predicate::OneOf(list) => values.extend(list.iter().cloned()),
            Predicate::Between(low, high) => {
                values.extend([high.clone(), low.clone()]);
                values.extend(neighbour(low, 1));
            }
            Predicate::Like(pattern) => values.push(Value::Text(pattern::like_example(pattern, context.row))),
            Predicate::Matches(pattern) => values.push(Value::Text(pattern::regexp_example(pattern))),
            Predicate::Truth(truth) if data_type.is_numeric() || *data_type == Type::Boolean => {
                values.push(Value::Integer(i64::from(*truth)));
            }
            Predicate::Truth(truth) => values.push(Value::Text(truth.to_string())),
            Predicate::NoneOf(_) | Predicate::NotNull | Predicate::Null => {}
        }
    }
    let patterns: Vec<&str> = predicates
        .iter()
        .filter_map(|predicate| match predicate {
            Predicate::Like(pattern) => Some(pattern.as_str()),
            _ => None,
        })
        .collect();
    if patterns.len() > 1 {
        values.push(Value::Text(pattern::example_of_all(&patterns, context.row)));
    }
    // A text that differs from a number is one as well.
    let is_number = |value: &Value| *data_type == Type::String && value.as_number().is_some();
    let is_free = |predicate: &&Predicate| match predicate {
        Predicate::Compare(BinaryOperator::NotEqual, value) => !is_number(value),
        _ => false,
    };
    let only_free = values.is_empty() || predicates.iter().all(is_free);
    if only_free {
        values.clear();
    }
    let usual = context.usual.filter(|_| !dated && context.level.is_none());
    values.extend(usual.into_iter().flat_map(|usual| usual_values(usual.values, data_type, context)));
    if values.is_empty() || !only_free || usual.is_none() {
        values.push(match context.usual {
            Some(UsualValues { values: ColumnValues::Times(form), .. }) if *data_type == Type::String => {
                Value::Text(super::defaults::time(*form, context))
            }
            _ => super::defaults::value(data_type, dated, context),
        });
    }
    values
}

/// Returns the value one step away: a number by one, a date by one day.
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

fn is_equality(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual)
}

/// Returns a text that sorts before one that is neither a date nor a number, and one that sorts behind it: with the last
/// number in it one lower and one higher, else with the last letter before its own, or without its end, and a longer one.
fn texts_beside(text: &str) -> impl Iterator<Item = String> {
    let end = text.rfind(|sign: char| sign.is_ascii_digit()).map_or(0, |last| last + 1);
    let start = text[..end]
        .rfind(|sign: char| !sign.is_ascii_digit())
        .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
    let width = end - start;
    let number = text[start..end].parse::<u64>().ok();
    let written = |number: u64| {
        let digits = format!("{number:0width$}");
        (digits.len() == width).then(|| format!("{}{digits}{}", &text[..start], &text[end..]))
    };
    let lower = number.and_then(|number| number.checked_sub(1)).and_then(written);
    let higher = number.and_then(|number| number.checked_add(1)).and_then(written);
    let before = text.char_indices().next_back().map(|(at, last)| match last {
        'B'..='Z' | 'b'..='z' => format!("{}{}", &text[..at], char::from(last as u8 - 1)),
        _ => text[..at].to_owned(),
    });
    [lower.or(before), higher.or_else(|| Some(format!("{text}1")))].into_iter().flatten()
}

/// Brings a value into the form of its column: a date column takes the date of a timestamp, and so on.
fn fit(data_type: &Type, value: Value, context: &ValueContext<'_>) -> Value {
    if let Value::Real(number) = value
        && matches!(data_type, Type::Double | Type::Decimal(..))
    {
        return Value::Real(data_type.at_scale(number));
    }
    if matches!(
        (data_type, &value),
        (_, Value::Null) | (Type::Int | Type::BigInt, Value::Integer(_)) | (Type::String, Value::Text(_))
    ) {
        return value;
    }
    let text = plain(&value);
    match data_type {
        Type::Date => calendar::shift(&text, 0).map_or(value, Value::Text),
        Type::Timestamp if text.len() == 10 => {
            Value::Text(format!("{text} {:02}:30:00", 8 + (context.group + context.row) % 12))
        }
        Type::Int | Type::BigInt => {
            text.parse::<f64>().map_or(Value::Integer(1), |number| Value::Integer(number as i64))
        }
        Type::Double | Type::Decimal(..) => Value::Real(data_type.at_scale(text.parse().unwrap_or(1.0))),
        Type::Boolean => Value::Integer(i64::from(matches!(text.as_str(), "1" | "true"))),
        Type::String => Value::Text(text),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::texts_beside;

    #[test]
    fn texts_beside_one_are_like_it() {
        let beside = |text: &str| texts_beside(text).collect::<Vec<_>>();
        assert_eq!(beside("\"1200\""), ["\"1199\"", "\"1201\""]);
        assert_eq!(beside("CMI"), ["CMH", "CMI1"]);
        assert_eq!(beside("v9"), ["v8", "v91"], "v10 sorts before v9");
        assert_eq!(beside("A-00"), ["A-0", "A-01"]);
        assert_eq!(beside(""), ["1"]);
    }

    proptest! {
        #[test]
        fn one_text_sorts_before_and_one_behind(text in "[0-9a-zé\" -]{1,12}") {
            let beside: Vec<String> = texts_beside(&text).collect();
            prop_assert!(beside[0] < text && text < beside[1], "{beside:?}");
        }
    }
}
