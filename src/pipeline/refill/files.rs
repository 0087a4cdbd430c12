//! The files of a refilled run, all or none.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::super::card::{self, RunCard};
use super::super::hunt::Proof;
use super::super::write::pretty;
use super::super::{BuildError, Settings};
use super::drops::Drops;
use super::kept::{DECISIONS, Kept};
use super::search::Outcome;
use crate::engine::Engine;
use crate::inject::Mutant;
use crate::publish::dropped::DROPPED;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::RunDirectory;

/// Writes everything that a refill changes.
pub(super) fn write(
    (settings, executor): (&Settings, &dyn Engine),
    (run, drops): (&Kept, &Drops),
    found: &Outcome,
    card: &mut RunCard,
    directory: &RunDirectory,
) -> Result<(), BuildError> {
    let change = directory.change()?;
    change.write_records(DROPPED, &drops.lines)?;
    if directory.path(DECISIONS).exists() {
        change.write_records(DECISIONS, &drops.decisions)?;
    }
    let (tasks, gold): (Vec<&TaskRecord>, Vec<&GoldRecord>) =
        found.records.values().map(|(task, gold)| (task, gold)).unzip();
    change.write_records("tasks.jsonl", &tasks)?;
    change.write_records("gold.jsonl", &gold)?;
    let mut mutants: BTreeMap<&str, &Mutant> =
        run.mutants.values().map(|mutant| (mutant.id.as_str(), mutant)).collect();
    mutants.extend(found.trials.0.iter().map(|mutant| (mutant.id.as_str(), mutant)));
    change.write_records("mutants.jsonl", &mutants.into_values().collect::<Vec<_>>())?;
    let mut proofs: BTreeMap<&str, &Proof> = run.proofs.iter().map(|(id, proof)| (id.as_str(), proof)).collect();
    proofs.extend(found.trials.1.iter().map(|proof| (proof.mutant.as_str(), proof)));
    change.write_records("proofs.jsonl", &proofs.into_values().collect::<Vec<_>>())?;
    change.write("funnel.json", pretty(&found.funnel).as_bytes())?;
    change.write("README.md", readme((settings, executor), found, directory).as_bytes())?;
    card.dropped = Some(digest(drops));
    change.write_settings(card)?;
    Ok(change.commit()?)
}

/// The run's card; what an engine certified was certified before the new tasks came in.
fn readme((settings, executor): (&Settings, &dyn Engine), found: &Outcome, directory: &RunDirectory) -> String {
    let mut card = card::readme(settings, executor, &found.funnel, found.records.len());
    let before = std::fs::read_to_string(directory.path("README.md")).unwrap_or_default();
    let said =
        before.lines().find(|line| line.starts_with("Certified on") || line.starts_with("Before the last refill"));
    if let Some(said) = said {
        let said = said.strip_prefix("Before the last refill: ").unwrap_or(said);
        card.push_str(&format!("\nBefore the last refill: {said}\n"));
    }
    card
}

/// SHA-256 of the lines of dropped tasks.
fn digest(drops: &Drops) -> String {
    let mut hash = Sha256::new();
    for line in &drops.lines {
        // Lines hold no map with keys other than text, the only thing that JSON cannot write.
        hash.update(serde_json::to_vec(line).unwrap_or_default());
        hash.update(b"\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
