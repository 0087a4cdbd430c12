//! Looks for the single-token edit near the place of an error that the engine takes.

use super::candidate::{RepairCandidate, cheapest_accepted};
use super::likelihood::TokenLikelihood;
use super::rule_solver::{RuleRepair, RuleSolver};
use super::style::KeywordCase;
use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::repair::assignment::{AnalysedText, Assignment};

/// Tokens before and after the place where an edit may be.
const BEFORE: usize = 10;
const AFTER: usize = 4;
/// Tokens after a `when` at which the parser gave up a CASE: the fault may be anywhere in it.
const CASE: usize = 60;
/// Words a CASE may lack.
const CASE_WORDS: [&str; 4] = ["end", "then", "when", "else"];
/// Texts the engine is asked about at most.
const MOST: usize = 1_500;
/// What may have been left out.
const INSERTIONS: [&str; 43] = [
    ",", "(", ")", ".", "=", ";", "and", "or", "not", "as", "on", "by", "in", "is", "then", "when", "case", "end",
    "else", "between", "like", "from", "select", "where", "group", "order", "partition", "over", "join", "left",
    "lateral", "view", "lateral view", "union", "all", "table", "into", "insert", "overwrite", "group by", "order by",
    "partition by", "with",
];
/// What may stand in the place of another word or sign.
const REPLACEMENTS: [&str; 22] = [
    ",", ")", "(", "and", "=", "<>", ">=", "<=", "as", "on", "where", "having", "when", "then", "is", "in", "by",
    "from", "lateral view", "else", ";", "rows",
];

/// The solver that tries every small edit near the place of the error.
pub const POSITION: RuleSolver =
    RuleSolver { name: "position", solve: |assignment, _| cheapest(assignment).into_iter().collect() };

fn cheapest(assignment: &Assignment<'_>) -> Option<RuleRepair> {
    let reading = assignment.read(assignment.issue());
    let rejection = reading.rejection.as_ref()?;
    let mut found = super::spelling::candidates(assignment, &reading, rejection);
    found.extend(super::analysis::candidates(&reading, rejection));
    found.extend(edits_near(&reading, rejection));
    cheapest_accepted(assignment, found, MOST)
}

fn edits_near(reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    let script = &reading.script;
    let end = script.tokens().len();
    let at = script.token_at(rejection.span.start).min(end.saturating_sub(1));
    let before = if rejection.stage == RejectionStage::Parse { BEFORE } else { BEFORE / 2 };
    let near =
        ErrorNeighbourhood { reading, style: KeywordCase::of(script), likelihood: TokenLikelihood::of(script), at };
    let mut found: Vec<RepairCandidate> =
        (at.saturating_sub(before)..(at + AFTER).min(end)).flat_map(|index| near.edits_at(index)).collect();
    if script.token_text(at).eq_ignore_ascii_case("when") {
        found.extend((at + 1..(at + CASE).min(end)).flat_map(|index| near.case_words_at(index)));
    }
    found
}

struct ErrorNeighbourhood<'a> {
    reading: &'a AnalysedText,
    style: KeywordCase,
    likelihood: TokenLikelihood,
    at: usize,
}

impl ErrorNeighbourhood<'_> {
    fn span(&self, index: usize) -> Span {
        self.reading.script.tokens()[index].span()
    }

    fn edits_at(&self, index: usize) -> Vec<RepairCandidate> {
        let mut found = vec![self.candidate(index, 1, &[], Edit::deletion(self.with_blank(index)))];
        for word in INSERTIONS {
            found.push(self.candidate(index, 0, &word.split(' ').collect::<Vec<_>>(), self.insertion(index, word)));
        }
        for word in REPLACEMENTS {
            let edit = Edit::replacement(self.span(index), self.style.write(word));
            found.push(self.candidate(index, 1, &word.split(' ').collect::<Vec<_>>(), edit));
        }
        found
    }

    /// Insertions before token `index` of a word that a CASE further up may lack.
    fn case_words_at(&self, index: usize) -> Vec<RepairCandidate> {
        let script = &self.reading.script;
        let likely = |word: &&str| {
            let surprise = self.likelihood.surprise(script, index, 0, &[*word]);
            RepairCandidate::one(self.insertion(index, word), 1.0 + surprise + 0.02 * index.abs_diff(self.at) as f64)
        };
        CASE_WORDS.iter().map(likely).collect()
    }

    /// A token with the blank after it if there is one before it too, so that its deletion leaves one blank.
    fn with_blank(&self, index: usize) -> Span {
        let span = self.span(index);
        let (before, after) = self.reading.script.text().split_at(span.start);
        let after = &after[span.len()..];
        let alone = before.is_empty() || before.ends_with(char::is_whitespace);
        let blank = if alone { after.len() - after.trim_start_matches(' ').len() } else { 0 };
        Span::new(span.start, span.end + blank)
    }

    /// A word before token `index`: signs that close stand right after the token before, words right before the next.
    fn insertion(&self, index: usize, word: &str) -> Edit {
        let written: Vec<String> = word.split(' ').map(|word| self.style.write(word)).collect();
        let written = written.join(" ");
        match (word, index) {
            ("," | ")" | ";" | ".", 1..) => Edit::insertion(self.span(index - 1).end, written),
            ("(", _) => Edit::insertion(self.span(index).start, written),
            _ => Edit::insertion(self.span(index).start, format!("{written} ")),
        }
    }

    /// The cost of putting `words` in the place of `removed` tokens from `index` on.
    fn candidate(&self, index: usize, removed: usize, words: &[&str], edit: Edit) -> RepairCandidate {
        let surprise = self.likelihood.surprise(&self.reading.script, index, removed, words);
        let far = 0.15 * index.abs_diff(self.at) as f64;
        let base = match (removed, words) {
            (_, []) => 0.7,
            (0, _) => 1.0,
            _ => 1.2,
        };
        RepairCandidate::one(edit, base + surprise + far)
    }
}
