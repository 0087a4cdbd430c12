//! A run that Spark has borne out: tasks it disagrees with go to a file of their own, with the reason.

use std::collections::BTreeSet;

use super::Report;
use crate::publish::dropped::{DROPPED, Dropped};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// How many tasks remain.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// Tasks that Spark bears out.
    pub kept: usize,
    /// The others.
    pub dropped: Vec<Dropped>,
}

/// Moves the tasks that the report speaks against to `dropped.jsonl`, and says so on the run's card.
///
/// # Errors
///
/// When the run cannot be read or written.
pub fn certify(directory: &RunDirectory, report: &Report) -> Result<Certified, StoreError> {
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let mut dropped: Vec<Dropped> = match directory.path(DROPPED).exists() {
        true => directory.read_records(DROPPED)?,
        false => Vec::new(),
    };
    let reason = |gold: &GoldRecord| {
        report.reason(&gold.instance_id).or_else(|| report.reference_reason(&gold.provenance.script))
    };
    let (against, kept): (Vec<_>, Vec<_>) =
        gold.into_iter().map(|gold| (reason(&gold), gold)).partition(|it| it.0.is_some());
    let new = against.into_iter().filter_map(|(reason, gold)| Some(Dropped::by_engine(gold.instance_id, reason?)));
    dropped.extend(new);
    let unstable = report.unstable();
    let gold: Vec<GoldRecord> = kept.into_iter().map(|(_, gold)| steady(gold, &unstable)).collect();
    let tasks: Vec<TaskRecord> =
        tasks.into_iter().filter(|task| gold.iter().any(|gold| gold.instance_id == task.instance_id)).collect();
    let change = directory.change()?;
    change.write_records(DROPPED, &dropped)?;
    change.write_records("gold.jsonl", &gold)?;
    change.write_records("tasks.jsonl", &tasks)?;
    change.commit()?;
    card(directory, report, tasks.len(), dropped.len())?;
    Ok(Certified { kept: tasks.len(), dropped })
}

/// The record without databases on which its results hang on the order of rows; its witness stays.
fn steady(mut gold: GoldRecord, unstable: &BTreeSet<&str>) -> GoldRecord {
    if let Evidence::Killed { databases, .. } = &mut gold.evidence {
        let name = |path: &str| path.trim_start_matches("databases/").trim_end_matches(".json").to_owned();
        let mut first = true;
        databases.retain(|path| std::mem::take(&mut first) || !unstable.contains(name(path).as_str()));
    }
    gold
}

/// The line of the run's card that names its engine, said anew.
fn card(directory: &RunDirectory, report: &Report, kept: usize, dropped: usize) -> Result<(), StoreError> {
    let card = std::fs::read_to_string(directory.path("README.md")).unwrap_or_default();
    let is_ours = |line: &&str| !line.starts_with("Judged by the embedded engine") && !line.starts_with("Certified on");
    let kept_lines: Vec<&str> = card.lines().filter(is_ours).collect();
    let said = format!(
        "{}\n\nCertified on {}: {kept} tasks stand, {dropped} were dropped (`dropped.jsonl` says why); `agreement.json` has the numbers.\n",
        kept_lines.join("\n").trim_end(),
        report.engine
    );
    directory.write("README.md", said.as_bytes())
}
