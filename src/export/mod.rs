//! Training material: the tasks of finished runs as rows in the formats of other tools.
//!
//! [`export`] reads runs one after the other and hands each task as a [`TrainingExample`] to a [`RowFormat`], which
//! gives it the shape that a trainer or an evaluation harness loads. The formats are in [`formats`]; a new one takes
//! one file and one line there.

mod blocks;
mod error;
mod example;
mod critiques;
mod output;
pub mod skeleton;
mod kept_out;
mod split;
mod trajectory;
pub mod formats;
mod settings;
mod run;

use std::collections::{BTreeMap, HashSet};

pub use blocks::blocks;
pub use critiques::{choice, clause_inconsistency};
pub use error::ExportError;
pub use example::{AnswerStyle, BETA, Rejected, RejectedKind, TrainingExample};
pub use formats::RowFormat;
use formats::{ExportRow, StaticFile};
pub use kept_out::KeptOut;
pub use output::ExportFolder;
pub use settings::ExportSettings;
pub use split::{Split, SplitGroup, SplitSide};
pub use trajectory::Trajectory;

use crate::repair::prompt::RepairPrompts;
use run::FinishedRun;

/// What was written.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Rows by file.
    pub rows: BTreeMap<String, usize>,
    /// Tasks by side of the split.
    pub sides: BTreeMap<SplitSide, usize>,
    /// Tasks left out because of [`ExportSettings::kept_out`].
    pub kept_out: usize,
    /// What of a run is not in it: [`formats::left_out`].
    pub left_out: String,
}

/// Writes the tasks of the runs in a format.
///
/// # Errors
///
/// If a run cannot be read, two runs share a task, a file cannot be written, or no row comes of any task.
pub fn export(settings: &ExportSettings, format: &RowFormat) -> Result<Exported, ExportError> {
    if settings.trajectories && format.trajectory.is_none() {
        return Err(ExportError::Trajectories(format.name, formats::with_trajectories()));
    }
    let prompts = RepairPrompts::built_in()?;
    let mut output = ExportFolder::create(&settings.out)?;
    let mut sides: BTreeMap<SplitSide, usize> = BTreeMap::new();
    let (mut known, mut kept_out, mut has_controls) = (HashSet::new(), 0, false);
    let with_controls = settings.style == AnswerStyle::Critique && format.takes_controls;
    for path in &settings.runs {
        let run = FinishedRun::open(path)?;
        has_controls |= !run.benchmark.controls().is_empty();
        let controls = run.benchmark.controls().iter().filter_map(|id| run.benchmark.control(id));
        for task in run.benchmark.tasks().iter().chain(controls.filter(|_| with_controls)) {
            if !known.insert(task.record.instance_id.clone()) {
                return Err(ExportError::Twice(task.record.instance_id.clone()));
            }
            if settings.kept_out.has_task(task) {
                kept_out += 1;
                continue;
            }
            let side = settings.split.side(task);
            let written = if let Some(rows) = format.trajectory.filter(|_| settings.trajectories) {
                let trajectories = run.trajectories(&prompts, task)?;
                for ExportRow { file, row } in trajectories.iter().flat_map(|one| rows(one, side)) {
                    output.row(&file, &row)?;
                }
                !trajectories.is_empty()
            } else {
                format.write(&run.example(&prompts, task, settings)?, side, &mut output)?;
                true
            };
            *sides.entry(side).or_default() += usize::from(written);
        }
    }
    for StaticFile(name, content) in format.files {
        output.file(name, content)?;
    }
    (format.finish)(&sides, &output)?;
    let rows = output.finish()?;
    if rows.is_empty() {
        match (kept_out, settings.trajectories, format.writes_rows()) {
            (1.., _, _) => return Err(ExportError::KeptOut),
            (0, true, _) => return Err(ExportError::NoTrajectories),
            (0, false, true) => return Err(ExportError::NoRows(format.leaves_out)),
            (0, false, false) => {}
        }
    }
    Ok(Exported { rows, sides, kept_out, left_out: formats::left_out(format, has_controls && !with_controls) })
}
