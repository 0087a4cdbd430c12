//! What of an original can still be seen in its variant.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::correspondence::{Correspondence, ReplacementLevel, key};
use super::literal::ScriptPart;
use super::names::{Names, of_schema, of_script};
use super::original::Original;
use super::rename::{leaves, renamed};
use crate::code::schema::read_type;
use crate::code::scope::Scopes;
use crate::code::script::{Script, unquoted};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};
use crate::corpus::Reference;

/// What of an original is left in a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remnants {
    /// Significant tokens of the variant.
    pub tokens: usize,
    /// Tokens of the longest run that the original has as well, letter case aside.
    pub longest_run: usize,
    pub run: String,
    /// Names of the folder that stand in the variant.
    pub names: Vec<String>,
    /// Words, numbers and dates that were not replaced, or that stand in texts of the variant.
    pub literals: Vec<String>,
    /// Literals that are syntax and were kept: formats, units, positions, 0 and 1.
    pub kept: usize,
}

impl Remnants {
    /// Compares a variant with its original.
    pub(super) fn of(original: &Original, variant: &Reference, correspondence: &Correspondence) -> Remnants {
        let (old, new) = (original.reference.script.lowercase_words(), variant.script.lowercase_words());
        let run = longest_run(&old, &new);
        let (mut literals, mut kept) = (BTreeSet::new(), 0);
        original.visit(&mut |part| {
            let new = correspondence.counterpart(part, ReplacementLevel::All);
            match part {
                ScriptPart::Kept(_) => kept += 1,
                ScriptPart::Word(text) | ScriptPart::Number(text) | ScriptPart::Date(text)
                    if new.as_deref().is_none_or(|new| new == text) =>
                {
                    literals.insert(text.to_owned());
                }
                _ => {}
            }
            new.filter(|_| matches!(part, ScriptPart::Named(_)))
        });
        literals.extend(words(&variant.script, correspondence));
        Remnants {
            tokens: new.len(),
            longest_run: run.len(),
            run: run.join(" "),
            names: names(variant)
                .into_keys()
                .filter(|name| correspondence.names.contains_key(name))
                .chain(unread(&variant.script, correspondence))
                .collect(),
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

/// Words of statements that are kept as text, and of options of tables.
const STATEMENT_WORDS: [&str; 58] = [
    "drop", "table", "view", "if", "exists", "not", "purge", "alter", "add", "partition", "truncate", "msck", "repair",
    "analyze", "compute", "statistics", "for", "all", "columns", "cascade", "restrict", "temporary", "global", "cache",
    "uncache", "refresh", "clear", "lazy", "create", "external", "or", "replace", "as", "partitioned", "by", "stored",
    "row", "format", "delimited", "fields", "terminated", "lines", "collection", "items", "map", "keys", "comment",
    "using", "like", "null", "default", "orc", "parquet", "textfile", "rcfile", "sequencefile", "avro", "delta",
];

/// Names that no rule reads and that therefore stay: in statements that are kept as text, in options of tables, in types
/// without a colon, and databases of `USE` that nothing else names.
fn unread(script: &Script, correspondence: &Correspondence) -> Vec<String> {
    let own: HashSet<String> = correspondence.names.values().map(|name| name.to_lowercase()).collect();
    let tree = script.tree();
    let definitions: Vec<_> = script
        .statements()
        .iter()
        .filter(|node| {
            tree.kind(**node) == Kind::CreateTable && tree.child(**node, |kind| kind == Kind::Query).is_none()
        })
        .map(|node| script.token_range(*node))
        .collect();
    let is_left = |place: usize, leaf: Option<NodeId>| {
        let word = unquoted(script.token_text(place)).to_lowercase();
        let is_new = own.contains(&word) || STATEMENT_WORDS.contains(&word.as_str());
        match (script.tokens()[place].kind, leaf.map(|leaf| tree.kind(leaf))) {
            (TokenKind::Command, _) => word.split_whitespace().last().is_some_and(|name| !own.contains(name)),
            (TokenKind::Word | TokenKind::QuotedName, Some(Kind::Opaque)) => !is_new,
            (TokenKind::Word | TokenKind::QuotedName, Some(Kind::TypeName)) => {
                correspondence.names.contains_key(&word) && read_type(&word).is_err()
            }
            (TokenKind::Word | TokenKind::QuotedName, None) => {
                !is_new && definitions.iter().any(|range| range.contains(&place))
            }
            _ => false,
        }
    };
    let leaves = leaves(script).into_iter().enumerate().filter(|(place, leaf)| is_left(*place, *leaf));
    leaves.map(|(place, _)| script.token_text(place).to_owned()).collect()
}

/// The words of the originals that stand in texts of a script, apart from names of its own.
fn words(script: &Script, correspondence: &Correspondence) -> BTreeSet<String> {
    let own: HashSet<&String> = correspondence.names.values().collect();
    let mut found = BTreeSet::new();
    let mut note = |part: ScriptPart<'_>| {
        match part {
            ScriptPart::Named(name) if own.contains(&name.to_lowercase()) => return Some(name.to_owned()),
            ScriptPart::Word(word) if correspondence.words.contains_key(&key(word)) => {
                _ = found.insert(word.to_owned())
            }
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
