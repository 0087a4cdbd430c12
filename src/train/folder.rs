//! The folder of a training run: its settings, and parts that are there whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::error::TrainError;
use super::pair::{Pair, PairProof, ReferencePairs, WrittenReference};
use super::settings::{SETTINGS, SettingsFile, TrainSettings};
use crate::export::ExportFolder;
use crate::store::{FileError, LARGEST_FILE, beside, pretty, read_records, regular_text, write_whole};

/// The file of a part with a line for each of its references.
pub const REFERENCES: &str = "references.jsonl";
/// The file of a part with a proof for each of its pairs.
pub const PROOFS: &str = "proofs.jsonl";

/// The folder of a training run.
#[derive(Debug)]
pub struct TrainFolder {
    root: PathBuf,
}

impl TrainFolder {
    /// Makes a new folder, or opens one to go on with.
    pub fn open(settings: &TrainSettings) -> Result<TrainFolder, TrainError> {
        let root = settings.out.clone();
        let kept = settings.kept();
        if settings.resume && root.join(SETTINGS).is_file() {
            let before = TrainFolder::settings(&root)?;
            if before != kept {
                let differs = format!("then {}, now {}", json!(before), json!(kept));
                return Err(TrainError::OtherSettings { path: root, differs });
            }
            return Ok(TrainFolder { root });
        }
        TrainFolder::create(&root, &kept)
    }

    /// Makes a new folder.
    pub fn create(root: &Path, kept: &SettingsFile) -> Result<TrainFolder, TrainError> {
        let fail = |source| TrainError::File(FileError { path: root.to_owned(), source });
        fs::create_dir_all(root).map_err(fail)?;
        // A process that was killed before it had written the settings may have left their beginning.
        let _ = fs::remove_file(beside(&root.join(SETTINGS)));
        if fs::read_dir(root).map_err(fail)?.next().is_some() {
            return Err(TrainError::Taken(root.to_owned()));
        }
        let folder = TrainFolder { root: root.to_owned() };
        folder.keep(kept)?;
        Ok(folder)
    }

    /// Writes the settings, over those that are there.
    pub fn keep(&self, kept: &SettingsFile) -> Result<(), TrainError> {
        let path = self.root.join(SETTINGS);
        write_whole(&path, pretty(kept).as_bytes()).map_err(|source| TrainError::File(FileError { path, source }))
    }

    /// Opens a folder that was made with these settings and is to be gone on with, or makes a new one.
    pub fn going_on(root: &Path, kept: &SettingsFile) -> Result<TrainFolder, TrainError> {
        match TrainFolder::read(root) {
            Ok((folder, before)) if before == *kept => Ok(folder),
            _ => TrainFolder::create(root, kept),
        }
    }

    /// Opens a folder of training pairs for reading, and returns its settings.
    pub fn read(root: &Path) -> Result<(TrainFolder, SettingsFile), TrainError> {
        let kept = TrainFolder::settings(root)?;
        Ok((TrainFolder { root: root.to_owned() }, kept))
    }

    fn settings(root: &Path) -> Result<SettingsFile, TrainError> {
        let path = root.join(SETTINGS);
        let text = regular_text(&path, LARGEST_FILE).map_err(|_| TrainError::None(root.to_owned()))?;
        let wrong = |error: serde_json::Error| io::Error::new(io::ErrorKind::InvalidInput, error);
        serde_json::from_str(&text).map_err(|error| TrainError::File(FileError { path, source: wrong(error) }))
    }

    pub fn folder(&self, part: u64) -> PathBuf {
        self.root.join("parts").join(format!("{part:06}"))
    }

    /// Returns the numbers of the parts that are there, in order.
    pub fn numbers(&self) -> Result<Vec<u64>, TrainError> {
        let path = self.root.join("parts");
        if !path.is_dir() {
            // Nothing was finished yet.
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&path).map_err(|source| TrainError::File(FileError { path, source }))?;
        let name = |entry: fs::DirEntry| entry.file_name().to_str().and_then(|name| name.parse().ok());
        let mut numbers: Vec<u64> = entries.flatten().filter_map(name).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Reads the lines about a part's references; `None` if the part is not there.
    pub fn written(&self, part: u64) -> Result<Option<Vec<WrittenReference>>, TrainError> {
        let folder = self.folder(part);
        if folder.is_dir() { Ok(Some(read_records(&folder.join(REFERENCES))?)) } else { Ok(None) }
    }

    /// Reads the proofs of a part; empty if it has no pair.
    pub fn proofs(&self, part: u64) -> Result<Vec<PairProof>, TrainError> {
        let path = self.folder(part).join(PROOFS);
        if path.is_file() { Ok(read_records(&path)?) } else { Ok(Vec::new()) }
    }

    /// Writes a part; `row` writes the rows of a pair.
    pub fn write(
        &self,
        part: u64,
        made: &[ReferencePairs],
        mut row: impl FnMut(&Pair, &mut ExportFolder) -> Result<(), TrainError>,
    ) -> Result<(), TrainError> {
        self.whole(part, |output| {
            for reference in made {
                let line = WrittenReference { pairs: reference.pairs.len(), ..reference.line.clone() };
                output.row(REFERENCES, &json!(line))?;
                for pair in &reference.pairs {
                    output.row(PROOFS, &json!(pair.proof))?;
                    row(pair, output)?;
                }
            }
            Ok(())
        })
    }

    /// Writes a part by `write` into a folder that gets its name only once everything in it is written.
    pub fn whole(
        &self,
        part: u64,
        write: impl FnOnce(&mut ExportFolder) -> Result<(), TrainError>,
    ) -> Result<(), TrainError> {
        let folder = self.folder(part);
        let partial = folder.with_extension("partial");
        let fail = |source| TrainError::File(FileError { path: partial.clone(), source });
        if partial.exists() {
            // An interrupted process left it.
            fs::remove_dir_all(&partial).map_err(fail)?;
        }
        let mut output = ExportFolder::create(&partial)?;
        write(&mut output)?;
        output.finish()?;
        fs::rename(&partial, &folder).map_err(fail)
    }
}
