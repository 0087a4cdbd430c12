//! How one solver did on one task, as far as the vote needs it.

use serde::{Deserialize, Serialize};

use crate::fault::Track;

/// The marks of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptMark {
    /// Who tried.
    pub solver: String,
    /// The task.
    pub instance_id: String,
    /// Its track.
    pub track: Track,
    /// The text of the reference.
    pub em: bool,
    /// The graph of the reference.
    pub gm: bool,
    /// Nearer to the reference than the issue.
    pub mb: bool,
    /// Equal results on every database.
    pub ex: bool,
    /// Accepted as a repair.
    pub accepted: bool,
}

/// Which mark counts as solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum SolvedBy {
    /// The accepted verdict.
    #[default]
    Accepted,
    /// Exact match.
    Em,
    /// Graph match.
    Gm,
    /// Execution.
    Execution,
}

impl SolvedBy {
    /// Whether a mark counts as solved.
    pub fn solved(self, mark: &AttemptMark) -> bool {
        match self {
            SolvedBy::Accepted => mark.accepted,
            SolvedBy::Em => mark.em,
            SolvedBy::Gm => mark.gm,
            SolvedBy::Execution => mark.ex,
        }
    }
}
