//! The verdict on one answer.

use serde::{Deserialize, Serialize};

use super::accepted::{Credit, Findings};
use super::localisation::Placement;
use crate::engine::child::{Exceeded, Verdict};
use crate::fault::Track;

/// How an answer ended: always one of these, never just 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Equal results on every database.
    Equal,
    /// The rows of the reference in another order where the reference fixes one.
    OtherOrder,
    /// Other rows.
    OtherRows,
    /// Other columns.
    OtherColumns,
    /// A table of the reference is not written, or another one is.
    OtherTables,
    /// It does not parse.
    RejectedAtParse,
    /// It parses, and Spark's rules refuse it.
    RejectedAtAnalysis,
    /// The embedded engine does not run a construct it uses.
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
    /// The run's own files are damaged: neither right nor wrong.
    Unjudged,
    /// There is no answer.
    Missing,
    /// The answer has no SQL in it.
    Empty,
    /// The answer is too large to be a repair.
    TooLarge,
    /// The answer consists of edit blocks that the issue SQL has no single place for.
    Inapplicable,
    /// The answer is no text.
    WrongType,
    /// Several answers; none counts.
    Duplicate,
}

impl Outcome {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Equal => "equal",
            Outcome::OtherOrder => "other_order",
            Outcome::OtherRows => "other_rows",
            Outcome::OtherColumns => "other_columns",
            Outcome::OtherTables => "other_tables",
            Outcome::RejectedAtParse => "rejected_at_parse",
            Outcome::RejectedAtAnalysis => "rejected_at_analysis",
            Outcome::Unsupported => "unsupported",
            Outcome::Failed => "failed",
            Outcome::Timeout => "timeout",
            Outcome::OutOfMemory => "out_of_memory",
            Outcome::TooManyRows => "too_many_rows",
            Outcome::Crashed => "crashed",
            Outcome::NotRun => "not_run",
            Outcome::Unjudged => "unjudged",
            Outcome::Missing => "missing",
            Outcome::Empty => "empty",
            Outcome::TooLarge => "too_large",
            Outcome::Inapplicable => "inapplicable",
            Outcome::WrongType => "wrong_type",
            Outcome::Duplicate => "duplicate",
        }
    }
}

impl Outcome {
    /// Whether running the answer has decided it.
    pub fn is_judged(self) -> bool {
        use Outcome::{Duplicate, Empty, Inapplicable, Missing, NotRun, TooLarge, Unjudged, WrongType};
        !matches!(self, Duplicate | Empty | Inapplicable | Missing | NotRun | TooLarge | Unjudged | WrongType)
    }

    /// The outcome of a run, and what it says.
    pub fn of(verdict: &Verdict) -> (Outcome, Option<String>) {
        use crate::engine::spark_rules::Stage;
        match verdict {
            Verdict::Equal => (Outcome::Equal, None),
            Verdict::Rejected { rejection } => {
                let parse = rejection.stage == Stage::Parse;
                let outcome = if parse { Outcome::RejectedAtParse } else { Outcome::RejectedAtAnalysis };
                (outcome, Some(rejection.message.clone()))
            }
            Verdict::Unsupported { what } => (Outcome::Unsupported, Some(what.clone())),
            Verdict::Failed { message } => (Outcome::Failed, Some(message.clone())),
            Verdict::Exceeded { limit: Exceeded::Time } => (Outcome::Timeout, None),
            Verdict::Exceeded { limit: Exceeded::Memory } => (Outcome::OutOfMemory, None),
            Verdict::Exceeded { limit: Exceeded::Rows } => (Outcome::TooManyRows, None),
            Verdict::Crashed { message } => (Outcome::Crashed, Some(message.clone())),
            Verdict::OtherTables { target } => (Outcome::OtherTables, Some(table(target))),
            Verdict::OtherColumns { target } => (Outcome::OtherColumns, Some(table(target))),
            Verdict::OtherRows { target, database } => (Outcome::OtherRows, Some(on(target, database))),
            Verdict::OtherOrder { target, database } => (Outcome::OtherOrder, Some(on(target, database))),
            Verdict::Unjudged { message } => (Outcome::Unjudged, Some(message.clone())),
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
    /// The task.
    pub instance_id: String,
    /// The benchmark it belongs to.
    pub track: Track,
    /// How running it ended.
    pub outcome: Outcome,
    /// More about the outcome: a message, or the table and database that differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The text of the reference (blanks at both ends aside).
    pub em: bool,
    /// The same tokens as the reference: blanks and comments aside.
    pub em_normalised: bool,
    /// The same canonical graph as the reference.
    pub gm: bool,
    /// Nearer to the reference than the issue is.
    pub mb: bool,
    /// Equal results on every database of the task.
    pub ex: bool,
    /// A right repair: it has [`Score::credit`].
    pub accepted: bool,
    /// What it is accepted for; `None` if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<Credit>,
    /// What running it has shown; `None` if it did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Findings>,
    /// Where it changed the issue; `None` without SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Placement>,
    /// Valid efficiency score: for equal results the square root of the reference's time over the answer's, else 0. Only
    /// where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ves: Option<f64>,
}

impl Score {
    /// The metrics that are true or false, in the order of [`METRICS`](super::summary::METRICS).
    pub fn hits(&self) -> [bool; 6] {
        [self.em, self.em_normalised, self.gm, self.mb, self.ex, self.accepted]
    }

    /// An answer that counts 0 everywhere.
    pub fn zero(instance_id: &str, track: Track, outcome: Outcome) -> Score {
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
