//! CPS: how good is a critique?
//!
//! After SQLCritic, appendix A.2: the mean over all scripts of (error detected or not, as it should be) × quality. Each
//! clause of a critique is an exact match (1), a partial match (0.5), an error match (0) or redundant (−0.3); the sum is
//! divided by the number of clauses in the label and kept between 0 and 1. A correct script has no such number:
//! leaving it alone scores 1, a false alarm 0.
//!
//! The paper lets a model decide what an explanation is worth; here the known edits do ([`explanation`](super::explanation)),
//! so that equal critiques have equal scores. A clause outside the label, or one named again, is redundant.

use serde::{Deserialize, Serialize};

use super::benchmark::Task;
use super::explanation;
use super::grade::Grade;
use crate::code::script::Script;
use crate::publish::critique::{CORRECT, Critique};
use crate::publish::locate::clause_of;

#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CritiqueScore {
    /// Whether it says that something is wrong.
    pub detected: bool,
    /// Clauses named and explained correctly.
    pub exact: usize,
    /// Clauses named and explained in part.
    pub partial: usize,
    /// Clauses named but explained wrongly.
    pub error: usize,
    /// Clauses that are not wrong, or were named before.
    pub redundant: usize,
    /// The critique's contribution to the CPS, from 0 to 1.
    pub cps: f64,
}

/// A critique with a grade for each entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graded {
    detected: bool,
    /// How many entries the label has.
    points: usize,
    /// The grade of each entry.
    pub grades: Vec<Grade>,
}

impl Graded {
    #[cfg(test)]
    pub(super) fn of(grades: &[Grade]) -> Graded {
        Graded { detected: true, points: 1, grades: grades.to_vec() }
    }

    /// Returns the score that follows from the grades.
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

/// Scores a critique of a correct script. `None` stands for a missing critique and scores 0.
pub fn control_score(critique: Option<&[Critique]>) -> CritiqueScore {
    let Some(critique) = critique else { return CritiqueScore::default() };
    let alarms = critique.iter().filter(|entry| !says_correct(entry)).count();
    let cps = if alarms == 0 { 1.0 } else { 0.0 };
    CritiqueScore { detected: alarms > 0, redundant: alarms, cps, ..CritiqueScore::default() }
}

fn says_correct(entry: &Critique) -> bool {
    entry.explanation.trim().eq_ignore_ascii_case(CORRECT)
}

/// Grades a critique of a task's issue.
pub fn grade(task: &Task, critique: &[Critique]) -> Graded {
    let detected = critique.iter().any(|entry| !says_correct(entry));
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
        grades.push(explanation::grade(&entry.explanation, edits, &issue, &label_of(task, entry)));
    }
    Graded { detected, points, grades }
}

/// Returns the label's explanations of the clause that an entry names.
pub(super) fn label_of<'a>(task: &'a Task, entry: &Critique) -> Vec<&'a str> {
    let clause = clause_key(&entry.clause);
    let same = task.gold.critique.iter().filter(|known| clause_key(&known.clause) == clause);
    same.map(|known| known.explanation.as_str()).collect()
}

/// Normalises the name of a clause: `INNER JOIN` and `JOIN ON` are the same clause, as are `ORDER BY` and `order by`.
fn clause_key(clause: &str) -> String {
    let upper = clause.to_uppercase();
    let words: Vec<&str> = upper.split_whitespace().collect();
    if words.contains(&"JOIN") { "JOIN".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_compared_by_what_they_are() {
        assert_eq!(clause_key("left join on"), clause_key("JOIN"));
        assert_eq!(clause_key("Group  By"), "GROUP BY");
        assert_ne!(clause_key("WHERE"), clause_key("HAVING"));
    }

    #[test]
    fn a_correct_script_is_left_alone_or_raises_a_false_alarm() {
        let entry = |text: &str| Critique { clause: "WHERE".to_owned(), explanation: text.to_owned() };
        for (critique, cps, alarms) in [
            (Some(vec![]), 1.0, 0),
            (Some(vec![entry(CORRECT)]), 1.0, 0),
            (Some(vec![entry("The filter is inverted.")]), 0.0, 1),
            (None, 0.0, 0),
        ] {
            let score = control_score(critique.as_deref());
            assert_eq!((score.cps, score.redundant, score.detected), (cps, alarms, alarms > 0), "{critique:?}");
        }
    }
}
