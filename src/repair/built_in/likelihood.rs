//! How likely a run of tokens is in one script, learned from that script alone.

use std::collections::HashMap;

use super::vocabulary::is_keyword;
use crate::code::script::Script;
use crate::code::token::TokenKind;

/// Counts of pairs and triples of token classes.
#[derive(Clone, Debug, Default)]
pub struct TokenLikelihood {
    singles: HashMap<String, f64>,
    pairs: HashMap<(String, String), f64>,
    triples: HashMap<(String, String, String), f64>,
    total: f64,
}

impl TokenLikelihood {
    /// Counts the tokens of a script.
    pub fn of(script: &Script) -> TokenLikelihood {
        let classes: Vec<String> = (0..script.tokens().len()).map(|index| class(script, index)).collect();
        let mut counts = TokenLikelihood { total: classes.len() as f64, ..TokenLikelihood::default() };
        for class in &classes {
            *counts.singles.entry(class.clone()).or_default() += 1.0;
        }
        for pair in classes.windows(2) {
            *counts.pairs.entry((pair[0].clone(), pair[1].clone())).or_default() += 1.0;
        }
        for triple in classes.windows(3) {
            *counts.triples.entry((triple[0].clone(), triple[1].clone(), triple[2].clone())).or_default() += 1.0;
        }
        counts
    }

    /// How surprising the neighbourhood of token `index` is when `words` stand in the place of `removed` tokens: per
    /// token, in nats. What stands there now is known to be wrong, so it is not weighed against.
    pub fn surprise(&self, script: &Script, index: usize, removed: usize, words: &[&str]) -> f64 {
        let end = script.tokens().len();
        let classes = |range: std::ops::Range<usize>| range.map(|at| class(script, at));
        let head: Vec<String> = classes(index.saturating_sub(2)..index).collect();
        let tail: Vec<String> = classes((index + removed).min(end)..(index + removed + 2).min(end)).collect();
        let new: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let all: Vec<String> = head.iter().cloned().chain(new).chain(tail).collect();
        self.mean_surprise(&all, head.len())
    }

    fn mean_surprise(&self, classes: &[String], first: usize) -> f64 {
        let range = first..classes.len();
        if range.is_empty() {
            return 0.0;
        }
        let count = range.len() as f64;
        range.map(|at| -self.probability(classes, at).ln()).sum::<f64>() / count
    }

    /// Interpolated from triples, pairs and singles (Jelinek–Mercer with fixed weights).
    fn probability(&self, classes: &[String], at: usize) -> f64 {
        let single = (self.singles.get(&classes[at]).copied().unwrap_or(0.0) + 0.5) / (self.total + 50.0);
        let Some(before) = at.checked_sub(1) else { return single };
        let pair_key = (classes[before].clone(), classes[at].clone());
        let seen = self.singles.get(&classes[before]).copied().unwrap_or(0.0);
        let pair = self.pairs.get(&pair_key).copied().unwrap_or(0.0) / (seen + 1.0);
        let triple = match before.checked_sub(1) {
            None => pair,
            Some(first) => {
                let seen = self.pairs.get(&(classes[first].clone(), classes[before].clone())).copied().unwrap_or(0.0);
                let key = (classes[first].clone(), pair_key.0, pair_key.1);
                self.triples.get(&key).copied().unwrap_or(0.0) / (seen + 1.0)
            }
        };
        0.5 * triple + 0.35 * pair + 0.15 * single
    }
}

/// Keywords and signs stand for themselves; names, calls and literals for their kind.
fn class(script: &Script, index: usize) -> String {
    let text = script.token_text(index);
    match script.tokens()[index].kind {
        TokenKind::Word if is_keyword(text) => text.to_ascii_lowercase(),
        TokenKind::Word if script.token_text(index + 1) == "(" => "<call>".to_owned(),
        TokenKind::Word | TokenKind::QuotedName | TokenKind::Placeholder => "<name>".to_owned(),
        TokenKind::Text => "<text>".to_owned(),
        TokenKind::Number => "<number>".to_owned(),
        _ => text.to_owned(),
    }
}
