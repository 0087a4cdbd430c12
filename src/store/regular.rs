//! Files of runs, which may come from anybody: a link may lead anywhere, and a device or a pipe may have no end. Only
//! regular files and folders are read and written.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{StoreError, file_error};

/// The largest file of a run that is read whole, in bytes.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Opens a regular file for reading.
///
/// # Errors
///
/// If it cannot be opened or is a link, a device or a pipe.
pub fn open_regular(path: &Path) -> io::Result<File> {
    bounded(&fs::symlink_metadata(path)?, u64::MAX)?;
    File::open(path)
}

/// Reads the text of a regular file of at most `largest` bytes.
///
/// # Errors
///
/// If it cannot be read, is larger, or is a link, a device or a pipe.
pub fn regular_text(path: &Path, largest: u64) -> io::Result<String> {
    bounded(&fs::symlink_metadata(path)?, largest)?;
    fs::read_to_string(path)
}

/// Checks that what was found is a regular file of at most `largest` bytes.
pub(super) fn bounded(found: &Metadata, largest: u64) -> io::Result<()> {
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > largest {
        return Err(io::Error::other(format!("it is larger than {} MiB", largest >> 20)));
    }
    Ok(())
}

/// Writes a file whole: beside its place first, then renamed into it. What stands at either place, if only a link, is
/// replaced and not followed.
///
/// # Errors
///
/// If it cannot be written (a full disk, say); the old file then stays as it was.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&beside)?;
    file.write_all(content).and_then(|()| file.sync_data())?;
    fs::rename(&beside, path)
}

/// Returns where a file is written before it is whole.
pub fn beside(path: &Path) -> PathBuf {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".partial");
    beside.into()
}

/// Checks that a folder holds nothing but regular files and folders; one that is absent does.
pub(super) fn only_regular(folder: &Path) -> Result<(), StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|source| file_error(folder, source))?,
    };
    for entry in entries.flatten() {
        // What has gone since it was listed leads nowhere.
        if entry.file_type().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
            return Err(StoreError::Irregular(entry.path()));
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::super::RunDirectory;
    use super::*;

    /// Attack | a link appears in a run that is open: a file to be written, read or appended to, or its folder | followed | a partial file is replaced; all else is refused
    #[test]
    fn no_link_of_an_open_run_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (root, own) = (folder.path().join("run"), folder.path().join("own"));
        fs::write(&own, "line\nno line end").unwrap();
        let run = RunDirectory::resume(&root).unwrap();
        symlink(&own, run.path("a.partial")).unwrap();
        run.write("a", b"new").unwrap();
        assert_eq!(run.read_text("a").unwrap(), "new");
        symlink(&own, run.path("linked")).unwrap();
        let refused = [
            run.log("linked").map(drop).unwrap_err(),
            run.read_text("linked").map(drop).unwrap_err(),
            run.read_records::<i32>("linked").map(drop).unwrap_err(),
        ];
        assert!(refused.iter().all(|error| error.to_string().contains("it is not a regular file")), "{refused:?}");
        fs::remove_file(run.path("linked")).unwrap();
        symlink(folder.path(), run.path("folder")).unwrap();
        assert!(matches!(run.write("folder/own", b"x"), Err(StoreError::Irregular(_))));
        assert!(matches!(run.log("folder/own"), Err(StoreError::Irregular(_))));
        assert_eq!(fs::read_to_string(&own).unwrap(), "line\nno line end");
        drop(run);
        assert!(matches!(RunDirectory::resume(&root), Err(StoreError::Irregular(_))));
    }

    #[test]
    fn a_large_file_is_not_read_whole_and_its_last_line_is_found_from_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDirectory::create(folder.path()).unwrap();
        let lines = "1\n".repeat(100_000);
        fs::write(run.path("log"), format!("{lines}{}", "2".repeat(200_000))).unwrap();
        run.log("log").unwrap();
        assert_eq!(fs::read_to_string(run.path("log")).unwrap(), lines);
        File::create(run.path("endless")).unwrap().set_len(1 << 40).unwrap();
        assert!(run.log("endless").unwrap_err().to_string().contains("longer than 64 MiB"));
        assert!(run.read_text("endless").unwrap_err().to_string().contains("larger than 64 MiB"));
    }
}
