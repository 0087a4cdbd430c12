//! Training material: the tasks of finished runs as rows of other people's formats.
//!
//! [`export`] reads runs one after the other and hands each task as an [`TrainingExample`] to a [`RowFormat`], which gives it the
//! shape that a trainer or an evaluation harness loads. Formats stand side by side in [`formats`]; a new one is one
//! file and one line there.

mod blocks;
mod critiques;
mod error;
mod example;
pub mod formats;
mod output;
mod run;
pub mod skeleton;
mod split;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

pub use blocks::{BlockStyle, blocks};
pub use critiques::{CriticAnswer, CritiqueChoice, choice, clause_inconsistency};
pub use error::ExportError;
pub use example::{AnswerStyle, BETA, Rejected, RejectedKind, TrainingExample};
pub use formats::RowFormat;
use formats::StaticFile;
pub use output::{ExportFolder, OutputError};
pub use split::{Split, SplitGroup, SplitSide};

use crate::repair::prompt::RepairPrompts;
use run::FinishedRun;

/// What to export, and how.
#[derive(Clone, Debug)]
pub struct ExportSettings {
    /// Finished runs.
    pub runs: Vec<PathBuf>,
    /// A new or empty folder.
    pub out: PathBuf,
    /// What the wanted answer looks like.
    pub style: AnswerStyle,
    /// How rows are split.
    pub split: Split,
    /// The β of preference pairs of critiques (equation 4 of SQLCritic).
    pub beta: f64,
    /// Attempts whose skeleton is less alike that of the reference are other queries, no mistakes; from 0 to 1.
    pub least_similarity: f64,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Rows by file.
    pub rows: BTreeMap<String, usize>,
    /// Tasks by side of the split.
    pub sides: BTreeMap<SplitSide, usize>,
    /// What the format leaves out.
    pub leaves_out: &'static str,
}

/// Writes the tasks of the runs in a format.
///
/// # Errors
///
/// When a run cannot be read, a file cannot be written, or the format has no row for any task.
pub fn export(settings: &ExportSettings, format: &dyn RowFormat) -> Result<Exported, ExportError> {
    let prompts = RepairPrompts::built_in()?;
    let mut output = ExportFolder::create(&settings.out)?;
    let mut sides: BTreeMap<SplitSide, usize> = BTreeMap::new();
    let mut known = HashSet::new();
    let with_controls = settings.style == AnswerStyle::Critique && format.takes_controls();
    for path in &settings.runs {
        let run = FinishedRun::open(path)?;
        let controls = run.benchmark.controls().iter().filter_map(|id| run.benchmark.control(id));
        for task in run.benchmark.tasks().iter().chain(controls.filter(|_| with_controls)) {
            if !known.insert(task.record.instance_id.clone()) {
                return Err(ExportError::Twice(task.record.instance_id.clone()));
            }
            let example = run.example(&prompts, task, settings)?;
            let side = settings.split.side(task);
            *sides.entry(side).or_default() += 1;
            format.write(&example, side, &mut output)?;
        }
    }
    for StaticFile(name, content) in format.files() {
        output.file(name, content)?;
    }
    format.finish(&sides, &output)?;
    let rows = output.finish()?;
    if rows.is_empty() && format.has_rows() {
        return Err(ExportError::NoRows(format.leaves_out()));
    }
    Ok(Exported { rows, sides, leaves_out: format.leaves_out() })
}
