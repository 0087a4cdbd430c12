//! Clause-wise critique: for each planted fault the clause, what is wrong there and how to mend it.
//!
//! The form is that of SQLCritic: pairs of clause and explanation for wrong queries, one fixed sentence for right ones.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::locate::{clause_of, locate};
use super::template::Template;
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::store::yaml::read_yaml;

/// What a critique says of SQL without a fault: the sentence of SQLCritic, which graders look for.
pub const CORRECT: &str = "This SQL query is correct.";
/// The tests below fail if the file cannot be read.
static WORDS: LazyLock<CritiqueWords> =
    LazyLock::new(|| read_yaml(include_str!("../../templates/critique.yaml")).expect("the built-in words can be read"));
/// Characters of quoted code; longer fragments are cut in the middle.
const LONGEST_FRAGMENT: usize = 120;

/// Templates that say where to mend something, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CritiqueWords {
    line: Template,
    line_of_table: Template,
    add: Template,
    add_at_start: Template,
    remove: Template,
    replace: Template,
    blanks: Template,
}

/// What is wrong in one clause, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Critique {
    /// The clause, such as `WHERE`.
    pub clause: String,
    /// What is wrong and how to mend it.
    pub explanation: String,
}

/// One planted fault, as its critique needs it.
#[derive(Clone, Copy, Debug)]
pub struct CritiquedFault<'a> {
    /// What is wrong, as one or more sentences.
    pub wrong: &'a str,
    /// The edits of the issue SQL that mend this fault.
    pub repair: &'a Edits,
}

/// Returns the critique of SQL with these faults, in the order given; a fault that reaches into several clauses has an
/// entry for each.
pub fn critique(issue: &Script, faults: &[CritiquedFault]) -> Vec<Critique> {
    let mut entries = Vec::new();
    for fault in faults {
        let mut clauses: Vec<(String, Vec<&Edit>)> = Vec::new();
        for edit in fault.repair.as_slice() {
            let clause = clause_of(issue, edit);
            match clauses.iter_mut().find(|(known, _)| *known == clause) {
                Some((_, edits)) => edits.push(edit),
                None => clauses.push((clause, vec![edit])),
            }
        }
        entries.extend(clauses.into_iter().map(|(clause, edits)| entry(issue, fault.wrong, clause, &edits)));
    }
    entries
}

/// Returns a critique as one text: a line for each entry, or [`CORRECT`] if there is none.
pub fn as_text(critique: &[Critique]) -> String {
    if critique.is_empty() {
        return CORRECT.to_owned();
    }
    let line = |entry: &Critique| format!("{}: {}", entry.clause, entry.explanation);
    critique.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn entry(issue: &Script, wrong: &str, clause: String, edits: &[&Edit]) -> Critique {
    // Blanks are shown only where nothing else is to be mended.
    let telling: Vec<&Edit> = edits.iter().filter(|edit| !edit.is_blank(issue.text())).copied().collect();
    let shown = if telling.is_empty() { edits } else { &telling };
    let mends: Vec<String> = shown.iter().map(|edit| mend(issue, edit)).collect();
    let end = if wrong.trim_end().ends_with(['.', '!', '?']) { "" } else { "." };
    Critique { clause, explanation: format!("{}{end} {}", wrong.trim(), mends.join(" ")) }
}

/// How to mend one place, quoting whole tokens.
fn mend(issue: &Script, edit: &Edit) -> String {
    let location = locate(issue, edit);
    let line = location.line.to_string();
    let place = match &location.cte {
        Some(cte) => filled(&WORDS.line_of_table, &[("line", &line), ("table", cte)]),
        None => filled(&WORDS.line, &[("line", &line)]),
    };
    let around = whole_tokens(issue, edit.span());
    let before = around.of(issue.text());
    let head = Span::new(around.start, edit.start).of(issue.text());
    let after = format!("{head}{}{}", edit.text, Span::new(edit.end, around.end).of(issue.text()));
    match (fragment(before), fragment(&after)) {
        (None, Some(new)) => match token_before(issue, edit.start) {
            Some(token) => filled(&WORDS.add, &[("place", &place), ("new", &new), ("before", token)]),
            None => filled(&WORDS.add_at_start, &[("place", &place), ("new", &new)]),
        },
        (Some(old), None) => filled(&WORDS.remove, &[("place", &place), ("old", &old)]),
        (Some(old), Some(new)) => filled(&WORDS.replace, &[("place", &place), ("old", &old), ("new", &new)]),
        (None, None) => filled(&WORDS.blanks, &[("place", &place)]),
    }
}

fn filled(words: &Template, variables: &[(&str, &str)]) -> String {
    let known: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    words.fill(&known).expect("the built-in words need only what is known, as the tests show")
}

/// Widens `span` to whole significant tokens, so that no quoted name is cut in two.
fn whole_tokens(issue: &Script, span: Span) -> Span {
    let cut = issue.tokens().iter().map(|token| token.span()).filter(|token| token.overlaps(span));
    cut.fold(span, Span::cover)
}

/// The last token that ends at or before the byte `at`.
fn token_before(issue: &Script, at: usize) -> Option<&str> {
    let before = issue.tokens().partition_point(|token| token.span().end <= at);
    before.checked_sub(1).map(|index| issue.token_text(index))
}

/// Code on one line, cut in the middle if it is long; `None` if it is blank.
fn fragment(code: &str) -> Option<String> {
    let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    if length <= LONGEST_FRAGMENT {
        return (!line.is_empty()).then_some(line);
    }
    let half = LONGEST_FRAGMENT / 2;
    let head: String = line.chars().take(half).collect();
    let tail: String = line.chars().skip(length - half).collect();
    Some(format!("{head} … {tail}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn blanks_are_told_only_where_nothing_else_is_to_be_mended() {
        let repair = |edits: Vec<Edit>| {
            let repair = Edits::new(edits).unwrap();
            let found =
                critique(&Script::new("SELECT a,b  FROM t"), &[CritiquedFault { wrong: "Wrong.", repair: &repair }]);
            found.iter().map(|entry| entry.explanation.clone()).collect::<Vec<_>>().join(" ")
        };
        let blanks = Edit::insertion(9, " ");
        let column = Edit::replacement(Span::new(9, 10), "c");
        assert_eq!(repair(vec![Edit::insertion(7, " ")]), "Wrong. In line 1, mend the blanks.");
        assert_eq!(repair(vec![Edit::insertion(7, " "), column]), "Wrong. In line 1, replace `b` by `c`.");
        assert_eq!(repair(vec![blanks]), "Wrong. In line 1, mend the blanks.");
    }

    use super::*;

    const SQL: &str =
        "WITH a AS (\n  SELECT id FROM t WHERE x > 10\n)\nSELECT a.id, u.name FROM a JOIN u ON a.id = u.id";

    fn repair(edits: &[(&str, &str)]) -> Edits {
        let edit = |(old, new): &(&str, &str)| {
            let start = SQL.find(old).unwrap();
            Edit::replacement(Span::new(start, start + old.len()), *new)
        };
        Edits::new(edits.iter().map(edit).collect()).unwrap()
    }

    #[test]
    fn each_kind_of_mend_is_worded() {
        let at = SQL.find(" FROM t").unwrap();
        for (repair, clause, mend) in [
            (Edits::new(vec![Edit::insertion(0, "x ")]).unwrap(), "WITH", "In line 1, add `x` at the start."),
            (repair(&[("> 10", ">= 10")]), "WHERE", "In line 2 (a), replace `> 10` by `>= 10`."),
            (repair(&[(", u.name", "")]), "SELECT", "In line 4, remove `, u.name`."),
            (repair(&[("OIN u", "OIN users")]), "JOIN", "In line 4, replace `JOIN u` by `JOIN users`."),
            (
                Edits::new(vec![Edit::insertion(at, ", day")]).unwrap(),
                "SELECT",
                "In line 2 (a), add `, day` after `id`.",
            ),
            (Edits::new(vec![Edit::insertion(at, "  ")]).unwrap(), "SELECT", "In line 2 (a), mend the blanks."),
        ] {
            let found = critique(&Script::new(SQL), &[CritiquedFault { wrong: "Wrong", repair: &repair }]);
            let expected = Critique { clause: clause.into(), explanation: format!("Wrong. {mend}") };
            assert_eq!(found, [expected]);
        }
    }

    #[test]
    fn a_fault_in_two_clauses_has_two_entries_and_no_fault_has_the_fixed_sentence() {
        let repair = repair(&[("> 10", "> 9"), (", u.name", "")]);
        let found = critique(&Script::new(SQL), &[CritiquedFault { wrong: "Wrong.", repair: &repair }]);
        assert_eq!(found.iter().map(|entry| entry.clause.as_str()).collect::<Vec<_>>(), ["WHERE", "SELECT"]);
        assert_eq!(as_text(&found).lines().count(), 2);
        assert_eq!(as_text(&[]), CORRECT);
    }
}
