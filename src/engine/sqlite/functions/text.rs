//! Functions of text.

use rusqlite::types::{Value, ValueRef};

use super::arguments::{Arguments, CallError, text_of};
use super::body::{Body, boolean, integer, real, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_substr", substr),
    ("h_substring", substr),
    ("h_left", |a| text(a.text(0)?.chars().take(usize::try_from(a.integer(1)?).unwrap_or(0)).collect::<String>())),
    ("h_right", right),
    ("h_length", |a| integer(a.text(0)?.chars().count() as i64)),
    ("h_char_length", |a| integer(a.text(0)?.chars().count() as i64)),
    ("h_lower", |a| text(a.text(0)?.to_lowercase())),
    ("h_upper", |a| text(a.text(0)?.to_uppercase())),
    ("h_trim", |a| trim(a, true, true)),
    ("h_btrim", |a| trim(a, true, true)),
    ("h_ltrim", |a| trim(a, true, false)),
    ("h_rtrim", |a| trim(a, false, true)),
    ("h_reverse", |a| text(a.text(0)?.chars().rev().collect::<String>())),
    ("h_initcap", initcap),
    ("h_ascii", |a| integer(a.text(0)?.chars().next().map_or(0, |c| i64::from(u32::from(c))))),
    ("h_chr", chr),
    ("h_octet_length", |a| integer(a.text(0)?.len() as i64)),
    ("h_bit_length", |a| integer(a.text(0)?.len() as i64 * 8)),
    ("h_overlay", overlay),
    ("h_elt", |a| text(a.text(usize::try_from(a.integer(0)?).ok().filter(|at| *at > 0)?)?)),
    ("h_translate", translate),
    ("h_split_part", split_part),
    ("h_substring_index", substring_index),
    ("h_concat_ws", concat_ws),
    ("h_tuple", tuple),
    ("h_mask", mask),
    ("h_jaro_winkler_similarity", |a| {
        let (left, right) = (a.text(0)?, a.text(1)?);
        a.affords(left.len().saturating_mul(right.len()))?;
        real(similarity(&left, &right))
    }),
    ("h_luhn_check", |a| boolean(has_check_digit(&a.text(0)?))),
    ("h_quote", |a| text(format!("'{}'", a.text(0)?.replace('\'', "\\'")))),
    ("h_is_valid_utf8", |a| a.text(0).and_then(|_| boolean(true))),
    ("h_utf8", |a| text(a.text(0)?)),
];

/// Functions whose result can be far larger than their arguments. Each checks the size before it builds the result.
pub(super) const GROWING: &[(&str, Body)] = &[
    ("h_concat", concat),
    ("h_replace", replace),
    ("h_repeat", |a| repeat(a, &a.text(0)?, a.integer(1)?)),
    ("h_space", |a| repeat(a, " ", a.integer(0)?)),
    ("h_lpad", |a| pad(a, true)),
    ("h_rpad", |a| pad(a, false)),
];

/// Positions count from 1; 0 means 1; negative ones count from the end and may start before it.
fn substr(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let start = a.integer(1)?;
    let length = if a.len() > 2 { a.integer(2)? } else { i64::MAX };
    let size = source.chars().count() as i64;
    let first = if start > 0 {
        start - 1
    } else if start < 0 {
        size + start
    } else {
        0
    };
    let end = first.saturating_add(length.max(0)).min(size);
    let first = first.max(0);
    if first >= end {
        return text("");
    }
    text(source.chars().skip(first as usize).take((end - first) as usize).collect::<String>())
}

fn right(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let keep = usize::try_from(a.integer(1)?).unwrap_or(0);
    let skip = source.chars().count().saturating_sub(keep);
    text(source.chars().skip(skip).collect::<String>())
}

/// Removes blanks only (not tabs), or the characters of a second argument.
fn trim(a: &Arguments<'_>, start: bool, end: bool) -> Option<Value> {
    let source = a.text(0)?;
    let set = if a.len() > 1 { a.text(1)?.into_owned() } else { " ".to_owned() };
    a.affords(source.len().saturating_mul(set.len()))?;
    let mut rest: &str = &source;
    if start {
        rest = rest.trim_start_matches(|c| set.contains(c));
    }
    if end {
        rest = rest.trim_end_matches(|c| set.contains(c));
    }
    text(rest)
}

fn initcap(a: &Arguments<'_>) -> Option<Value> {
    let mut at_start = true;
    let mut result = String::new();
    for c in a.text(0)?.chars() {
        if at_start {
            result.extend(c.to_uppercase());
        } else {
            result.extend(c.to_lowercase());
        }
        at_start = c == ' ';
    }
    text(result)
}

/// Negative codes give no text; others count modulo 256.
fn chr(a: &Arguments<'_>) -> Option<Value> {
    let code = a.integer(0)?;
    text(if code < 0 { String::new() } else { char::from((code & 0xff) as u8).to_string() })
}

/// Replaces `length` characters from a position on, by default as many as the new text has.
fn overlay(a: &Arguments<'_>) -> Option<Value> {
    let (source, inserted) = (a.text(0)?, a.text(1)?);
    let start = usize::try_from(a.integer(2)?.checked_sub(1)?).ok()?;
    let length = if a.len() > 3 { a.integer(3)? } else { -1 };
    let length = usize::try_from(length).unwrap_or_else(|_| inserted.chars().count());
    let head = source.chars().take(start);
    text(head.chain(inserted.chars()).chain(source.chars().skip(start.saturating_add(length))).collect::<String>())
}

fn translate(a: &Arguments<'_>) -> Option<Value> {
    let (source, from, to) = (a.text(0)?, a.text(1)?, a.text(2)?);
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    a.affords(source.len().saturating_mul(from.len()))?;
    let mapped = source.chars().filter_map(|c| match from.iter().position(|candidate| *candidate == c) {
        Some(at) => to.get(at).copied(),
        None => Some(c),
    });
    text(mapped.collect::<String>())
}

fn split_part(a: &Arguments<'_>) -> Option<Value> {
    let (source, separator, part) = (a.text(0)?, a.text(1)?, a.integer(2)?);
    let parts: Vec<&str> = if separator.is_empty() { vec![&source] } else { source.split(&*separator).collect() };
    if part == 0 {
        return a.refuse(CallError::Argument);
    }
    let at = if part > 0 { part - 1 } else { parts.len() as i64 + part };
    text(usize::try_from(at).ok().and_then(|at| parts.get(at)).copied().unwrap_or_default())
}

fn substring_index(a: &Arguments<'_>) -> Option<Value> {
    let (source, separator, count) = (a.text(0)?, a.text(1)?, a.integer(2)?);
    if separator.is_empty() || count == 0 {
        return text("");
    }
    let parts: Vec<&str> = source.split(&*separator).collect();
    let wanted = count.unsigned_abs() as usize;
    let kept = if count > 0 { &parts[..wanted.min(parts.len())] } else { &parts[parts.len().saturating_sub(wanted)..] };
    text(kept.join(&*separator))
}

/// NULLs are left out; arrays come marked and give their elements.
fn concat_ws(a: &Arguments<'_>) -> Option<Value> {
    let separator = a.text(0)?.into_owned();
    let mut parts: Vec<String> = Vec::new();
    for at in 1..a.len() {
        if let ValueRef::Blob(_) = a.raw(at) {
            let items = a.array(at).unwrap_or_default();
            parts.extend(items.iter().filter(|item| !item.is_null()).map(|item| super::json::plain(item).into_owned()));
        } else {
            parts.extend(a.text(at).map(|part| part.into_owned()));
        }
    }
    join(a, &parts, &separator)
}

pub(super) fn join(a: &Arguments<'_>, parts: &[String], separator: &str) -> Option<Value> {
    let separators = separator.len().saturating_mul(parts.len().saturating_sub(1));
    a.fits(parts.iter().map(String::len).fold(separators, usize::saturating_add))?;
    text(parts.join(separator))
}

/// Gives a key of several values, which is NULL if one of them is, as COUNT(DISTINCT a, b) requires.
fn tuple(a: &Arguments<'_>) -> Option<Value> {
    if (0..a.len()).any(|at| a.is_null(at)) {
        return None;
    }
    let parts: Vec<_> = (0..a.len()).map(|at| a.element(at)).collect();
    text(serde_json::Value::Array(parts).to_string())
}

fn concat(a: &Arguments<'_>) -> Option<Value> {
    let mut whole = String::new();
    for at in 0..a.len() {
        let part = text_of(a.raw(at))?;
        a.fits(whole.len() + part.len())?;
        whole.push_str(&part);
    }
    text(whole)
}

fn replace(a: &Arguments<'_>) -> Option<Value> {
    let (source, from) = (a.text(0)?, a.text(1)?);
    let to = if a.len() > 2 { a.text(2)? } else { "".into() };
    if from.is_empty() {
        return text(source);
    }
    a.fits(source.matches(&*from).count().saturating_mul(to.len()).saturating_add(source.len()))?;
    text(source.replace(&*from, &to))
}

fn repeat(a: &Arguments<'_>, source: &str, times: i64) -> Option<Value> {
    let times = usize::try_from(times).unwrap_or(0);
    a.fits(source.len().saturating_mul(times))?;
    text(source.repeat(times))
}

fn pad(a: &Arguments<'_>, left: bool) -> Option<Value> {
    let source: Vec<char> = a.text(0)?.chars().collect();
    let width = usize::try_from(a.integer(1)?).unwrap_or(0);
    let filler: Vec<char> = if a.len() > 2 { a.text(2)?.chars().collect() } else { vec![' '] };
    a.fits(width)?;
    let missing = if filler.is_empty() { 0 } else { width.saturating_sub(source.len()) };
    let fill = filler.iter().cycle().take(missing).copied();
    let kept = source.iter().copied().take(width);
    text(if left { fill.chain(kept).collect::<String>() } else { kept.chain(fill).collect() })
}

/// Replaces upper-case letters, lower-case letters, digits and, if the last argument says so, everything else. A NULL
/// argument leaves characters of that kind unchanged.
fn mask(a: &Arguments<'_>) -> Option<Value> {
    let instead = |at: usize, usual: Option<char>| {
        if at < a.len() { a.text(at).and_then(|text| text.chars().next()) } else { usual }
    };
    let (upper, lower, digit, other) =
        (instead(1, Some('X')), instead(2, Some('x')), instead(3, Some('n')), instead(4, None));
    let masked = |c: char| {
        let replacement = match c {
            _ if c.is_uppercase() => upper,
            _ if c.is_lowercase() => lower,
            _ if c.is_numeric() => digit,
            _ => other,
        };
        replacement.unwrap_or(c)
    };
    text(a.text(0)?.chars().map(masked).collect::<String>())
}

/// Whether a number passes Luhn's check, in which every second digit from the right is doubled.
fn has_check_digit(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().rev().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| !digits.is_empty()) else { return false };
    let worth = |(at, digit): (usize, &u32)| match at % 2 {
        0 => *digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    digits.iter().enumerate().map(worth).sum::<u32>().is_multiple_of(10)
}

/// Returns the Jaro-Winkler similarity. If Jaro's is above 0.7, a common beginning of up to four characters raises it.
fn similarity(left: &str, right: &str) -> f64 {
    let jaro = strsim::jaro(left, right);
    let common = left.chars().zip(right.chars()).take(4).take_while(|(left, right)| left == right).count();
    if jaro > 0.7 { jaro + 0.1 * common as f64 * (1.0 - jaro) } else { jaro }
}
