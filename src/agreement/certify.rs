//! Certifies a run: tasks that Spark does not confirm go to a file of their own, with the reason.

use std::collections::BTreeSet;

use super::{AgreementReport, card};
use crate::publish::dropped::{DROPPED, Dropped};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// How many tasks remain.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// Tasks that Spark confirms.
    pub kept: usize,
    /// Tasks that this call took out.
    pub dropped: Vec<Dropped>,
}

/// Moves the tasks that the report does not confirm to `dropped.jsonl`, and says so on the run's card.
pub fn certify(directory: &RunDirectory, report: &AgreementReport) -> Result<Certified, StoreError> {
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let mut dropped: Vec<Dropped> = match directory.path(DROPPED).exists() {
        true => directory.read_records(DROPPED)?,
        false => Vec::new(),
    };
    let reason = |gold: &GoldRecord| {
        let by_reference = || report.reference_reason(&gold.provenance.script);
        report.reason(&gold.instance_id).or_else(by_reference).or_else(|| report.open_witness(&gold.instance_id))
    };
    let (against, kept): (Vec<_>, Vec<_>) =
        gold.into_iter().map(|gold| (reason(&gold), gold)).partition(|it| it.0.is_some());
    let new = against.into_iter().filter_map(|(reason, gold)| Some(Dropped::by_engine(gold.instance_id, reason?)));
    let new: Vec<Dropped> = new.collect();
    dropped.extend(new.iter().cloned());
    let unstable = report.unstable();
    let gold: Vec<GoldRecord> = kept.into_iter().map(|(_, gold)| steady(gold, &unstable)).collect();
    let tasks: Vec<TaskRecord> =
        tasks.into_iter().filter(|task| gold.iter().any(|gold| gold.instance_id == task.instance_id)).collect();
    let change = directory.change()?;
    change.write_records(DROPPED, &dropped)?;
    change.write_records("gold.jsonl", &gold)?;
    change.write_records("tasks.jsonl", &tasks)?;
    change.commit()?;
    card::write(directory, report, Some((tasks.len(), &dropped)))?;
    Ok(Certified { kept: tasks.len(), dropped: new })
}

/// Returns the record without databases on which results depend on the order of rows; the first, its witness, stays.
fn steady(mut gold: GoldRecord, unstable: &BTreeSet<&str>) -> GoldRecord {
    if let Evidence::Killed { databases, .. } = &mut gold.evidence {
        let name = |path: &str| path.trim_start_matches("databases/").trim_end_matches(".json").to_owned();
        let mut first = true;
        databases.retain(|path| std::mem::take(&mut first) || !unstable.contains(name(path).as_str()));
    }
    gold
}
