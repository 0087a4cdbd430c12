//! LIKE and regular expressions. Java's syntax is read by the `regex` crate, which knows no look-around and no
//! back-references: an expression with one gives NULL.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;
use rusqlite::types::Value;

use super::arguments::Arguments;
use super::{Body, MAX_RESULT, boolean, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_like", |a| like(a, false)),
    ("h_ilike", |a| like(a, true)),
    ("h_rlike", rlike),
    ("h_regexp_like", rlike),
    ("h_regexp_extract", regexp_extract),
    ("h_regexp_replace", regexp_replace),
];

thread_local! {
    /// A script uses the same few expressions for every row.
    static COMPILED: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// Runs `use_it` with the compiled form of `expression`; `None` when it cannot be compiled.
pub(super) fn with<T>(expression: &str, use_it: impl FnOnce(&Regex) -> T) -> Option<T> {
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() > 256 {
            compiled.clear();
        }
        if !compiled.contains_key(expression) {
            let built = regex::RegexBuilder::new(expression).size_limit(1 << 20).build().ok();
            compiled.insert(expression.to_owned(), built);
        }
        compiled.get(expression)?.as_ref().map(use_it)
    })
}

fn rlike(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    boolean(with(&a.text(1)?, |expression| expression.is_match(&source))?)
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
    boolean(matches(&pattern, &source))
}

enum Step {
    One(char),
    AnyOne,
    AnyMany,
}

fn steps(pattern: &str, escape: Option<char>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut chars = pattern.chars();
    while let Some(next) = chars.next() {
        steps.push(match next {
            c if Some(c) == escape => Step::One(chars.next().unwrap_or(c)),
            '%' => Step::AnyMany,
            '_' => Step::AnyOne,
            c => Step::One(c),
        });
    }
    steps
}

/// Greedy matching with one remembered `%`: linear in the text for each `%`.
fn matches(pattern: &[Step], source: &[char]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while seen < source.len() {
        match pattern.get(at) {
            Some(Step::AnyMany) => {
                retry = Some((at, seen));
                at += 1;
            }
            Some(Step::AnyOne) => {
                at += 1;
                seen += 1;
            }
            Some(Step::One(c)) if *c == source[seen] => {
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
    pattern[at..].iter().all(|step| matches!(step, Step::AnyMany))
}

/// The group (1 by default) of the first match; empty text when nothing matches.
fn regexp_extract(a: &Arguments<'_>) -> Option<Value> {
    let (source, group) = (a.text(0)?, if a.len() > 2 { a.integer(2)? } else { 1 });
    let group = usize::try_from(group).ok()?;
    let found = with(&a.text(1)?, |expression| {
        let captures = expression.captures(&source)?;
        Some(captures.get(group).map(|m| m.as_str().to_owned()).unwrap_or_default())
    })?;
    text(found.unwrap_or_default())
}

/// `$1` in the replacement names a group, as in Java.
fn regexp_replace(a: &Arguments<'_>) -> Option<Value> {
    let (source, replacement) = (a.text(0)?, braced_groups(&a.text(2)?));
    let replaced = with(&a.text(1)?, |expression| {
        let places = expression.find_iter(&source).count();
        if places.saturating_mul(replacement.len()) > MAX_RESULT {
            return " ".repeat(MAX_RESULT + 1);
        }
        expression.replace_all(&source, replacement.as_str()).into_owned()
    })?;
    text(replaced)
}

/// Java's `$1abc` is group 1 and then `abc`; the regex crate wants `${1}abc`.
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
