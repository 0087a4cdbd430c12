//! What Spark's parser says of the word that it names: that it is one too many, or that another one is missing before it.
//!
//! Measured on Spark 4.3. A word is too many if the next one is what is expected, or where a list may go on; one is missing
//! if only that can stand there and the parser has not looked ahead.

use super::lookahead::{self, OpenBracket};
use crate::code::grammar::{SyntaxError, SyntaxReason};
use crate::code::script::Script;
use crate::code::token::TokenKind;

/// Where an error is reported.
#[derive(Clone, Copy)]
pub(super) struct ReportedPlace {
    /// The first token of the statement.
    pub first: usize,
    /// The token that Spark names.
    pub at: usize,
    /// The token at which our parser stopped.
    pub stopped: usize,
}

/// Calls in whose brackets Spark expects one of several words.
const OF_SEVERAL: [&str; 4] = ["PARTITION", "EXPLODE", "CAST", "COUNT"];

/// Returns the words behind the name of the word, such as `missing ')'`; `None` if Spark says nothing of it.
pub(super) fn hint(script: &Script, error: &SyntaxError, place: ReportedPlace) -> Option<String> {
    HintSearch { script, error, place, open: lookahead::open_bracket(script, place.first, place.at) }.hint()
}

struct HintSearch<'a> {
    script: &'a Script,
    error: &'a SyntaxError,
    place: ReportedPlace,
    /// The brackets around the word.
    open: OpenBracket,
}

impl HintSearch<'_> {
    fn hint(&self) -> Option<String> {
        let ReportedPlace { first, at, stopped } = self.place;
        if self.open == OpenBracket::Group {
            return self.is_value(at).then(|| self.extra());
        }
        if lookahead::looks_ahead(self.script, first, at) {
            return None;
        }
        if lookahead::broken_case(self.script, first, stopped) == Some(at) {
            return (self.open == OpenBracket::SubQuery).then(|| missing(")"));
        }
        match self.error.expected.as_str() {
            word @ ("AND" | "THEN" | "END") => (self.open != OpenBracket::Plain).then(|| missing(word)),
            "'('" => self.opening(),
            _ if self.upper(at.saturating_sub(1)) == "ORDER" && self.is_in_call_of(&["OVER"]) => Some(missing("BY")),
            _ if self.error.reason == SyntaxReason::Unclosed => None,
            _ => self.closing(),
        }
    }

    /// Where an opening bracket is expected.
    fn opening(&self) -> Option<String> {
        let ReportedPlace { first, at, .. } = self.place;
        if self.upper(at) == "IN" {
            return (self.open == OpenBracket::SubQuery).then(|| missing(")"));
        }
        let is_of_several = self.upper(at.saturating_sub(1)) == "IN" || self.upper(first) == "WITH";
        (!is_of_several).then(|| missing("("))
    }

    /// Where something ends too late, or goes on too long.
    fn closing(&self) -> Option<String> {
        let at = self.place.at;
        if self.error.expected.starts_with("NULL") || self.text(at) == "(" || self.is_in_call_of(&["OVER"]) {
            return None;
        }
        if self.is_in_call_of(&OF_SEVERAL) && self.text(at + 1) == ")" {
            return Some(self.extra());
        }
        if self.is_in_call_of(&OF_SEVERAL) {
            // A type with its length is whole.
            return (self.is_in_call_of(&["CAST"]) && self.text(at.saturating_sub(1)) == ")").then(|| missing(")"));
        }
        let follows_word = at > 0 && self.script.tokens()[at - 1].kind == TokenKind::Word;
        let is_last = self.text(at + 1) == ")" || self.open == OpenBracket::None && self.is_end(at + 1);
        match self.open {
            OpenBracket::Plain => None,
            OpenBracket::List | OpenBracket::Call(_) if self.is_end(at) => {
                (!follows_word).then(|| "extra input end of input".to_owned())
            }
            _ if self.is_end(at) => None,
            OpenBracket::List => self.is_value(at).then(|| self.extra()),
            OpenBracket::Call(_) if follows_word && self.upper(at) == "FROM" => Some(missing(")")),
            _ if is_last => Some(self.extra()),
            OpenBracket::Call(_) => (!follows_word && self.text(at + 1) != "=").then(|| self.extra()),
            _ if self.error.reason != SyntaxReason::Unexpected => None,
            _ => {
                let expected = self.error.expected.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                expected.filter(|expected| *expected != self.text(at)).map(missing)
            }
        }
    }

    fn extra(&self) -> String {
        format!("extra input '{}'", self.text(self.place.at))
    }

    fn text(&self, at: usize) -> &str {
        self.script.tokens().get(at).map_or("", |_| self.script.token_text(at))
    }

    fn upper(&self, at: usize) -> String {
        self.text(at).to_ascii_uppercase()
    }

    /// Whether the statement ends before a token.
    fn is_end(&self, at: usize) -> bool {
        matches!(self.text(at), "" | ";")
    }

    /// Whether a token is a name or a value and begins no clause.
    fn is_value(&self, at: usize) -> bool {
        let is_sign = self.script.tokens().get(at).is_none_or(|token| token.kind == TokenKind::Symbol);
        !is_sign && !matches!(self.upper(at).as_str(), "WHERE" | "FROM" | "SELECT")
    }

    fn is_in_call_of(&self, names: &[&str]) -> bool {
        matches!(self.open, OpenBracket::Call(name) if names.contains(&self.upper(name).as_str()))
    }
}

fn missing(word: &str) -> String {
    format!("missing '{word}'")
}
