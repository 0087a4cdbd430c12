//! A change of several files of a run: all of them or none, whenever the process is killed.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::regular::only_regular;
use super::{FINISHED, RunDirectory, StoreError, file_error, to_yaml};

/// Folder of the new files of a change before its commit.
const WAITING: &str = "change.partial";
/// Folder of the new files after the commit: all are written and only have to be moved into place.
pub(super) const READY: &str = "change.ready";

/// New contents of some files of a run, each with a plain file name; nothing is changed before [`Change::commit`].
#[derive(Debug)]
pub struct Change<'a> {
    directory: &'a RunDirectory,
}

impl RunDirectory {
    /// Begins a change; what a change without a commit has left is removed.
    pub fn change(&self) -> Result<Change<'_>, StoreError> {
        let waiting = self.path(WAITING);
        if waiting.exists() {
            fs::remove_dir_all(&waiting).map_err(|source| file_error(&waiting, source))?;
        }
        fs::create_dir_all(&waiting).map_err(|source| file_error(&waiting, source))?;
        Ok(Change { directory: self })
    }

    /// Completes a change whose commit was cut off.
    pub(super) fn complete_change(&self) -> Result<(), StoreError> {
        let ready = self.path(READY);
        only_regular(&ready)?;
        let Ok(entries) = fs::read_dir(&ready) else { return Ok(()) };
        for entry in entries {
            let entry = entry.map_err(|source| file_error(&ready, source))?;
            let place = self.path(&entry.file_name().to_string_lossy());
            fs::rename(entry.path(), &place).map_err(|source| file_error(&place, source))?;
        }
        fs::remove_dir(&ready).map_err(|source| file_error(&ready, source))
    }
}

impl Change<'_> {
    /// The new content of a file; `name` is a plain file name.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.directory.write(&place(name), content)
    }

    /// The new records of a file.
    pub fn write_records<T: Serialize>(&self, name: &str, records: &[T]) -> Result<(), StoreError> {
        self.directory.write_records(&place(name), records)
    }

    /// The new settings of the run.
    pub fn write_settings<T: Serialize>(&self, settings: &T) -> Result<(), StoreError> {
        self.write(FINISHED, to_yaml(settings).as_bytes())
    }

    /// Lets the new files take their places. A process killed from here on has made the change: whoever takes the
    /// directory next completes it.
    pub fn commit(self) -> Result<(), StoreError> {
        let (waiting, ready) = (self.directory.path(WAITING), self.directory.path(READY));
        fs::rename(&waiting, &ready).map_err(|source| file_error(&ready, source))?;
        self.directory.complete_change()
    }
}

fn place(name: &str) -> String {
    debug_assert!(Path::new(name).components().count() == 1, "{name} is a plain file name");
    format!("{WAITING}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_cut_off_before_its_commit_is_forgotten_and_one_cut_off_behind_it_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDirectory::resume(folder.path()).unwrap();
        for name in ["a", "b", FINISHED] {
            run.write(name, b"old").unwrap();
        }
        run.change().unwrap().write("a", b"lost").unwrap();
        let change = run.change().unwrap();
        change.write("b", b"new").unwrap();
        // What a kill between the two steps of a commit leaves.
        fs::rename(run.path(WAITING), run.path(READY)).unwrap();
        drop(run);
        let halfway = RunDirectory::open(folder.path()).unwrap_err();
        assert!(matches!(halfway, StoreError::Halfway(_)), "{halfway}");
        let run = RunDirectory::resume(folder.path()).unwrap();
        let read = |name: &str| fs::read_to_string(run.path(name)).unwrap();
        assert_eq!([read("a"), read("b"), read(FINISHED)], ["old", "new", "old"]);
        assert!(RunDirectory::open(folder.path()).is_ok() && !run.path(WAITING).exists());
    }
}
