//! SkyRL: rows with an environment class, and the environment.

use serde_json::json;

use super::{RowFormat, StaticFile, rewarded_row};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// Rows for reinforcement learning with SkyRL.
pub struct SkyRl;

impl RowFormat for SkyRl {
    fn name(&self) -> &'static str {
        "skyrl"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the environment opens the run that `extra_info` names"
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let reward = json!({ "method": "rule", "ground_truth": example.task.record.instance_id });
        rewarded_row(example, side, output, [("env_class", json!("sqlfault")), ("reward_spec", reward)])
    }

    fn files(&self) -> &'static [StaticFile] {
        &[StaticFile("environment.py", include_str!("../../../templates/export/skyrl_environment.py"))]
    }
}
