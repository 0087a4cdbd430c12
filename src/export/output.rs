//! Writes the files of an export: rows are appended to files that get their names only when all are whole.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::store::FileError;

/// The file that marks the folder of an export until the export has finished.
const UNDER_WAY: &str = "export.partial";

/// The folder of an export under way. Files of rows have the ending `.partial` until [`ExportFolder::finish`].
#[derive(Debug)]
pub struct ExportFolder {
    root: PathBuf,
    open: BTreeMap<String, RowFile>,
}

#[derive(Debug)]
struct RowFile {
    file: BufWriter<File>,
    count: usize,
}

/// Empties a folder, the mark last: if the process is killed meanwhile, the folder is still marked.
fn clear(root: &Path, mark: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        match entry.path() {
            path if path == mark => {}
            path if entry.file_type()?.is_dir() => fs::remove_dir_all(path)?,
            path => fs::remove_file(path)?,
        }
    }
    fs::remove_file(mark)
}

impl ExportFolder {
    /// Makes the folder, or takes an empty one or one that an interrupted export left, which is emptied.
    pub fn create(root: &Path) -> Result<ExportFolder, FileError> {
        let fail = |source| FileError { path: root.to_owned(), source };
        let mark = root.join(UNDER_WAY);
        if mark.is_file() {
            // The folder was empty before that export, so all that is in it came from there.
            clear(root, &mark).map_err(fail)?;
        }
        fs::create_dir_all(root).map_err(fail)?;
        if fs::read_dir(root).map_err(fail)?.next().is_some() {
            return Err(fail(io::Error::other("the folder is not empty; choose another --out")));
        }
        fs::write(&mark, "").map_err(fail)?;
        Ok(ExportFolder { root: root.to_owned(), open: BTreeMap::new() })
    }

    /// Appends a row to a file of JSON lines; `name` is a path relative to the folder.
    pub fn row(&mut self, name: &str, row: &Value) -> Result<(), FileError> {
        let path = self.root.join(format!("{name}.partial"));
        let fail = |source| FileError { path: path.clone(), source };
        if !self.open.contains_key(name) {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(fail)?;
            }
            let file = BufWriter::new(File::create(&path).map_err(fail)?);
            self.open.insert(name.to_owned(), RowFile { file, count: 0 });
        }
        let Some(rows) = self.open.get_mut(name) else { return Ok(()) };
        rows.count += 1;
        serde_json::to_writer(&mut rows.file, row).map_err(|error| fail(io::Error::other(error)))?;
        rows.file.write_all(b"\n").map_err(fail)
    }

    /// Writes a whole file; `name` is a path relative to the folder.
    pub fn file(&self, name: &str, content: &str) -> Result<(), FileError> {
        let path = self.root.join(name);
        let fail = |source| FileError { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        fs::write(&path, content).map_err(fail)
    }

    /// Returns how many rows a file has so far.
    pub fn count(&self, name: &str) -> usize {
        self.open.get(name).map_or(0, |rows| rows.count)
    }

    /// Gives every file of rows its name, and returns their numbers of rows by name.
    pub fn finish(self) -> Result<BTreeMap<String, usize>, FileError> {
        let counts = self.open.iter().map(|(name, rows)| (name.clone(), rows.count)).collect();
        for (name, rows) in self.open {
            let path = self.root.join(&name);
            let fail = |source| FileError { path: path.clone(), source };
            let file = rows.file.into_inner().map_err(|error| fail(error.into_error()))?;
            file.sync_data().map_err(fail)?;
            fs::rename(self.root.join(format!("{name}.partial")), &path).map_err(fail)?;
        }
        let mark = self.root.join(UNDER_WAY);
        fs::remove_file(&mark).map_err(|source| FileError { path: mark, source })?;
        Ok(counts)
    }
}
