//! Gates between a proposal and its proof, and one after it: the edits can be undone, touch one statement only, add no
//! word that gives the bug away, and no part of them plants the fault alone.

use std::collections::HashSet;

use super::confirmation;
use super::subject::Subject;
use super::trial::{Verdict, replay};
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};
use crate::engine::Engine;
use crate::engine::compare::compare;
use crate::engine::embedded::rejection;
use crate::engine::table::Database;
use crate::inject::Mutant;

/// Why a mutant cannot be a task. The messages are the reasons in a run's funnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inadmissible {
    /// The edits belong to another text.
    #[error("the edits do not fit the script")]
    Misfit,
    /// The edits leave the text as it was.
    #[error("the edits change nothing")]
    Unchanged,
    /// Undoing the edits does not give the correct script.
    #[error("the edits cannot be undone")]
    NotUndone,
    /// A statement that the edits do not touch reads differently.
    #[error("a statement that was not edited reads differently")]
    OtherStatement,
    /// The edits add a word such as `bug` or `todo`.
    #[error("the edits add a word that gives the bug away")]
    MarkerWord,
    /// The edits remove a literal that stands nowhere else, so nobody could write it again.
    #[error("the edits remove a literal that stands nowhere else")]
    NotRestorable,
    /// Some of the edits plant the fault without the others.
    #[error("a part of the edits plants the fault alone")]
    NotMinimal,
}

/// Checks a mutant before its trial and returns the changed text.
///
/// # Errors
///
/// If the mutant cannot be a task.
pub fn admit(correct: &Script, mutant: &Mutant) -> Result<String, Inadmissible> {
    let original = correct.text();
    let text = mutant.text(original).map_err(|_| Inadmissible::Misfit)?;
    if text == original {
        return Err(Inadmissible::Unchanged);
    }
    if mutant.edits.inverse(original).apply(&text).as_deref() != Ok(original) {
        return Err(Inadmissible::NotUndone);
    }
    if adds_marker(original, &mutant.edits) {
        return Err(Inadmissible::MarkerWord);
    }
    if !others_stay(correct, &Script::new(text.as_str()), &mutant.edits) {
        return Err(Inadmissible::OtherStatement);
    }
    Ok(text)
}

/// Checks that a rejected script can be repaired from its own text: each literal that the edits remove still stands
/// somewhere in `issue`, the changed text. For a script with wrong rows, complaint and sample say what belongs there.
///
/// # Errors
///
/// [`Inadmissible::NotRestorable`] if a literal is lost.
pub fn check_restorable(correct: &Script, mutant: &Mutant, issue: &str) -> Result<(), Inadmissible> {
    let is_literal = |token: &&Token| matches!(token.kind, TokenKind::Text | TokenKind::Number);
    let is_removed = |token: &Token| mutant.edits.as_slice().iter().any(|edit| edit.span().contains(token.span()));
    let removed = correct.tokens().iter().filter(is_literal).filter(|token| is_removed(token));
    // The values of placeholders are public.
    let literals: Vec<&str> =
        removed.map(|token| token.span().of(correct.text())).filter(|literal| !literal.contains("${")).collect();
    if literals.is_empty() {
        return Ok(());
    }
    let tokens = tokenize(issue);
    let stands = |literal: &&str| tokens.iter().any(|token| token.span().of(issue) == *literal);
    if literals.iter().all(stands) { Ok(()) } else { Err(Inadmissible::NotRestorable) }
}

/// Words that would tell a solver where the bug is.
const MARKERS: [&str; 12] = [
    "bug", "bugs", "buggy", "fault", "faulty", "mutant", "injected", "wrong", "incorrect", "fixme", "todo", "sqlfault",
];

/// Whether an edit adds a marker word that the script does not use itself.
fn adds_marker(original: &str, edits: &Edits) -> bool {
    let words = |text: &str| -> HashSet<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let mut added: HashSet<String> = edits.as_slice().iter().flat_map(|edit| words(&edit.text)).collect();
    added.retain(|word| MARKERS.contains(&word.as_str()));
    !added.is_empty() && !added.is_subset(&words(original))
}

/// Whether every statement before and behind the edited ones reads as before. Those behind may change if quotes do: an
/// unclosed quote makes the text behind it part of the edited statement.
fn others_stay(correct: &Script, script: &Script, edits: &Edits) -> bool {
    let edited = touched(correct, edits);
    let grown = script.text().len() as isize - correct.text().len() as isize;
    let edited_end = edited.end.saturating_add_signed(grown);
    let slices = |of: &Script, wanted: &dyn Fn(Span) -> bool| -> Vec<String> {
        let spans = of.statements().iter().map(|id| of.tree().span(*id));
        spans.filter(|span| wanted(*span)).map(|span| span.of(of.text()).to_owned()).collect()
    };
    let before = |of: &Script| slices(of, &|span| span.end < edited.start);
    let behind = |of: &Script, end: usize| slices(of, &|span| span.start > end);
    before(correct) == before(script)
        && (changes_quotes(correct.text(), edits) || behind(correct, edited.end) == behind(script, edited_end))
}

/// Returns the bytes of the statements that the edits touch; a lost semicolon touches the statements on both its sides.
fn touched(correct: &Script, edits: &Edits) -> Span {
    let edited = edits.span();
    let spans: Vec<Span> = correct.statements().iter().map(|id| correct.tree().span(*id)).collect();
    let near = spans.iter().filter(|span| span.touches(edited));
    let whole = near.fold(edited, |whole, span| whole.cover(*span));
    let ends = edits.as_slice().iter().any(|edit| edit.span().of(correct.text()).contains(';'));
    let before = spans.iter().rfind(|span| ends && span.end <= edited.start);
    let next = spans.iter().find(|span| ends && span.start >= edited.end);
    before.into_iter().chain(next).fold(whole, |whole, span| whole.cover(*span))
}

/// Whether quotes, braces of placeholders or comment marks no longer pair up as they did.
fn changes_quotes(original: &str, edits: &Edits) -> bool {
    let quotes = |text: &str| text.matches(['\'', '"', '`']).count();
    let moved = |edit: &Edit| quotes(&edit.text) + quotes(edit.span().of(original));
    let marks = |edit: &Edit| ["/*", "*/", "--"].iter().any(|mark| edit.text.contains(mark));
    let braces = |text: &str| text.matches('{').count() as isize - text.matches('}').count() as isize;
    let opened = |edit: &Edit| braces(&edit.text) - braces(edit.span().of(original));
    edits.as_slice().iter().map(moved).sum::<usize>() % 2 == 1
        || edits.as_slice().iter().map(opened).sum::<isize>() != 0
        || edits.as_slice().iter().any(marks)
}

/// Returns every proper, non-empty subset of the edits. Operators make two or three edits; of more than eight, only the
/// single edits and all but one are returned.
pub fn parts(edits: &Edits) -> Vec<Edits> {
    let all = edits.as_slice();
    let chosen: Vec<Vec<Edit>> = if all.len() <= 8 {
        let pick = |mask: usize| (0..all.len()).filter(|at| mask >> at & 1 == 1).map(|at| all[at].clone()).collect();
        (1..(1usize << all.len()).saturating_sub(1)).map(pick).collect()
    } else {
        let without =
            |gone: usize| all.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, edit)| edit.clone()).collect();
        all.iter().map(|edit| vec![edit.clone()]).chain((0..all.len()).map(without)).collect()
    };
    // A subset of disjoint edits is disjoint.
    chosen.into_iter().filter_map(|part| Edits::new(part).ok()).collect()
}

/// Whether some of a proved mutant's edits alone plant the same fault.
///
/// For a rejection, the judging engine refuses the part with the same class. For wrong rows, the part runs and gives
/// the same rows as the whole on the witness. Edits that belong together (text that moves, a pair of brackets) have no
/// smaller form of the same fault: a bracket alone is another fault.
pub fn part_suffices(engine: &dyn Engine, subject: &Subject<'_>, mutant: &Mutant, verdict: &Verdict) -> bool {
    let original = subject.reference.script.text();
    // Blanks that only keep a column aligned plant nothing.
    let planting = mutant.edits.without_blanks(original);
    if planting.as_slice().len() < 2 || mutant.indivisible {
        return false;
    }
    parts(&planting).iter().filter_map(|part| part.apply(original).ok()).any(|text| match verdict {
        Verdict::Rejected { rejection, .. } => {
            confirmation::refused(engine, subject, &text).is_some_and(|other| other.class == rejection.class)
        }
        Verdict::Killed { witness, .. } => same_rows(subject, mutant, &text, witness),
        _ => false,
    })
}

fn same_rows(subject: &Subject<'_>, mutant: &Mutant, part: &str, witness: &Database) -> bool {
    let Ok(whole) = mutant.text(subject.reference.script.text()) else { return false };
    if rejection(part, subject.context()).is_some() {
        return false;
    }
    match (replay(subject, &whole, witness), replay(subject, part, witness)) {
        (Ok(whole), Ok(part)) => compare(&whole.issue, &part.issue).is_equal(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str = "SELECT a, b FROM t WHERE a = 'x';\nSELECT c FROM u";

    fn admitted(edits: &[(usize, usize, &str)]) -> Result<String, Inadmissible> {
        let edit = |(start, end, text): &(usize, usize, &str)| Edit::replacement(Span::new(*start, *end), *text);
        let edits = Edits::new(edits.iter().map(edit).collect()).unwrap();
        admit(&Script::new(SQL), &Mutant::of_edits("s", "k", "f", edits))
    }

    #[test]
    fn each_gate_has_a_mutant_that_it_stops() {
        assert_eq!(admitted(&[(7, 8, "b")]).unwrap(), SQL.replacen("a", "b", 1));
        assert_eq!(admitted(&[(7, 8, "a")]), Err(Inadmissible::Unchanged));
        assert_eq!(admitted(&[(500, 501, "a")]), Err(Inadmissible::Misfit));
        assert_eq!(admitted(&[(8, 8, " AS bug")]), Err(Inadmissible::MarkerWord));
        assert_eq!(admitted(&[(8, 8, " -- TODO")]), Err(Inadmissible::MarkerWord));
        assert_eq!(admitted(&[(8, 8, "; SELECT 1")]), Ok(format!("SELECT a; SELECT 1{}", &SQL[8..])));
    }

    #[test]
    fn a_literal_that_stands_nowhere_else_cannot_be_restored() {
        let restorable = |sql: &str, gone: &str| {
            let start = sql.find(gone).unwrap();
            let edits = Edits::new(vec![Edit::deletion(Span::new(start, start + gone.len()))]).unwrap();
            let (script, mutant) = (Script::new(sql), Mutant::of_edits("s", "k", "f", edits));
            check_restorable(&script, &mutant, &mutant.text(sql).unwrap())
        };
        assert_eq!(restorable("SELECT SPLIT(a, ';') FROM t", "a, ';'"), Err(Inadmissible::NotRestorable));
        assert_eq!(restorable("SELECT SPLIT(a, ';'), SPLIT(b, ';') FROM t", "a, ';'"), Ok(()));
        assert_eq!(restorable("SELECT SPLIT(a, ';') FROM t", "'"), Ok(()));
        assert_eq!(restorable("SELECT a FROM t WHERE dt = '${d}'", "WHERE dt = '${d}'"), Ok(()));
    }

    #[test]
    fn a_word_of_the_script_is_no_marker() {
        let edits = Edits::new(vec![Edit::insertion(0, "wrong")]).unwrap();
        assert!(adds_marker("SELECT a", &edits));
        assert!(!adds_marker("SELECT is_wrong", &edits));
    }

    #[test]
    fn a_lost_quote_may_swallow_the_next_statement_and_a_comma_may_not() {
        let quote = SQL.find("'x").unwrap();
        assert!(admitted(&[(quote, quote + 1, "")]).is_ok());
        let semicolon = SQL.find(';').unwrap();
        assert!(admitted(&[(semicolon, semicolon + 1, "")]).is_ok());
    }

    #[test]
    fn parts_are_all_proper_subsets() {
        let edits = |count: usize| Edits::new((0..count).map(|at| Edit::insertion(at, "x")).collect()).unwrap();
        assert_eq!([1, 2, 3, 4].map(|count| parts(&edits(count)).len()), [0, 2, 6, 14]);
        assert_eq!(parts(&edits(9)).len(), 18);
    }
}
