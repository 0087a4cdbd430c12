//! Why a run directory cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// A file or folder that cannot be read, written or removed.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}; {}", remedy(.source))]
pub struct FileError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read, written or removed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something in a run is neither a regular file nor a folder of its own.
    #[error("{0}: it is not a regular file, so it leads out of the run or has no end; put a regular file in its place")]
    Irregular(PathBuf),
    #[error("{path}:{line}: {message}")]
    Record {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        message: String,
    },
    /// The directory of a new run is not empty.
    #[error("{0} exists and is not empty; choose another --out, or --resume to go on with the run in it")]
    Exists(PathBuf),
    /// There is no finished run in it.
    #[error("{0} holds no run (no run.yaml)")]
    NoRun(PathBuf),
    /// A change of its files was cut off between the first and the last.
    #[error("{0} was being changed when the process ended; `sqlfault build --refill {0}` completes the change")]
    Halfway(PathBuf),
    /// The run in it was started with other settings.
    #[error("{path} holds a run with other settings ({differs}); give the same ones, or choose another --out")]
    OtherSettings {
        path: PathBuf,
        /// The first setting that differs, with both values.
        differs: String,
    },
    #[error("{0} is in use by another process; wait until that one ends")]
    Locked(PathBuf),
}

/// What a user can do about an error of the file system.
pub fn remedy(error: &io::Error) -> &'static str {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => "check the path",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => "choose a path where you have the right to do this",
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
            "free some space, then run the command again, with --resume if it has that flag"
        }
        Kind::InvalidData => "save the file as UTF-8",
        Kind::AlreadyExists | Kind::NotADirectory => "a file stands where a folder is needed; choose another path",
        Kind::IsADirectory => "a folder stands where a file is needed; give a file",
        _ => "nothing was lost; mend the cause, then run the command again, with --resume if it has that flag",
    }
}

pub(super) fn file_error(path: &Path, source: io::Error) -> StoreError {
    FileError { path: path.to_owned(), source }.into()
}
