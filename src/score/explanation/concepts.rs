//! The words in which people say what SQL tokens mean, from `templates/score/concepts.yaml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::store::yaml::read_yaml;

/// The built-in words; the tests of explanations fail if the file cannot be read.
pub(super) static WORDS: LazyLock<ExplanationWords> = LazyLock::new(|| {
    read_yaml(include_str!("../../../templates/score/concepts.yaml")).expect("the built-in words can be read")
});

/// The words by which an explanation is recognised; the file says what each list is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplanationWords {
    pub concepts: Vec<Concept>,
    pub values: Vec<String>,
    pub names: Vec<String>,
    pub empty: Vec<String>,
}

/// Tokens, and the beginnings of words that people use for their meaning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Concept {
    tokens: Vec<String>,
    pub words: Vec<String>,
}

impl Concept {
    /// Whether a fragment contains one of its tokens.
    pub fn concerns(&self, fragments: &[&Vec<String>]) -> bool {
        fragments.iter().any(|fragment| fragment.iter().any(|token| self.tokens.contains(token)))
    }

    /// Returns how many of its words occur in a text, which must begin with a blank.
    pub fn said(&self, text: &str) -> usize {
        said(text, &self.words)
    }
}

/// Returns how many of `words` begin a word of a text, which must begin with a blank.
pub(super) fn said(text: &str, words: &[String]) -> usize {
    words.iter().filter(|word| text.contains(&format!(" {word}"))).count()
}
