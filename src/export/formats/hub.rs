//! Hugging Face Hub: a folder that `datasets.load_dataset` reads, with a card with front matter, and typed rows.

use std::collections::BTreeMap;

use minijinja::context;
use serde_json::{Value, json};

use super::messages::{assistant, prompt};
use super::row::{ExportRow, filled, side_file};
use super::row_format::{RowFormat, TaskForm};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};

/// The runs as a dataset with the configurations `tasks`, `gold` and `train`.
pub const HUB: RowFormat = RowFormat {
    name: "hub",
    leaves_out: "databases, samples and questions (they are files of the run), trials that were not published; the canary of `train`",
    tasks: TaskForm::Rows(rows),
    finish: write_card,
    keeps_canary: true,
    ..RowFormat::USUAL
};

fn rows(example: &TrainingExample<'_>, side: SplitSide) -> Vec<ExportRow> {
    let trained = json!({
        "instance_id": example.task.record.instance_id,
        "prompt": prompt(example),
        "completion": assistant(&example.answer),
    });
    let rows = [("tasks", public_row(example)), ("gold", gold_row(example)), ("train", trained)];
    rows.map(|(folder, row)| ExportRow::new(format!("{folder}/{}", side_file(side)), row)).into()
}

fn write_card(sides: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
    let sides: Vec<minijinja::Value> =
        sides.iter().map(|(side, tasks)| context! { name => side.name(), tasks => *tasks }).collect();
    let card = filled(include_str!("../../../templates/export/hub_card.md.j2"), context! { sides })?;
    Ok(output.file("README.md", &card)?)
}

/// What a solver sees, with the same fields and types on every track.
fn public_row(example: &TrainingExample<'_>) -> Value {
    use crate::publish::record::SolverContext;
    let record = &example.task.record;
    let (error_message, user_query) = match &record.context {
        SolverContext::ErrorMessage(message) => (Some(message), None),
        SolverContext::UserQuery(query) => (None, Some(query)),
    };
    // Name and value in one text: the loader would turn a column of nothing but dates into timestamps.
    let parameters: Vec<String> = record.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut row = json!({
        "instance_id": record.instance_id,
        "track": example.track(),
        "dialect": record.dialect,
        "domain": record.domain,
        "issue_sql": record.issue_sql,
        "schema_ddl": record.schema_ddl,
        "parameters": parameters,
        "error_message": error_message,
        "user_query": user_query,
        "translated_from": record.translated_from,
        "canary": record.canary,
    });
    if !record.files.is_empty() {
        row["files"] = json!(record.files);
    }
    row
}

/// What a judge sees. The evidence, whose form depends on the track, and the edits, whose texts may be dates, are JSON
/// text.
fn gold_row(example: &TrainingExample<'_>) -> Value {
    let gold = &example.task.gold;
    json!({
        "instance_id": gold.instance_id,
        "reference_sql": gold.reference_sql,
        "alternatives": gold.alternatives,
        "labels": gold.labels,
        "critique": gold.critique,
        "patch": gold.patch,
        "reference": gold.provenance.source,
        "source_script": gold.provenance.source_key(),
        "edits_json": serde_json::to_string(&gold.edits).unwrap_or_default(),
        "evidence_json": serde_json::to_string(&gold.evidence).unwrap_or_default(),
    })
}
