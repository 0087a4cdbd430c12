//! What a format is.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{ExportError, ExportFolder, SplitSide, TrainingExample, Trajectory};
use super::row::{ExportRow, StaticFile, side_file};

/// A shape of rows or files that another tool loads.
pub struct RowFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// What of a run the format has no place for, as a phrase after "leaves out".
    pub leaves_out: &'static str,
    pub tasks: TaskForm,
    /// Returns the rows of a conversation of several turns; `None` if the format has no place for one.
    pub trajectory: Option<fn(&Trajectory<'_>, SplitSide) -> Vec<ExportRow>>,
    /// Files beside the rows that are the same in every export, such as a reward function or a configuration.
    pub files: &'static [StaticFile],
    /// Writes files beside the rows that depend on them, such as a card.
    pub finish: fn(&BTreeMap<SplitSide, usize>, &ExportFolder) -> Result<(), ExportError>,
    /// Whether each row has all that a trainer needs, its id included, without other files and without the run.
    pub is_self_contained: bool,
    /// Whether the format takes controls: rows of prompt and answer that no judge has to score.
    pub takes_controls: bool,
    /// Whether the records keep the [`CANARY`] of their run, as whole runs do.
    pub keeps_canary: bool,
}

/// How a format writes a task.
pub enum TaskForm {
    Rows(fn(&TrainingExample<'_>, SplitSide) -> Vec<ExportRow>),
    /// One row, which holds its number in its file, from 0.
    NumberedRow(fn(&TrainingExample<'_>, SplitSide, usize) -> Value),
    Files(fn(&TrainingExample<'_>, SplitSide, &ExportFolder) -> Result<(), ExportError>),
}

/// What rows leave out whatever their format, as a phrase after "leaves out".
pub const CANARY: &str = "the canary: the rows come from a benchmark; do not train on one that you publish";

impl RowFormat {
    /// What most formats have in common.
    pub(super) const USUAL: RowFormat = RowFormat {
        name: "",
        leaves_out: "",
        tasks: TaskForm::Rows(|_, _| Vec::new()),
        trajectory: None,
        files: &[],
        finish: |_, _| Ok(()),
        is_self_contained: false,
        takes_controls: false,
        keeps_canary: false,
    };

    /// Writes the rows of one task, or its files where the format has no rows.
    pub fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        match self.tasks {
            TaskForm::Rows(rows) => {
                for ExportRow { file, row } in rows(example, side) {
                    output.row(&file, &row)?;
                }
            }
            TaskForm::NumberedRow(row) => {
                let file = side_file(side);
                let number = output.count(&file);
                output.row(&file, &row(example, side, number))?;
            }
            TaskForm::Files(write) => write(example, side, output)?,
        }
        Ok(())
    }

    /// Whether the format writes rows, so that an export without any is an error.
    pub fn writes_rows(&self) -> bool {
        !matches!(self.tasks, TaskForm::Files(_))
    }
}
