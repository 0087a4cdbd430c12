//! Reading domain models from the binary, from folders and from texts.

use std::path::Path;

use include_dir::Dir;

use super::check::problems;
use super::line_number::line_of;
use super::model::Domain;
use crate::corpus::read::HAND_WRITTEN;
use crate::store::FileError;
use crate::store::yaml::{YamlFileError, read_file_text, text_of};

/// Why a domain model cannot be used: each problem with its file and line.
#[derive(Debug, thiserror::Error)]
pub enum DomainError {
    /// The file cannot be read, or is no YAML of a model.
    #[error(transparent)]
    File(#[from] YamlFileError),
    /// The model contradicts itself.
    #[error("{}", .0.join("\n"))]
    Model(
        /// One line for each problem: file, line, what is wrong.
        Vec<String>,
    ),
}

/// Reads the models carried in the binary, sorted by name.
pub fn embedded() -> Vec<Result<Domain, DomainError>> {
    let mut folders: Vec<&Dir<'_>> = HAND_WRITTEN.dirs().collect();
    folders.sort_by_key(|folder| folder.path());
    let texts = folders.into_iter().filter_map(|folder| {
        let path = folder.path().join("domain.yaml");
        let text = folder.get_file(&path)?.contents_utf8()?;
        Some(read_domain_text(&Path::new("domains").join(path), text))
    });
    texts.collect()
}

/// Reads the model in the file `path`, or in `domain.yaml` of the folder `path`.
///
/// # Errors
///
/// If the file cannot be read, is no model or contradicts itself.
pub fn read_domain(path: &Path) -> Result<Domain, DomainError> {
    let path = if path.is_dir() { path.join("domain.yaml") } else { path.to_owned() };
    match text_of(&path) {
        Ok(text) => read_domain_text(&path, &text),
        Err(source) => Err(YamlFileError::from(FileError { path, source }).into()),
    }
}

/// Reads a model from its text; errors name `path` as its file.
///
/// # Errors
///
/// If the text is no model or contradicts itself.
pub fn read_domain_text(path: &Path, text: &str) -> Result<Domain, DomainError> {
    let domain: Domain = read_file_text(path, text)?;
    let found = problems(&domain);
    if found.is_empty() {
        return Ok(domain);
    }
    let line = |parts: &[String]| line_of(text, &parts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut lines: Vec<(usize, String)> = found
        .into_iter()
        .map(|problem| {
            let at = line(&problem.at);
            (at, format!("{}:{at}: {}: {}", path.display(), problem.at.join("."), problem.message))
        })
        .collect();
    lines.sort();
    Err(DomainError::Model(lines.into_iter().map(|(_, line)| line).collect()))
}
