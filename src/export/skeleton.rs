//! The skeleton of a script: what is left when names and literals are blanked (SQLCritic, section 3.2).
//!
//! Two scripts with the same skeleton teach a learner the same. A model's query whose skeleton is far from the correct
//! one is no realistic mistake but another query.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::code::edit::Edits;
use crate::code::functions::lookup;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{TokenKind, tokenize};
use crate::repair::built_in::is_keyword;

/// What stands for a name or a literal.
const BLANK: &str = "_";

/// Returns the tokens of a text without blanks and comments: keywords and known functions in lower case, symbols, and
/// `_` for each name (with its qualifiers) and literal. An alias after AS is left out with its AS.
pub fn skeleton(text: &str) -> Vec<String> {
    let tokens: Vec<(TokenKind, &str)> = tokenize(text)
        .iter()
        .filter(|token| !token.kind.is_trivia())
        .map(|token| (token.kind, token.span().of(text)))
        .collect();
    let mut skeleton: Vec<String> = Vec::with_capacity(tokens.len());
    for (at, (kind, token)) in tokens.iter().enumerate() {
        let is_called = tokens.get(at + 1).is_some_and(|(_, next)| *next == "(");
        let word = word(*kind, token, is_called);
        match (word.as_str(), skeleton.last().map(String::as_str)) {
            // `a.b` is one name.
            (BLANK, Some(".")) => {
                skeleton.pop();
                if skeleton.last().is_none_or(|last| last != BLANK) {
                    skeleton.push(word);
                }
            }
            (BLANK, Some("as")) if *kind != TokenKind::Text => {
                skeleton.pop();
            }
            _ => skeleton.push(word),
        }
    }
    skeleton
}

fn word(kind: TokenKind, token: &str, is_called: bool) -> String {
    match kind {
        TokenKind::Symbol => token.to_owned(),
        TokenKind::Word => {
            let lower = token.to_lowercase();
            let stays = is_keyword(&lower) || (is_called && lookup(&lower).is_some());
            if stays { lower } else { BLANK.to_owned() }
        }
        _ => BLANK.to_owned(),
    }
}

/// Returns how alike the skeletons of two texts are, from 0 to 1: 1 minus the Euclidean distance of their token counts,
/// as a share of what that would be if they had no token in common.
pub fn similarity(left: &str, right: &str) -> f64 {
    let mut counts: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (side, text) in [left, right].into_iter().enumerate() {
        for token in skeleton(text) {
            counts.entry(token).or_default()[side] += 1.0;
        }
    }
    let sum = |of: fn(&[f64; 2]) -> f64| counts.values().map(of).sum::<f64>();
    let apart = sum(|[left, right]| (left - right).powi(2)).sqrt();
    let most = sum(|[left, right]| left.powi(2) + right.powi(2)).sqrt();
    if most == 0.0 { 1.0 } else { 1.0 - apart / most }
}

/// Returns a hash that texts with the same skeleton share.
pub fn skeleton_key(text: &str) -> u64 {
    key_of(&skeleton(text))
}

/// Returns a hash that edits of one script share if they differ in names and literals only: of the positions of the
/// tokens that each edit touches, and of the skeleton of what comes in their place.
pub fn edit_key(script: &Script, edits: &Edits) -> u64 {
    let touched = |span: Span| {
        let tokens = script.tokens();
        let first = tokens.partition_point(|token| token.span().end <= span.start);
        let last = tokens.partition_point(|token| token.span().start < span.end);
        (first, last)
    };
    // For an edit inside a token (a letter lost in a name) the skeleton says nothing, so its bytes are hashed instead.
    let is_inside = |span: Span| {
        let (first, last) = touched(span);
        (first..last).any(|at| {
            let token = script.tokens()[at].span();
            (token.start < span.start && span.start < token.end) || (token.start < span.end && span.end < token.end)
        })
    };
    let mut words = Vec::new();
    for edit in edits.as_slice() {
        let (first, last) = touched(edit.span());
        words.extend([first.to_string(), last.to_string()]);
        match is_inside(edit.span()) {
            true => words.extend([edit.start.to_string(), edit.end.to_string(), edit.text.clone()]),
            false => words.extend(skeleton(&edit.text)),
        }
    }
    key_of(&words)
}

fn key_of(words: &[String]) -> u64 {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word);
        hash.update([0]);
    }
    let digest = hash.finalize();
    digest.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edit;

    #[test]
    fn names_literals_and_aliases_are_blanked_and_structure_stays() {
        let words = skeleton("SELECT a.x AS y, COUNT(*) -- n\nFROM db.t a WHERE b = 'k' AND my(2.5) > 1");
        assert_eq!(words.join(" "), "select _ , count ( * ) from _ _ where _ = _ and _ ( _ ) > _");
        assert_eq!(skeleton_key("select A from T"), skeleton_key("SELECT\n b FROM u -- x"));
        assert_ne!(skeleton_key("select a from t"), skeleton_key("select a, b from t"));
    }

    #[test]
    fn a_realistic_mistake_is_near_and_another_query_is_far() {
        let right = "SELECT a, SUM(b) AS s FROM t LEFT JOIN u ON t.k = u.k WHERE c > 1 GROUP BY a";
        assert!((similarity(right, right) - 1.0).abs() < 1e-9);
        assert!(similarity(right, &right.replace("LEFT ", "")) > 0.8);
        assert!(similarity(right, "SELECT 1") < 0.5);
        assert!((similarity("a", ";") - 0.0).abs() < 1e-9);
    }

    #[test]
    fn edits_with_other_names_at_one_place_are_one_edit() {
        let script = Script::new("SELECT a FROM t WHERE b > 10 AND c > 10");
        let edit = |start: usize, end: usize, text: &str| {
            edit_key(&script, &Edits::new(vec![Edit::replacement(Span::new(start, end), text)]).unwrap())
        };
        assert_eq!(edit(26, 28, "9"), edit(26, 28, "11"));
        assert_ne!(edit(26, 28, "9"), edit(37, 39, "9"));
        assert_ne!(edit(24, 25, "<"), edit(24, 25, ">="));
        assert_ne!(edit(7, 8, "x"), edit(7, 8, "COUNT(x)"));
    }
}
