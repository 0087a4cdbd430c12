//! verl: rows with a reward model, and the reward as a function of a module.

use serde_json::json;

use super::{RowFormat, StaticFile, rewarded_row};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// Rows for reinforcement learning with verl.
pub struct Verl;

impl RowFormat for Verl {
    fn name(&self) -> &'static str {
        "verl"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the reward opens the run that `extra_info` names"
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let reward = json!({ "style": "rule", "ground_truth": example.task.record.instance_id });
        rewarded_row(example, side, output, [("ability", json!("sql-debugging")), ("reward_model", reward)])
    }

    fn files(&self) -> &'static [StaticFile] {
        &[StaticFile("reward.py", include_str!("../../../templates/export/verl_reward.py"))]
    }
}
