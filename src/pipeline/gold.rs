//! Parts of a judge's record: labels, repairs of single faults, and what is wrong in the fault's own words.

use super::hunt::{Found, Planted};
use crate::code::edit::Edits;
use crate::fault::Fault;
use crate::inject::Mutant;
use crate::publish::record::Label;

/// The labels of a fault.
pub(super) fn labels(fault: &Fault) -> Vec<Label> {
    let label = |label: &crate::fault::Label| Label {
        fault: fault.id.clone(),
        level1: label.level1.clone(),
        level2: label.level2.clone(),
        level3: label.level3.clone(),
    };
    fault.labels.iter().map(label).collect()
}

/// The repairs of the single faults, as edits of the issue SQL: the edits of the whole repair, dealt out to the faults
/// that planted them.
pub(super) fn part_repairs(item: &Found, reference: &str) -> Vec<Edits> {
    let repair = item.mutant.edits.inverse(reference);
    let pairs: Vec<_> = item.mutant.edits.as_slice().iter().zip(repair.as_slice()).collect();
    let of_part = |part: &Planted| {
        let own = pairs.iter().filter(|(edit, _)| part.mutant.edits.as_slice().contains(edit));
        // Edits of a valid set are disjoint.
        Edits::new(own.map(|(_, repair)| (*repair).clone()).collect()).unwrap_or_default()
    };
    item.parts.iter().map(of_part).collect()
}

/// What is wrong, in the fault's own words; its summary where the words need more than is known.
pub(super) fn explained(fault: &Fault, issue: &str, reference: &str, mutant: &Mutant, repair: &Edits) -> String {
    let edits = mutant.edits.as_slice();
    let before = edits.first().map_or("", |edit| edit.span().of(reference)).trim();
    let after = repair.as_slice().first().map_or("", |edit| edit.span().of(issue)).trim();
    let needs_text = fault.critique.wrong.contains("{{");
    if needs_text && (after.is_empty() || before.is_empty()) {
        return fault.summary.clone();
    }
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let variables = minijinja::context! { reference => before, broken => after };
    environment.render_str(&fault.critique.wrong, variables).unwrap_or_else(|_| fault.summary.clone())
}
