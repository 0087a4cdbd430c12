//! TRL: prompt and completion, chosen and rejected, labelled completions, and prompts with columns for rewards.

use serde_json::{Value, json};

use super::messages::{assistant, prompt};
use super::rejected_answers::{ranked, rejected};
use super::row::{ExportRow, side_file};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{Rejected, SplitSide, TrainingExample, Trajectory};

/// Supervised fine-tuning. With the ranges that the repair changes a trainer can weight the loss (the paper's DM-SFT).
pub const SUPERVISED: RowFormat = RowFormat {
    name: "trl-sft",
    leaves_out: "databases, proofs and rejected answers",
    tasks: TaskForm::Rows(supervised),
    trajectory: Some(turns),
    is_self_contained: true,
    takes_controls: true,
    ..RowFormat::USUAL
};

/// Preference pairs.
pub const PREFERENCE: RowFormat = RowFormat {
    name: "trl-dpo",
    leaves_out: "databases, proofs, and tasks without a rejected answer in the wanted style",
    tasks: TaskForm::Rows(pairs),
    is_self_contained: true,
    takes_controls: true,
    ..RowFormat::USUAL
};

/// Completions labelled as wanted or not.
pub const LABELLED: RowFormat = RowFormat {
    name: "trl-kto",
    leaves_out: "databases and proofs",
    tasks: TaskForm::Rows(labelled),
    is_self_contained: true,
    takes_controls: true,
    ..RowFormat::USUAL
};

/// Prompts for online methods (GRPO, RLOO); the reward looks the answer up by `run` and `instance_id`.
pub const ONLINE_PROMPTS: RowFormat = RowFormat {
    name: "trl-grpo",
    leaves_out: "answers: the reward opens the run that `run` names",
    tasks: TaskForm::Rows(prompts),
    ..RowFormat::USUAL
};

fn supervised(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let bytes: Vec<[usize; 2]> = example.changed.iter().map(|span| [span.start, span.end]).collect();
    let row = json!({
        "prompt": prompt(example),
        "completion": assistant(&example.answer),
        "changed_bytes": bytes,
        "changed_characters": example.changed_characters(),
        "instance_id": example.task.record.instance_id,
        "track": example.track(),
    });
    vec![ExportRow::new(side_file(side), row)]
}

/// One row for each turn of the model, so that the loss is on the completion and no chat template need mark turns.
fn turns(trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
    let row = |(number, (prompt, reply)): (usize, (Vec<Value>, Value))| {
        let row = json!({
            "prompt": prompt,
            "completion": [reply],
            "turn": number + 1,
            "instance_id": trajectory.task.record.instance_id,
            "solver": trajectory.solver,
        });
        ExportRow::new(side_file(side), row)
    };
    trajectory.replies().into_iter().enumerate().map(row).collect()
}

fn pairs(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let pair = |(rejected, wrong): (&Rejected, String)| {
        let mut row = json!({
            "prompt": prompt(example),
            "chosen": assistant(&example.answer),
            "rejected": assistant(&wrong),
            "rejected_kind": rejected.kind.name(),
            "instance_id": example.task.record.instance_id,
            "track": example.track(),
        });
        if let Some(beta) = example.pair_beta(rejected) {
            row["clause_inconsistency"] = json!(rejected.clause_inconsistency);
            row["beta"] = json!(beta);
        }
        ExportRow::new(side_file(side), row)
    };
    ranked(example).map(pair).collect()
}

fn labelled(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let wanted = std::iter::once(("reference", example.answer.clone()));
    let labelled = |(kind, answer): (&str, String)| {
        let row = json!({
            "prompt": prompt(example),
            "completion": assistant(&answer),
            "label": kind == "reference",
            "kind": kind,
            "instance_id": example.task.record.instance_id,
            "track": example.track(),
        });
        ExportRow::new(side_file(side), row)
    };
    wanted.chain(rejected(example)).map(labelled).collect()
}

fn prompts(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let row = json!({
        "prompt": prompt(example),
        "instance_id": example.task.record.instance_id,
        "track": example.track(),
        "run": example.run,
    });
    vec![ExportRow::new(side_file(side), row)]
}
