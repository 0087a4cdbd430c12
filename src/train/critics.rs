//! What critics learn from besides pairs: scripts without a fault, what scripts are for, and wrong critiques.

use super::pair::{Pair, PairEvidence, PairProof};
use crate::code::edit::Edits;
use crate::corpus::Reference;
use crate::export::choice;
use crate::inject::Mutant;
use crate::inject::plan::order;
use crate::inject::rewrite::Rewrite;
use crate::pipeline::provenance;
use crate::prove::Subject;
use crate::prove::admission::admit;
use crate::prove::baseline_difference::agrees_with_baseline;
use crate::publish::control::{ControlGold, ControlRecord, control_label};
use crate::publish::critique::{CORRECT, Critique};
use crate::score::Task;

/// Returns at most this many right scripts of a reference: as it stands, then rewritten without changing what it means.
pub fn right_scripts(number: u64, subject: &Subject<'_>, seed: u64, most: usize) -> Vec<Pair> {
    let reference = subject.reference;
    let key = reference.key();
    let untouched = Mutant::of_edits(&reference.id, &key, "control", Edits::default());
    let rewritten = Rewrite::ALL.iter().flat_map(|rewrite| rewrite.mutants(reference, &key)).collect();
    let proved = order(seed, rewritten).into_iter().filter_map(|mutant| {
        let text = admit(&reference.script, &mutant).ok()?;
        let rewrite = Rewrite::ALL.into_iter().find(|rewrite| rewrite.name() == mutant.fault);
        let script = RightScript { number, reference, mutant, rewrite, text };
        agrees_with_baseline(subject, &script.text).then(|| right_script(script, seed))
    });
    let text = reference.script.text().to_owned();
    let first = RightScript { number, reference, mutant: untouched, rewrite: None, text };
    std::iter::once(right_script(first, seed)).chain(proved).take(most).collect()
}

/// A script with nothing to be found in it.
struct RightScript<'a> {
    number: u64,
    reference: &'a Reference,
    mutant: Mutant,
    /// `None` if it is the reference as it stands.
    rewrite: Option<Rewrite>,
    text: String,
}

fn right_script(script: RightScript<'_>, seed: u64) -> Pair {
    let RightScript { number, reference, mutant, rewrite, text } = script;
    let id = mutant.id;
    let original = reference.script.text();
    let record = ControlRecord::of(reference, id.clone(), text, String::new());
    let gold = ControlGold {
        instance_id: id.clone(),
        labels: vec![control_label(rewrite)],
        reference_sql: original.to_owned(),
        edits: mutant.edits.inverse(original),
        critique: CORRECT.to_owned(),
        databases: Vec::new(),
        databases_tried: 0,
        provenance: provenance(reference, seed),
    };
    let record = record.into_task();
    let gold = gold.into_task(&record);
    let task = Task { record, gold, databases: Vec::new(), witnesses: Vec::new() };
    let shown = if rewrite.is_some() { PairEvidence::Rewritten } else { PairEvidence::Untouched };
    let proof =
        PairProof { instance_id: id, reference: number, fault: "control".to_owned(), edits: mutant.edits, shown };
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
