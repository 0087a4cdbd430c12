//! A proven mutant on its way to a task: how hard it is, and what the judge knows of it.

use super::context::Context;
use super::planted::{PlantedFaults, PlantedPart};
use super::proven::ProvedMutant;
use super::records::TOOL;
use crate::code::profile::Profile;
use crate::code::script::Script;
use crate::corpus::{Reference, after};
use crate::fault::Fault;
use crate::inject::{ScriptContext, propose};
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::HintLevel;
use crate::publish::difficulty::{Difficulty, DifficultyMeasures};
use crate::publish::record::{Evidence, GoldRecord, Provenance};

/// A proven mutant on its way to a task.
pub(super) struct UnwrittenTask<'a, 's> {
    pub subject: &'a Subject<'s>,
    pub item: &'a ProvedMutant,
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

impl<'a, 's> UnwrittenTask<'a, 's> {
    /// Makes the draft of a proven mutant.
    ///
    /// # Errors
    ///
    /// In words, if its edits do not fit the script.
    pub fn of(
        context: Context<'a>,
        subject: &'a Subject<'s>,
        item: &'a ProvedMutant,
    ) -> Result<UnwrittenTask<'a, 's>, String> {
        let faults = item.parts.iter().filter_map(|part| context.fault(&part.mutant.fault)).collect();
        let issue = item.mutant.text(subject.reference.script.text()).map_err(|error| error.to_string())?;
        Ok(UnwrittenTask { subject, item, faults, issue })
    }

    /// Returns how hard the task is if the complaint tells this much.
    pub fn difficulty(&self, hints: Option<HintLevel>) -> Difficulty {
        Difficulty::of(self.measures(hints))
    }

    /// Returns the judge's record.
    pub fn gold(&self, context: Context<'_>, proof: TaskProof) -> GoldRecord {
        let UnwrittenTask { subject, item, faults, issue } = self;
        let parts = faults.iter().zip(&item.parts);
        let parts = parts.map(|(fault, part)| PlantedPart { fault, mutant: &part.mutant }).collect();
        let planted = PlantedFaults { reference: subject.reference, mutant: &item.mutant, parts, issue };
        let gold = planted.gold(proof.evidence, task_provenance(context, subject, proof.proposed_by));
        GoldRecord { difficulty: Some(self.difficulty(proof.hints)), ..gold }
    }

    /// Measures what makes the task hard.
    fn measures(&self, hints: Option<HintLevel>) -> DifficultyMeasures {
        let UnwrittenTask { subject, item, faults, issue } = self;
        let reference = subject.reference;
        let script = Script::new(issue.as_str());
        let first = item.mutant.edits.inverse(reference.script.text()).span();
        let shown = match &item.verdict {
            Verdict::Rejected { rejection, .. } => rejection.span.start,
            _ => issue.trim_end().len(),
        };
        let line = |at: usize| script.place(at).line;
        let before =
            |at: usize| script.statements().iter().filter(|id| script.tree().span(**id).start < at.max(1)).count();
        let files = after(&reference.files, &item.mutant.edits);
        let file = |at: usize| files.iter().rposition(|file| file.start <= at).unwrap_or_default();
        let (scopes, fault) = (reference.scopes(), faults.first());
        let places = fault.and_then(|fault| fault.operator()).map(|operator| {
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            propose(&context.with_decisions(&reference.decisions), operator).len()
        });
        DifficultyMeasures {
            track: item.track,
            lines: Profile::of(&reference.script).lines,
            tokens: item.mutant.tokens_changed(&reference.script),
            places: item.mutant.edits.as_slice().len(),
            distance: line(shown).abs_diff(line(first.start)),
            statements: before(shown).abs_diff(before(first.start)),
            files: file(shown).abs_diff(file(first.start)),
            decoys: places.unwrap_or_default().saturating_sub(1),
            hints,
        }
    }
}

/// Returns where a task of a run on this script comes from; `proposed_by` names the models that planted its faults, if any
/// did.
pub(super) fn task_provenance(context: Context<'_>, subject: &Subject<'_>, proposed_by: Option<String>) -> Provenance {
    Provenance {
        taxonomy: context.taxonomy.digest().to_owned(),
        policies: subject.policies.clone(),
        proposed_by,
        ..provenance(subject.reference, context.settings.seed)
    }
}

/// Returns where a script of a reference comes from.
pub fn provenance(reference: &Reference, seed: u64) -> Provenance {
    Provenance {
        script: reference.id.clone(),
        source: format!("reference {}", reference.key()),
        source_script: reference.card.source_script.clone(),
        tool: TOOL.to_owned(),
        seed,
        ..Provenance::default()
    }
}
