//! The judge's record of planted faults, for tasks and for training pairs.

use std::collections::BTreeMap;

use crate::code::edit::{Edit, Edits};
use crate::code::profile::Profile;
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::fault::{Fault, Leaf};
use crate::inject::Mutant;
use crate::publish::critique::{CritiquedFault, critique};
use crate::publish::locate::locate;
use crate::publish::record::{Evidence, GoldRecord, Label, PlantedFault, Provenance, ScriptComplexity, patch};
use crate::publish::template::Template;

/// A reference with all the faults that are planted in it.
pub struct PlantedFaults<'a> {
    /// The correct script.
    pub reference: &'a Reference,
    /// All faults as one mutant.
    pub mutant: &'a Mutant,
    /// Each of the faults.
    pub parts: Vec<PlantedPart<'a>>,
    /// The broken script.
    pub issue: &'a str,
}

/// One of the faults.
pub struct PlantedPart<'a> {
    /// The fault.
    pub fault: &'a Fault,
    /// The mutant of this fault alone.
    pub mutant: &'a Mutant,
}

impl PlantedFaults<'_> {
    /// Returns the judge's record, which says nothing yet of how hard the task is.
    pub fn gold(&self, evidence: Evidence, provenance: Provenance) -> GoldRecord {
        let PlantedFaults { reference, mutant, parts, issue } = self;
        let original = reference.script.text();
        let script = Script::new(*issue);
        let edits = mutant.edits.inverse(original);
        let repairs = part_repairs(mutant, parts.iter().map(|part| part.mutant), original);
        let explain =
            |(part, repair): (&PlantedPart<'_>, &Edits)| explained(part.fault, issue, reference, part.mutant, repair);
        let wrongs: Vec<String> = parts.iter().zip(&repairs).map(explain).collect();
        let critiqued: Vec<CritiquedFault<'_>> =
            wrongs.iter().zip(&repairs).map(|(wrong, repair)| CritiquedFault { wrong, repair }).collect();
        let several = if parts.len() > 1 { parts.as_slice() } else { &[] };
        let planted = |(part, edits): (&PlantedPart<'_>, &Edits)| PlantedFault {
            fault: part.fault.id.clone(),
            edits: edits.clone(),
        };
        let first = edits.as_slice().first().cloned().unwrap_or_else(|| Edit::insertion(0, ""));
        GoldRecord {
            instance_id: mutant.id.clone(),
            reference_sql: original.to_owned(),
            files: reference.files.clone(),
            read_tables: reference.dictionary.reports.keys().cloned().collect(),
            alternatives: Vec::new(),
            labels: parts.iter().flat_map(|part| labels(part.fault)).collect(),
            parts: several.iter().zip(&repairs).map(planted).collect(),
            patch: patch(issue, original),
            critique: critique(&script, &critiqued),
            location: locate(&script, &first),
            edits,
            evidence,
            complexity: ScriptComplexity::of(&Profile::of(&reference.script)),
            difficulty: None,
            provenance,
        }
    }
}

/// Returns one label for each kind of fault of the taxonomy that the fault stands for: a kind that the paper lists under
/// several heads is told once.
fn labels(fault: &Fault) -> Vec<Label> {
    let label = |leaf: &Leaf| Label {
        fault: fault.id.clone(),
        level1: leaf.level1.clone(),
        level2: leaf.level2.clone(),
        level3: leaf.level3.clone(),
    };
    let is_first =
        |(number, leaf): &(usize, &Leaf)| fault.leaves[..*number].iter().all(|one| one.level3 != leaf.level3);
    fault.leaves.iter().enumerate().filter(is_first).map(|(_, leaf)| label(leaf)).collect()
}

/// Returns the repairs of the single faults, as edits of the issue SQL: each edit of the whole repair goes to the fault
/// that planted it.
fn part_repairs<'m>(whole: &Mutant, parts: impl Iterator<Item = &'m Mutant>, reference: &str) -> Vec<Edits> {
    let repair = whole.edits.inverse(reference);
    let pairs: Vec<_> = whole.edits.as_slice().iter().zip(repair.as_slice()).collect();
    let of_part = |part: &Mutant| {
        let own = pairs.iter().filter(|(edit, _)| part.edits.as_slice().contains(edit));
        // Edits of a valid set are disjoint.
        Edits::new(own.map(|(_, repair)| (*repair).clone()).collect()).unwrap_or_default()
    };
    parts.map(of_part).collect()
}

/// Says what is wrong in the words of the fault's critique, or by its summary if these words cannot be filled in.
fn explained(fault: &Fault, issue: &str, reference: &Reference, mutant: &Mutant, repair: &Edits) -> String {
    let original = reference.script.text();
    let before = mutant.edits.as_slice().first().map_or("", |edit| edit.span().of(original));
    let after = repair.as_slice().first().map_or("", |edit| edit.span().of(issue));
    let alone = mutant.text(original).ok();
    let decision = alone.and_then(|alone| reference.turned_decision(&alone));
    let [asked, other] = decision.map_or(["", ""], |decision| [&decision.sentence, &decision.other_sentence]);
    let [asked, other] = [asked.trim_end_matches('.'), other.trim_end_matches('.')];
    let known =
        [("reference", before.trim()), ("broken", after.trim()), ("decision", asked), ("other_decision", other)];
    let known = known.into_iter().filter(|(_, value)| !value.is_empty());
    let known: BTreeMap<String, String> = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let filled = Template::read(&fault.critique.wrong).and_then(|template| template.fill(&known));
    filled.unwrap_or_else(|_| fault.summary.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::compose::{Composer, ComposerOptions};
    use crate::fault::Taxonomy;
    use crate::inject::{ScriptContext, propose};

    #[test]
    fn a_decision_is_explained_by_what_the_script_does_and_what_was_asked_for() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let composed = Composer::embedded().unwrap().compose(7, 0, &ComposerOptions::default()).unwrap();
        let reference = &composed.reference;
        let (original, scopes) = (reference.script.text(), reference.scopes());
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let context = context.with_decisions(&reference.decisions);
        let turning = taxonomy.faults().iter().filter(|fault| fault.id.starts_with("decision-turned"));
        let mut explained_decisions = 0;
        for fault in turning {
            for proposal in propose(&context, fault.operator().unwrap()) {
                let mutant = Mutant::new(&reference.id, "key", &fault.id, &proposal);
                let issue = mutant.text(original).unwrap();
                let repair = mutant.edits.inverse(original);
                let said = explained(fault, &issue, reference, &mutant, &repair);
                let decision = reference.turned_decision(&issue).unwrap();
                for sentence in [&decision.sentence, &decision.other_sentence] {
                    assert!(said.contains(sentence.trim_end_matches('.')), "{said}");
                }
                explained_decisions += 1;
            }
        }
        assert!(explained_decisions > 0);
    }
}
