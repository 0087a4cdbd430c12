//! What critics learn from besides pairs: scripts without a fault, what scripts are for, and wrong critiques.

use super::pair::{Pair, PairEvidence, PairProof};
use crate::code::edit::Edits;
use crate::export::choice;
use crate::inject::Mutant;
use crate::pipeline::TOOL;
use crate::prove::Subject;
use crate::publish::control::{ControlGold, ControlRecord, control_label};
use crate::publish::critique::{CORRECT, Critique};
use crate::publish::record::Provenance;
use crate::score::Task;

/// The script of a reference as it is, with nothing to be found in it.
pub fn right_script(number: u64, subject: &Subject<'_>, seed: u64) -> Pair {
    let reference = subject.reference;
    let edits = Edits::default();
    let id = Mutant::of_edits(&reference.id, &reference.key(), "control", edits.clone()).id;
    let record = ControlRecord::of(reference, id.clone(), reference.script.text().to_owned(), String::new());
    let gold = ControlGold {
        instance_id: id.clone(),
        labels: vec![control_label(None)],
        reference_sql: record.sql.clone(),
        edits: edits.clone(),
        critique: CORRECT.to_owned(),
        databases: Vec::new(),
        databases_tried: 0,
        provenance: Provenance {
            script: reference.id.clone(),
            source: format!("reference {}", reference.key()),
            tool: TOOL.to_owned(),
            seed,
            ..Provenance::default()
        },
    };
    let record = record.into_task();
    let gold = gold.into_task(&record);
    let task = Task { record, gold, databases: Vec::new(), witnesses: Vec::new() };
    let shown = PairEvidence::Untouched;
    let proof = PairProof { instance_id: id, reference: number, fault: "control".to_owned(), edits, shown };
    Pair { task, proof, rejected: Vec::new(), question: None }
}

/// Gives every script of a reference its wrong critiques, those of the reference's other faults among them.
pub fn with_wrong_critiques(mut pairs: Vec<Pair>) -> Vec<Pair> {
    let labels: Vec<Vec<Critique>> = pairs.iter().map(|pair| pair.task.gold.critique.clone()).collect();
    let faulty: Vec<&[Critique]> = labels.iter().map(Vec::as_slice).filter(|label| !label.is_empty()).collect();
    for pair in &mut pairs {
        pair.rejected = choice(&pair.task, &[], &faulty).rejected;
    }
    pairs
}
