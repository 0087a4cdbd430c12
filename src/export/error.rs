//! The error of an export.

use crate::repair::prompt::PromptError;
use crate::score::BenchmarkError;
use crate::store::{FileError, StoreError};

/// Why runs cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// A file of a run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Output(#[from] FileError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A template of a format cannot be filled.
    #[error("export template: {0}")]
    Template(#[from] minijinja::Error),
    /// A task's table definitions cannot be read.
    #[error("task {0}: its table definitions cannot be read; `sqlfault check` says more")]
    Schema(String),
    /// Two runs have a task of the same id, or a run is named twice.
    #[error("the task {0} is in two of the runs; name each run once")]
    Twice(String),
    /// No task has a row in the format; with what the format leaves out.
    #[error("the runs gave no row in this format: {0}")]
    NoRows(&'static str),
    /// The runs of `--without` have every task.
    #[error("every task is one of a run that --without names")]
    KeptOut,
    /// The format has no place for conversations of several turns; with those that have.
    #[error("{0} has no place for trajectories; {1} have")]
    Trajectories(&'static str, String),
    /// The judge accepted no agent's answer.
    #[error("no agent's answer was accepted: `repair --mode agent` lets agents work, `sift` judges their answers")]
    NoTrajectories,
}
