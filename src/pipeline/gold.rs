//! The judge's record of a task.

use std::collections::BTreeMap;

use super::context::Context;
use super::proven::{ProvenFault, ProvenMutant};
use super::records::TOOL;
use crate::code::edit::{Edit, Edits};
use crate::code::profile::Profile;
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::fault::{Fault, Leaf};
use crate::inject::{Mutant, ScriptContext, propose};
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::HintLevel;
use crate::publish::critique::{CritiquedFault, critique};
use crate::publish::difficulty::{Difficulty, DifficultyMeasures};
use crate::publish::locate::locate;
use crate::publish::record::{Evidence, GoldRecord, Label, PlantedFault, Provenance, ScriptComplexity, patch};

/// A proven mutant on its way to a task.
pub(super) struct Draft<'a, 's> {
    pub subject: &'a Subject<'s>,
    pub item: &'a ProvenMutant,
    /// The faults of the mutant's parts, in order.
    pub faults: Vec<&'a Fault>,
    /// The broken SQL.
    pub issue: String,
}

/// What is known of a task besides its draft.
pub(super) struct TaskProof {
    pub evidence: Evidence,
    /// How much its complaint tells; `None` for a syntax task.
    pub hints: Option<HintLevel>,
    /// The models that planted the faults, if any did.
    pub proposed_by: Option<String>,
}

impl<'a, 's> Draft<'a, 's> {
    /// Makes the draft of a proven mutant.
    ///
    /// # Errors
    ///
    /// In words, if its edits do not fit the script.
    pub fn of(context: Context<'a>, subject: &'a Subject<'s>, item: &'a ProvenMutant) -> Result<Draft<'a, 's>, String> {
        let faults = item.parts.iter().filter_map(|part| context.fault(&part.mutant.fault)).collect();
        let issue = item.mutant.text(subject.reference.script.text()).map_err(|error| error.to_string())?;
        Ok(Draft { subject, item, faults, issue })
    }

    /// Returns how hard the task is if the complaint tells this much.
    pub fn difficulty(&self, hints: Option<HintLevel>) -> Difficulty {
        let profile = Profile::of(&self.subject.reference.script);
        Difficulty::of(self.measures(&Script::new(self.issue.as_str()), &profile, hints))
    }

    /// Returns the judge's record.
    pub fn gold(&self, context: Context<'_>, proof: TaskProof) -> GoldRecord {
        let Draft { subject, item, faults, issue } = self;
        let reference = subject.reference.script.text();
        let repair = item.mutant.edits.inverse(reference);
        let script = Script::new(issue.as_str());
        let repairs = part_repairs(&item.mutant, item.parts.iter().map(|part| &part.mutant), reference);
        let wrongs: Vec<String> = faults
            .iter()
            .zip(item.parts.iter().zip(&repairs))
            .map(|(fault, (part, repair))| explained(fault, issue, subject.reference, &part.mutant, repair))
            .collect();
        let critiqued: Vec<CritiquedFault<'_>> =
            wrongs.iter().zip(&repairs).map(|(wrong, repair)| CritiquedFault { wrong, repair }).collect();
        let part = |(part, edits): (&ProvenFault, &Edits)| PlantedFault {
            fault: part.mutant.fault.clone(),
            edits: edits.clone(),
        };
        let location = repair.as_slice().first().map(|edit| locate(&script, edit));
        let profile = Profile::of(&subject.reference.script);
        GoldRecord {
            instance_id: item.mutant.id.clone(),
            reference_sql: reference.to_owned(),
            alternatives: Vec::new(),
            labels: faults.iter().flat_map(|fault| labels(fault)).collect(),
            parts: item.several().iter().zip(&repairs).map(part).collect(),
            patch: patch(issue, reference),
            critique: critique(&script, &critiqued),
            location: location.unwrap_or_else(|| locate(&script, &Edit::insertion(0, ""))),
            edits: repair,
            evidence: proof.evidence,
            complexity: ScriptComplexity::of(&profile),
            difficulty: Some(Difficulty::of(self.measures(&script, &profile, proof.hints))),
            provenance: provenance(context, subject, proof.proposed_by),
        }
    }

    /// Measures what makes the task hard; `script` is the broken script, `profile` that of the correct one.
    fn measures(&self, script: &Script, profile: &Profile, hints: Option<HintLevel>) -> DifficultyMeasures {
        let Draft { subject, item, faults, issue } = self;
        let reference = subject.reference;
        let first = item.mutant.edits.inverse(reference.script.text()).span();
        let shown = match &item.verdict {
            Verdict::Rejected { rejection, .. } => rejection.span.start,
            _ => issue.trim_end().len(),
        };
        let line = |at: usize| script.place(at).line;
        let before =
            |at: usize| script.statements().iter().filter(|id| script.tree().span(**id).start < at.max(1)).count();
        let (scopes, fault) = (reference.scopes(), faults.first());
        let places = fault.and_then(|fault| fault.operator()).map(|operator| {
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            propose(&context.with_decisions(&reference.decisions), operator).len()
        });
        DifficultyMeasures {
            track: item.track,
            lines: profile.lines,
            tokens: item.mutant.tokens_changed(&reference.script),
            places: item.mutant.edits.as_slice().len(),
            distance: line(shown).abs_diff(line(first.start)),
            statements: before(shown).abs_diff(before(first.start)),
            decoys: places.unwrap_or_default().saturating_sub(1),
            hints,
        }
    }
}

/// Returns where a task on this script comes from; `proposed_by` names the models that planted its faults, if any did.
pub(super) fn provenance(context: Context<'_>, subject: &Subject<'_>, proposed_by: Option<String>) -> Provenance {
    Provenance {
        script: subject.reference.id.clone(),
        source: format!("reference {}", subject.reference.key()),
        source_script: subject.reference.card.source_script.clone(),
        tool: TOOL.to_owned(),
        taxonomy: context.taxonomy.digest().to_owned(),
        seed: context.settings.seed,
        policies: subject.policies.clone(),
        proposed_by,
    }
}

/// Returns one label for each leaf of the taxonomy that the fault stands for.
pub fn labels(fault: &Fault) -> Vec<Label> {
    let label = |leaf: &Leaf| Label {
        fault: fault.id.clone(),
        level1: leaf.level1.clone(),
        level2: leaf.level2.clone(),
        level3: leaf.level3.clone(),
    };
    fault.leaves.iter().map(label).collect()
}

/// Returns the repairs of the single faults, as edits of the issue SQL: each edit of the whole repair goes to the fault
/// that planted it.
pub fn part_repairs<'m>(whole: &Mutant, parts: impl Iterator<Item = &'m Mutant>, reference: &str) -> Vec<Edits> {
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
pub fn explained(fault: &Fault, issue: &str, reference: &Reference, mutant: &Mutant, repair: &Edits) -> String {
    let original = reference.script.text();
    let before = mutant.edits.as_slice().first().map_or("", |edit| edit.span().of(original));
    let after = repair.as_slice().first().map_or("", |edit| edit.span().of(issue));
    let alone = mutant.text(original).ok();
    let decision = alone.and_then(|alone| reference.turned_decision(&alone));
    let [asked, other] = decision.map_or(["", ""], |decision| [&decision.sentence, &decision.other_sentence]);
    let [asked, other] = [asked.trim_end_matches('.'), other.trim_end_matches('.')];
    let known =
        [("reference", before.trim()), ("broken", after.trim()), ("decision", asked), ("other_decision", other)];
    let known: BTreeMap<&str, &str> = known.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment
        .render_str(&fault.critique.wrong, minijinja::Value::from_pairs(known))
        .unwrap_or_else(|_| fault.summary.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::compose::{Composer, ComposerOptions};
    use crate::fault::Taxonomy;

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
