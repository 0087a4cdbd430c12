//! Why a run cannot be audited.

use std::path::PathBuf;

use crate::corpus::CorpusError;
use crate::score::BenchmarkError;
use crate::store::StoreError;

/// Why a run cannot be audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0} has no task to attack")]
    NoTask(PathBuf),
    /// A folder to audit against cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A path to audit against holds nothing of the kind.
    #[error("{0} holds no run, no script (.sql), no rows of a trainer (.jsonl) and no Harbor task")]
    Nothing(PathBuf),
}
