//! Why a command failed: what is said of it, and the code it ends with.

use super::exit::Exit;
use super::terminal::escaped_lines;
use crate::corpus::CorpusError;
use crate::engine::spark::catalogue::CatalogueError;
use crate::engine::translation::TranslatorError;
use crate::store::remedy;

/// Reports input that cannot be used.
pub(super) fn bad_input(error: &dyn std::fmt::Display) -> Exit {
    failed(error, Exit::BadInput)
}

/// Reports why the command failed. A huge message is cut in its middle, as it may quote a huge name.
pub(super) fn failed(error: &dyn std::fmt::Display, exit: Exit) -> Exit {
    const HEAD: usize = 3000;
    const TAIL: usize = 300;
    let words = escaped_lines(&error.to_string());
    if words.chars().count() <= HEAD + TAIL {
        eprintln!("error: {words}");
    } else {
        let head: String = words.chars().take(HEAD).collect();
        let tail: Vec<char> = words.chars().rev().take(TAIL).collect();
        eprintln!("error: {head} … {}", tail.into_iter().rev().collect::<String>());
    }
    exit
}

/// Reports that the engine asked for is absent.
pub(super) fn no_engine(error: &dyn std::fmt::Display) -> Exit {
    failed(error, Exit::EngineAbsent)
}

/// Reports that scripts of the user's own cannot be read.
pub(super) fn unread(error: &CorpusError) -> Exit {
    match error {
        CorpusError::Catalogue(CatalogueError::Absent(absent)) => no_engine(absent),
        error => bad_input(error),
    }
}

/// Reports that scripts of another dialect cannot be translated.
pub(super) fn no_translator(error: &TranslatorError) -> Exit {
    failed(error, if matches!(error, TranslatorError::Unknown { .. }) { Exit::Usage } else { Exit::EngineAbsent })
}

/// Why a command failed, with the code it ends with.
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) exit: Exit,
}

impl Failure {
    /// Returns the failure to write an output.
    pub(super) fn output(path: &std::path::Path, error: &std::io::Error) -> Failure {
        Failure { message: format!("{}: {error}; {}", path.display(), remedy(error)), exit: Exit::Output }
    }
}

/// A plain message is about input that cannot be used.
impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure { message, exit: Exit::BadInput }
    }
}
