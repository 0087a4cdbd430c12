//! Proves controls again: they are accepted and give what their references give.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::database;
use super::report::CheckReport;
use crate::engine::Engine;
use crate::engine::ExecutionContext;
use crate::engine::table::Database;
use crate::publish::control::{ControlGold, ControlRecord};
use crate::store::{RunDirectory, StoreError};

/// Checks the controls of a run; a run may have none.
pub(super) fn check(directory: &RunDirectory, engine: &dyn Engine, report: &mut CheckReport) -> Result<(), StoreError> {
    if !directory.path("controls.jsonl").exists() {
        return Ok(());
    }
    let controls: Vec<ControlRecord> = directory.read_records("controls.jsonl")?;
    let gold: Vec<ControlGold> = directory.read_records("controls_gold.jsonl")?;
    let mut by_id: BTreeMap<&str, &ControlGold> = gold.iter().map(|gold| (gold.instance_id.as_str(), gold)).collect();
    let mut seen = BTreeSet::new();
    for control in &controls {
        report.controls += 1;
        let mut problems = match by_id.remove(control.instance_id.as_str()) {
            Some(gold) => problems_of(directory, engine, control, gold),
            None => vec!["it has no gold record".to_owned()],
        };
        if !seen.insert(control.instance_id.as_str()) {
            problems.push("its id occurs twice".to_owned());
        }
        report.add(&control.instance_id, problems);
    }
    by_id.keys().for_each(|id| report.add(id, vec!["gold without a control".to_owned()]));
    Ok(())
}

fn problems_of(
    directory: &RunDirectory,
    engine: &dyn Engine,
    control: &ControlRecord,
    gold: &ControlGold,
) -> Vec<String> {
    let mut problems = Vec::new();
    match gold.repairs(&control.sql) {
        Ok(true) => {}
        Ok(false) => problems.push("the edits do not give the reference".to_owned()),
        Err(error) => problems.push(error.to_string()),
    }
    if !gold.says_correct() {
        problems.push("its critique does not say that it is correct".to_owned());
    }
    match ExecutionContext::read(&control.schema_ddl, &control.parameters, gold.provenance.policies.clone()) {
        Ok(context) => problems.extend(run_problems(directory, engine, control, gold, &context)),
        Err(error) => problems.push(format!("the schema does not read: {error}")),
    }
    problems
}

/// Returns what is wrong with the way in which a control runs.
fn run_problems(
    directory: &RunDirectory,
    engine: &dyn Engine,
    control: &ControlRecord,
    gold: &ControlGold,
    context: &ExecutionContext,
) -> Vec<String> {
    let mut problems = Vec::new();
    match engine.rejection(&control.sql, context.by_ref()) {
        Ok(None) => {}
        Ok(Some(rejection)) => problems.push(format!("it is refused: {}", rejection.message)),
        Err(words) => problems.push(format!("it is not judged: {words}")),
    }
    if gold.databases.is_empty() {
        problems.push("it has no database".to_owned());
    }
    for name in &gold.databases {
        let database = database(directory, name);
        let differ = |database: Database| {
            let differ = engine.differ(&gold.reference_sql, &control.sql, context.by_ref(), &database);
            differ.map_err(|error| format!("{name}: {error}"))
        };
        match database.and_then(differ) {
            Ok(false) => {}
            Ok(true) => problems.push(format!("{name} tells it from its reference")),
            Err(error) => problems.push(error),
        }
    }
    problems
}
