//! SkyRL and verl: rows for reinforcement learning, and a file that scores answers by opening the run.

use serde_json::{Value, json};

use super::messages::prompt;
use super::row::StaticFile;
use super::row_format::{RowFormat, TaskForm};
use crate::export::{SplitSide, TrainingExample};

/// SkyRL: rows with an environment class, and the environment.
pub const SKYRL: RowFormat = RowFormat {
    name: "skyrl",
    leaves_out: "answers: the environment opens the run that `extra_info` names",
    tasks: TaskForm::NumberedRow(skyrl_row),
    files: &[StaticFile("environment.py", include_str!("../../../templates/export/skyrl_environment.py"))],
    ..RowFormat::USUAL
};

/// verl: rows with a reward model, and the reward as a function of a module.
pub const VERL: RowFormat = RowFormat {
    name: "verl",
    leaves_out: "answers: the reward opens the run that `extra_info` names",
    tasks: TaskForm::NumberedRow(verl_row),
    files: &[StaticFile("reward.py", include_str!("../../../templates/export/verl_reward.py"))],
    ..RowFormat::USUAL
};

fn skyrl_row(example: &TrainingExample<'_>, side: SplitSide, number: usize) -> Value {
    json!({
        "data_source": "sqlfault",
        "prompt": prompt(example),
        "env_class": "sqlfault",
        "reward_spec": { "method": "rule", "ground_truth": example.task.record.instance_id },
        "extra_info": extra_info(example, side, number),
    })
}

fn verl_row(example: &TrainingExample<'_>, side: SplitSide, number: usize) -> Value {
    json!({
        "data_source": "sqlfault",
        "prompt": prompt(example),
        "ability": "sql-debugging",
        "reward_model": { "style": "rule", "ground_truth": example.task.record.instance_id },
        "extra_info": extra_info(example, side, number),
    })
}

fn extra_info(example: &TrainingExample<'_>, side: SplitSide, number: usize) -> Value {
    json!({ "split": side.name(), "index": number, "run": example.run, "track": example.track() })
}
