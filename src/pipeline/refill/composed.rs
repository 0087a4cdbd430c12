//! Fills up a composed run with new tasks, on references numbered after those that the run has looked at.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::composed::{KeptTask, fill_up};
use super::super::context::Context;
use super::super::error::BuildError;
use super::super::funnel::{Funnel, KillFunnel};
use super::super::inputs::Inputs;
use super::super::manifest::Manifest;
use super::drops::Drops;
use super::existing::ExistingRun;
use super::files::RefillChange;
use super::numbers::count_refill;
use super::refilled::Refilled;
use super::search::{ReferenceLines, RefilledRun};
use super::trials::all_trials;
use crate::publish::record::{GoldRecord, SolverContext, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// Fills up a composed run.
pub(super) fn round(
    context: Context<'_>,
    inputs: &Inputs,
    run: ExistingRun,
    drops: &Drops,
    directory: &RunDirectory,
) -> Result<Refilled, BuildError> {
    let mut manifest = Manifest::composed(context);
    manifest.dropped = run.digest.clone();
    directory.check_settings(&manifest)?;
    let unknown = || BuildError::Manifest("funnel.json does not say how many references were composed".to_owned());
    let from = run.funnel.composed.ok_or_else(unknown)?;
    let stays = run.tasks.iter().filter(|(id, _)| !drops.has(id));
    let mut records: BTreeMap<String, (TaskRecord, GoldRecord)> =
        stays.map(|(id, pair)| (id.clone(), pair.clone())).collect();
    let kept: Vec<KeptTask<'_>> = records.values().map(kept_task).collect();
    let mut funnel = without_tasks(run.funnel.clone());
    let filled = fill_up(context, inputs, &kept, from, directory, &mut funnel)?;
    for (task, gold) in records.values() {
        funnel.count_task(context.taxonomy, task, gold);
    }
    let mut added = BTreeMap::new();
    for (task, _) in filled.records.values() {
        *added.entry(task.track()).or_default() += 1;
    }
    if drops.fresh == 0 && added.is_empty() {
        return Ok(Refilled { dropped: Vec::new(), added, funnel: run.funnel });
    }
    count_refill(&mut funnel, &run.funnel, drops, &added);
    let references = ReferenceLines {
        scripts: of_kept(directory, "scripts.jsonl", &records)?.chain(filled.scripts).collect(),
        specifications: of_kept(directory, "specifications.jsonl", &records)?.chain(filled.specifications).collect(),
    };
    records.extend(filled.records);
    let mut found = RefilledRun { records, trials: filled.trials, added, funnel, references: Some(references) };
    found.funnel.kills = KillFunnel::of(context.taxonomy, &all_trials(&run, &found));
    RefillChange { context, run: &run, drops, found: &found, directory }.write(manifest)?;
    Ok(Refilled { dropped: drops.fresh().to_vec(), added: found.added, funnel: found.funnel })
}

fn kept_task((task, gold): &(TaskRecord, GoldRecord)) -> KeptTask<'_> {
    let complaint = match &task.context {
        SolverContext::UserQuery(complaint) => Some(complaint.as_str()),
        SolverContext::ErrorMessage(_) => None,
    };
    KeptTask { track: task.track(), faults: gold.faults(), complaint, reference: &gold.reference_sql }
}

/// Returns the numbers of a run without those of its tasks, which are counted anew.
fn without_tasks(mut funnel: Funnel) -> Funnel {
    for numbers in funnel.faults.values_mut() {
        (numbers.published, numbers.dropped) = (0, 0);
        numbers.tokens_changed.clear();
    }
    for numbers in funnel.tracks.values_mut() {
        numbers.published = 0;
        numbers.faults_per_task.clear();
    }
    funnel
}

/// Returns the lines of a file that belong to the references of these tasks.
fn of_kept(
    directory: &RunDirectory,
    name: &str,
    records: &BTreeMap<String, (TaskRecord, GoldRecord)>,
) -> Result<impl Iterator<Item = Value>, StoreError> {
    let scripts: BTreeSet<String> = records.values().map(|(_, gold)| gold.provenance.script.clone()).collect();
    let lines: Vec<Value> = directory.read_records(name)?;
    Ok(lines.into_iter().filter(move |line| line["script"].as_str().is_some_and(|script| scripts.contains(script))))
}
