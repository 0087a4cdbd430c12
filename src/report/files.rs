//! Files of a run, each of which may be absent.

use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::store::yaml::read_yaml;
use crate::store::{RunDirectory, StoreError};

/// A file of a run that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct RunFileError {
    file: PathBuf,
    reason: String,
}

#[derive(Clone, Copy)]
pub(super) struct RunFiles<'a> {
    directory: &'a RunDirectory,
}

impl<'a> RunFiles<'a> {
    pub fn new(directory: &'a RunDirectory) -> RunFiles<'a> {
        RunFiles { directory }
    }

    pub fn settings(self) -> Result<Map<String, Value>, RunFileError> {
        let text = self.text("run.yaml")?.unwrap_or_default();
        read_yaml(&text).map_err(|error| self.damaged("run.yaml", &error))
    }

    /// Returns the text of a file; `None` if it is absent, or its name leads out of the run.
    pub fn text(self, name: &str) -> Result<Option<String>, RunFileError> {
        if self.directory.inside(name).is_none() {
            return Ok(None);
        }
        self.directory.text_if_any(name).map_err(|error| self.damaged(name, &error))
    }

    /// Reads a file of JSON; `None` if it is absent.
    pub fn json<T: DeserializeOwned>(self, name: &str) -> Result<Option<T>, RunFileError> {
        let text = self.text(name)?;
        text.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| self.damaged(name, &error))
    }

    /// Reads a file of records; none if it is absent.
    pub fn records<T: DeserializeOwned>(self, name: &str) -> Result<Vec<T>, StoreError> {
        if self.directory.path(name).exists() { self.directory.read_records(name) } else { Ok(Vec::new()) }
    }

    fn damaged(self, name: &str, reason: &dyn std::fmt::Display) -> RunFileError {
        RunFileError { file: self.directory.path(name), reason: reason.to_string() }
    }
}
