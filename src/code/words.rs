//! The words of a text that need not parse: its tokens without blanks and comments, by position.

use std::ops::Range;

use super::span::Span;
use super::token::{Token, TokenKind, tokenize};

/// A text with its significant tokens. Past the last one every word is empty.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Words<'a> {
    /// Cuts a text into words.
    pub fn of(text: &'a str) -> Words<'a> {
        Words { text, tokens: tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect() }
    }

    /// The number of words.
    pub fn count(&self) -> usize {
        self.tokens.len()
    }

    /// A word as written.
    pub fn at(&self, at: usize) -> &'a str {
        self.span(at).of(self.text)
    }

    /// The word before a position; empty before the first.
    pub fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |before| self.at(before))
    }

    /// Whether a word is this one, whatever its case.
    pub fn is(&self, at: usize, word: &str) -> bool {
        self.at(at).eq_ignore_ascii_case(word)
    }

    /// Whether these words, divided by blanks, begin at a position.
    pub fn are(&self, at: usize, words: &str) -> bool {
        words.split(' ').enumerate().all(|(offset, word)| self.is(at + offset, word))
    }

    /// The kind of a word; `None` past the last one.
    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The bytes of a word; the end of the text past the last one.
    pub fn span(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(Span::empty(self.text.len()), |token| token.span())
    }

    /// The bytes from the first to the last of some words, of which there is at least one.
    pub fn cover(&self, words: Range<usize>) -> Span {
        self.span(words.start).cover(self.span(words.end.saturating_sub(1)))
    }

    /// The position of the parenthesis that closes the one at `open`; `None` if none does.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.count()).find(|at| {
            depth += match self.at(*at) {
                "(" => 1,
                ")" => -1,
                _ => 0,
            };
            depth == 0
        })
    }

    /// The positions of each item of the list in the parentheses that open at `open`, without its comma; `None` if none do,
    /// or they do not close. An item without words is empty.
    pub fn items(&self, open: usize) -> Option<Vec<Range<usize>>> {
        let close = self.closing(open).filter(|_| self.at(open) == "(")?;
        let mut items = Vec::new();
        let (mut first, mut next) = (open + 1, open + 1);
        while next < close {
            match self.at(next) {
                "(" => next = self.closing(next)?,
                "," => {
                    items.push(first..next);
                    first = next + 1;
                }
                _ => {}
            }
            next += 1;
        }
        items.push(first..close);
        Some(items)
    }

    /// The positions of each statement, without its semicolon.
    pub fn statements(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let ends = (0..=self.count()).filter(|at| *at == self.count() || self.at(*at) == ";");
        ends.map(move |end| std::mem::replace(&mut start, end + 1)..end).filter(|words| !words.is_empty())
    }

    /// The spans of the statements, without their semicolons.
    pub fn statement_spans(&self) -> impl Iterator<Item = Span> {
        self.statements().map(|statement| self.cover(statement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_past_blanks_and_comments() {
        let words = Words::of("SELECT /* ( */ f(a, (b)) ;; drop  Table t");
        assert_eq!((words.count(), words.at(1), words.before(0), words.before(1)), (14, "f", "", "SELECT"));
        assert_eq!((words.closing(2), words.closing(5), words.closing(99)), (Some(8), Some(7), None));
        assert_eq!((words.items(2), words.items(3)), (Some(vec![3..4, 5..8]), None));
        assert_eq!(words.statements().collect::<Vec<_>>(), [0..9, 11..14]);
        assert!(words.are(11, "DROP TABLE") && !words.are(13, "T X") && words.kind(99).is_none());
        assert_eq!((words.span(99), words.cover(1..3)), (Span::empty(41), Span::new(15, 17)));
    }
}
