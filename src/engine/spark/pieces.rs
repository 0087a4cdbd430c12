//! Splits a script into the statements that Spark takes one by one.

use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};

/// Returns the statements of a text without their semicolons. Settings (`SET x=y`) and commands for the shell (`!echo x`)
/// do not affect the result and are left out.
pub fn statements(text: &str) -> Vec<Span> {
    let tokens = tokenize(text);
    let is_end = |token: &Token| token.kind == TokenKind::Symbol && token.span().of(text) == ";";
    tokens.split(is_end).filter_map(|tokens| statement(text, tokens)).collect()
}

fn statement(text: &str, tokens: &[Token]) -> Option<Span> {
    let mut meaning = tokens.iter().filter(|token| !token.kind.is_trivia());
    let first = meaning.next()?;
    let last = meaning.next_back().unwrap_or(first);
    let word = first.span().of(text).split_whitespace().next().unwrap_or("");
    let is_idle = first.kind == TokenKind::Command && (word.eq_ignore_ascii_case("set") || word.starts_with('!'));
    (!is_idle).then(|| Span::new(first.span().start, last.span().end))
}

/// Returns the byte offset of a place that Spark gives as a line (from 1) and a position (from 0, in characters).
pub fn offset(text: &str, line: usize, position: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start..];
    start + rest.char_indices().nth(position).map_or(rest.len(), |(at, _)| at)
}

/// Returns the byte offset of the character with this index.
pub fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_at_semicolons_outside_strings_and_comments() {
        let cases: [(&str, &[&str]); 6] = [
            ("!echo x; select 1", &["select 1"]),
            ("select 1; select ';' -- x;\n, 2;", &["select 1", "select ';' -- x;\n, 2"]),
            ("set a=b; /* ; */ select 1", &["select 1"]),
            (";;", &[]),
            ("add jar x; select 1", &["add jar x", "select 1"]),
            ("select 'a; select 1", &["select 'a; select 1"]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = statements(text).into_iter().map(|span| span.of(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn places_count_characters() {
        assert_eq!(offset("ab\ncé d", 2, 2), 6);
        assert_eq!(offset("ab\ncd", 2, 9), 5);
        assert_eq!(offset("ab", 7, 0), 2);
        assert_eq!(byte_of("éa", 1), 2);
    }
}
