//! A run that Spark has borne out: tasks it disagrees with go to a file of their own, with the reason.

use std::collections::BTreeSet;

use super::Report;
use crate::publish::dropped::{DROPPED, Dropped, DroppedBy};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// How many tasks remain.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// Tasks that Spark bears out.
    pub kept: usize,
    /// Tasks that this call took out.
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
    card(directory, report, tasks.len(), &dropped)?;
    Ok(Certified { kept: tasks.len(), dropped: new })
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
fn card(directory: &RunDirectory, report: &Report, kept: usize, dropped: &[Dropped]) -> Result<(), StoreError> {
    let card = std::fs::read_to_string(directory.path("README.md")).unwrap_or_default();
    let ours = ["Judged by the embedded engine", "Certified on", "Before the last refill"];
    let lines: Vec<&str> = card.lines().filter(|line| !ours.iter().any(|ours| line.starts_with(ours))).collect();
    let said = format!("{}\n\n{}\n", lines.join("\n").trim_end(), words(&report.engine, kept, dropped));
    directory.write("README.md", said.as_bytes())
}

/// How a certified run is said to be one.
fn words(engine: &str, kept: usize, dropped: &[Dropped]) -> String {
    let by_engine: Vec<&Dropped> = dropped.iter().filter(|line| line.by == DroppedBy::Engine).collect();
    let replaced = by_engine.iter().filter(|line| line.refill.is_some()).count();
    let before = match replaced {
        0 => String::new(),
        _ => format!(", {replaced} of them before the last refill, whose new tasks were judged too"),
    };
    format!(
        "Certified on {engine}: {kept} tasks stand, {} were dropped because it does not bear them out{before} \
         (`dropped.jsonl` says why); `agreement.json` has the numbers.",
        by_engine.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_counts_what_the_engine_dropped_and_what_was_refilled() {
        let line = |refill| Dropped { refill, ..Dropped::by_engine("a".to_owned(), "r".to_owned()) };
        let by_vote = Dropped { by: DroppedBy::Sift, ..line(None) };
        assert!(
            words("S", 7, &[line(None), by_vote.clone()]).starts_with("Certified on S: 7 tasks stand, 1 were dropped")
        );
        let said = words("S", 7, &[line(None), line(Some(1)), by_vote]);
        assert!(said.contains("2 were dropped") && said.contains(", 1 of them before the last refill"), "{said}");
    }
}
