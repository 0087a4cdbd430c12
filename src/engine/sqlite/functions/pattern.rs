//! LIKE and regular expressions. Java's syntax is translated to that of the `regex` crate, which supports neither
//! look-around nor back-references, so expressions with these are refused.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;
use rusqlite::types::Value;

use super::arguments::{Arguments, CallError};
use super::body::{Body, boolean, integer, text};
use super::json::nested;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_like", |a| like(a, false)),
    ("h_ilike", |a| like(a, true)),
    ("h_rlike", rlike),
    ("h_regexp_extract", regexp_extract),
    ("h_regexp_extract_all", regexp_extract_all),
    ("h_regexp_count", |a| {
        let source = a.text(0)?;
        integer(with(a, &a.text(1)?, |expression| expression.find_iter(&source).count())? as i64)
    }),
    ("h_regexp_instr", |a| {
        let source = a.text(0)?;
        let found = with(a, &a.text(1)?, |expression| expression.find(&source).map(|found| found.start()))?;
        integer(found.map_or(0, |start| source[..start].chars().count() as i64 + 1))
    }),
    ("h_regexp_substr", |a| {
        let source = a.text(0)?;
        text(with(a, &a.text(1)?, |expression| expression.find(&source).map(|found| found.as_str().to_owned()))??)
    }),
    ("h_regexp_replace", regexp_replace),
];

/// The longest expression, in bytes. A longer one would hardly fit into [`LARGEST`], and finding that out takes long.
const LONGEST: usize = 64 << 10;
/// The size limit of the compiled form, in bytes.
const LARGEST: usize = 1 << 20;

thread_local! {
    /// Compiled expressions: a script uses the same few for every row.
    static COMPILED: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// Runs `use_it` with the compiled form of `expression`; refuses the call if it cannot be compiled.
pub(super) fn with<T>(a: &Arguments<'_>, expression: &str, use_it: impl FnOnce(&Regex) -> T) -> Option<T> {
    if expression.len() > LONGEST {
        return a.refuse(CallError::Pattern);
    }
    let answer = COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() > 256 {
            compiled.clear();
        }
        if !compiled.contains_key(expression) {
            let built = regex::RegexBuilder::new(&from_java(expression)).size_limit(LARGEST).build().ok();
            compiled.insert(expression.to_owned(), built);
        }
        compiled.get(expression)?.as_ref().map(use_it)
    });
    answer.or_else(|| a.refuse(CallError::Pattern))
}

/// Translates Java's classes: `\d`, `\w`, `\s` and POSIX classes mean ASCII in Java but Unicode in the regex crate.
fn from_java(expression: &str) -> String {
    const CLASSES: [(&str, &str); 18] = [
        (r"\\", r"\\"),
        (r"\d", "[0-9]"),
        (r"\D", "[^0-9]"),
        (r"\w", "[A-Za-z0-9_]"),
        (r"\W", "[^A-Za-z0-9_]"),
        (r"\s", r"[ \t\n\x0B\f\r]"),
        (r"\S", r"[^ \t\n\x0B\f\r]"),
        (r"\h", r"[ \t\u00A0]"),
        (r"\Z", r"\n?\z"),
        (r"\p{Alpha}", "[A-Za-z]"),
        (r"\p{Digit}", "[0-9]"),
        (r"\p{Alnum}", "[A-Za-z0-9]"),
        (r"\p{Upper}", "[A-Z]"),
        (r"\p{Lower}", "[a-z]"),
        (r"\p{Punct}", "[!-/:-@\\[-`{-~]"),
        (r"\p{Space}", r"[ \t\n\x0B\f\r]"),
        (r"\p{ASCII}", r"[\x00-\x7F]"),
        (r"\p{IsHan}", r"\p{Han}"),
    ];
    let mut result = String::with_capacity(expression.len());
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let class = CLASSES.iter().find(|(java, _)| rest.starts_with(java));
        let (taken, written) =
            class.map_or((first.len_utf8(), &rest[..first.len_utf8()]), |(java, rust)| (java.len(), *rust));
        result.push_str(written);
        rest = &rest[taken..];
    }
    result
}

fn rlike(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    boolean(with(a, &a.text(1)?, |expression| expression.is_match(&source))?)
}

fn like(a: &Arguments<'_>, any_case: bool) -> Option<Value> {
    let (mut source, mut wanted) = (a.text(0)?.into_owned(), a.text(1)?.into_owned());
    let escape = if a.len() > 2 { a.text(2)?.chars().next() } else { Some('\\') };
    if any_case {
        source = source.to_lowercase();
        wanted = wanted.to_lowercase();
    }
    let pattern = steps(&wanted, escape);
    let source: Vec<char> = source.chars().collect();
    if pattern.iter().any(|step| matches!(step, PatternStep::AnyMany)) {
        a.affords(pattern.len().saturating_mul(source.len()))?;
    }
    boolean(matches(&pattern, &source))
}

enum PatternStep {
    One(char),
    AnyOne,
    AnyMany,
}

fn steps(pattern: &str, escape: Option<char>) -> Vec<PatternStep> {
    let mut steps = Vec::new();
    let mut chars = pattern.chars();
    while let Some(next) = chars.next() {
        steps.push(match next {
            c if Some(c) == escape => PatternStep::One(chars.next().unwrap_or(c)),
            '%' => PatternStep::AnyMany,
            '_' => PatternStep::AnyOne,
            c => PatternStep::One(c),
        });
    }
    steps
}

/// Matches with backtracking to the last `%` only, which takes linear time in the text for each `%`.
fn matches(pattern: &[PatternStep], source: &[char]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while seen < source.len() {
        match pattern.get(at) {
            Some(PatternStep::AnyMany) => {
                retry = Some((at, seen));
                at += 1;
            }
            Some(PatternStep::AnyOne) => {
                at += 1;
                seen += 1;
            }
            Some(PatternStep::One(c)) if *c == source[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                at = star + 1;
                seen = from + 1;
            }
        }
    }
    pattern[at..].iter().all(|step| matches!(step, PatternStep::AnyMany))
}

/// Gives the group (1 by default) of the first match; empty text if nothing matches.
fn regexp_extract(a: &Arguments<'_>) -> Option<Value> {
    let (source, group) = (a.text(0)?, if a.len() > 2 { a.integer(2)? } else { 1 });
    let group = usize::try_from(group).ok()?;
    let found = with(a, &a.text(1)?, |expression| {
        let captures = expression.captures(&source)?;
        Some(captures.get(group).map(|m| m.as_str().to_owned()).unwrap_or_default())
    })?;
    text(found.unwrap_or_default())
}

fn regexp_extract_all(a: &Arguments<'_>) -> Option<Value> {
    let (source, group) = (a.text(0)?, if a.len() > 2 { a.integer(2)? } else { 1 });
    let group = usize::try_from(group).ok()?;
    let found = with(a, &a.text(1)?, |expression| {
        let part =
            |captures: regex::Captures<'_>| captures.get(group).map(|m| m.as_str().to_owned()).unwrap_or_default();
        expression.captures_iter(&source).map(part).map(serde_json::Value::from).collect::<Vec<_>>()
    })?;
    nested(serde_json::Value::Array(found))
}

/// `$1` in the replacement names a group, as in Java. The optional fourth argument is the position at which the search
/// begins.
fn regexp_replace(a: &Arguments<'_>) -> Option<Value> {
    let (whole, replacement) = (a.text(0)?, braced_groups(&a.text(2)?));
    let skipped = if a.len() > 3 { usize::try_from(a.integer(3)?.checked_sub(1)?).ok()? } else { 0 };
    let start = whole.char_indices().nth(skipped).map_or(whole.len(), |(start, _)| start);
    let (kept, source) = whole.split_at(if skipped == 0 { 0 } else { start });
    let groups = replacement.matches("${").count();
    let replaced = with(a, &a.text(1)?, |expression| {
        let (mut result, mut end, mut expanded) = (kept.to_owned(), 0, 0usize);
        for captures in expression.captures_iter(source) {
            let Some(found) = captures.get(0) else { continue };
            // A group is no longer than the whole match.
            let most = found.len().saturating_mul(groups).saturating_add(replacement.len());
            // Groups that match nothing are looked up all the same.
            expanded = expanded.saturating_add(replacement.len());
            a.fits(result.len().saturating_add(found.start() - end).saturating_add(most).max(expanded))?;
            result.push_str(&source[end..found.start()]);
            captures.expand(&replacement, &mut result);
            end = found.end();
        }
        result.push_str(&source[end..]);
        Some(result)
    })?;
    text(replaced?)
}

/// Rewrites group references: Java's `$1abc`, group 1 and then `abc`, is `${1}abc` in the regex crate.
fn braced_groups(replacement: &str) -> String {
    let mut result = String::new();
    let mut chars = replacement.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            match chars.next() {
                Some('$') => result.push_str("$$"),
                other => result.extend(other),
            }
        } else if c == '$' && chars.peek().is_some_and(char::is_ascii_digit) {
            result.push_str("${");
            result.extend(chars.next());
            result.push('}');
        } else {
            result.push(c);
        }
    }
    result
}
