//! Reads fake databases from JSON files.

use std::path::{Path, PathBuf};

use super::table::Database;
use crate::store::{LARGEST_FILE, regular_text};

#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct DatabaseFileError {
    pub path: PathBuf,
    #[source]
    pub problem: DatabaseFileProblem,
}

/// What is wrong with the file of a database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseFileProblem {
    /// It cannot be read, or is no regular file of bounded size.
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    /// Its text is not a database; the message has the line and column.
    #[error(transparent)]
    NoDatabase(#[from] serde_json::Error),
}

impl Database {
    /// Reads a database from a file in its JSON form.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a regular file, is too large or does not hold a database.
    pub fn read(path: &Path) -> Result<Database, DatabaseFileError> {
        let parsed = || Ok(serde_json::from_str(&regular_text(path, LARGEST_FILE)?)?);
        parsed().map_err(|problem| DatabaseFileError { path: path.to_owned(), problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_database_is_named_with_the_place_of_its_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.json");
        let told = || Database::read(&path).unwrap_err().to_string();
        assert!(told().starts_with(&format!("{}: ", path.display())) && told().contains("os error 2"), "{}", told());
        std::fs::write(&path, "{\"tables\": [\n{\"table\": 1}]}").unwrap();
        assert!(told().contains("d.json: ") && told().contains("at line 2 column"), "{}", told());
    }

    #[test]
    fn a_database_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.json");
        let json = r#"{"tables":[{"table":"t","rows":[[1,2.5,"a",null]]}]}"#;
        std::fs::write(&path, json).unwrap();
        assert_eq!(serde_json::to_string(&Database::read(&path).unwrap()).unwrap(), json);
    }
}
