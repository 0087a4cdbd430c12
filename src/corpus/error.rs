//! Why scripts cannot be used.

use std::path::{Path, PathBuf};

use super::definitions::DefinitionError;
use super::inference::InferenceRefusal;
use super::placeholder_values::PlaceholderProposals;
use crate::code::grammar::SyntaxError;
use crate::code::schema::SchemaError;
use crate::code::script::MAX_BYTES;
use crate::code::span::LineColumn;
use crate::engine::python::ProcessFailure;
use crate::engine::spark::catalogue::CatalogueError;
use crate::store::FileError;
use crate::store::yaml::YamlError;

/// Why a script cannot be used. Each says where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder holds no script.
    #[error("{0}: no script found; put .sql files with queries there, and files that define their tables")]
    Empty(PathBuf),
    /// One of the three files of a reference in the binary is missing.
    #[error("{folder}: {file} is missing; a reference is a folder with script.sql, schema.sql and card.yaml")]
    Missing {
        /// The reference's folder.
        folder: PathBuf,
        /// The missing file.
        file: &'static str,
    },
    /// The script is larger than `MAX_BYTES`.
    #[error("{path}: {bytes} bytes are more than the {MAX_BYTES} that are read; split the script")]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its size.
        bytes: usize,
    },
    /// The script goes beyond a limit on statements, CTEs, relations or nodes.
    #[error("{path}:{place}: {what} end here; split the script, or shorten what a program has written")]
    TooMany {
        /// Which file.
        path: PathBuf,
        /// Where the first part beyond the limit stands.
        place: LineColumn,
        /// The limit, with what it limits.
        what: String,
    },
    /// A statement of another dialect cannot be translated.
    #[error("{path}:{line}: sqlglot cannot translate this statement from {dialect}: {reason}\n{statement}")]
    Untranslated {
        /// Which file.
        path: PathBuf,
        /// Line of its first word, from 1.
        line: usize,
        /// The dialect, by sqlglot's name.
        dialect: String,
        /// Why.
        reason: String,
        /// The statement.
        statement: String,
    },
    /// The translator gives no answer.
    #[error(transparent)]
    Translator(#[from] ProcessFailure),
    /// The script does not parse.
    #[error("{path}:{place}: {message}")]
    Script {
        /// Which file.
        path: PathBuf,
        /// Where.
        place: LineColumn,
        /// What is wrong.
        message: String,
    },
    /// A placeholder without a value stands where neither a value nor a name can.
    #[error("{piece}; {proposals}")]
    PieceOfSql {
        /// The placeholder.
        piece: Box<PieceOfSql>,
        /// What may stand for it and the others.
        proposals: Box<PlaceholderProposals>,
    },
    /// The script has no query and changes no rows.
    #[error("{0}: no statement gives or writes rows; a script needs a query, an INSERT or another change of a table")]
    NoQuery(PathBuf),
    /// The schema does not read.
    #[error("{path}:{source}")]
    Schema {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with its place.
        source: SchemaError,
    },
    /// A definition of a table does not read.
    #[error("{path}:{source}")]
    Definitions {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with its place.
        source: DefinitionError,
    },
    /// The columns of a table that nothing defines cannot be inferred.
    #[error("{path}:{source}")]
    Inference {
        /// Which script.
        path: PathBuf,
        /// What is open, with its place.
        source: InferenceRefusal,
    },
    /// The catalogue of the user's Spark tells nothing.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// A card names a file that does not lie beside it.
    #[error("{path}: `{name}` is not a file beside the card; `files` holds their names in the order in which they run")]
    FileName {
        /// The card.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A card or another YAML file does not read.
    #[error("{path}:{line}:{column}: {message}; see the references of the project for an example")]
    Card {
        /// Which file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
}

/// A placeholder without a value that must be a piece of SQL.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{place}: {error}: that placeholder stands for a piece of SQL")]
pub struct PieceOfSql {
    /// Which file.
    pub path: PathBuf,
    /// Where.
    pub place: LineColumn,
    /// Why the script does not parse.
    pub error: SyntaxError,
}

impl CorpusError {
    /// A YAML file does not read.
    pub(super) fn yaml(path: &Path, error: YamlError) -> CorpusError {
        let YamlError { line, column, message } = error;
        CorpusError::Card { path: path.to_owned(), line, column, message }
    }
}

pub(super) fn file_error(path: &Path, source: std::io::Error) -> CorpusError {
    FileError { path: path.to_owned(), source }.into()
}
