//! LLaMA-Factory: alpaca rows, ranked conversations, and the file that describes both.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::rejected_answers::rejected;
use super::row::{ExportRow, wanted_and_pairs};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// A data folder for LLaMA-Factory.
pub const LLAMAFACTORY: RowFormat = RowFormat {
    name: "llamafactory",
    leaves_out: "databases, proofs, ids and the kinds of rejected answers",
    tasks: TaskForm::Rows(rows),
    finish: describe,
    takes_controls: true,
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let supervised = json!({
        "instruction": example.instruction,
        "input": "",
        "output": example.answer,
        "system": example.system,
    });
    let ranked = |(_, wrong): (&str, String)| {
        json!({
            "conversations": [{ "from": "human", "value": example.instruction }],
            "system": example.system,
            "chosen": { "from": "gpt", "value": example.answer },
            "rejected": { "from": "gpt", "value": wrong },
        })
    };
    wanted_and_pairs(side, supervised, rejected(example).into_iter().map(ranked))
}

/// Writes the file that describes the files of rows.
fn describe(sides: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
    let mut sets: Map<String, Value> = Map::new();
    for side in sides.keys().map(|side| side.name()) {
        let supervised = json!({
            "file_name": format!("sft_{side}.jsonl"),
            "formatting": "alpaca",
            "columns": { "prompt": "instruction", "query": "input", "response": "output", "system": "system" },
        });
        sets.insert(format!("sqlfault_sft_{side}"), supervised);
        let file = format!("dpo_{side}.jsonl");
        if output.count(&file) > 0 {
            let ranked = json!({
                "file_name": file,
                "formatting": "sharegpt",
                "ranking": true,
                "columns": {
                    "messages": "conversations",
                    "chosen": "chosen",
                    "rejected": "rejected",
                    "system": "system",
                },
            });
            sets.insert(format!("sqlfault_dpo_{side}"), ranked);
        }
    }
    Ok(output.file("dataset_info.json", &format!("{:#}\n", Value::Object(sets)))?)
}
