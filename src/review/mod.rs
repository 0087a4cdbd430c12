//! People look at the tasks that no solver solves: a page on this computer, judgements as lines, agreement.
//!
//! Up to three annotators make a panel; each is blind to the others until all three have judged a task. Every judgement
//! is on the disk before it is acknowledged.

pub mod attempts;
pub mod decisions;
pub mod judgement;
pub mod ledger;
pub mod agreement;
pub mod script_view;
pub mod solution;
pub mod api;
pub mod task_view;
pub mod session;
pub mod apply;
pub mod server;
pub mod sheets;
#[cfg(test)]
mod test_run;

use crate::store::StoreError;

/// How many annotators judge a task (section 3.4 of the paper has three).
pub const PANEL: usize = 3;

/// Why a review cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The run cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Refused(#[from] judgement::Refused),
    /// A line of a file to import makes no sense.
    #[error("line {line}: {reason}")]
    Import {
        /// Line, from 1.
        line: usize,
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{file}: {source}")]
    File { file: std::path::PathBuf, source: std::io::Error },
    #[error("the page cannot be served: {0}")]
    Serve(#[from] std::io::Error),
}
