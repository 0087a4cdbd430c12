//! The verdict on one answer.

use serde::{Deserialize, Serialize};

use super::accepted::{Credit, Findings};
use super::localisation::ChangeLocation;
use crate::engine::child::{Exceeded, RunVerdict};
use crate::fault::Track;

/// How an answer ended, so that a score of 0 always has a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOutcome {
    /// Equal results on every database.
    Equal,
    /// The rows of the reference in another order where the reference fixes one.
    OtherOrder,
    OtherRows,
    OtherColumns,
    /// A table of the reference is not written, or a further table is.
    OtherTables,
    RejectedAtParse,
    /// It parses, and Spark's rules refuse it.
    RejectedAtAnalysis,
    /// It uses a construct that the embedded engine does not run.
    Unsupported,
    /// It fails while it runs.
    Failed,
    /// It takes too long.
    Timeout,
    /// It needs too much memory.
    OutOfMemory,
    /// It gives too many rows.
    TooManyRows,
    /// It ended the process that ran it.
    Crashed,
    /// It was not run: the caller asked for the metrics of the text alone, or the task has no database.
    NotRun,
    /// The run's own files are damaged, or this program failed: neither right nor wrong.
    Unjudged,
    Missing,
    /// The answer has no SQL in it.
    Empty,
    /// The answer is too large to be a repair.
    TooLarge,
    /// The answer consists of edit blocks that do not apply at exactly one place of the issue.
    Inapplicable,
    /// The answer is not a string.
    WrongType,
    /// Several answers; none counts.
    Duplicate,
}

impl AnswerOutcome {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            AnswerOutcome::Equal => "equal",
            AnswerOutcome::OtherOrder => "other_order",
            AnswerOutcome::OtherRows => "other_rows",
            AnswerOutcome::OtherColumns => "other_columns",
            AnswerOutcome::OtherTables => "other_tables",
            AnswerOutcome::RejectedAtParse => "rejected_at_parse",
            AnswerOutcome::RejectedAtAnalysis => "rejected_at_analysis",
            AnswerOutcome::Unsupported => "unsupported",
            AnswerOutcome::Failed => "failed",
            AnswerOutcome::Timeout => "timeout",
            AnswerOutcome::OutOfMemory => "out_of_memory",
            AnswerOutcome::TooManyRows => "too_many_rows",
            AnswerOutcome::Crashed => "crashed",
            AnswerOutcome::NotRun => "not_run",
            AnswerOutcome::Unjudged => "unjudged",
            AnswerOutcome::Missing => "missing",
            AnswerOutcome::Empty => "empty",
            AnswerOutcome::TooLarge => "too_large",
            AnswerOutcome::Inapplicable => "inapplicable",
            AnswerOutcome::WrongType => "wrong_type",
            AnswerOutcome::Duplicate => "duplicate",
        }
    }
}

impl AnswerOutcome {
    /// Whether this outcome results from checking or running the answer.
    pub fn is_judged(self) -> bool {
        use AnswerOutcome::{Duplicate, Empty, Inapplicable, Missing, NotRun, TooLarge, Unjudged, WrongType};
        !matches!(self, Duplicate | Empty | Inapplicable | Missing | NotRun | TooLarge | Unjudged | WrongType)
    }

    /// Returns the outcome that corresponds to the verdict of a run, with its message.
    pub fn of(verdict: &RunVerdict) -> (AnswerOutcome, Option<String>) {
        use crate::engine::spark_rules::RejectionStage;
        match verdict {
            RunVerdict::Equal => (AnswerOutcome::Equal, None),
            RunVerdict::Rejected { rejection } => {
                let parse = rejection.stage == RejectionStage::Parse;
                let outcome = if parse { AnswerOutcome::RejectedAtParse } else { AnswerOutcome::RejectedAtAnalysis };
                (outcome, Some(rejection.message.clone()))
            }
            RunVerdict::Unsupported { what } => (AnswerOutcome::Unsupported, Some(what.clone())),
            RunVerdict::Failed { message } => (AnswerOutcome::Failed, Some(message.clone())),
            RunVerdict::Exceeded { limit: Exceeded::Time } => (AnswerOutcome::Timeout, None),
            RunVerdict::Exceeded { limit: Exceeded::Memory } => (AnswerOutcome::OutOfMemory, None),
            RunVerdict::Exceeded { limit: Exceeded::Rows } => (AnswerOutcome::TooManyRows, None),
            RunVerdict::Crashed { message } => (AnswerOutcome::Crashed, Some(message.clone())),
            RunVerdict::OtherTables { target } => (AnswerOutcome::OtherTables, Some(table(target))),
            RunVerdict::OtherColumns { target } => (AnswerOutcome::OtherColumns, Some(table(target))),
            RunVerdict::OtherRows { target, database } => (AnswerOutcome::OtherRows, Some(on(target, database))),
            RunVerdict::OtherOrder { target, database } => (AnswerOutcome::OtherOrder, Some(on(target, database))),
            RunVerdict::Unjudged { message } => (AnswerOutcome::Unjudged, Some(message.clone())),
        }
    }
}

fn table(target: &str) -> String {
    if target.is_empty() { "the query's result".to_owned() } else { target.to_owned() }
}

fn on(target: &str, database: &std::path::Path) -> String {
    let name = database.file_name().unwrap_or_default().to_string_lossy();
    format!("{} on {name}", table(target))
}

/// The verdict on one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    pub instance_id: String,
    pub track: Track,
    pub outcome: AnswerOutcome,
    /// More about the outcome: a message, or the table and database that differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Whether it is the text of the reference, blanks at both ends aside.
    pub em: bool,
    /// Whether it has the same tokens as the reference, blanks and comments aside.
    pub em_normalised: bool,
    /// Whether it has the same canonical graph as the reference.
    pub gm: bool,
    /// Whether it is nearer to the reference than the issue is.
    pub mb: bool,
    /// Whether it gives equal results on every database of the task.
    pub ex: bool,
    /// Whether it is a correct repair, that is, has [`Score::credit`].
    pub accepted: bool,
    /// What it is accepted for; `None` if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<Credit>,
    /// What running it showed; `None` if it did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Findings>,
    /// Where it changed the issue; `None` if it has no SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<ChangeLocation>,
    /// Valid efficiency score: for equal results the square root of the reference's time over the answer's, else 0.
    /// `None` unless it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ves: Option<f64>,
}

impl Score {
    /// Returns the metrics that are true or false, in the order of [`METRICS`](super::summary::METRICS).
    pub fn hits(&self) -> [bool; 6] {
        [self.em, self.em_normalised, self.gm, self.mb, self.ex, self.accepted]
    }

    /// Returns the score of an answer that counts 0 in every metric.
    pub fn zero(instance_id: &str, track: Track, outcome: AnswerOutcome) -> Score {
        Score {
            instance_id: instance_id.to_owned(),
            track,
            outcome,
            detail: None,
            em: false,
            em_normalised: false,
            gm: false,
            mb: false,
            ex: false,
            accepted: false,
            credit: None,
            findings: None,
            place: None,
            ves: None,
        }
    }
}
