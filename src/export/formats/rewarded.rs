//! SkyRL and verl: rows for reinforcement learning, and a file that scores answers by opening the run.

use serde_json::{Value, json};

use super::messages::prompt;
use super::row::{StaticFile, side_file};
use super::row_format::RowFormat;
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// The format of one trainer.
pub struct ReinforcementRows {
    name: &'static str,
    leaves_out: &'static str,
    /// Returns the columns that only this trainer has, for the task with this id.
    columns: fn(&str) -> [(&'static str, Value); 2],
    files: &'static [StaticFile],
}

/// SkyRL: rows with an environment class, and the environment.
pub const SKYRL: ReinforcementRows = ReinforcementRows {
    name: "skyrl",
    leaves_out: "answers: the environment opens the run that `extra_info` names",
    columns: |id| [("env_class", json!("sqlfault")), ("reward_spec", json!({ "method": "rule", "ground_truth": id }))],
    files: &[StaticFile("environment.py", include_str!("../../../templates/export/skyrl_environment.py"))],
};

/// verl: rows with a reward model, and the reward as a function of a module.
pub const VERL: ReinforcementRows = ReinforcementRows {
    name: "verl",
    leaves_out: "answers: the reward opens the run that `extra_info` names",
    columns: |id| {
        [("ability", json!("sql-debugging")), ("reward_model", json!({ "style": "rule", "ground_truth": id }))]
    },
    files: &[StaticFile("reward.py", include_str!("../../../templates/export/verl_reward.py"))],
};

impl RowFormat for ReinforcementRows {
    fn name(&self) -> &'static str {
        self.name
    }

    fn leaves_out(&self) -> &'static str {
        self.leaves_out
    }

    fn write(
        &self,
        example: &TrainingExample<'_>,
        side: SplitSide,
        output: &mut ExportFolder,
    ) -> Result<(), ExportError> {
        let name = side_file(side);
        let mut row = json!({ "data_source": "sqlfault", "prompt": prompt(example) });
        for (column, value) in (self.columns)(&example.task.record.instance_id) {
            row[column] = value;
        }
        let index = output.count(&name);
        let track = example.track();
        row["extra_info"] = json!({ "split": side.name(), "index": index, "run": example.run, "track": track });
        Ok(output.row(&name, &row)?)
    }

    fn files(&self) -> &'static [StaticFile] {
        self.files
    }
}
