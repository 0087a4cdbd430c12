//! Writes the records of a run as files, through [`Files`]. `export` writes the formats of other tools from a finished
//! run.

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

/// A place that takes files: a run directory, a [`Change`] of several files, or memory.
pub trait Files {
    /// Writes a file whole; `name` is relative and may contain folders.
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

/// Writes the run's own records: `tasks.jsonl` for solvers and `gold.jsonl` for judges, one line of JSON per task. The
/// same tasks give the same bytes.
pub fn write_records(tasks: &[PublishedTask<'_>], files: &dyn Files) -> Result<(), StoreError> {
    files.file("tasks.jsonl", &lines(tasks.iter().map(|published| published.task)))?;
    files.file("gold.jsonl", &lines(tasks.iter().map(|published| published.gold)))
}

/// Values as lines of JSON.
fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut content = Vec::new();
    for value in values {
        // Writing to memory fails only for maps whose keys are not text, and records hold none.
        content.extend(serde_json::to_vec(&value).unwrap_or_default());
        content.push(b'\n');
    }
    content
}
