//! What the place of a placeholder tells of its value.

use std::sync::LazyLock;

use regex::Regex;

use super::super::usual_placeholders::{BEFORE_TABLES, follows_word};
use super::day::{COMPACT_DAY, COMPACT_MONTH, DAY, MONTH};
use crate::code::constant_pattern;
use crate::code::placeholder::touches_name;
use crate::code::span::Span;

/// Whether a letter, digit, `_`, `.` or back quote touches a placeholder, or a word stands before it that names a table.
pub(super) fn is_part_of_name(text: &str, span: Span) -> bool {
    touches_name(text, span) || follows_word(&text[..span.start], &["FROM", "JOIN", "INTO", "TABLE", "USE"])
}

/// Whether a placeholder stands where a table is named, and is its whole name.
pub(super) fn is_table(text: &str, span: Span) -> bool {
    follows_word(&text[..span.start], &BEFORE_TABLES) && !touches_name(text, span)
}

/// Functions that read a day or moment in the format of their second argument.
const READ_DAYS: [&str; 3] = ["UNIX_TIMESTAMP", "TO_DATE", "TO_TIMESTAMP"];

/// Returns the proposed day in the format in which a script reads the text that a placeholder is, as in
/// `to_date('${day}', 'yyyyMMdd')`; `None` if it does not say any.
pub(super) fn in_format(text: &str, span: Span) -> Option<String> {
    static FORMAT: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r#"^\s*['"]\s*,\s*['"]([yMdHmsS :/.T-]+)['"]"#));
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"'])?.trim_end();
    let is_read = before.strip_suffix('(').is_some_and(|call| follows_word(call, &READ_DAYS));
    let format = FORMAT.captures(&text[span.end..])?.get(1).filter(|_| is_read)?.as_str();
    let (year, month, day) = (&DAY[..4], &DAY[5..7], &DAY[8..]);
    let parts =
        [("yyyy", year), ("yy", &year[2..]), ("MM", month), ("dd", day), ("HH", "10"), ("mm", "00"), ("ss", "00")];
    let written = parts.iter().fold(format.to_owned(), |written, (part, value)| written.replace(part, value));
    (!written.contains(|c: char| c.is_alphabetic() && c != 'T')).then_some(written)
}

/// Functions of days, of which the first argument is one.
const OF_DAYS: [&str; 8] =
    ["TO_DATE", "DATE", "DATE_ADD", "DATE_SUB", "ADD_MONTHS", "DATEDIFF", "LAST_DAY", "TIMESTAMP"];

/// Whether a placeholder is a text that a function of days takes, or stands before a time of day.
pub(super) fn is_day(text: &str, span: Span) -> bool {
    static TIME: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"^[ T]\d\d:\d\d"));
    static SECOND_DAY: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"(?i)\b(?:datediff|months_between)\s*\([^()]*(?:\([^()]*\)[^()]*)*,\s*$"#));
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"']);
    let is_taken = |before: &str| {
        let before = before.trim_end();
        before.strip_suffix('(').is_some_and(|call| follows_word(call, &OF_DAYS)) || SECOND_DAY.is_match(before)
    };
    before.is_some_and(is_taken) || TIME.is_match(&text[span.end..])
}

/// Whether a placeholder is a text that is read as a moment, in the format that is the usual one.
pub(super) fn is_moment(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"']);
    let after: String = text[span.end..].chars().filter(|c| !c.is_whitespace()).take(2).collect();
    let is_alone = matches!(after.as_str(), "')" | "\")");
    let call = before.and_then(|before| before.trim_end().strip_suffix('('));
    is_alone && call.is_some_and(|call| follows_word(call, &["UNIX_TIMESTAMP"]))
}

/// Whether a placeholder is calculated with, or compared by size, and no quotes stand around it.
pub(super) fn is_number(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end();
    let behind = text[span.end..].trim_start();
    let compares = before.ends_with('<') || before.ends_with('>') && !before.ends_with("<>");
    let is_operand = before.ends_with(['*', '/', '+', '%']) || before.ends_with('-') && !before.ends_with("--");
    let follows = behind.starts_with(['*', '/', '+', '%']) || behind.starts_with('-') && !behind.starts_with("--");
    compares || before.ends_with(">=") || before.ends_with("<=") || is_operand || follows
}

/// Whether a placeholder is a text to which the script adds the first day, as in `concat('${month}', '-01')`.
pub(super) fn is_month(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end().strip_suffix(['\'', '"']);
    let call = before.and_then(|before| before.trim_end().strip_suffix('('));
    let after: String = text[span.end..].chars().take(12).filter(|c| !c.is_whitespace()).collect();
    let adds_day = ["','-01'", "\",\"-01\""].iter().any(|day| after.starts_with(day));
    adds_day && call.is_some_and(|call| follows_word(call, &["CONCAT"]))
}

/// Whether a placeholder is compared with the day of a month: a column `day` stands before it, and the script compares a
/// column `month` as well.
pub(super) fn is_day_of_month(text: &str, span: Span) -> bool {
    static DAY: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r#"(?i)\bday\s*[<>=]=?\s*['"]?$"#));
    static MONTH: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"(?i)\bmonth\s*[<>=]"));
    DAY.is_match(&text[..span.start]) && MONTH.is_match(text)
}

/// Returns the beginning of the proposed day with which a script compares as many characters, as in
/// `substr(day, 1, 6) = '${month}'`; `None` for other places.
pub(super) fn as_beginning_of_day(text: &str, span: Span) -> Option<&'static str> {
    static SLICE: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"(?i)\bsubstr(?:ing)?\s*\([^()]*,\s*1\s*,\s*(\d+)\s*\)\s*=\s*['"]$"#));
    let found = SLICE.captures(&text[..span.start])?;
    Some(match &found[1] {
        "4" => &DAY[..4],
        "6" => COMPACT_MONTH,
        "7" => MONTH,
        "8" => COMPACT_DAY,
        "10" => DAY,
        _ => return None,
    })
}

/// Whether a placeholder is an argument of a function of percentiles.
pub(super) fn is_share(text: &str, span: Span) -> bool {
    let mut depth = 0_usize;
    let opens = |(_, sign): &(usize, char)| match sign {
        ')' => {
            depth += 1;
            false
        }
        '(' if depth == 0 => true,
        '(' => {
            depth -= 1;
            false
        }
        _ => false,
    };
    let bracket = text[..span.start].char_indices().rev().find(opens).map_or(0, |(at, _)| at);
    follows_word(&text[..bracket], &["PERCENTILE", "PERCENTILE_APPROX", "APPROX_PERCENTILE", "PERCENTILE_CONT"])
}

/// Whether a placeholder is the list behind IN, brackets included.
pub(super) fn is_list(text: &str, span: Span) -> bool {
    follows_word(&text[..span.start], &["IN"])
}

/// Whether a placeholder is a whole condition.
pub(super) fn is_condition(text: &str, span: Span) -> bool {
    const BEHIND: [&str; 9] = ["AND", "OR", "GROUP", "ORDER", "HAVING", "LIMIT", "THEN", "UNION", "LEFT"];
    let after = text[span.end..].trim_start();
    let word: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let ends = word.is_empty() && (after.is_empty() || after.starts_with([')', ';']));
    let before = text[..span.start].trim_end();
    // It may stand in brackets of its own.
    let before = before.strip_suffix('(').filter(|_| after.starts_with(')')).unwrap_or(before);
    follows_word(before, &["WHERE", "AND", "OR", "ON", "HAVING", "WHEN", "NOT"])
        && (ends || BEHIND.iter().any(|behind| behind.eq_ignore_ascii_case(&word)))
}

/// Whether a placeholder is compared as the least of a range.
pub(super) fn is_least(text: &str, span: Span) -> bool {
    let before = text[..span.start].trim_end_matches(['\'', '"']).trim_end();
    before.ends_with('>') && !before.ends_with("<>") || before.ends_with(">=") || follows_word(before, &["BETWEEN"])
}
