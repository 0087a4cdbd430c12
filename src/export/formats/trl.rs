//! TRL: prompt and completion, chosen and rejected, labelled completions, and prompts with columns for rewards.

use serde_json::{Value, json};

use super::messages::{assistant, prompt};
use super::rejected_answers::{ranked, rejected};
use super::row::{ExportRow, side_file};
use super::row_format::RowFormat;
use crate::export::{Rejected, SplitSide, TrainingExample, Trajectory};

/// Supervised fine-tuning. With the ranges that the repair changes a trainer can weight the loss (the paper's DM-SFT).
pub struct Supervised;

impl RowFormat for Supervised {
    fn name(&self) -> &'static str {
        "trl-sft"
    }

    fn leaves_out(&self) -> &'static str {
        "databases, proofs and rejected answers"
    }

    fn is_self_contained(&self) -> bool {
        true
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
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

    fn takes_trajectories(&self) -> bool {
        true
    }

    /// One row for each turn of the model, so that the loss is on the completion and no chat template need mark turns.
    fn trajectory_rows(&self, trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
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
}

/// Preference pairs.
pub struct Preference;

impl RowFormat for Preference {
    fn name(&self) -> &'static str {
        "trl-dpo"
    }

    fn leaves_out(&self) -> &'static str {
        "databases, proofs, and tasks without a rejected answer in the wanted style"
    }

    fn is_self_contained(&self) -> bool {
        true
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
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
}

/// Completions labelled as wanted or not.
pub struct Labelled;

impl RowFormat for Labelled {
    fn name(&self) -> &'static str {
        "trl-kto"
    }

    fn leaves_out(&self) -> &'static str {
        "databases and proofs"
    }

    fn is_self_contained(&self) -> bool {
        true
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
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
}

/// Prompts for online methods (GRPO, RLOO); the reward looks the answer up by `run` and `instance_id`.
pub struct OnlinePrompts;

impl RowFormat for OnlinePrompts {
    fn name(&self) -> &'static str {
        "trl-grpo"
    }

    fn leaves_out(&self) -> &'static str {
        "answers: the reward opens the run that `run` names"
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
        let row = json!({
            "prompt": prompt(example),
            "instance_id": example.task.record.instance_id,
            "track": example.track(),
            "run": example.run,
        });
        vec![ExportRow::new(side_file(side), row)]
    }
}
