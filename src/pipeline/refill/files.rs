//! Writes the files of a refilled run, all or none.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::super::cards::{JUDGE_CARD, PUBLIC_CARD, judge_card, public_card};
use super::super::context::Context;
use super::super::error::BuildError;
use super::super::manifest::Manifest;
use super::super::proven::{MutantVerdict, TriedMutant};
use super::drops::Drops;
use super::existing::{DECISIONS, ExistingRun};
use super::search::RefilledRun;
use crate::inject::Mutant;
use crate::publish::dropped::DROPPED;
use crate::publish::format::{PublishedTask, write_records};
use crate::store::{RunDirectory, StoreError, hexadecimal, pretty};

/// What a refill changes.
pub(super) struct RefillChange<'a> {
    pub context: Context<'a>,
    pub run: &'a ExistingRun,
    pub drops: &'a Drops,
    pub found: &'a RefilledRun,
    pub directory: &'a RunDirectory,
}

impl RefillChange<'_> {
    /// Writes everything that the refill changes.
    pub fn write(&self, mut manifest: Manifest) -> Result<(), BuildError> {
        let RefillChange { context, run, drops, found, directory } = *self;
        let change = directory.change()?;
        change.write_records(DROPPED, &drops.lines)?;
        if directory.path(DECISIONS).exists() {
            change.write_records(DECISIONS, &drops.decisions)?;
        }
        let tasks: Vec<PublishedTask<'_>> =
            found.records.values().map(|(task, gold)| PublishedTask { task, gold }).collect();
        write_records(&tasks, &change)?;
        let mut mutants: BTreeMap<&str, &Mutant> =
            run.mutants.values().map(|mutant| (mutant.id.as_str(), mutant)).collect();
        let (new_mutants, new_proofs) = TriedMutant::lines(&found.trials);
        mutants.extend(new_mutants.into_iter().map(|mutant| (mutant.id.as_str(), mutant)));
        change.write_records("mutants.jsonl", &mutants.into_values().collect::<Vec<_>>())?;
        let mut proofs: BTreeMap<&str, &MutantVerdict> =
            run.proofs.iter().map(|(id, proof)| (id.as_str(), proof)).collect();
        proofs.extend(new_proofs.iter().map(|proof| (proof.mutant.as_str(), proof)));
        change.write_records("proofs.jsonl", &proofs.into_values().collect::<Vec<_>>())?;
        if let Some(references) = &found.references {
            change.write_records("scripts.jsonl", &references.scripts)?;
            change.write_records("specifications.jsonl", &references.specifications)?;
        }
        change.write("funnel.json", pretty(&found.funnel).as_bytes())?;
        let (funnel, tasks) = (&found.funnel, found.records.len());
        change.write(
            JUDGE_CARD,
            self.certified_before(JUDGE_CARD, judge_card(context, funnel, &found.records))?.as_bytes(),
        )?;
        change
            .write(PUBLIC_CARD, self.certified_before(PUBLIC_CARD, public_card(context, funnel, tasks))?.as_bytes())?;
        manifest.dropped = Some(digest(drops));
        change.write_settings(&manifest)?;
        Ok(change.commit()?)
    }

    /// Returns a card that says what was certified before the new tasks came in.
    fn certified_before(&self, name: &str, mut card: String) -> Result<String, StoreError> {
        let before = self.directory.text_if_any(name)?.unwrap_or_default();
        let said =
            before.lines().find(|line| line.starts_with("Certified on") || line.starts_with("Before the last refill"));
        if let Some(said) = said {
            let said = said.strip_prefix("Before the last refill: ").unwrap_or(said);
            card.push_str(&format!("\nBefore the last refill: {said}\n"));
        }
        Ok(card)
    }
}

/// SHA-256 of the lines of dropped tasks.
fn digest(drops: &Drops) -> String {
    let mut hash = Sha256::new();
    for line in &drops.lines {
        // Cannot fail: JSON can write everything but maps with keys other than text, and a line has none.
        hash.update(serde_json::to_vec(line).unwrap_or_default());
        hash.update(b"\n");
    }
    hexadecimal(&hash.finalize())
}
