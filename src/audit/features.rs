//! The features of a script for learners: short runs of token classes with the blanks between them.

use std::collections::HashMap;

use xxhash_rust::xxh64::xxh64;

use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::repair::built_in::is_keyword;

/// Tokens of the longest run that is a feature.
const LONGEST: usize = 4;
/// Bits of a feature's number, which is a hash.
const BITS: u32 = 20;

/// How often each feature occurs in a text, by its number.
pub(super) type Features = HashMap<u32, f64>;

/// Returns the class of the token at `at`: keywords, signs, functions, 0 and 1 stand for themselves, names and other
/// literals for their kind, so that nothing is learned of one business alone.
pub(super) fn class(script: &Script, at: usize) -> String {
    let text = script.token_text(at);
    match script.tokens().get(at).map(|token| token.kind) {
        Some(TokenKind::Word) if is_keyword(text) => text.to_ascii_lowercase(),
        Some(TokenKind::Word) if script.tokens().get(at + 1).is_some_and(|_| script.token_text(at + 1) == "(") => {
            format!("{}(", text.to_ascii_lowercase())
        }
        Some(TokenKind::Word | TokenKind::QuotedName) => "name".to_owned(),
        Some(TokenKind::Text) => "text".to_owned(),
        Some(TokenKind::Number) if matches!(text, "0" | "1") => text.to_owned(),
        Some(TokenKind::Number) => "number".to_owned(),
        Some(_) => text.to_owned(),
        None => String::new(),
    }
}

/// Returns the classes of all tokens, each after a mark for the blank before it.
pub(super) fn classes(text: &str) -> Vec<String> {
    let script = Script::new(text);
    let blank = |at: usize| match at.checked_sub(1).map(|before| script.gap_after(before).of(text)) {
        None => "^",
        Some("") => "",
        Some(" ") => " ",
        Some(gap) if gap.contains('\n') => "\n",
        Some(_) => "  ",
    };
    (0..script.tokens().len()).map(|at| format!("{}{}", blank(at), class(&script, at))).collect()
}

/// Counts the features of a text.
pub(super) fn features(text: &str) -> Features {
    let classes = classes(text);
    let mut features = Features::new();
    for length in 1..=LONGEST {
        for run in classes.windows(length) {
            let number = xxh64(run.join("\u{1}").as_bytes(), length as u64) >> (64 - BITS);
            *features.entry(number as u32).or_default() += 1.0;
        }
    }
    features
}

/// Returns how much more often features occur in `one` than in `other`, without those that occur equally often.
pub(super) fn difference(one: &Features, other: &Features) -> Features {
    let mut difference = one.clone();
    for (feature, count) in other {
        *difference.entry(*feature).or_default() -= count;
    }
    difference.retain(|_, count| *count != 0.0);
    difference
}
