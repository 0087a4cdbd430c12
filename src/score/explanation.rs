//! Grades whether an explanation says what is wrong in a clause, in whatever words.
//!
//! The known edits yield three kinds of evidence, which are looked for in the explanation's own words:
//!
//! - the *fragments* of code before and after each edit, token by token;
//! - the *place*: names and literals at the edit or within [`NEIGHBOURS`] tokens of it;
//! - the *fault*: words for what the changed tokens mean ([`WORDS`]: `<>` is "other than", LEFT is "unmatched", …), or
//!   words of the label's own explanation.
//!
//! Code copied from the script in place of an explanation is no evidence: it names every fragment without saying which
//! one is wrong. The same holds for a list of the script's names.

mod concepts;

use std::collections::HashSet;

use concepts::{WORDS, said};

use super::grade::Grade;
use crate::code::edit::Edit;
use crate::code::script::Script;

/// How many tokens on each side of an edit count as its place.
const NEIGHBOURS: usize = 8;
/// A run of at least this many tokens that also occurs in the script is a copy.
const COPIED_RUN: usize = 8;
/// How many copied tokens are still a quotation, to which each edit adds `QUOTED_PER_EDIT`: a label's own explanation
/// quotes up to 120 characters before and after.
const QUOTED: usize = 60;
const QUOTED_PER_EDIT: usize = 80;
/// An explanation with more names from elsewhere in the script than this is a list of names.
const MOST_NAMES: usize = 7;
/// An explanation with more concepts that its edit is not about than this is a list of concepts.
const MOST_CONCEPTS: usize = 6;

/// Grades an explanation of a clause. `edits` repair the clause; `label` holds the label's explanations of it.
pub(super) fn grade<'a>(
    explanation: &str,
    edits: impl Iterator<Item = &'a Edit>,
    issue: &Script,
    label: &[&str],
) -> Grade {
    let edits: Vec<&Edit> = edits.collect();
    let own = own_words(explanation, issue, edits.len());
    let (mut exact, mut known) = (true, false);
    for edit in &edits {
        let evidence = EditEvidence::of(&own, edit, issue, label);
        exact &= evidence.is_whole();
        known |= evidence.is_part();
    }
    match (exact && !edits.is_empty(), known) {
        (true, _) => Grade::Exact,
        (false, true) => Grade::Partial,
        (false, false) => Grade::Error,
    }
}

/// The evidence that an explanation understands one edit.
struct EditEvidence {
    /// How many fragments the edit has, and how many of them are named.
    fragments: usize,
    named: usize,
    place: bool,
    fault: bool,
    /// How many words of the label's explanation occur.
    shared: usize,
}

impl EditEvidence {
    fn of(own: &[String], edit: &Edit, issue: &Script, label: &[&str]) -> EditEvidence {
        let fragments = [tokens(edit.span().of(issue.text())), tokens(&edit.text)];
        let fragments: Vec<&Vec<String>> = fragments.iter().filter(|fragment| !fragment.is_empty()).collect();
        let named = fragments.iter().filter(|wanted| own.windows(wanted.len()).any(|found| found == **wanted)).count();
        let near = neighbours(issue, edit);
        let listed = lists_names(own, issue, &near) || lists_concepts(own, &fragments);
        let text = format!(" {} ", own.join(" "));
        let concept = WORDS.concepts.iter().any(|concept| concept.concerns(&fragments) && concept.said(&text) > 0);
        let changes = |is: fn(&str) -> bool| fragments.iter().any(|fragment| fragment.iter().any(|token| is(token)));
        let replaces = (changes(is_literal) && said(&text, &WORDS.values) > 0)
            || (changes(is_name) && said(&text, &WORDS.names) > 0);
        let shared = label_words(label).iter().filter(|word| text.contains(&format!(" {word}"))).count();
        EditEvidence {
            fragments: fragments.len(),
            named: if listed { 0 } else { named },
            place: !listed && near.iter().any(|name| text.contains(&format!(" {name}"))),
            fault: !listed && (concept || replaces || shared >= 2),
            shared: if listed { 0 } else { shared },
        }
    }

    fn is_whole(&self) -> bool {
        let all_named = self.fragments > 0 && self.named == self.fragments;
        all_named || self.fault && (self.place || self.named > 0) || self.shared >= 4
    }

    fn is_part(&self) -> bool {
        self.fault || self.named > 0
    }
}

/// Returns the tokens of an explanation, without what it only copies from the script if it copies too much.
fn own_words(explanation: &str, issue: &Script, edits: usize) -> Vec<String> {
    let spoken = tokens(explanation);
    let script = tokens(issue.text());
    let known: HashSet<&[String]> = script.windows(COPIED_RUN).collect();
    let mut copied = vec![false; spoken.len()];
    for (start, run) in spoken.windows(COPIED_RUN).enumerate() {
        if known.contains(run) {
            copied[start..start + COPIED_RUN].fill(true);
        }
    }
    let count = copied.iter().filter(|copied| **copied).count();
    let is_pasted = count > QUOTED + QUOTED_PER_EDIT * edits || count * 2 > script.len();
    if !is_pasted {
        return spoken;
    }
    // A pasted reference differs from the issue only at the edits, so what lies between two copies is copied too.
    let runs: Vec<usize> = (0..copied.len()).filter(|at| copied[*at]).collect();
    for pair in runs.windows(2).filter(|pair| pair[1] - pair[0] <= 3 * COPIED_RUN) {
        copied[pair[0]..pair[1]].fill(true);
    }
    // Short lines may be copied as well, so beside a copy only words that the script does not contain are evidence.
    let vocabulary: HashSet<&String> = script.iter().collect();
    let is_own = |(token, copied): &(String, bool)| !copied && !vocabulary.contains(token);
    spoken.into_iter().zip(copied).filter(is_own).map(|(token, _)| token).collect()
}

/// Returns the names and the words of literals at an edit and near it, whole and in parts (`user` and `id` of
/// `user_id`).
fn neighbours(issue: &Script, edit: &Edit) -> HashSet<String> {
    let first = issue.token_at(edit.start);
    let after = issue.tokens().partition_point(|token| token.span().start < edit.end).max(first);
    let around = first.saturating_sub(NEIGHBOURS)..(after + NEIGHBOURS).min(issue.tokens().len());
    let code: Vec<&str> = around.map(|at| issue.token_text(at)).chain([edit.text.as_str()]).collect();
    let names = tokens(&code.join(" ")).into_iter().filter(|token| is_name(token));
    let mut near = HashSet::new();
    for name in names {
        near.extend(name.split('_').filter(|part| part.chars().count() >= 4).map(stem));
        near.insert(stem(&name));
    }
    near.retain(|name| name.chars().count() >= 3 && !WORDS.empty.contains(name));
    near
}

/// Whether an explanation merely lists names of the script.
fn lists_names(own: &[String], issue: &Script, near: &HashSet<String>) -> bool {
    let script: HashSet<String> = tokens(issue.text()).into_iter().filter(|token| is_name(token)).collect();
    let named: HashSet<&String> = own.iter().filter(|token| script.contains(*token) && token.len() > 2).collect();
    named.iter().filter(|token| !near.contains(&stem(token))).count() > MOST_NAMES
}

/// Whether an explanation merely lists what can be wrong.
fn lists_concepts(own: &[String], fragments: &[&Vec<String>]) -> bool {
    let text = format!(" {} ", own.join(" "));
    let foreign = WORDS.concepts.iter().filter(|concept| !concept.concerns(fragments) && concept.said(&text) >= 2);
    foreign.count() > MOST_CONCEPTS
}

/// Returns the stems of the words in a label's explanation, leaving out its code.
fn label_words(label: &[&str]) -> HashSet<String> {
    let prose = label.iter().flat_map(|text| text.split('`').step_by(2)).collect::<Vec<_>>().join(" ");
    let words = tokens(&prose).into_iter().filter(|word| word.chars().count() >= 4 && is_name(word));
    words.filter(|word| !WORDS.empty.contains(word)).map(|word| stem(&word)).collect()
}

/// Returns the beginning that the forms of a word share.
fn stem(word: &str) -> String {
    let letters = word.chars().count();
    let kept = if letters > 6 {
        letters - 2
    } else if letters > 4 {
        letters - 1
    } else {
        letters
    };
    word.chars().take(kept).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn is_literal(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_digit()) || is_name(token)
}

/// Splits a text into words, operators and other marks in lower case. Quotes are dropped, because explanations use them
/// as they like.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = ' ';
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    for letter in text.chars() {
        let extends = match letter {
            '=' => matches!(before, '<' | '>' | '!' | '='),
            '>' => matches!(before, '<' | '='),
            _ => part(letter) && part(before),
        };
        match found.last_mut() {
            Some(word) if extends => word.extend(letter.to_lowercase()),
            _ if letter.is_whitespace() || matches!(letter, '\'' | '"' | '`') => {}
            _ => found.push(letter.to_lowercase().collect()),
        }
        before = letter;
    }
    found
}

#[cfg(test)]
mod tests;
