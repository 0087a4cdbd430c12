//! The one way YAML is read: strictly, with errors of one line that name the place.

use std::io;
use std::path::{Path, PathBuf};

use include_dir::Dir;
use serde::de::DeserializeOwned;

use super::error::FileError;
use super::regular::bounded;

/// Why a YAML text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct YamlError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and what was expected, in one line.
    pub message: String,
}

/// Why a YAML file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum YamlFileError {
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no YAML, or says what makes no sense.
    #[error("{path}:{line}: {message}")]
    Content {
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        message: String,
    },
}

/// Reads YAML. Duplicate keys are errors, and only `true` and `false` are booleans.
///
/// # Errors
///
/// When the text is no YAML, is nested too deeply, or does not have the fields of `T`.
pub fn read_yaml<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let place = error.location();
        YamlError {
            line: place.map_or(1, |place| place.line() as usize),
            column: place.map_or(1, |place| place.column() as usize),
            message: without_place(&error.to_string()),
        }
    })
}

/// The largest file that is read, in bytes: several times the whole taxonomy.
const LARGEST: u64 = 4 << 20;

/// The text of a file that a person wrote: a regular one of bounded size. A device or a pipe may have no end.
///
/// # Errors
///
/// When it cannot be read, is something else, or is larger.
pub fn text_of(path: &Path) -> io::Result<String> {
    bounded(&std::fs::metadata(path)?, LARGEST)?;
    std::fs::read_to_string(path)
}

/// Reads the text of a YAML file; errors name `path`.
pub fn read_file_text<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, YamlFileError> {
    let failed =
        |error: YamlError| YamlFileError::Content { path: path.to_owned(), line: error.line, message: error.message };
    read_yaml(text).map_err(failed)
}

/// The files of a folder carried in the binary with their texts; `folder` is put before their paths.
pub fn embedded_texts(files: &Dir<'_>, folder: &str) -> Vec<(PathBuf, String)> {
    let texts = files.files().filter_map(|file| Some((file.path(), file.contents_utf8()?)));
    texts.map(|(path, text)| (Path::new(folder).join(path), text.to_owned())).collect()
}

/// The YAML files of a folder with their texts, sorted by path.
pub fn texts_in(folder: &Path) -> Result<Vec<(PathBuf, String)>, YamlFileError> {
    let failed = |source| FileError { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            match text_of(&path) {
                Ok(text) => found.push((path, text)),
                Err(source) => return Err(FileError { path, source }.into()),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The reader's message without the place at its end, which the error states itself.
fn without_place(message: &str) -> String {
    let words = message.rsplit_once(" at line ").map_or(message, |(words, _)| words);
    // The YAML crate adds advice to programmers.
    let words = words.split(", set DuplicateKeyPolicy").next().unwrap_or(words);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let cases = [("a: 1\nb: [1", (2, 4)), ("a: 1\na: 2", (2, 1)), ("a: 1\nb: x", (2, 4)), ("a: 1\n\tb: 2", (1, 4))];
        for (text, place) in cases {
            let error = read_yaml::<BTreeMap<String, u32>>(text).unwrap_err();
            assert_eq!((error.line, error.column), place, "{error}");
            assert!(!error.message.contains('\n') && !error.message.is_empty(), "{error}");
        }
    }

    /// Attack | YAML whose aliases expand to a billion nodes, in a taxonomy or template | – | error with its place
    #[test]
    fn aliases_that_multiply_are_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = vec![format!("*a{}", level - 1); 10].join(", ");
            text += &format!("a{level}: &a{level} [{before}]\n");
        }
        let error = read_yaml::<serde_json::Value>(&text).unwrap_err();
        assert!(!error.message.is_empty() && error.line > 1, "{error}");
    }

    /// Attack | 100,000 levels of YAML | – | error with its place
    #[test]
    fn deep_nesting_is_refused_and_not_a_crash() {
        for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
            let text = open.repeat(100_000) + &close.repeat(100_000);
            assert!(read_yaml::<serde_json::Value>(&text).is_err(), "{open}");
        }
    }
}
