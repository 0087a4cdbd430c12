//! What the vote and the leaderboard need of the score of one attempt.

use serde::{Deserialize, Serialize};

use crate::fault::Track;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptMark {
    pub solver: String,
    pub instance_id: String,
    pub track: Track,
    /// Exact match: the text of the reference.
    pub em: bool,
    /// Graph match: the graph of the reference.
    pub gm: bool,
    /// Modify-better: nearer to the reference than the issue is.
    pub mb: bool,
    /// Execution: equal results on every database of the task.
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
    /// Returns whether an attempt with this mark solved its task.
    pub fn solved(self, mark: &AttemptMark) -> bool {
        match self {
            SolvedBy::Accepted => mark.accepted,
            SolvedBy::Em => mark.em,
            SolvedBy::Gm => mark.gm,
            SolvedBy::Execution => mark.ex,
        }
    }
}
