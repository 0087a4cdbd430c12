//! The limits of a run, and how it can fail.

use std::time::Duration;

use super::failures::UNCERTAIN;
use crate::code::tree::NodeId;

/// What one run may use. The defaults suit scripts of a few hundred lines on a few thousand rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of SQLite's virtual machine over all statements, which are the same on every computer.
    pub instructions: u64,
    /// Wall time. Some functions cannot be interrupted, so untrusted SQL also needs a process of its own.
    pub time: Duration,
    /// Rows that one query may give.
    pub rows: usize,
    /// Bytes by which the process may grow (checked every few milliseconds if the system reports them).
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { instructions: 200_000_000, time: Duration::from_secs(5), rows: 50_000, memory: 512 << 20 }
    }
}

/// A run that failed, and the statement at which it did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct RunError {
    /// The statement (or INSERT of a multi-insert) of the script that was translated.
    pub statement: NodeId,
    pub kind: RunErrorKind,
}

/// The error of Spark where several source rows of a MERGE match one row of its table.
pub(super) const SEVERAL_MATCHES: &str = "[MERGE_CARDINALITY_VIOLATION] The ON search condition of the MERGE statement \
                                          matched a single row from the target table with multiple rows of the source \
                                          table.";

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunErrorKind {
    /// SQLite does not accept the translation, because of a bug of ours or a limit on size or depth.
    #[error("the query cannot be prepared: {0}")]
    Prepare(String),
    /// A value cannot be computed.
    #[error("{0}")]
    Value(String),
    /// A sub-query used as a value gives more than one row.
    #[error("a scalar sub-query gives more than one row")]
    SeveralRows,
    /// Several source rows of a MERGE match one row of its table.
    #[error("{SEVERAL_MATCHES}")]
    SeveralMatches,
    /// [`Limits::instructions`] is used up.
    #[error("the query needs too many steps")]
    Instructions,
    /// [`Limits::time`] is used up.
    #[error("the query takes too long")]
    Time,
    /// [`Limits::memory`] is used up.
    #[error("the query needs too much memory")]
    Memory,
    /// More than [`Limits::rows`].
    #[error("the query gives too many rows")]
    Rows,
}

impl RunErrorKind {
    /// Whether the run took too long, by the clock or in steps.
    pub fn is_of_time(&self) -> bool {
        matches!(self, RunErrorKind::Time | RunErrorKind::Instructions)
    }

    /// Whether several rows were found where the script may find one.
    pub fn is_of_several(&self) -> bool {
        matches!(self, RunErrorKind::SeveralRows | RunErrorKind::SeveralMatches)
    }

    /// Whether a function that takes one value of a group meets several.
    pub fn is_uncertain(&self) -> bool {
        matches!(self, RunErrorKind::Value(message) if message.contains(UNCERTAIN))
    }
}
