//! The files of a folder of scripts.

use std::path::{Path, PathBuf};

use super::encoding::DecodedFile;
use super::error::{CorpusError, file_error};
use crate::code::parameters::Parameters;
use crate::store::yaml::read_yaml;

/// Extensions of files that may hold a script.
pub(super) const SCRIPTS: [&str; 3] = ["sql", "hql", "q"];
/// The file with values for the placeholders of scripts without a card.
pub(super) const PARAMETERS: &str = "parameters.yaml";

/// The files that a user names, and those in folders that the user names.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundFiles {
    /// Files and Spark catalogues that the user names: one that does not read is an error.
    pub named: Vec<PathBuf>,
    /// Files in the folders, sorted: one that does not read may be anybody's, and is passed over.
    pub in_folders: Vec<PathBuf>,
    /// What was passed over in the folders, and why.
    pub notes: Vec<String>,
    /// Folders that are not looked into.
    passed_over: Vec<PathBuf>,
}

impl FoundFiles {
    /// Returns the files that these paths are, and those below them; hidden folders are passed over.
    ///
    /// # Errors
    ///
    /// If one of the paths cannot be read.
    pub fn below<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<FoundFiles, CorpusError> {
        let mut found = FoundFiles::default();
        for path in paths {
            if path.is_file() || catalogue_database(path).is_some() {
                found.named.push(path.to_owned());
            } else {
                found.add_folder(path).map_err(|source| file_error(path, source))?;
            }
        }
        found.named.sort();
        found.in_folders.sort();
        Ok(found)
    }

    /// Returns all files: those that the user names come first.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.named.iter().chain(&self.in_folders)
    }

    /// Adds what a folder holds. A folder within it that cannot be read may be anybody's.
    fn add_folder(&mut self, folder: &Path) -> std::io::Result<()> {
        if let Some(project) = DbtFolders::of(folder) {
            self.notes.push(project.note());
            self.passed_over.extend(project.passed_over.iter().map(|name| folder.join(name)));
        }
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if path.is_file() {
                self.in_folders.push(path);
            } else if is_hidden || !path.is_dir() || self.passed_over.contains(&path) {
                continue;
            } else if entry.file_type()?.is_symlink() {
                // It may lead back to where it stands.
                self.notes.push(format!("{}: a link to a folder is not followed", path.display()));
            } else if let Err(error) = self.add_folder(&path) {
                self.notes.push(format!("{}: {error}; the folder is passed over", path.display()));
            }
        }
        Ok(())
    }
}

/// The folders of a dbt project that hold no models of its own, or hold them a second time.
struct DbtFolders {
    project: PathBuf,
    passed_over: Vec<&'static str>,
}

impl DbtFolders {
    /// Returns those of the project that a folder is; `None` if it is none.
    fn of(folder: &Path) -> Option<DbtFolders> {
        let has_models = || folder.join("models").is_dir() && folder.join("target/compiled").is_dir();
        if !folder.join("dbt_project.yml").is_file() && !has_models() {
            return None;
        }
        let usual = ["macros", "dbt_packages", "dbt_modules", "analyses", "tests", "snapshots", "seeds", "target/run"];
        // Compiled models are what dbt runs.
        let models = folder.join("target/compiled").is_dir().then_some("models");
        let passed_over = usual.into_iter().chain(models).filter(|name| folder.join(name).is_dir()).collect();
        Some(DbtFolders { project: folder.to_owned(), passed_over })
    }

    fn note(&self) -> String {
        let (read, project) = match self.passed_over.contains(&"models") {
            true => ("target/compiled is", self.project.display()),
            false => ("models are", self.project.display()),
        };
        let passed_over = match self.passed_over.as_slice() {
            [] => String::new(),
            names => format!("; passed over: {}", names.join(", ")),
        };
        format!("{project} is a dbt project, whose {read} read{passed_over}")
    }
}

/// Returns the database of `spark:DATABASE`, which stands for its tables in the user's own Spark.
pub(super) fn catalogue_database(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix("spark:").filter(|database| !database.is_empty())
}

/// Returns the `manifest.json` and `catalog.json` of the dbt project whose compiled models `path` is or lies among: dbt
/// writes them beside its folder `compiled`. They count as found, not as named.
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

/// Returns the text of a file and the encoding that it had.
///
/// # Errors
///
/// If it cannot be read, or is no text.
pub(super) fn read_file(path: &Path) -> Result<DecodedFile, CorpusError> {
    std::fs::read(path).and_then(DecodedFile::of).map_err(|source| file_error(path, source))
}

pub(super) fn read(path: &Path) -> Result<String, CorpusError> {
    read_file(path).map(|file| file.text)
}

pub(super) fn is_named(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|file| file == name)
}

pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
