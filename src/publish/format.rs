//! The records of a run as files; where the files lie is for others to say. Formats of other tools are written from a
//! finished run, by `export`.

use serde::Serialize;

use super::record::{GoldRecord, TaskRecord};
use crate::store::{Change, RunDirectory, StoreError};

/// A task with its judge's record.
#[derive(Clone, Copy, Debug)]
pub struct PublishedTask<'a> {
    /// What a solver sees.
    pub task: &'a TaskRecord,
    /// What a judge sees.
    pub gold: &'a GoldRecord,
}

/// Where files go: a run, a folder, a change of several files.
pub trait Files {
    /// Writes a file whole; `name` is relative and may contain folders.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn file(&self, name: &str, content: &[u8]) -> Result<(), StoreError>;
}

impl Files for RunDirectory {
    fn file(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.write(name, content)
    }
}

impl Files for Change<'_> {
    fn file(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.write(name, content)
    }
}

/// Writes the run's own records: `tasks.jsonl` for solvers, `gold.jsonl` for judges, a line of JSON a task. The same
/// tasks give the same bytes.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_records(tasks: &[PublishedTask<'_>], files: &dyn Files) -> Result<(), StoreError> {
    files.file("tasks.jsonl", &lines(tasks.iter().map(|published| published.task)))?;
    files.file("gold.jsonl", &lines(tasks.iter().map(|published| published.gold)))
}

/// Values as lines of JSON.
fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut content = Vec::new();
    for value in values {
        // Records hold no map with keys other than text, the only thing that JSON cannot write.
        content.extend(serde_json::to_vec(&value).unwrap_or_default());
        content.push(b'\n');
    }
    content
}
