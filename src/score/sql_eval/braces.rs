//! Expands gold queries with alternatives in braces.
//!
//! SQL-Eval writes `SELECT {id, name}, total FROM t GROUP BY {}`: any non-empty choice of the columns in braces is
//! right, and `{}` stands for the chosen list. SQL-Eval's own code cuts at every `;` and `,`. We read the notation as
//! it is meant: strings, comments and parentheses are not cut, a choice is an item between top-level commas, each group
//! is expanded, `{}` repeats the choice of the group before it without aliases, and braces inside strings are text.

use crate::code::script::Script;
use crate::code::token::TokenKind;

/// The most queries that one gold entry is expanded to; further choices are dropped.
pub const MOST: usize = 4096;

/// Returns the queries that a gold entry stands for: it may hold several queries separated by `;`, each with choices in
/// braces.
pub fn alternatives(gold: &str) -> Vec<String> {
    statements(gold).iter().flat_map(|statement| expanded(statement)).take(MOST).collect()
}

/// A piece of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
enum QueryPiece {
    Text(String),
    Choice(Vec<String>),
    Again,
}

/// Splits at semicolons outside strings, comments and placeholders.
fn statements(gold: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for (text, is_mark) in marks(gold) {
        if is_mark && text == ";" {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push_str(&text);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Splits a text into pieces and says of each whether it is a mark: `{`, `}`, `,`, `;`, `(` or `)` outside strings and
/// comments.
fn marks(text: &str) -> Vec<(String, bool)> {
    let script = Script::new(text);
    let mut pieces = Vec::new();
    for token in script.all_tokens() {
        let slice = token.span().of(text);
        let whole = matches!(
            token.kind,
            TokenKind::Text
                | TokenKind::QuotedName
                | TokenKind::LineComment
                | TokenKind::BlockComment
                | TokenKind::Hint
        );
        if whole {
            pieces.push((slice.to_owned(), false));
            continue;
        }
        for letter in slice.chars() {
            pieces.push((letter.to_string(), matches!(letter, '{' | '}' | ',' | ';' | '(' | ')')));
        }
    }
    pieces
}

fn pieces(statement: &str) -> Vec<QueryPiece> {
    let (mut found, mut plain) = (Vec::new(), String::new());
    let (mut options, mut depth): (Option<Vec<String>>, usize) = (None, 0);
    for (text, is_mark) in marks(statement) {
        match (&mut options, text.as_str()) {
            (None, "{") if is_mark => {
                found.push(QueryPiece::Text(std::mem::take(&mut plain)));
                options = Some(vec![String::new()]);
            }
            (None, _) => plain.push_str(&text),
            (Some(list), "}") if is_mark && depth == 0 => {
                let list: Vec<String> =
                    list.iter().map(|option| option.trim().to_owned()).filter(|option| !option.is_empty()).collect();
                found.push(if list.is_empty() { QueryPiece::Again } else { QueryPiece::Choice(list) });
                options = None;
            }
            (Some(list), ",") if is_mark && depth == 0 => list.push(String::new()),
            (Some(list), _) => {
                match text.as_str() {
                    "(" | "{" if is_mark => depth += 1,
                    ")" | "}" if is_mark => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if let Some(last) = list.last_mut() {
                    last.push_str(&text);
                }
            }
        }
    }
    plain.push_str(&options.unwrap_or_default().join(","));
    found.push(QueryPiece::Text(plain));
    found
}

fn expanded(statement: &str) -> Vec<String> {
    // Each query so far, with the choice that the next `{}` repeats.
    let mut queries: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    for piece in pieces(statement) {
        queries = match piece {
            QueryPiece::Text(text) => queries.into_iter().map(|(query, last)| (query + &text, last)).collect(),
            QueryPiece::Again => {
                let again = |(query, last): (String, Vec<String>)| {
                    let list: Vec<&str> = last.iter().map(|option| without_alias(option)).collect();
                    (query + &list.join(", "), last)
                };
                queries.into_iter().map(again).collect()
            }
            QueryPiece::Choice(options) => {
                let choices = choices(&options);
                let each = |(query, _): &(String, Vec<String>)| {
                    choices
                        .iter()
                        .map(|choice| (format!("{query}{}", choice.join(", ")), choice.clone()))
                        .collect::<Vec<_>>()
                };
                queries.iter().flat_map(each).take(MOST).collect()
            }
        };
    }
    queries.into_iter().map(|(query, _)| query).collect()
}

/// Returns the non-empty choices of some options, each in written order. The choice of all options comes first, because
/// it is asked for most. Options after the twelfth are part of every choice.
fn choices(options: &[String]) -> Vec<Vec<String>> {
    let count = options.len().min(12);
    let all = (1u32 << count) - 1;
    let chosen = |set: u32| -> Vec<String> {
        let kept = options.iter().enumerate().filter(|(place, _)| *place >= count || set & (1 << place) != 0);
        kept.map(|(_, option)| option.clone()).collect()
    };
    (1..=all).rev().map(chosen).collect()
}

/// `a.x AS y` → `a.x`.
fn without_alias(option: &str) -> &str {
    let lower = option.to_ascii_lowercase();
    lower.rfind(" as ").map_or(option, |place| option[..place].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_expanded_as_they_are_meant() {
        let cases: [(&str, &[&str]); 9] = [
            ("SELECT a FROM t", &["SELECT a FROM t"]),
            (
                "SELECT {uid, name}, likes FROM users",
                &[
                    "SELECT uid, name, likes FROM users", "SELECT name, likes FROM users",
                    "SELECT uid, likes FROM users",
                ],
            ),
            ("SELECT {a AS x}, n FROM t GROUP BY {}", &["SELECT a AS x, n FROM t GROUP BY a"]),
            ("SELECT {COALESCE(a, b)} FROM t", &["SELECT COALESCE(a, b) FROM t"]),
            (
                "SELECT concat_ws(';', a) FROM t; SELECT a FROM t",
                &["SELECT concat_ws(';', a) FROM t", "SELECT a FROM t"],
            ),
            ("SELECT '{x, y}' FROM t", &["SELECT '{x, y}' FROM t"]),
            ("SELECT a FROM t WHERE s RLIKE '[0-9]{4}'", &["SELECT a FROM t WHERE s RLIKE '[0-9]{4}'"]),
            ("SELECT {'a,b'} FROM {t}", &["SELECT 'a,b' FROM t"]),
            ("SELECT {a} FROM t WHERE {b}", &["SELECT a FROM t WHERE b"]),
        ];
        for (gold, expected) in cases {
            assert_eq!(alternatives(gold), expected, "{gold}");
        }
    }

    #[test]
    fn many_options_stay_within_the_bound() {
        let list: Vec<String> = (0..30).map(|n| format!("c{n}")).collect();
        let found = alternatives(&format!("SELECT {{{}}} FROM t", list.join(", ")));
        assert!(found.len() <= MOST);
        assert!(found[0].contains("c0, c1") && found[0].contains("c29"));
    }
}
