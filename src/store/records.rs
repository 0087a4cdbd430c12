//! Records: lines of JSON, read from files and appended to logs.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{StoreError, file_error, remedy};
use super::regular::{bounded, open_regular};

/// Most bytes of a line.
pub const LONGEST_LINE: u64 = 64 << 20;
/// How many bytes of a log are read at a time to find its last whole line.
const BLOCK: u64 = 64 << 10;

/// Reads a regular file of records, one line of JSON each; empty lines are passed over.
///
/// # Errors
///
/// When it cannot be read or a line is no record; the error names the line.
pub fn read_records<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, StoreError> {
    records_of(path, open_regular(path))
}

/// As [`read_records`], of a file that the user names, which may be a link or a pipe.
pub fn read_given_records<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, StoreError> {
    records_of(path, File::open(path))
}

fn records_of<T: DeserializeOwned>(path: &Path, file: io::Result<File>) -> Result<Vec<T>, StoreError> {
    let file = file.map_err(|source| file_error(path, source))?;
    records_in(BufReader::new(file)).map_err(|(line, message)| StoreError::Record {
        path: path.to_owned(),
        line,
        message,
    })
}

/// Reads records from anywhere, one line of JSON each; empty lines are passed over.
///
/// # Errors
///
/// The line, from 1, that cannot be read or is no record, and why.
pub fn records_in<T: DeserializeOwned>(reader: impl BufRead) -> Result<Vec<T>, (usize, String)> {
    let mut records = Vec::new();
    for (index, line) in bounded_lines(reader).enumerate() {
        let line = line.map_err(|error| (index + 1, format!("{error}; {}", remedy(&error))))?;
        if !line.trim().is_empty() {
            records.push(serde_json::from_str(&line).map_err(|error| (index + 1, error.to_string()))?);
        }
    }
    Ok(records)
}

/// Returns the lines of a reader, without their ends. A line that is not UTF-8 is an error, and the lines behind it
/// follow; every other error ends them. A line of more than 64 MiB is one: a stranger's file may have no end of a line at
/// all.
pub fn bounded_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let line = bounded_line(&mut reader);
        is_over = line.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::InvalidData);
        line.transpose()
    })
}

/// The next line; `None` at the end.
fn bounded_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if reader.take(LONGEST_LINE + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST_LINE {
        return Err(too_long());
    }
    if line.ends_with(b"\n") {
        line.pop();
    }
    if line.ends_with(b"\r") {
        line.pop();
    }
    String::from_utf8(line).map(Some).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))
}

/// Cuts a log of this many bytes behind its last whole line.
fn drop_cut_off_line(path: &Path, length: u64) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut end = length;
    while end > 0 {
        if length - end > LONGEST_LINE {
            return Err(too_long());
        }
        let start = end.saturating_sub(BLOCK);
        let mut block = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length { file.set_len(end) } else { Ok(()) }
}

fn too_long() -> io::Error {
    io::Error::other(format!("the line is longer than {} MiB", LONGEST_LINE >> 20))
}

/// A file of records that grows by whole lines. A line that a crash cut off is dropped when the log is opened again.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: Mutex<BufWriter<File>>,
}

impl Log {
    /// Opens a log; only a regular file is one.
    pub(super) fn open(path: &Path) -> Result<Log, StoreError> {
        let fail = |source| file_error(path, source);
        match fs::symlink_metadata(path) {
            Ok(found) => bounded(&found, u64::MAX).and_then(|()| drop_cut_off_line(path, found.len())).map_err(fail)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error)),
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fail)?;
        Ok(Log { path: path.to_owned(), file: Mutex::new(BufWriter::new(file)) })
    }

    /// Appends one record and hands it to the system, so that a killed process does not lose it.
    pub fn append<T: Serialize>(&self, record: &T) -> Result<(), StoreError> {
        self.write_lines(std::slice::from_ref(record)).map(drop)
    }

    /// Appends records and returns only when the disk has them, so that not even a power cut loses them.
    pub fn append_durably<T: Serialize>(&self, records: &[T]) -> Result<(), StoreError> {
        let file = self.write_lines(records)?;
        file.get_ref().sync_data().map_err(|source| file_error(&self.path, source))
    }

    /// Writes whole lines and returns the file, still locked.
    fn write_lines<T: Serialize>(&self, records: &[T]) -> Result<MutexGuard<'_, BufWriter<File>>, StoreError> {
        let fail = |source| file_error(&self.path, source);
        let mut lines = Vec::new();
        for record in records {
            serde_json::to_writer(&mut lines, record).map_err(|error| fail(io::Error::other(error)))?;
            lines.push(b'\n');
        }
        // A poisoned lock means that another worker panicked between whole lines: the file is still sound.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&lines).and_then(|()| file.flush()).map_err(fail)?;
        Ok(file)
    }

    pub fn records<T: DeserializeOwned>(&self) -> Result<Vec<T>, StoreError> {
        read_records(&self.path)
    }
}
