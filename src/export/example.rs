//! One task as training material, before a format gives it its shape.

use crate::code::edit::Edits;
use crate::code::span::Span;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::publish::critique::{CORRECT, as_text};
use crate::repair::prompt::{PromptError, RepairPrompts};
use crate::repair::{Assignment, CriticSetting};
use crate::reply::Replacement;
use crate::score::Task;

use super::blocks::{BlockStyle, blocks};

/// The default β of preference pairs of critiques. SQLCritic does not state its own; with 0.1 a pair with CS = −1 would
/// have a β of 0 and teach nothing.
pub const BETA: f64 = 0.2;

/// What the wanted answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum AnswerStyle {
    /// The whole repaired script
    // The paper's vanilla SFT and, with the changed ranges, its DM-SFT.
    Whole,
    /// Search-and-replace blocks of whole lines
    // The paper's diff-SFT, as the next one.
    Lines,
    /// The shortest search-and-replace blocks
    Minimal,
    /// The critique, then the whole script
    Reasoned,
    /// The clause-wise critique alone, in the form of SQLCritic
    Critique,
}

/// Where a rejected answer comes from, the most useful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectedKind {
    /// A solver's attempt that the judge did not accept.
    Attempt,
    /// Another proved mutant of the same reference: wrong SQL that looks like a repair.
    Sibling,
    /// The issue itself: nothing was repaired.
    Issue,
    /// A critic's critique that did not lead to an accepted script.
    Refuted,
    /// The label without one of its entries.
    Incomplete,
    /// The critique of another task of the same domain.
    OtherTask,
    /// The sentence that the script is right, about a wrong one.
    Overlooked,
}

impl RejectedKind {
    pub fn name(self) -> &'static str {
        match self {
            RejectedKind::Attempt => "attempt",
            RejectedKind::Sibling => "sibling",
            RejectedKind::Issue => "issue",
            RejectedKind::Refuted => "refuted",
            RejectedKind::Incomplete => "incomplete",
            RejectedKind::OtherTask => "other_task",
            RejectedKind::Overlooked => "overlooked",
        }
    }
}

/// An answer that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    pub kind: RejectedKind,
    /// The SQL that it gives, or for a critique its text.
    pub text: String,
    /// How far a critique agrees with the wanted one: [`clause_inconsistency`](super::clause_inconsistency); `None` for
    /// SQL.
    pub clause_inconsistency: Option<f64>,
}

impl Rejected {
    /// Returns a rejected answer that is SQL.
    pub fn sql(kind: RejectedKind, text: String) -> Rejected {
        Rejected { kind, text, clause_inconsistency: None }
    }
}

/// One task as training material.
#[derive(Clone, Debug)]
pub struct TrainingExample<'a> {
    /// The task with its judge's record.
    pub task: &'a Task,
    /// The path of its run, which a grader can open.
    pub run: &'a str,
    /// What the model is told before the task.
    pub system: String,
    /// The task as a prompt.
    pub instruction: String,
    pub answer: String,
    /// Ranges of bytes of `answer` that differ from the issue; empty unless the answer holds the whole script.
    pub changed: Vec<Span>,
    /// Wrong answers, the most useful first.
    pub rejected: Vec<Rejected>,
    /// The style of the wanted and the wrong answers.
    pub style: AnswerStyle,
    /// The β of preference pairs of critiques at CS = 0 (equation 4 of SQLCritic).
    pub beta: f64,
}

impl<'a> TrainingExample<'a> {
    /// Makes an example with prompt and wanted answer, without wrong answers and a run.
    pub fn new(
        prompts: &RepairPrompts,
        task: &'a Task,
        assignment: &Assignment<'_>,
        style: AnswerStyle,
    ) -> Result<TrainingExample<'a>, PromptError> {
        let prompt = match style {
            AnswerStyle::Lines => prompts.diff(assignment)?,
            AnswerStyle::Minimal => prompts.minimal(assignment)?,
            AnswerStyle::Whole => prompts.whole(assignment)?,
            AnswerStyle::Reasoned => prompts.reasoned(assignment)?,
            // A complaint would tell the critic that the script is wrong, which it has to find out.
            AnswerStyle::Critique => {
                let setting = if assignment.question.is_some() { CriticSetting::All } else { CriticSetting::Incorrect };
                prompts.critic(assignment, assignment.issue(), setting)?
            }
        };
        let (answer, changed) = answer(task, style);
        let (system, instruction) = (prompt.system.clone(), prompt.turns.join("\n\n"));
        let (run, rejected, beta) = ("", Vec::new(), BETA);
        Ok(TrainingExample { task, run, system, instruction, answer, changed, rejected, style, beta })
    }

    /// Returns the β of the preference pair with this rejected critique, β + 0.1 · CS (equation 4 of SQLCritic); `None`
    /// for SQL.
    pub fn pair_beta(&self, rejected: &Rejected) -> Option<f64> {
        rejected.clause_inconsistency.map(|inconsistency| {
            // Sums of decimals are not exact: 0.2 + 0.02 would be written with 17 digits.
            ((self.beta + 0.1 * inconsistency) * 1e6).round() / 1e6
        })
    }

    /// Returns the track as rows name it; `control` for a script without a fault.
    pub fn track(&self) -> &'static str {
        match self.task.record.track() {
            _ if self.task.gold.critique.is_empty() => "control",
            Track::Syntax => "syntax",
            Track::Semantic => "semantic",
        }
    }

    /// Returns a wrong answer as text in this example's style. `None` if the style has no text for it: blocks that
    /// change nothing, or SQL where a critique is wanted.
    pub fn rejected_answer(&self, rejected: &Rejected) -> Option<String> {
        let issue = self.task.record.issue_sql.as_str();
        match self.style {
            AnswerStyle::Whole => Some(fenced(&rejected.text)),
            AnswerStyle::Reasoned => Some(format!("{}{}", self.reason(rejected), fenced(&rejected.text))),
            AnswerStyle::Lines | AnswerStyle::Minimal if rejected.text == issue => None,
            AnswerStyle::Lines => Some(blocks_text(&blocks(issue, &rejected.text, BlockStyle::Lines))),
            AnswerStyle::Minimal => Some(blocks_text(&blocks(issue, &rejected.text, BlockStyle::Minimal))),
            AnswerStyle::Critique => rejected.clause_inconsistency.map(|_| rejected.text.clone()),
        }
    }

    /// Returns what stands before a wrong script where the wanted one has its critique, so that no pair is told apart by
    /// its first word: who gives the issue back finds nothing wrong, any other mends the right fault in a wrong way.
    fn reason(&self, rejected: &Rejected) -> String {
        match rejected.kind {
            RejectedKind::Issue => reason(CORRECT),
            _ => reason(&as_text(&self.task.gold.critique)),
        }
    }

    /// Returns the changed ranges, `[start, end)`, in characters, as Python counts them.
    pub fn changed_characters(&self) -> Vec<[usize; 2]> {
        let characters = |byte: usize| self.answer[..byte].chars().count();
        self.changed.iter().map(|span| [characters(span.start), characters(span.end)]).collect()
    }
}

/// Returns the wanted answer to a task and, if it holds the whole script, the ranges of bytes that differ from the
/// issue.
pub fn answer(task: &Task, style: AnswerStyle) -> (String, Vec<Span>) {
    let (issue, reference) = (task.record.issue_sql.as_str(), task.gold.reference_sql.as_str());
    match style {
        AnswerStyle::Whole => whole("", task),
        AnswerStyle::Reasoned => whole(&reason(&as_text(&task.gold.critique)), task),
        AnswerStyle::Lines => (blocks_text(&blocks(issue, reference, BlockStyle::Lines)), Vec::new()),
        AnswerStyle::Minimal => (blocks_text(&blocks(issue, reference, BlockStyle::Minimal)), Vec::new()),
        AnswerStyle::Critique => (as_text(&task.gold.critique), Vec::new()),
    }
}

const FENCE: &str = "```sql\n";

/// A critique as it stands before a script.
fn reason(critique: &str) -> String {
    format!("{critique}\n\n")
}

fn whole(before: &str, task: &Task) -> (String, Vec<Span>) {
    let shift = before.len() + FENCE.len();
    let changed = repaired_ranges(&task.gold.edits, &task.record.issue_sql, &task.gold.reference_sql);
    let changed = changed.into_iter().map(|span| Span::new(span.start + shift, span.end + shift)).collect();
    (format!("{before}{}", fenced(&task.gold.reference_sql)), changed)
}

fn fenced(sql: &str) -> String {
    format!("{FENCE}{}\n```", sql.strip_suffix('\n').unwrap_or(sql))
}

/// The ranges of the reference that the repair writes. Where it only removes text or moves blanks, the range reaches to
/// the characters around the gap, so that a loss weighted by ranges is not empty there: tokens have no blanks.
fn repaired_ranges(repair: &Edits, issue: &str, reference: &str) -> Vec<Span> {
    let planted = repair.inverse(issue);
    planted.as_slice().iter().map(|edit| around_gap(edit.span(), reference)).collect()
}

fn around_gap(span: Span, text: &str) -> Span {
    if !span.of(text).trim().is_empty() {
        return span;
    }
    let start = text[..span.start].trim_end().char_indices().next_back().map_or(span.start, |(at, _)| at);
    let after = text[span.end..].char_indices().find(|(_, letter)| !letter.is_whitespace());
    let end = after.map_or(span.end, |(at, letter)| span.end + at + letter.len_utf8());
    Span::new(start, end)
}

/// Returns blocks in the text form in which models write them.
pub fn blocks_text(blocks: &[Replacement]) -> String {
    let line = |text: &str| if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let block = |block: &Replacement| {
        format!("<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE", line(&block.search), line(&block.replace))
    };
    blocks.iter().map(block).collect::<Vec<_>>().join("\n\n")
}

/// Returns the SQL of those proved mutants of the same reference whose edits touch the bytes that the task's repair
/// writes: wrong repairs at the right place.
pub fn siblings<'m>(task: &Task, mutants: impl Iterator<Item = &'m Mutant>) -> Vec<Rejected> {
    let (reference, issue) = (task.gold.reference_sql.as_str(), task.record.issue_sql.as_str());
    let places = repaired_ranges(&task.gold.edits, issue, reference);
    let near = |mutant: &Mutant| {
        let span = mutant.edits.span();
        places.iter().any(|place| span.touches(*place))
    };
    let wrong = mutants.filter(|mutant| near(mutant)).filter_map(|mutant| mutant.edits.apply(reference).ok());
    wrong.filter(|sql| sql != issue && sql != reference).map(|sql| Rejected::sql(RejectedKind::Sibling, sql)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_blanks_reaches_to_the_characters_around_it() {
        let text = "select a    as b";
        let of = |start: usize, end: usize| around_gap(Span::new(start, end), text).of(text).to_owned();
        assert_eq!([of(9, 11), of(8, 8), of(7, 8), of(0, 0)], ["a    a", "a    a", "a", "s"]);
    }
}
