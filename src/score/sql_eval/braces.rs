//! Expands gold queries with alternatives in braces.
//!
//! SQL-Eval writes `SELECT {id, name}, total FROM t GROUP BY {}`: any non-empty choice of the columns in braces is
//! right, and `{}` stands for the chosen list. SQL-Eval's own code cuts at every `;` and `,`. We read the notation as
//! it is meant: strings, comments and parentheses are not cut, a choice is an item between top-level commas, each group
//! is expanded, `{}` repeats the choice of the group before it without aliases, and braces inside strings are text.

use crate::code::script::Script;
use crate::code::token::TokenKind;

/// The most queries that one gold entry is expanded to; further choices are dropped.
pub const MOST_QUERIES: usize = 4096;
/// The most options of a group of which each may be left out; further ones are part of every choice.
const MOST_OPTIONS: usize = 12;

/// Returns the queries that a gold entry stands for: it may hold several queries separated by `;`, each with choices in
/// braces.
pub fn alternatives(gold: &str) -> Vec<String> {
    statements(gold).iter().flat_map(|statement| expanded(statement)).take(MOST_QUERIES).collect()
}

/// A piece of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
enum QueryPiece {
    Text(String),
    /// The options in braces.
    Choice(Vec<String>),
    /// `{}`: the choice before it again.
    Again,
}

/// A piece of a gold entry that is not cut further.
struct GoldToken {
    text: String,
    /// Whether it is `{`, `}`, `,`, `;`, `(` or `)` outside strings and comments.
    is_mark: bool,
}

/// A query up to some piece.
struct QueryStart {
    text: String,
    /// The choice that the next `{}` repeats.
    last_choice: Vec<String>,
}

/// Splits at semicolons outside strings, comments and placeholders.
fn statements(gold: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for GoldToken { text, is_mark } in tokens(gold) {
        if is_mark && text == ";" {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push_str(&text);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Splits a text into strings and comments, which stay whole, and single letters.
fn tokens(text: &str) -> Vec<GoldToken> {
    let script = Script::new(text);
    let mut tokens = Vec::new();
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
            tokens.push(GoldToken { text: slice.to_owned(), is_mark: false });
            continue;
        }
        for letter in slice.chars() {
            let is_mark = matches!(letter, '{' | '}' | ',' | ';' | '(' | ')');
            tokens.push(GoldToken { text: letter.to_string(), is_mark });
        }
    }
    tokens
}

fn pieces(statement: &str) -> Vec<QueryPiece> {
    let (mut found, mut plain) = (Vec::new(), String::new());
    let (mut options, mut depth): (Option<Vec<String>>, usize) = (None, 0);
    for GoldToken { text, is_mark } in tokens(statement) {
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
    let mut queries = vec![QueryStart { text: String::new(), last_choice: Vec::new() }];
    for piece in pieces(statement) {
        match piece {
            QueryPiece::Text(text) => queries.iter_mut().for_each(|query| query.text.push_str(&text)),
            QueryPiece::Again => {
                for QueryStart { text, last_choice } in &mut queries {
                    let list: Vec<&str> = last_choice.iter().map(|option| without_alias(option)).collect();
                    text.push_str(&list.join(", "));
                }
            }
            QueryPiece::Choice(options) => {
                let choices = choices(&options);
                let with_choice = |query: &QueryStart, choice: &Vec<String>| QueryStart {
                    text: format!("{}{}", query.text, choice.join(", ")),
                    last_choice: choice.clone(),
                };
                let expanded =
                    queries.iter().flat_map(|query| choices.iter().map(move |choice| with_choice(query, choice)));
                queries = expanded.take(MOST_QUERIES).collect();
            }
        }
    }
    queries.into_iter().map(|query| query.text).collect()
}

/// Returns the non-empty choices of some options, each in written order. The choice of all options comes first, because
/// it is asked for most.
fn choices(options: &[String]) -> Vec<Vec<String>> {
    let count = options.len().min(MOST_OPTIONS);
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
        assert!(found.len() <= MOST_QUERIES);
        assert!(found[0].contains("c0, c1") && found[0].contains("c29"));
    }
}
