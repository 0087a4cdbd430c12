//! Why a command failed: what is said of it, and the code it ends with.

use std::fmt::Display;
use std::path::Path;

use super::exit::Exit;
use super::terminal::escaped_lines;
use crate::corpus::CorpusError;
use crate::engine::spark::catalogue::CatalogueError;
use crate::engine::translation::TranslatorError;
use crate::store::remedy;

/// Why a command failed, with the code it ends with.
pub struct Failure {
    message: String,
    exit: Exit,
}

/// An error that says nothing else is about input that cannot be used.
impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(Exit::BadInput, error)
    }
}

impl Failure {
    /// Returns a failure that ends the program with this code.
    pub(super) fn new(exit: Exit, error: impl Display) -> Failure {
        Failure { message: error.to_string(), exit }
    }

    /// Returns the failure of a command line that makes no sense.
    pub(super) fn usage(error: impl Display) -> Failure {
        Failure::new(Exit::Usage, error)
    }

    /// Returns the failure of an engine that is absent.
    pub(super) fn no_engine(error: impl Display) -> Failure {
        Failure::new(Exit::EngineAbsent, error)
    }

    /// Returns the failure to write an output.
    pub(super) fn output(path: &Path, error: &std::io::Error) -> Failure {
        Failure::new(Exit::Output, format!("{}: {error}; {}", path.display(), remedy(error)))
    }

    /// Returns the failure to read scripts of the user's own.
    pub(super) fn unread(error: CorpusError) -> Failure {
        match error {
            CorpusError::Catalogue(CatalogueError::Absent(absent)) => Failure::no_engine(absent),
            error => error.into(),
        }
    }

    /// Returns the failure to translate scripts of another dialect.
    pub(super) fn no_translator(error: TranslatorError) -> Failure {
        let is_unknown = matches!(error, TranslatorError::Unknown { .. });
        Failure::new(if is_unknown { Exit::Usage } else { Exit::EngineAbsent }, error)
    }

    /// Reports the failure. A huge message is cut in its middle, as it may quote a huge name.
    pub(super) fn report(&self) -> Exit {
        const HEAD: usize = 3000;
        const TAIL: usize = 300;
        let words = escaped_lines(&self.message);
        if words.chars().count() <= HEAD + TAIL {
            eprintln!("error: {words}");
        } else {
            let head: String = words.chars().take(HEAD).collect();
            let tail: Vec<char> = words.chars().rev().take(TAIL).collect();
            eprintln!("error: {head} … {}", tail.into_iter().rev().collect::<String>());
        }
        self.exit
    }
}
