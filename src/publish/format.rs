//! Output formats: each turns the tasks of a run into files, and knows nothing of where the files lie.
//!
//! To add a format, implement [`Format`] in a file of its own beside this one and add it where a user chooses formats.

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

/// Where a format puts its files: a run, a folder, a change of several files.
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

/// One way to write the tasks of a run.
pub trait Format {
    /// The name by which users ask for it.
    fn name(&self) -> &'static str;

    /// Writes all its files. The same tasks give the same bytes.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    fn write(&self, tasks: &[PublishedTask<'_>], files: &dyn Files) -> Result<(), StoreError>;
}

/// The run's own records: `tasks.jsonl` for solvers, `gold.jsonl` for judges, a line of JSON a task.
#[derive(Clone, Copy, Debug)]
pub struct RunRecords;

impl Format for RunRecords {
    fn name(&self) -> &'static str {
        "records"
    }

    fn write(&self, tasks: &[PublishedTask<'_>], files: &dyn Files) -> Result<(), StoreError> {
        files.file("tasks.jsonl", &lines(tasks.iter().map(|published| published.task)))?;
        files.file("gold.jsonl", &lines(tasks.iter().map(|published| published.gold)))
    }
}

/// Values as lines of JSON.
pub fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut content = Vec::new();
    for value in values {
        // Records hold no map with keys other than text, the only thing that JSON cannot write.
        content.extend(serde_json::to_vec(&value).unwrap_or_default());
        content.push(b'\n');
    }
    content
}
