//! Reports literals and types that Spark's parser reads and then refuses.

use super::RuleFinding;
use super::syntax_error::near;
use crate::code::literal::text_value;
use crate::code::schema::read_type;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

fn finding(script: &Script, node: NodeId, class: &'static str, words: impl Into<String>) -> RuleFinding {
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

fn precision(script: &Script, node: NodeId, digits: usize) -> RuleFinding {
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

const UNITS: [&str; 6] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];

/// Refuses intervals from a larger unit to one that cannot follow it, of months and of time at once, and of no number.
pub(super) fn interval(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let words: Vec<String> = script.token_range(node).map(|at| script.token_text(at).to_ascii_uppercase()).collect();
    if let Some(to) = words.iter().position(|word| word == "TO") {
        return from_to(script, node, [words[to - 1].as_str(), words.get(to + 1)?.as_str()]);
    }
    let values = tree.children(node);
    let is_months = |unit: &String| matches!(unit.trim_end_matches('S'), "YEAR" | "MONTH");
    let units: Vec<&String> = words.iter().skip(1).filter(|word| is_unit(word)).collect();
    if values.len() > 1 && units.iter().any(|unit| is_months(unit)) && !units.iter().all(|unit| is_months(unit)) {
        let words = "Cannot mix year-month and day-time fields.";
        return Some(finding(script, node, "_LEGACY_ERROR_TEMP_0029", words));
    }
    let [value] = *values else { return None };
    let text = script.slice(value);
    if let ([unit], Kind::Number) = (units.as_slice(), tree.kind(value))
        && text.contains('.')
        && !unit.starts_with("SECOND")
    {
        let words = format!("Error parsing '{text} {unit}' to interval: only seconds have fractions.");
        return Some(finding(script, node, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", words));
    }
    if tree.kind(value) != Kind::Text || text.contains(['$', '{']) {
        return None;
    }
    let value = text_value(text).trim().trim_start_matches(['+', '-']).to_ascii_uppercase();
    if let [unit] = units.as_slice() {
        let whole = !value.is_empty() && value.chars().all(|digit| digit.is_ascii_digit());
        let fraction = unit.starts_with("SECOND") && value.parse::<f64>().is_ok();
        if value.parse::<f64>().is_ok() && !whole && !fraction {
            let words = format!("Error parsing '{value}' to interval: only seconds have fractions.");
            return Some(finding(script, node, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", words));
        }
        let words = format!("Can only use numbers in the interval value part, got {text}.");
        return (!whole && !fraction).then(|| finding(script, node, "_LEGACY_ERROR_TEMP_0026", words));
    }
    let read = value.split_whitespace().filter(|word| *word != "INTERVAL").collect::<Vec<_>>();
    let pairs = !read.is_empty() && read.len().is_multiple_of(2);
    let counted = |pair: &[&str]| {
        let number =
            if pair[1].starts_with("SECOND") { pair[0].parse::<f64>().is_ok() } else { pair[0].parse::<i64>().is_ok() };
        number && is_unit(pair[1])
    };
    let fits = pairs && read.chunks(2).all(counted);
    let words = format!("The value of the typed literal \"INTERVAL\" is invalid: {text}.");
    (units.is_empty() && !fits).then(|| finding(script, node, "INVALID_TYPED_LITERAL", words))
}

fn is_unit(word: &str) -> bool {
    let one = word.trim_end_matches('S');
    UNITS.contains(&one) || matches!(one, "WEEK" | "MILLISECOND" | "MICROSECOND" | "NANOSECOND")
}

fn from_to(script: &Script, node: NodeId, [from, to]: [&str; 2]) -> Option<RuleFinding> {
    let place = |unit: &str| UNITS.iter().position(|known| *known == unit.trim_end_matches('S'));
    let (Some(first), Some(last)) = (place(from), place(to)) else { return None };
    if last <= first || (first < 2) != (last < 2) {
        let words = format!("The interval string does not match from {from} to {to}.");
        let class = "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION";
        return Some(finding(script, node, class, words));
    }
    let value = *script.tree().children(node).first()?;
    let text = text_value(script.slice(value));
    let separators: &[char] = if last < 2 { &['-'] } else { &[' ', ':'] };
    let parts: Vec<&str> = text.trim().trim_start_matches(['+', '-']).split(separators).collect();
    let most = [f64::INFINITY, 11.0, f64::INFINITY, 23.0, 59.0, 59.999_999_999];
    let fits = |(at, part): (usize, &&str)| {
        let value = part.parse::<f64>().ok();
        value.is_some_and(|value| at == 0 || value <= most[first + at])
    };
    // A text of other parts has classes of its own.
    if script.tree().kind(value) != Kind::Text || parts.len() != last - first + 1 || text.contains(['$', '{']) {
        return None;
    }
    let words = format!("Error parsing '{text}' to interval.");
    let class = if last < 2 { "INVALID_INTERVAL_FORMAT.INTERVAL_PARSING" } else { "_LEGACY_ERROR_TEMP_0063" };
    (!parts.iter().enumerate().all(fits)).then(|| finding(script, node, class, words))
}

/// Refuses types of other databases, types that need a length, and decimals of too many digits.
pub(super) fn type_name(script: &Script, node: NodeId) -> Option<RuleFinding> {
    const KNOWN: [&str; 26] = [
        "boolean", "tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long", "float", "real",
        "double", "date", "timestamp", "timestamp_ntz", "timestamp_ltz", "string", "binary", "decimal", "dec",
        "numeric", "interval", "void", "variant", "time", "geometry",
    ];
    let text = script.slice(node).to_lowercase();
    let base: &str = text.split(['(', '<', ' ', '\n']).next().unwrap_or_default();
    let arguments = text[base.len()..].trim_start().strip_prefix('(').map(|rest| rest.trim_end_matches(')'));
    if matches!(base, "varchar" | "char" | "character") {
        return (!text.contains('(')).then(|| {
            let words = format!("DataType \"{}\" requires a length parameter.", base.to_uppercase());
            finding(script, node, "DATATYPE_MISSING_SIZE", words)
        });
    }
    if matches!(base, "decimal" | "dec" | "numeric") {
        return digits(script, node, arguments?);
    }
    if matches!(base, "array" | "map" | "struct") {
        return nested(script, node);
    }
    if text.starts_with("double ") {
        return Some(near(script, *script.token_range(node).end()));
    }
    let known = KNOWN.contains(&base) || base == "geography";
    let sized = arguments.is_some() && KNOWN.contains(&base) && !matches!(base, "time" | "geometry");
    (!known || sized).then(|| {
        let words = format!("Unsupported data type \"{}\".", script.slice(node).to_uppercase());
        finding(script, node, "UNSUPPORTED_DATATYPE", words)
    })
}

/// Refuses nested types without parts, with too few of them, or with parts that do not exist.
fn nested(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let text = script.slice(node);
    let class = match text.to_ascii_uppercase().as_str() {
        "ARRAY" => "INCOMPLETE_TYPE_DEFINITION.ARRAY",
        "MAP" => "INCOMPLETE_TYPE_DEFINITION.MAP",
        "STRUCT" => "INCOMPLETE_TYPE_DEFINITION.STRUCT",
        _ => {
            let wrong = read_type(text).err()?;
            let part = wrong.of(text);
            if part.starts_with(|first: char| first.is_alphabetic()) {
                let words = format!("Unsupported data type \"{}\".", part.to_uppercase());
                let other = matches!(part.to_lowercase().as_str(), "variant" | "time" | "geometry" | "geography");
                return (!other).then(|| finding(script, node, "UNSUPPORTED_DATATYPE", words));
            }
            let at = script.token_at(script.tree().span(node).start + wrong.start);
            return Some(near(script, at));
        }
    };
    Some(finding(script, node, class, format!("Incomplete complex type: \"{text}\".")))
}

fn digits(script: &Script, node: NodeId, arguments: &str) -> Option<RuleFinding> {
    if let Some(sign) = script.token_range(node).find(|at| script.token_text(*at) == "-") {
        return Some(near(script, sign));
    }
    let mut numbers = arguments.split(',').map(|part| part.trim().parse::<usize>().ok());
    let (digits, scale) = (numbers.next()??, numbers.next().flatten().unwrap_or(0));
    if digits > 38 {
        return Some(precision(script, node, digits));
    }
    let words = format!("Decimal scale {scale} cannot be greater than precision {digits}.");
    (scale > digits).then(|| finding(script, node, "DECIMAL_SCALE_EXCEEDS_PRECISION", words))
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
