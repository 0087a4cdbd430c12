//! Functions that find text in text and measure the similarity of texts.

use rusqlite::types::Value;

use super::arguments::Arguments;
use super::body::{Body, boolean, integer, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_instr", |a| locate(&a.text(1)?, &a.text(0)?, 1)),
    ("h_locate", locate_from),
    ("h_position", locate_from),
    ("h_contains", |a| boolean(a.text(0)?.contains(&*a.text(1)?))),
    ("h_startswith", |a| boolean(a.text(0)?.starts_with(&*a.text(1)?))),
    ("h_endswith", |a| boolean(a.text(0)?.ends_with(&*a.text(1)?))),
    ("h_find_in_set", find_in_set),
    ("h_levenshtein", levenshtein),
    ("h_soundex", soundex),
    ("h_trim", |a| text(trimmed(a, true, true)?)),
    ("h_ltrim", |a| text(trimmed(a, true, false)?)),
    ("h_rtrim", |a| text(trimmed(a, false, true)?)),
];

/// Returns the first text without the characters of the second, or blanks, at its start, its end, or both.
fn trimmed(a: &Arguments<'_>, at_start: bool, at_end: bool) -> Option<String> {
    let source = a.text(0)?;
    let set = if a.len() > 1 { a.text(1)? } else { " ".into() };
    a.affords(source.len().saturating_mul(set.len()))?;
    let mut kept = &*source;
    if at_start {
        kept = kept.trim_start_matches(|character| set.contains(character));
    }
    if at_end {
        kept = kept.trim_end_matches(|character| set.contains(character));
    }
    Some(kept.to_owned())
}

/// A NULL position gives 0 whatever the texts are.
fn locate_from(a: &Arguments<'_>) -> Option<Value> {
    if a.len() > 2 && a.is_null(2) {
        return integer(0);
    }
    locate(&a.text(0)?, &a.text(1)?, if a.len() > 2 { a.integer(2)? } else { 1 })
}

fn locate(needle: &str, source: &str, from: i64) -> Option<Value> {
    if from < 1 {
        return integer(0);
    }
    if needle.is_empty() {
        return integer(1);
    }
    let skipped = from as usize - 1;
    let Some((start, _)) = source.char_indices().chain([(source.len(), ' ')]).nth(skipped) else { return integer(0) };
    let found = source[start..].find(needle);
    integer(found.map_or(0, |at| (source[..start + at].chars().count() + 1) as i64))
}

fn find_in_set(a: &Arguments<'_>) -> Option<Value> {
    let (item, list) = (a.text(0)?, a.text(1)?);
    let found = list.split(',').position(|candidate| candidate == item);
    integer(found.map_or(0, |at| at as i64 + 1))
}

/// Gives -1 if the distance exceeds the optional third argument.
fn levenshtein(a: &Arguments<'_>) -> Option<Value> {
    let (left, right) = (a.text(0)?, a.text(1)?);
    a.affords(left.len().saturating_mul(right.len()))?;
    let distance = strsim::levenshtein(&left, &right) as i64;
    let most = if a.len() > 2 { a.integer(2)? } else { i64::MAX };
    integer(if distance > most { -1 } else { distance })
}

fn soundex(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let Some(first) = source.chars().next().filter(char::is_ascii_alphabetic) else { return text(source) };
    let code = |c: char| match c.to_ascii_lowercase() {
        'b' | 'f' | 'p' | 'v' => '1',
        'c' | 'g' | 'j' | 'k' | 'q' | 's' | 'x' | 'z' => '2',
        'd' | 't' => '3',
        'l' => '4',
        'm' | 'n' => '5',
        'r' => '6',
        'h' | 'w' => '-',
        _ => '0',
    };
    let mut result = first.to_ascii_uppercase().to_string();
    let mut last = code(first);
    for next in source.chars().skip(1).map(code).filter(|code| *code != '-') {
        if next != '0' && next != last && result.len() < 4 {
            result.push(next);
        }
        last = next;
    }
    text(format!("{result:0<4}"))
}
