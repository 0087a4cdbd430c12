//! The files of a folder of scripts.

use std::path::{Path, PathBuf};

use super::error::{CorpusError, file_error};
use crate::code::parameters::Parameters;
use crate::store::yaml::read_yaml;

/// Extensions of files that may hold a script.
pub(super) const SCRIPTS: [&str; 3] = ["sql", "hql", "q"];
/// The file with values for the placeholders of scripts without a card.
pub(super) const PARAMETERS: &str = "parameters.yaml";

/// Adds the files below a folder, or the one file or Spark catalogue that `path` is, to `found`; hidden folders are passed
/// over.
///
/// # Errors
///
/// If a folder cannot be read.
pub(super) fn find_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    if path.is_file() || catalogue_database(path).is_some() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(|source| file_error(path, source))? {
        let path = entry.map_err(|source| file_error(path, source))?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden {
            find_files(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns the database of `spark:DATABASE`, which stands for its tables in the user's own Spark.
pub(super) fn catalogue_database(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix("spark:").filter(|database| !database.is_empty())
}

/// Returns the `manifest.json` and `catalog.json` of the dbt project whose compiled models `path` is or lies among: dbt
/// writes them beside its folder `compiled`.
pub(super) fn of_dbt_project(path: &Path) -> Vec<PathBuf> {
    let Ok(path) = path.canonicalize() else { return Vec::new() };
    let compiled = path.ancestors().find(|folder| is_named(folder, "compiled"));
    let Some(target) = compiled.and_then(Path::parent) else { return Vec::new() };
    ["catalog.json", "manifest.json"].map(|name| target.join(name)).into_iter().filter(|file| file.is_file()).collect()
}

/// Reads the values of placeholders in a YAML file; there are none if there is no file.
///
/// # Errors
///
/// If the file is there and cannot be read or parsed.
pub fn parameters(path: &Path) -> Result<Parameters, CorpusError> {
    if !path.exists() {
        return Ok(Parameters::default());
    }
    read_yaml(&read(path)?).map_err(|error| CorpusError::yaml(path, error))
}

pub(super) fn read(path: &Path) -> Result<String, CorpusError> {
    std::fs::read_to_string(path).map_err(|source| file_error(path, source))
}

pub(super) fn is_named(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|file| file == name)
}

pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
