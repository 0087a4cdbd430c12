//! What of an original can still be seen in its variant.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::correspondence::{Correspondence, Level, key};
use super::literal::Part;
use super::names::{Names, of_schema, of_script};
use super::original::Original;
use super::rename::renamed;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::corpus::Reference;

/// What of an original is left in a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Significant tokens of the variant.
    pub tokens: usize,
    /// Tokens of the longest run that the original has as well, letter case aside.
    pub longest_run: usize,
    /// That run.
    pub run: String,
    /// Names of the folder that stand in the variant.
    pub names: Vec<String>,
    /// Words, numbers and dates that were not replaced, or that stand in texts of the variant.
    pub literals: Vec<String>,
    /// Literals that are syntax and were kept: formats, units, positions, 0 and 1.
    pub kept: usize,
}

impl Left {
    /// Compares a variant with its original.
    pub(super) fn of(original: &Original, variant: &Reference, correspondence: &Correspondence) -> Left {
        let (old, new) = (original.reference.script.lowercase_words(), variant.script.lowercase_words());
        let run = longest_run(&old, &new);
        let (mut literals, mut kept) = (BTreeSet::new(), 0);
        original.visit(&mut |part| {
            let new = correspondence.counterpart(part, Level::All);
            match part {
                Part::Kept(_) => kept += 1,
                Part::Word(text) | Part::Number(text) | Part::Date(text)
                    if new.as_deref().is_none_or(|new| new == text) =>
                {
                    literals.insert(text.to_owned());
                }
                _ => {}
            }
            new.filter(|_| matches!(part, Part::Named(_)))
        });
        literals.extend(words(&variant.script, correspondence));
        Left {
            tokens: new.len(),
            longest_run: run.len(),
            run: run.join(" "),
            names: names(variant).into_keys().filter(|name| correspondence.names.contains_key(name)).collect(),
            literals: literals.into_iter().collect(),
            kept,
        }
    }

    /// Whether a name or literal is left.
    pub fn is_any(&self) -> bool {
        !self.names.is_empty() || !self.literals.is_empty()
    }
}

fn names(variant: &Reference) -> Names {
    let mut names = Names::new();
    of_schema(&variant.schema, &mut names);
    of_script(&variant.script, &Scopes::resolve(&variant.script, &variant.schema), &mut names);
    names
}

/// The words of the originals that stand in texts of a script, apart from names of its own.
fn words(script: &Script, correspondence: &Correspondence) -> BTreeSet<String> {
    let own: HashSet<&String> = correspondence.names.values().collect();
    let mut found = BTreeSet::new();
    let mut note = |part: Part<'_>| {
        match part {
            Part::Named(name) if own.contains(&name.to_lowercase()) => return Some(name.to_owned()),
            Part::Word(word) if correspondence.words.contains_key(&key(word)) => _ = found.insert(word.to_owned()),
            _ => {}
        }
        None
    };
    // Only what is found matters.
    _ = renamed(script, &mut note);
    found
}

/// Returns the longest run of words that both have.
fn longest_run<'a>(one: &'a [String], other: &[String]) -> &'a [String] {
    let common = |length: usize| {
        let runs: HashSet<&[String]> = other.windows(length).collect();
        one.windows(length).find(|run| runs.contains(run))
    };
    let (mut best, mut beyond) = (&one[..0], one.len().min(other.len()) + 1);
    while best.len() + 1 < beyond {
        let middle = usize::midpoint(best.len(), beyond);
        match common(middle) {
            Some(run) => best = run,
            None => beyond = middle,
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_is_found() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(longest_run(&words("a b c d e"), &words("x c d b c")).join(" "), "b c");
        assert_eq!(longest_run(&words("a b c"), &words("a b c")).len(), 3);
        assert!(longest_run(&words("a"), &words("b")).is_empty());
    }
}
