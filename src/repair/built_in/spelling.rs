//! Repairs a misspelt keyword, function, table or column.

use super::candidate::{RepairCandidate, cheapest_accepted};
use super::rule_solver::{RuleRepair, RuleSolver};
use super::style::KeywordCase;
use super::vocabulary::{KEYWORDS, TYPES, aliases, is_keyword, table_names};
use crate::code::edit::Edit;
use crate::code::functions;
use crate::code::scope::ProblemKind;
use crate::code::script::unquoted;
use crate::code::token::TokenKind;
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::repair::assignment::{AnalysedText, Assignment};

/// Tokens before and after the place of a syntax error that may be the misspelt one.
const BEFORE: usize = 14;
const AFTER: usize = 3;
/// Texts the engine is asked about at most.
const MOST: usize = 400;

/// The solver that knows how words are written.
pub const SPELLING: RuleSolver =
    RuleSolver { name: "spelling", solve: |assignment, _| cheapest(assignment).into_iter().collect() };

fn cheapest(assignment: &Assignment<'_>) -> Option<RuleRepair> {
    let reading = assignment.read(assignment.issue());
    let rejection = reading.rejection.as_ref()?;
    cheapest_accepted(assignment, candidates(assignment, &reading, rejection), MOST)
}

/// Every respelling near the place of an error.
pub fn candidates(assignment: &Assignment<'_>, reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    let script = &reading.script;
    let (first, last) = suspects(reading, rejection);
    let known = known_words(assignment, reading);
    let style = KeywordCase::of(script);
    let mut found = suggested(reading, rejection);
    for index in first..=last {
        let token = &script.tokens()[index];
        if !matches!(token.kind, TokenKind::Word | TokenKind::QuotedName) {
            continue;
        }
        let written = unquoted(token.span().of(script.text()));
        let calls = script.token_text(index + 1) == "(";
        for word in nearest(&written.to_lowercase(), &known, calls) {
            let cost = word.1 as f64 + 0.02 * index.abs_diff(script.token_at(rejection.span.start)) as f64;
            found.push(RepairCandidate::one(Edit::replacement(token.span(), style.write(&word.0)), cost));
        }
    }
    found
}

/// The tokens that may be misspelt: those of the offending node, or those around the place where the parser stopped.
fn suspects(reading: &AnalysedText, rejection: &Rejection) -> (usize, usize) {
    let script = &reading.script;
    let end = script.tokens().len().saturating_sub(1);
    let at = script.token_at(rejection.span.start).min(end);
    if rejection.stage == RejectionStage::Parse {
        return (at.saturating_sub(BEFORE), (at + AFTER).min(end));
    }
    (at, script.token_at(rejection.span.end.saturating_sub(1)).clamp(at, end))
}

/// What name resolution itself suggests for an unknown column, with the qualifier as written if there is one.
fn suggested(reading: &AnalysedText, rejection: &Rejection) -> Vec<RepairCandidate> {
    let at_place = |problem: &&crate::code::scope::ScopeProblem| problem.span.overlaps(rejection.span);
    let mut found = Vec::new();
    for problem in reading.scopes.problems().iter().filter(at_place) {
        let ProblemKind::UnknownColumn { name, suggestions } = &problem.kind else { continue };
        for suggestion in suggestions {
            let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
            let meant = if name.contains('.') { suggestion.clone() } else { last(suggestion) };
            let distance = strsim::osa_distance(&name.to_lowercase(), &meant);
            found.push(RepairCandidate::one(Edit::replacement(problem.span, meant), distance as f64));
        }
    }
    found
}

fn known_words(assignment: &Assignment<'_>, reading: &AnalysedText) -> Vec<String> {
    let mut words: Vec<String> = KEYWORDS.iter().chain(&TYPES).map(|word| (*word).to_owned()).collect();
    words.extend(table_names(&reading.script, &reading.scopes, &assignment.schema));
    words.extend(aliases(&reading.scopes));
    words.extend(assignment.schema.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.clone()));
    words.extend(reading.scopes.relations().flat_map(|(_, relation)| relation.columns.iter()).map(|c| c.name.clone()));
    words.sort();
    words.dedup();
    words
}

/// Known words within two typing errors (one in a word of up to four letters), with the number of errors.
fn nearest(written: &str, known: &[String], calls: bool) -> Vec<(String, usize)> {
    if is_keyword(written) || calls && functions::lookup(written).is_some() {
        return Vec::new();
    }
    let most = if written.chars().count() > 4 { 2 } else { 1 };
    let functions = functions::all().filter(|_| calls).map(|function| function.name);
    let words = known.iter().map(String::as_str).chain(functions);
    let near = words.filter(|word| word.len().abs_diff(written.len()) <= most && *word != written);
    let with_distance = near.map(|word| (word.to_owned(), strsim::osa_distance(word, written)));
    with_distance.filter(|(_, distance)| *distance <= most).collect()
}
