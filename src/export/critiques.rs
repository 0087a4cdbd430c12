//! Preference pairs of critiques (SQLCritic, sections 3.2 and 3.3).
//!
//! A critique is validated by the correction that it leads to: a critic's critique counts as right if an editor that
//! saw nothing else made of it a script that the judge accepts. The label, made of the known edits, is always right.

use sha2::{Digest, Sha256};

use super::example::{Rejected, RejectedKind};
use crate::publish::critique::{CORRECT, Critique, as_text};
use crate::score::{Grade, Task, grade};

/// A critic's critique of one script.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticAnswer {
    /// Its entries; empty if it says that the script is right.
    pub critique: Vec<Critique>,
    /// Whether the judge accepts the script that it led to; for a script without a fault, whether it has no entries.
    pub led_to_right: bool,
}

/// The wanted critique of a script, and wrong ones.
#[derive(Clone, Debug, PartialEq)]
pub struct CritiqueChoice {
    /// The wanted one.
    pub chosen: String,
    /// Wrong ones, the most useful first.
    pub rejected: Vec<Rejected>,
}

/// Returns how far a rejected critique agrees with the chosen one, clause by clause (CS in SQLCritic): −1 if they
/// disagree whether anything is wrong, otherwise the share of the chosen one's points that it has, from 0 to 1.
pub fn clause_inconsistency(task: &Task, chosen: &[Critique], rejected: &[Critique]) -> f64 {
    if chosen.is_empty() != rejected.is_empty() {
        return -1.0;
    }
    let right = grade(task, rejected).grades.iter().filter(|grade| **grade == Grade::Exact).count();
    (right as f64 / chosen.len().max(1) as f64).min(1.0)
}

/// Chooses the wanted and the wrong critiques of one script. `others` are critiques of other tasks of its domain, of
/// which one is drawn.
pub fn choice(task: &Task, answers: &[CriticAnswer], others: &[&[Critique]]) -> CritiqueChoice {
    let label = &task.gold.critique;
    let validated = answers.iter().find(|answer| answer.led_to_right && answer.critique.is_empty() == label.is_empty());
    let chosen = validated.map_or(label, |answer| &answer.critique);
    let mut rejected: Vec<(RejectedKind, Vec<Critique>)> = answers
        .iter()
        .filter(|answer| !answer.led_to_right)
        .map(|answer| (RejectedKind::Refuted, answer.critique.clone()))
        .collect();
    let draw = drawn(&task.record.instance_id);
    if label.len() > 1 {
        let mut incomplete = label.clone();
        incomplete.remove(draw % label.len());
        rejected.push((RejectedKind::Incomplete, incomplete));
    }
    let others: Vec<&&[Critique]> = others.iter().filter(|other| **other != label.as_slice()).collect();
    if let Some(other) = others.get(draw % others.len().max(1)) {
        rejected.push((RejectedKind::OtherTask, other.to_vec()));
    }
    if !label.is_empty() {
        rejected.push((RejectedKind::Overlooked, Vec::new()));
    }
    let mut seen = vec![chosen.clone()];
    let wrong = |(kind, critique): (RejectedKind, Vec<Critique>)| {
        // If a critique names every fault rightly and yet led to no right script, the editor failed, not the critic.
        let agreement = clause_inconsistency(task, label, &critique);
        let is_right = agreement == 1.0 && critique.len() <= label.len() && !critique.is_empty();
        if is_right || (critique.is_empty() && label.is_empty()) || seen.contains(&critique) {
            return None;
        }
        seen.push(critique.clone());
        let inconsistency = clause_inconsistency(task, chosen, &critique);
        Some(Rejected { kind, text: as_text(&critique), clause_inconsistency: Some(inconsistency) })
    };
    let chosen = if chosen.is_empty() { CORRECT.to_owned() } else { as_text(chosen) };
    CritiqueChoice { chosen, rejected: rejected.into_iter().filter_map(wrong).collect() }
}

/// A pseudo-random number that depends on the task's id alone.
fn drawn(id: &str) -> usize {
    let digest = Sha256::digest(id);
    usize::from(digest[0]) << 8 | usize::from(digest[1])
}
