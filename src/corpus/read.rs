//! Reading references from the binary and from folders, with one clear error for each thing that can be wrong.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::reference::{Reference, ReferenceCard};
use crate::code::schema::{Schema, SchemaError};
use crate::code::script::{MAX_BYTES, Script};
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId};
use crate::store::yaml::{YamlError, read_yaml};

/// The folder `seeds/`.
pub(super) static SEEDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/seeds");

/// Why a script cannot be used. Each says where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file system said no.
    #[error("{path}: {source}; {}", crate::store::remedy(.source))]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder holds no reference.
    #[error("{0}: no script found; a reference is a folder with script.sql, schema.sql and card.yaml")]
    Empty(PathBuf),
    /// One of the three files is missing.
    #[error("{folder}: {file} is missing; a reference is a folder with script.sql, schema.sql and card.yaml")]
    Missing {
        /// The reference's folder.
        folder: PathBuf,
        /// What it lacks.
        file: &'static str,
    },
    /// The script is larger than what is read.
    #[error("{path}: {bytes} bytes are more than the {MAX_BYTES} that are read; split the script")]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its size.
        bytes: usize,
    },
    /// The script has more parts than are worked on.
    #[error("{path}:{place}: {what} end here; split the script, or shorten what a program has written")]
    TooMany {
        /// Which file.
        path: PathBuf,
        /// Where the last one stands that would be worked on.
        place: LineColumn,
        /// What there is too much of, with the limit.
        what: String,
    },
    /// The script does not parse.
    #[error("{path}:{place}: {message}; only a correct script can be a reference")]
    Script {
        /// Which file.
        path: PathBuf,
        /// Where.
        place: LineColumn,
        /// What is wrong.
        message: String,
    },
    /// The schema does not read.
    #[error("{path}:{source}")]
    Schema {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with its place.
        source: SchemaError,
    },
    /// The YAML does not read.
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

/// The references carried in the binary, sorted by id.
pub fn embedded() -> Vec<Result<Reference, CorpusError>> {
    let mut folders: Vec<&Dir<'_>> = SEEDS.dirs().flat_map(Dir::dirs).collect();
    folders.sort_by_key(|folder| folder.path());
    folders
        .into_iter()
        .map(|folder| {
            let path = folder.path();
            let file = |name: &'static str| {
                let file = folder.get_file(path.join(name)).and_then(include_dir::File::contents_utf8);
                file.map(str::to_owned).ok_or(CorpusError::Missing { folder: path.to_owned(), file: name })
            };
            reference(
                path,
                path.to_string_lossy().into_owned(),
                file("script.sql")?,
                file("schema.sql")?,
                &file("card.yaml")?,
            )
        })
        .collect()
}

/// The references below `root`, at any depth, sorted by path; each that cannot be used is an error of its own.
///
/// # Errors
///
/// When the folder cannot be read or holds no reference at all.
pub fn read_folder(root: &Path) -> Result<Vec<Result<Reference, CorpusError>>, CorpusError> {
    let mut folders = Vec::new();
    find_seeds(root, &mut folders)?;
    folders.sort();
    if folders.is_empty() {
        return Err(CorpusError::Empty(root.to_owned()));
    }
    Ok(folders.iter().map(|folder| read_seed(root, folder)).collect())
}

fn find_seeds(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    let entries = std::fs::read_dir(folder).map_err(|source| file_error(folder, source))?;
    for entry in entries {
        let path = entry.map_err(|source| file_error(folder, source))?.path();
        if path.is_dir() {
            find_seeds(&path, found)?;
        } else if path.file_name().is_some_and(|name| name == "script.sql") {
            found.push(folder.to_owned());
        }
    }
    Ok(())
}

fn read_seed(root: &Path, folder: &Path) -> Result<Reference, CorpusError> {
    let file = |name: &'static str| {
        let path = folder.join(name);
        if !path.exists() {
            return Err(CorpusError::Missing { folder: folder.to_owned(), file: name });
        }
        std::fs::read_to_string(&path).map_err(|source| file_error(&path, source))
    };
    let relative = folder.strip_prefix(root).unwrap_or(folder);
    let id = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    let id = if id.is_empty() { "script".to_owned() } else { id };
    reference(folder, id, file("script.sql")?, file("schema.sql")?, &file("card.yaml")?)
}

/// One script with a separate DDL file and no card, as `sqlfault inject` takes it.
///
/// # Errors
///
/// When a file cannot be read, or the script or the schema does not parse.
pub fn read_script(script: &Path, schema: &Path, card: ReferenceCard) -> Result<Reference, CorpusError> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|source| file_error(path, source));
    let id = script.file_stem().map_or_else(|| "script".to_owned(), |stem| stem.to_string_lossy().into_owned());
    assemble((script, schema), id, read(script)?, read(schema)?, card)
}

/// A reference from its texts, wherever they come from; errors name its id as a file.
///
/// # Errors
///
/// When the script or the schema does not parse.
pub fn read_texts(id: String, script: String, schema: String, card: ReferenceCard) -> Result<Reference, CorpusError> {
    let (script_path, schema_path) = (format!("{id}/script.sql"), format!("{id}/schema.sql"));
    assemble((Path::new(&script_path), Path::new(&schema_path)), id, script, schema, card)
}

fn file_error(path: &Path, source: std::io::Error) -> CorpusError {
    CorpusError::File { path: path.to_owned(), source }
}

fn reference(folder: &Path, id: String, script: String, schema: String, card: &str) -> Result<Reference, CorpusError> {
    let card = read_yaml(card).map_err(|YamlError { line, column, message }| CorpusError::Card {
        path: folder.join("card.yaml"),
        line,
        column,
        message,
    })?;
    assemble((&folder.join("script.sql"), &folder.join("schema.sql")), id, script, schema, card)
}

/// The longest script that is worked on, in nodes of its tree: 20,000 lines of analysis. Reading is linear; proving is
/// not.
const MOST_NODES: usize = 120_000;
/// The most statements of a script.
const MOST_STATEMENTS: usize = 2_000;
/// The most common table expressions of a script: each may hold all that stand before it.
const MOST_COMMON_TABLES: usize = 1_000;

/// Where a script goes beyond a limit, and what of it there is too much of.
fn beyond_limits(script: &Script) -> Option<(LineColumn, String)> {
    let tree = script.tree();
    let place = |node: NodeId| script.place(tree.span(node).start);
    if let Some(statement) = script.statements().get(MOST_STATEMENTS) {
        return Some((place(*statement), format!("the {MOST_STATEMENTS} statements that are worked on")));
    }
    let nodes = || (0..tree.len()).map(|index| NodeId(index as u32));
    let mut tables = nodes().filter(|node| tree.kind(*node) == Kind::CommonTable);
    if let Some(table) = tables.nth(MOST_COMMON_TABLES) {
        return Some((place(table), format!("the {MOST_COMMON_TABLES} common table expressions that are worked on")));
    }
    if tree.len() > MOST_NODES {
        let last = nodes().nth(MOST_NODES)?;
        return Some((place(last), format!("the {MOST_NODES} names, values and operations that are worked on")));
    }
    None
}

fn assemble(
    (script_path, schema_path): (&Path, &Path),
    id: String,
    script: String,
    schema_text: String,
    card: ReferenceCard,
) -> Result<Reference, CorpusError> {
    if script.len() > MAX_BYTES {
        return Err(CorpusError::TooLarge { path: script_path.to_owned(), bytes: script.len() });
    }
    let schema =
        Schema::read(&schema_text).map_err(|source| CorpusError::Schema { path: schema_path.to_owned(), source })?;
    let script = Script::new(script);
    if let Some((_, error)) = script.errors().first() {
        let place = script.place(error.span.start);
        return Err(CorpusError::Script { path: script_path.to_owned(), place, message: error.to_string() });
    }
    if let Some((place, what)) = beyond_limits(&script) {
        return Err(CorpusError::TooMany { path: script_path.to_owned(), place, what });
    }
    let parameters = card.parameters.with_assignments(&script);
    Ok(Reference { id, card, schema_text, schema, script, parameters, decisions: Vec::new() })
}
