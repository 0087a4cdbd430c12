//! Reports literals that Spark's parser reads and then refuses.

use super::rule_finding::RuleFinding;
use crate::code::literal::text_value;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

pub(super) fn finding(script: &Script, node: NodeId, class: &'static str, words: impl Into<String>) -> RuleFinding {
    RuleFinding::new(class, "42000", script.tree().span(node), words)
}

/// Refuses numbers beyond the range of their type.
pub(super) fn number(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let upper = script.slice(node).to_ascii_uppercase();
    let digits = upper.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    // The sign belongs to the number: -128Y is in range.
    let parent = script.tree().parent(node).filter(|parent| script.tree().kind(*parent) == Kind::Unary);
    let negative = parent.is_some_and(|parent| script.slice(parent).starts_with('-'));
    let beyond = |most: i128| digits.parse::<i128>().is_ok_and(|value| value > most + i128::from(negative));
    let out_of_range = match upper.as_bytes().last()? {
        _ if upper.ends_with("BD") => false,
        b'Y' => beyond(i8::MAX.into()),
        b'S' => beyond(i16::MAX.into()),
        b'L' => beyond(i64::MAX.into()) || digits.parse::<i128>().is_err(),
        b'F' => digits.parse::<f32>().is_ok_and(f32::is_infinite),
        b'D' => digits.parse::<f64>().is_ok_and(f64::is_infinite),
        _ => false,
    };
    if out_of_range {
        let words = format!("Numeric literal {upper} is outside the valid range of its type.");
        return Some(finding(script, node, "INVALID_NUMERIC_LITERAL_RANGE", words));
    }
    let decimal = upper.ends_with("BD") || !upper.contains('E') && upper.ends_with(|last: char| last.is_ascii_digit());
    let written = digits.trim_start_matches('0').chars().filter(char::is_ascii_digit).count();
    (decimal && written > 38 && !upper.contains('E')).then(|| precision(script, node, written))
}

pub(super) fn precision(script: &Script, node: NodeId, digits: usize) -> RuleFinding {
    let words = format!("Decimal precision {digits} exceeds max precision 38.");
    finding(script, node, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", words)
}

/// Refuses `N'…'` and other literals that do not exist, and dates and moments that are none.
pub(super) fn typed(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let word = script.token_text(*script.token_range(node).start()).to_ascii_uppercase();
    let text = script.slice(*script.tree().children(node).first()?);
    let value = text_value(text);
    let fits = match word.as_str() {
        "DATE" => is_date(&value),
        "TIMESTAMP" | "TIMESTAMP_NTZ" | "TIMESTAMP_LTZ" => is_timestamp(&value),
        "X" => value.chars().all(|digit| digit.is_ascii_hexdigit()),
        "TIME" => return None,
        _ => {
            let words = format!("Literals of the type \"{word}\" are not supported.");
            return Some(finding(script, node, "UNSUPPORTED_TYPED_LITERAL", words));
        }
    };
    let words = format!("The value of the typed literal \"{word}\" is invalid: {text}.");
    (!fits && !text.contains(['$', '{'])).then(|| finding(script, node, "INVALID_TYPED_LITERAL", words))
}

const NAMED_DAYS: [&str; 5] = ["epoch", "now", "today", "tomorrow", "yesterday"];

fn is_named_day(text: &str) -> bool {
    NAMED_DAYS.iter().any(|day| text.trim().to_lowercase().starts_with(day))
}

/// Whether Spark reads a text as a date: a year, a month and a day, the last two of which may be left out; what follows
/// a blank or a T is not looked at.
fn is_date(text: &str) -> bool {
    is_named_day(text) || is_day(text.trim().split([' ', 'T']).next().unwrap_or_default())
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.trim_start_matches(['+', '-']).split('-').collect();
    let digits = |part: &&str, least: usize, most: usize| {
        (least..=most).contains(&part.len()) && part.chars().all(|digit| digit.is_ascii_digit())
    };
    let (year, rest) = (&parts[0], &parts[1..]);
    if !digits(year, 4, 7) || rest.len() > 2 || !rest.iter().all(|part| digits(part, 1, 2)) {
        return false;
    }
    let value = |at: usize| rest.get(at).map_or(Some(1), |part| part.parse::<u32>().ok());
    let date = (year.parse().ok()).zip(value(0)).zip(value(1));
    date.is_some_and(|((year, month), day)| chrono::NaiveDate::from_ymd_opt(year, month, day).is_some())
}

/// Whether Spark reads a text as a moment: a day and a time of day, one of which may be left out, with or without a
/// zone, which is not looked at.
fn is_timestamp(text: &str) -> bool {
    let text = text.trim();
    if is_named_day(text) {
        return true;
    }
    let (day, time) = text.split_once([' ', 'T']).map_or((text, None), |(day, time)| (day, Some(time)));
    match time {
        Some(time) => (day.is_empty() || is_day(day)) && is_time(time),
        None => is_day(day) || day.contains(':') && is_time(day),
    }
}

fn is_time(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let parts: Vec<Option<u32>> = text[..end].split(':').map(|part| part.parse().ok()).collect();
    let most = [23, 59, 59];
    parts.len() <= 3 && parts.iter().zip(most).all(|(part, most)| part.is_some_and(|part| part <= most))
}

#[cfg(test)]
mod tests {
    use super::{is_date, is_timestamp};

    #[test]
    fn dates_and_moments_are_those_of_spark() {
        for text in ["2024-02-29", "2024-2-9", "2024", "2024-02", " 2024-01-01 ", "2024-02-29T10:00", "today"] {
            assert!(is_date(text), "{text}");
        }
        for text in ["2024-02-30", "2023-02-29", "20240101", "", "noon", "2024/01/01"] {
            assert!(!is_date(text), "{text}");
        }
        for text in ["2024-01-01", "2024-01-01 10:00", "2024-01-01T10:00:00.5Z", "10:00", "now"] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in ["2024-01-01 25:00:00", "noon", "2024-01-32"] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
