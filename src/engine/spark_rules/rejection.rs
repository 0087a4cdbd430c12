//! Why and where an engine refuses a script, in words that end as Spark's do.

use super::rule_finding::RuleFinding;
use crate::code::bound_text::BoundText;
use crate::code::script::Script;
use crate::code::span::{LineColumn, Span};

/// The stage at which an engine refuses a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionStage {
    /// The text does not parse.
    Parse,
    /// A name does not resolve, or a type or another rule of the language is violated.
    Analysis,
    /// It fails while it runs.
    Run,
}

/// Why a script is refused.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rejection {
    pub stage: RejectionStage,
    /// The error class, such as `UNRESOLVED_COLUMN.WITH_SUGGESTION`.
    pub class: String,
    /// The SQLSTATE; empty where Spark gives none.
    pub sqlstate: String,
    /// Offending bytes in the script.
    pub span: Span,
    /// Line and column, both from 1.
    pub place: LineColumn,
    /// The whole message.
    pub message: String,
}

impl Rejection {
    /// Moves the rejection of a bound text to its place in the original text.
    pub fn placed_in(self, original: &str, bound: &BoundText) -> Rejection {
        let span = Span::new(bound.original(self.span.start), bound.original(self.span.end));
        let place = LineColumn::of(original, span.start);
        let message = match self.message.split_once(&place_words(self.stage, self.place)) {
            Some((words, _)) => {
                format!("{words}{}{}", place_words(self.stage, place), excerpt(original, self.stage, place))
            }
            None => self.message,
        };
        Rejection { span, place, message, ..self }
    }
}

/// Returns the rejection of a script that a finding gives.
pub(super) fn rejection(script: &Script, stage: RejectionStage, finding: RuleFinding) -> Rejection {
    let place = script.place(finding.span.start);
    let state = if finding.sqlstate.is_empty() { String::new() } else { format!(" SQLSTATE: {}", finding.sqlstate) };
    let (located, excerpt) = (place_words(stage, place), excerpt(script.text(), stage, place));
    Rejection {
        stage,
        class: finding.class.to_owned(),
        sqlstate: finding.sqlstate.to_owned(),
        span: finding.span,
        place,
        message: format!("[{}] {}{state}{located}{excerpt}", finding.class, finding.words),
    }
}

/// Returns a place as Spark's parser or analyser ends its words with it.
fn place_words(stage: RejectionStage, place: LineColumn) -> String {
    let (line, position) = (place.line, place.column - 1);
    match stage {
        RejectionStage::Parse => format!(" (line {line}, pos {position})"),
        RejectionStage::Analysis | RejectionStage::Run => format!("; line {line} pos {position}"),
    }
}

/// Returns the offending line with a pointer below it, as Spark's parser prints it among all lines of the statement;
/// empty for other stages.
fn excerpt(text: &str, stage: RejectionStage, place: LineColumn) -> String {
    if stage != RejectionStage::Parse {
        return String::new();
    }
    let line = text.lines().nth(place.line - 1).unwrap_or_default();
    format!("\n\n== SQL ==\n{line}\n{}^^^", "-".repeat(place.column - 1))
}
