//! A complaint in a model's words: kept only when it says the same and gives nothing away.

use std::collections::BTreeSet;

/// What became of a complaint that a model was asked to reword. A run's funnel uses these words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewordOutcome {
    /// The model's words are used.
    #[error("reworded")]
    Reworded,
    /// There was no usable answer.
    #[error("kept: no answer")]
    NoAnswer,
    /// A number or a quoted value is lost or new.
    #[error("kept: a number or a value differs")]
    OtherFacts,
    /// The leak check refuses it.
    #[error("kept: the answer gives the bug away")]
    Leak,
    /// It is far longer or shorter.
    #[error("kept: the length differs too much")]
    OtherLength,
    /// Another task has these words.
    #[error("kept: another task has these words")]
    Duplicate,
}

/// The set of numbers in a text; `1,200` and `1200` are the same.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut number = String::new();
    for character in text.chars().chain([' ']) {
        match character {
            '0'..='9' => number.push(character),
            '.' if !number.is_empty() => number.push(character),
            ',' if !number.is_empty() => {}
            _ => {
                let whole = number.trim_end_matches('.').to_owned();
                if !whole.is_empty() {
                    found.insert(whole);
                }
                number.clear();
            }
        }
    }
    found
}

/// Whether a reworded text states the facts of the original: the same numbers, and those `quoted` values that it has.
pub(super) fn states_the_same(original: &str, reworded: &str, quoted: &[String]) -> bool {
    let present = quoted.iter().filter(|value| original.contains(value.as_str()));
    numbers(original) == numbers(reworded) && present.into_iter().all(|value| reworded.contains(value.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_quoted_values_must_be_the_same() {
        let quoted = ["ON_TIME".to_owned(), "not said".to_owned()];
        let said = "ON_TIME shows 1,200 instead of 12.5.";
        assert!(states_the_same(said, "We expect 12.5 for ON_TIME and see 1200", &quoted));
        for other in ["We expect 12.5 and see 1200", "ON_TIME shows 1200", "ON_TIME: 1200, 12.5, 3 times", "ON_TIME 12"]
        {
            assert!(!states_the_same(said, other, &quoted), "{other}");
        }
    }
}
