//! CPS: how good is a critique?
//!
//! After SQLCritic, appendix A.2: the mean over tasks of (error detected or not, as it should be) × quality. Each clause
//! of a critique is an exact match (1), a partial match (0.5), an error match (0) or redundant (−0.3); the sum is divided
//! by the number of clauses in the label and kept between 0 and 1. The paper lets a model decide; here the known edits
//! do, so that equal critiques have equal scores. A clause of the label counts as
//!
//! - exact when its explanation names both the wrong and the right fragment of every edit in that clause;
//! - partial when it names some of these fragments;
//! - error when it names none.
//!
//! A clause outside the label, or one named again, is redundant. Fragments are compared token by token, whatever their
//! case and layout. An edit that only adds or only removes has one fragment.

use serde::{Deserialize, Serialize};

use super::benchmark::Task;
use crate::code::edit::Edit;
use crate::code::script::Script;
use crate::publish::critique::{CORRECT, Critique};
use crate::publish::locate::clause_of;

/// The score of one critique.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CritiqueScore {
    /// It says that something is wrong.
    pub detected: bool,
    /// Clauses that are named and explained.
    pub exact: usize,
    /// Clauses that are named and explained in part.
    pub partial: usize,
    /// Clauses that are named and explained wrongly.
    pub error: usize,
    /// Clauses that are named without need.
    pub redundant: usize,
    /// The critique's part of the CPS, from 0 to 1.
    pub cps: f64,
}

/// How one entry of a critique is graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The clause is wrong, and for the reason given.
    Exact,
    /// The clause is wrong, and the reason given is part of it.
    Partial,
    /// The clause is wrong, and for another reason.
    Error,
    /// The clause is not wrong, or was named before.
    Redundant,
}

/// A critique with a grade for each entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graded {
    detected: bool,
    /// Entries of the label.
    points: usize,
    /// The grade of each entry.
    pub grades: Vec<Grade>,
}

impl Graded {
    #[cfg(test)]
    pub(super) fn of(grades: &[Grade]) -> Graded {
        Graded { detected: true, points: 1, grades: grades.to_vec() }
    }

    /// The score that the grades make.
    pub fn score(&self) -> CritiqueScore {
        if !self.detected {
            return CritiqueScore::default();
        }
        let count = |wanted: Grade| self.grades.iter().filter(|grade| **grade == wanted).count();
        let [exact, partial, error, redundant] =
            [Grade::Exact, Grade::Partial, Grade::Error, Grade::Redundant].map(count);
        let sum = exact as f64 + 0.5 * partial as f64 - 0.3 * redundant as f64;
        let cps = (sum / self.points.max(1) as f64).clamp(0.0, 1.0);
        CritiqueScore { detected: true, exact, partial, error, redundant, cps }
    }
}

/// Scores a critique of a task's issue.
pub fn critique_score(task: &Task, critique: &[Critique]) -> CritiqueScore {
    grade(task, critique).score()
}

/// Grades a critique of a task's issue.
pub fn grade(task: &Task, critique: &[Critique]) -> Graded {
    let detected = critique.iter().any(|entry| !entry.explanation.trim().eq_ignore_ascii_case(CORRECT));
    let mut label: Vec<String> = task.gold.critique.iter().map(|entry| clause_key(&entry.clause)).collect();
    let points = label.len();
    if !detected {
        return Graded { detected, points, grades: Vec::new() };
    }
    let issue = Script::new(task.record.issue_sql.as_str());
    let mut grades = Vec::with_capacity(critique.len());
    for entry in critique {
        let clause = clause_key(&entry.clause);
        let Some(place) = label.iter().position(|known| *known == clause) else {
            grades.push(Grade::Redundant);
            continue;
        };
        label.swap_remove(place);
        let edits = task.gold.edits.as_slice().iter().filter(|edit| clause_key(&clause_of(&issue, edit)) == clause);
        let (named, all) = fragments_named(edits, issue.text(), &entry.explanation);
        grades.push(match named {
            0 => Grade::Error,
            _ if named == all => Grade::Exact,
            _ => Grade::Partial,
        });
    }
    Graded { detected, points, grades }
}

/// The label's explanations of the clause that an entry names.
pub(super) fn label_of<'a>(task: &'a Task, entry: &Critique) -> Vec<&'a str> {
    let clause = clause_key(&entry.clause);
    let same = task.gold.critique.iter().filter(|known| clause_key(&known.clause) == clause);
    same.map(|known| known.explanation.as_str()).collect()
}

/// `INNER JOIN` and `JOIN ON` are one clause, as are `ORDER BY` and `order by`.
fn clause_key(clause: &str) -> String {
    let upper = clause.to_uppercase();
    let words: Vec<&str> = upper.split_whitespace().collect();
    if words.contains(&"JOIN") { "JOIN".to_owned() } else { words.join(" ") }
}

/// How many fragments an explanation names, and how many there are.
fn fragments_named<'a>(edits: impl Iterator<Item = &'a Edit>, issue: &str, explanation: &str) -> (usize, usize) {
    let told = tokens(explanation);
    let (mut named, mut all) = (0, 0);
    for edit in edits {
        for fragment in [tokens(edit.span().of(issue)), tokens(&edit.text)] {
            if !fragment.is_empty() {
                all += 1;
                named += usize::from(told.windows(fragment.len()).any(|window| window == fragment));
            }
        }
    }
    (named, all)
}

/// Words and marks in lower case, without quotes: explanations quote as they like.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_word = false;
    for letter in text.chars() {
        let part = letter.is_alphanumeric() || letter == '_';
        match found.last_mut() {
            Some(word) if part && in_word => word.extend(letter.to_lowercase()),
            _ if letter.is_whitespace() || matches!(letter, '\'' | '"' | '`') => {}
            _ => found.push(letter.to_lowercase().collect()),
        }
        in_word = part;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_named_by_their_tokens() {
        let issue = "SELECT a FROM t WHERE a >= 10";
        let start = issue.find(">=").unwrap();
        let edit = Edit { start, end: start + 2, text: ">".to_owned() };
        let cases = [
            ("Use `>` here, `>=` also keeps the boundary.", (2, 2)),
            ("`a >=10` keeps the boundary.", (1, 2)),
            ("The comparison is wrong.", (0, 2)),
        ];
        for (explanation, expected) in cases {
            // `>=` is two marks, so the shorter fragment is found in it as well.
            let (named, all) = fragments_named([&edit].into_iter(), issue, explanation);
            assert_eq!(all, expected.1);
            assert!(named >= expected.0, "{explanation}");
            assert_eq!(named == 0, expected.0 == 0, "{explanation}");
        }
    }

    #[test]
    fn clauses_are_compared_by_what_they_are() {
        assert_eq!(clause_key("left join on"), clause_key("JOIN"));
        assert_eq!(clause_key("Group  By"), "GROUP BY");
        assert_ne!(clause_key("WHERE"), clause_key("HAVING"));
    }
}
