//! What a format is.

use std::collections::BTreeMap;

use super::super::{ExportError, ExportFolder, SplitSide, TrainingExample, Trajectory};
use super::row::{ExportRow, StaticFile};

/// A shape of rows or files that another tool loads.
pub trait RowFormat: Sync {
    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Returns what of a run the format has no place for, as a phrase after "leaves out".
    fn leaves_out(&self) -> &'static str;

    /// Returns the rows of one task.
    fn rows(&self, _example: &TrainingExample<'_>, _side: SplitSide) -> Vec<ExportRow> {
        Vec::new()
    }

    /// Writes the rows of one task, or its files where the format has no rows.
    ///
    /// # Errors
    ///
    /// When a file cannot be written.
    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let mut rows = self.rows(example, side).into_iter();
        Ok(rows.try_for_each(|ExportRow { file, row }| output.row(&file, &row))?)
    }

    /// Returns whether the format has a place for conversations of several turns.
    fn takes_trajectories(&self) -> bool {
        false
    }

    /// Returns the rows of one conversation.
    fn trajectory_rows(&self, _trajectory: &Trajectory<'_>, _side: SplitSide) -> Vec<ExportRow> {
        Vec::new()
    }

    /// Returns files beside the rows that are the same in every export, such as a reward function or a configuration.
    fn files(&self) -> &'static [StaticFile] {
        &[]
    }

    /// Writes files beside the rows that depend on them, such as a card.
    ///
    /// # Errors
    ///
    /// When a file cannot be written or a template cannot be filled.
    fn finish(&self, _sides: &BTreeMap<SplitSide, usize>, _output: &ExportFolder) -> Result<(), ExportError> {
        Ok(())
    }

    /// Returns whether each row has all that a trainer needs, its id included, without other files and without the run.
    fn is_self_contained(&self) -> bool {
        false
    }

    /// Returns whether the format takes controls: rows of prompt and answer that no judge has to score.
    fn takes_controls(&self) -> bool {
        self.is_self_contained()
    }

    /// Returns whether the records keep the [`CANARY`] of their run, as whole runs do.
    fn keeps_canary(&self) -> bool {
        false
    }

    /// Returns whether the format writes rows, so that an export without any is an error.
    fn writes_rows(&self) -> bool {
        true
    }
}

/// What rows leave out whatever their format, as a phrase after "leaves out".
pub const CANARY: &str = "the canary: the rows come from a benchmark; do not train on one that you publish";
