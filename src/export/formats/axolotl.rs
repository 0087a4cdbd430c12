//! Axolotl: chat rows and the data section of a configuration.

use serde_json::json;

use super::messages::{assistant, conversation, prompt};
use super::rejected_answers::rejected;
use super::row::{ExportRow, StaticFile, wanted_and_pairs};
use super::row_format::RowFormat;
use crate::export::{SplitSide, TrainingExample, Trajectory};

/// Rows of type `chat_template`.
pub struct Axolotl;

impl RowFormat for Axolotl {
    fn name(&self) -> &'static str {
        "axolotl"
    }

    fn leaves_out(&self) -> &'static str {
        "databases and proofs"
    }

    fn takes_controls(&self) -> bool {
        true
    }

    fn takes_trajectories(&self) -> bool {
        true
    }

    fn trajectory_rows(&self, trajectory: &Trajectory<'_>, side: SplitSide) -> Vec<ExportRow> {
        let row = json!({ "messages": trajectory.messages(), "instance_id": trajectory.task.record.instance_id });
        vec![ExportRow::new(format!("sft_{}.jsonl", side.name()), row)]
    }

    fn rows(&self, example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
        let id = example.task.record.instance_id.as_str();
        let wanted = json!({ "messages": conversation(example), "instance_id": id });
        let pair = |(kind, wrong): (&str, String)| {
            json!({
                "messages": prompt(example),
                "chosen": assistant(&example.answer)[0],
                "rejected": assistant(&wrong)[0],
                "rejected_kind": kind,
                "instance_id": id,
            })
        };
        wanted_and_pairs(side, wanted, rejected(example).into_iter().map(pair))
    }

    fn files(&self) -> &'static [StaticFile] {
        &[StaticFile("datasets.yaml", include_str!("../../../templates/export/axolotl_datasets.yaml"))]
    }
}
