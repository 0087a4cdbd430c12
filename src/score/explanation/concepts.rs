//! What people call what SQL tokens mean: `templates/score/concepts.yaml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::store::yaml::read_yaml;

/// The words of the program; the tests of explanations hold that they read.
pub(super) static WORDS: LazyLock<ExplanationWords> =
    LazyLock::new(|| read_yaml(include_str!("../../../templates/score/concepts.yaml")).unwrap_or_default());

/// By what words an explanation is recognised; the file says what each list is for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplanationWords {
    pub concepts: Vec<Concept>,
    pub values: Vec<String>,
    pub names: Vec<String>,
    pub empty: Vec<String>,
}

/// Tokens, and beginnings of the words that people use for what they mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Concept {
    tokens: Vec<String>,
    pub words: Vec<String>,
}

impl Concept {
    /// Whether some fragment has one of its tokens.
    pub fn concerns(&self, fragments: &[&Vec<String>]) -> bool {
        fragments.iter().any(|fragment| fragment.iter().any(|token| self.tokens.contains(token)))
    }

    /// How many of its words a text has; the text begins with a blank.
    pub fn said(&self, text: &str) -> usize {
        said(text, &self.words)
    }
}

/// How many of some words begin a word of a text; the text begins with a blank.
pub(super) fn said(text: &str, words: &[String]) -> usize {
    words.iter().filter(|word| text.contains(&format!(" {word}"))).count()
}
