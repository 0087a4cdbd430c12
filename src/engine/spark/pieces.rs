//! Splits a script into the statements that Spark takes one by one.

use crate::code::Words;
use crate::code::span::Span;
use crate::code::token::TokenKind;

/// Returns the statements of a text without their semicolons. Settings (`SET x=y`) and commands for the shell (`!echo x`)
/// do not affect the result and are left out.
pub fn statements(text: &str) -> Vec<Span> {
    let words = Words::of(text);
    let is_idle = |first: usize| {
        let word = words.at(first).split_whitespace().next().unwrap_or("");
        words.kind(first) == Some(TokenKind::Command) && (word.eq_ignore_ascii_case("set") || word.starts_with('!'))
    };
    let statements = words.statements().filter(|statement| !is_idle(statement.start));
    statements.map(|statement| words.cover(statement)).collect()
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
