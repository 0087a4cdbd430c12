//! The error of a training run.

use std::path::PathBuf;

use crate::export::ExportError;
use crate::store::{FileError, StoreError};

/// Why training pairs cannot be made, joined or checked.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of a part cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A domain model, template or taxonomy inside the program cannot be read.
    #[error("the program's own files do not read: {0}")]
    Carried(String),
    #[error("{0} is not empty; choose another --out, or --resume to go on with the pairs in it")]
    Taken(PathBuf),
    /// The folder holds pairs of other settings.
    #[error("{path} holds training pairs of other settings ({differs}); give the same ones, or choose another --out")]
    OtherSettings {
        path: PathBuf,
        /// Both settings.
        differs: String,
    },
    /// Shards that a join needs were not given.
    #[error("all shards of a run are joined at once; missing: {0}")]
    ShardsMissing(String),
    /// A shard was cut off before it had all its pairs.
    #[error("{path} has {pairs} of {wanted} pairs; let `sqlfault train` go on with it by --resume, then join")]
    ShardUnfinished {
        path: PathBuf,
        pairs: usize,
        /// The pairs that were asked for.
        wanted: usize,
    },
    /// A join was given one shard twice.
    #[error("shard {number}/{of} is given twice: {} and {}", .paths[0].display(), .paths[1].display())]
    ShardTwice {
        number: usize,
        /// How many shards there are.
        of: usize,
        paths: [PathBuf; 2],
    },
    /// The folder holds no training pairs.
    #[error("{0} holds no training pairs (no train.json)")]
    None(PathBuf),
}
