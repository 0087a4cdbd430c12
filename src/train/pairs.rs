//! One reference and its pairs.

use std::collections::{BTreeMap, HashSet};

use super::error::PartError;
use super::pair::{Pair, PairEvidence, PairProof, ReferencePairs, Written};
use super::selection::{Selection, TurnDraw};
use super::settings::TrainSettings;
use super::stopwatch::{PhaseTimes, WorkKind};
use super::words::ProvedMutant;
use crate::code::dialect::Dialect;
use crate::corpus::Reference;
use crate::corpus::compose::{Composer, ComposerOptions};
use crate::engine::embedded::EmbeddedEngine;
use crate::export::skeleton::{edit_key, skeleton_key};
use crate::export::{
    AnswerStyle, ExportError, ExportFolder, Rejected, RejectedKind, RowFormat, TrainingExample, choice,
};
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::pipeline::{self, Funnel, is_expected};
use crate::prove::Subject;
use crate::prove::admission::{admit, part_suffices};
use crate::prove::baseline_difference::baseline_difference;
use crate::prove::preparation::Preparation;
use crate::prove::trial::{Candidate, Verdict, try_syntax};
use crate::publish::complaint::PhraseBook;
use crate::publish::difference::is_noticeable;
use crate::publish::record::{Evidence, SolverContext, TaskRecord};
use crate::repair::Assignment;
use crate::repair::prompt::RepairPrompts;
use crate::score::Task;

/// Wrong answers of one task that are kept for preference rows.
const MOST_REJECTED: usize = 3;

/// Makes the pairs of references.
pub struct Maker<'a> {
    settings: &'a TrainSettings,
    format: &'a dyn RowFormat,
    stopwatch: &'a PhaseTimes,
    composer: Composer,
    taxonomy: Taxonomy,
    book: PhraseBook,
    prompts: RepairPrompts,
}

impl<'a> Maker<'a> {
    /// Reads what the binary carries.
    ///
    /// # Errors
    ///
    /// When a part of it does not read.
    pub fn new(
        settings: &'a TrainSettings,
        format: &'a dyn RowFormat,
        stopwatch: &'a PhaseTimes,
    ) -> Result<Maker<'a>, PartError> {
        let carried = |error: &dyn std::fmt::Display| PartError::Carried(error.to_string());
        Ok(Maker {
            settings,
            format,
            stopwatch,
            composer: Composer::embedded().map_err(|error| carried(&error))?,
            taxonomy: Taxonomy::embedded().map_err(|error| carried(&error))?,
            book: PhraseBook::built_in().map_err(|error| carried(&error))?,
            prompts: RepairPrompts::built_in().map_err(|error| carried(&error))?,
        })
    }

    /// The pairs of the reference of this number: the same whatever else is made.
    pub fn make(&self, number: u64) -> ReferencePairs {
        let recipe = &self.settings.recipe;
        let composed = self
            .stopwatch
            .time(WorkKind::Composing, || self.composer.compose(recipe.seed, number, &ComposerOptions::default()));
        let reference = match composed {
            Ok(composed) => composed.reference,
            Err(error) => return ReferencePairs::refused(number, error.to_string()),
        };
        let skeleton = format!("{:016x}", skeleton_key(reference.script.text()));
        let mut line = Written { number, skeleton, ..Written::default() };
        let pairs =
            match self.stopwatch.time(WorkKind::Databases, || Subject::prepared(&reference, Preparation::Training)) {
                Ok(subject) => self.pairs(number, &reference, &subject),
                Err(refusal) => {
                    line.refused = Some(refusal.to_string());
                    Vec::new()
                }
            };
        ReferencePairs { line, pairs }
    }

    fn pairs(&self, number: u64, reference: &Reference, subject: &Subject<'_>) -> Vec<Pair> {
        let recipe = &self.settings.recipe;
        let wanted = recipe.pairs_of_a_reference;
        let syntax = (wanted as f64 * recipe.syntax).round() as usize;
        let mut candidates = self.stopwatch.time(WorkKind::Candidates, || self.candidates(reference));
        let mut known = HashSet::new();
        let mut found: Vec<(Mutant, Pair)> = Vec::new();
        for (track, wanted) in [(Track::Syntax, syntax), (Track::Semantic, wanted - syntax)] {
            let draw = TurnDraw { seed: recipe.seed, script: &reference.id, mix: recipe.mix };
            let mut selection = Selection::new(&self.taxonomy, draw, track, &mut candidates);
            let mut left = wanted;
            while left > 0
                && let Some((fault, mutant)) = selection.next()
            {
                let is_fresh = known.insert(edit_key(&reference.script, &mutant.edits));
                let pair = if is_fresh { self.pair(number, subject, fault, &mutant) } else { None };
                selection.note(pair.is_some());
                left -= usize::from(pair.is_some());
                found.extend(pair.map(|pair| (mutant, pair)));
            }
        }
        with_rejected(reference.script.text(), found)
    }

    fn candidates(&self, reference: &Reference) -> BTreeMap<String, Vec<Mutant>> {
        let draw = pipeline::CandidateDraw { seed: self.settings.recipe.seed, jobs: 1, taxonomy: &self.taxonomy };
        pipeline::candidates(&draw, &[reference], &mut Funnel::default())
    }

    /// The mutant as a pair; `None` if it is not proved, or cannot be worded.
    fn pair(&self, number: u64, subject: &Subject<'_>, fault: &Fault, mutant: &Mutant) -> Option<Pair> {
        let reference = subject.reference;
        let original = reference.script.text();
        let issue = admit(&reference.script, mutant).ok()?;
        let repair = mutant.edits.inverse(original);
        let proved = ProvedMutant { subject, fault, mutant, issue: &issue, repair: &repair };
        let (context, evidence, shown) = match fault.track {
            Track::Syntax => self.rejected(&proved)?,
            Track::Semantic => self.differing(&proved)?,
        };
        let record = TaskRecord {
            instance_id: mutant.id.clone(),
            dialect: Dialect::Hive,
            domain: reference.card.domain.clone(),
            issue_sql: issue.clone(),
            schema_ddl: reference.schema_text.clone(),
            parameters: reference.parameters.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            context,
            canary: String::new(),
        };
        let seed = self.settings.recipe.seed;
        let gold = self.stopwatch.time(WorkKind::Words, || proved.gold(evidence, seed));
        let proof = PairProof {
            instance_id: mutant.id.clone(),
            reference: number,
            fault: fault.id.clone(),
            edits: mutant.edits.clone(),
            shown,
        };
        let task = Task { record, gold, databases: Vec::new(), witnesses: Vec::new() };
        Some(Pair { task, proof, rejected: Vec::new() })
    }

    fn rejected(&self, proved: &ProvedMutant<'_>) -> Option<(SolverContext, Evidence, PairEvidence)> {
        let verdict = self.stopwatch.time(WorkKind::Trials, || {
            let verdict = try_syntax(proved.subject, &candidate(proved));
            let alone = part_suffices(&EmbeddedEngine, proved.subject, proved.mutant, &verdict);
            if alone { None } else { Some(verdict) }
        })?;
        let Verdict::Rejected { rejection, .. } = verdict else { return None };
        let shown = PairEvidence::Rejected(rejection.class.clone());
        let evidence = proved.rejected(&rejection);
        is_expected(proved.fault, &rejection).then_some((
            SolverContext::ErrorMessage(rejection.message),
            evidence,
            shown,
        ))
    }

    fn differing(&self, proved: &ProvedMutant<'_>) -> Option<(SolverContext, Evidence, PairEvidence)> {
        let difference = self.stopwatch.time(WorkKind::Trials, || {
            let difference = baseline_difference(proved.subject, &candidate(proved))?;
            let baseline = &proved.subject.baseline[difference.database];
            let witness = baseline.database.clone();
            let verdict = Verdict::Killed { witness, trials: 0, rows_before: 0, shown: None };
            let alone = part_suffices(&EmbeddedEngine, proved.subject, proved.mutant, &verdict);
            (!alone && is_noticeable(&baseline.result, &difference.issue)).then_some(difference)
        })?;
        let complaint = self.stopwatch.time(WorkKind::Words, || proved.complaint(&self.book, &difference))?;
        let shown = PairEvidence::Differs(difference.database);
        Some((SolverContext::UserQuery(complaint), proved.killed(&difference), shown))
    }

    /// Writes the rows of a pair.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn row(&self, pair: &Pair, output: &mut ExportFolder) -> Result<(), PartError> {
        let schema = |_| ExportError::Schema(pair.proof.instance_id.clone());
        let assignment = Assignment::new(&pair.task.record).map_err(schema)?;
        let example = TrainingExample::new(&self.prompts, &pair.task, &assignment, self.settings.style);
        let mut example = example.map_err(ExportError::from)?;
        example.rejected.clone_from(&pair.rejected);
        if self.settings.style == AnswerStyle::Critique {
            example.rejected = choice(&pair.task, &[], &[]).rejected;
        }
        let side = self.settings.split.side(&pair.task);
        Ok(self.format.write(&example, side, output)?)
    }
}

fn candidate<'a>(proved: &ProvedMutant<'a>) -> Candidate<'a> {
    let changed = proved.mutant.changed(proved.subject.reference.script.text());
    Candidate { text: proved.issue, changed, about: &[] }
}

/// Gives every pair its wrong answers: other mutants at the same place, then the issue itself.
fn with_rejected(reference: &str, found: Vec<(Mutant, Pair)>) -> Vec<Pair> {
    let mutants: Vec<Mutant> = found.iter().map(|(mutant, _)| mutant.clone()).collect();
    let add = |(own, mut pair): (Mutant, Pair)| {
        let span = own.edits.span();
        let is_near = |other: &&Mutant| {
            let there = other.edits.span();
            other.id != own.id && there.start <= span.end && span.start <= there.end
        };
        let near = mutants.iter().filter(is_near).filter_map(|other| other.text(reference).ok());
        let issue = pair.task.record.issue_sql.clone();
        let siblings = near.filter(|sql| *sql != issue && sql != reference);
        let siblings = siblings.map(|sql| Rejected::sql(RejectedKind::Sibling, sql));
        pair.rejected = siblings.take(MOST_REJECTED - 1).collect();
        pair.rejected.push(Rejected::sql(RejectedKind::Issue, issue));
        pair
    };
    found.into_iter().map(add).collect()
}
