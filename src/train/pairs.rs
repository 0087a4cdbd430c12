//! One reference and its pairs.

use std::collections::{BTreeMap, HashSet};

use super::critics::{right_scripts, with_wrong_critiques};
use super::error::TrainError;
use super::joined_faults::{PlantedMutant, ProvedPair, joined, joined_mutant, sizes};
use super::pair::{Pair, PairEvidence, PairProof, ReferencePairs, WrittenReference};
use super::proved_mutant::TrainingMutant;
use super::selection::{Selection, TurnDraw};
use super::settings::TrainSettings;
use crate::code::span::Span;
use crate::corpus::Reference;
use crate::corpus::compose::{Composer, ComposerOptions};
use crate::engine::embedded::EmbeddedEngine;
use crate::export::skeleton::{edit_key, skeleton_key};
use crate::export::{AnswerStyle, ExportError, ExportFolder, Rejected, RejectedKind, RowFormat, TrainingExample};
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::fault_draw;
use crate::pipeline::{self, Funnel, is_expected};
use crate::prove::Subject;
use crate::prove::admission::{admit, part_suffices};
use crate::prove::baseline_difference::baseline_difference;
use crate::prove::preparation::Preparation;
use crate::prove::trial::{Candidate, Verdict, try_syntax};
use crate::publish::complaint::PhraseBook;
use crate::publish::difference::is_noticeable;
use crate::publish::questions::question;
use crate::publish::record::{Evidence, SolverContext, TaskRecord};
use crate::repair::Assignment;
use crate::repair::prompt::RepairPrompts;
use crate::score::Task;

/// Wrong answers of one task that are kept for preference rows.
const MOST_REJECTED: usize = 3;

/// How many pairs of one fault to look for, by track.
#[derive(Clone, Copy)]
struct WantedPairs {
    syntax: usize,
    semantic: usize,
}

/// What shows that a mutant is wrong, for its solver, its judge and its proof.
struct MutantEvidence {
    context: SolverContext,
    evidence: Evidence,
    shown: PairEvidence,
}

/// Makes the pairs of references.
pub struct PairBuilder<'a> {
    settings: &'a TrainSettings,
    format: &'a RowFormat,
    composer: Composer,
    taxonomy: Taxonomy,
    book: PhraseBook,
    prompts: RepairPrompts,
}

impl<'a> PairBuilder<'a> {
    /// Reads what the binary carries.
    pub fn new(settings: &'a TrainSettings, format: &'a RowFormat) -> Result<PairBuilder<'a>, TrainError> {
        let carried = |error: &dyn std::fmt::Display| TrainError::Carried(error.to_string());
        Ok(PairBuilder {
            settings,
            format,
            composer: Composer::embedded().map_err(|error| carried(&error))?,
            taxonomy: Taxonomy::embedded().map_err(|error| carried(&error))?,
            book: PhraseBook::built_in().map_err(|error| carried(&error))?,
            prompts: RepairPrompts::built_in().map_err(|error| carried(&error))?,
        })
    }

    /// Returns the pairs of the reference of this number, which depend on no other reference.
    pub fn make(&self, number: u64) -> ReferencePairs {
        let seed = self.settings.recipe.composing_seed();
        let reference = match self.composer.compose(seed, number, &ComposerOptions::default()) {
            Ok(composed) => composed.reference,
            Err(error) => return ReferencePairs::refused(number, error.to_string()),
        };
        let skeleton = format!("{:016x}", skeleton_key(reference.script.text()));
        let mut line = WrittenReference { number, skeleton, ..WrittenReference::default() };
        if self.settings.kept_out.has(reference.script.text()) {
            line.refused = Some("a run that is kept out has its skeleton".to_owned());
            return ReferencePairs { line, pairs: Vec::new() };
        }
        let pairs = match Subject::prepared(&reference, Preparation::Training) {
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
        let most = recipe.pairs_of_a_reference;
        if recipe.controls == 0 {
            let syntax = (most as f64 * recipe.syntax).round() as usize;
            let found = self.wrong_scripts(number, subject, WantedPairs { syntax, semantic: most - syntax });
            let pairs = distinct(with_wrong_answers(reference.script.text(), found));
            return if self.settings.style == AnswerStyle::Critique { with_wrong_critiques(pairs) } else { pairs };
        }
        // As many right scripts for each wrong one as are asked for, also where a reference has few rewrites.
        let wrong = (most / (1 + recipe.controls)).max(1);
        let right = right_scripts(number, subject, recipe.seed, wrong * recipe.controls);
        let wrong = wrong.min(right.len() / recipe.controls);
        // With a few scripts the share of a track can only be right on average.
        let draw = fault_draw(recipe.seed, &reference.id, "syntax among the wrong scripts");
        let syntax = (wrong as f64 * recipe.syntax + draw).floor().min(wrong as f64) as usize;
        // A script with several faults is joined from as many pairs of one fault.
        let most_faults = recipe.faults[1];
        let wanted = WantedPairs { syntax: syntax * most_faults, semantic: (wrong - syntax) * most_faults };
        let mut found = self.wrong_scripts(number, subject, wanted);
        // Those with as many faults as were asked for go first.
        found.sort_by_key(|pair| pair.parts.len() < recipe.faults[0]);
        found.truncate(wrong);
        let mut right = right.into_iter();
        let wrong = with_wrong_answers(reference.script.text(), found).into_iter();
        // Right and wrong scripts take turns, so that their shares stay the same where the last pairs are cut off.
        let turns = wrong.flat_map(|wrong| right.by_ref().take(recipe.controls).chain([wrong]).collect::<Vec<_>>());
        let mut pairs = distinct(turns.collect());
        pairs.iter_mut().for_each(|pair| pair.question = Some(question(reference)));
        with_wrong_critiques(pairs)
    }

    /// Returns proved pairs with wrong scripts, joined from the wanted pairs of one fault as far as these are found.
    fn wrong_scripts(&self, number: u64, subject: &Subject<'_>, wanted: WantedPairs) -> Vec<ProvedPair<'_>> {
        let (recipe, reference) = (&self.settings.recipe, subject.reference);
        let mut candidates = self.candidates(reference);
        let mut known = HashSet::new();
        let mut found: Vec<ProvedPair<'_>> = Vec::new();
        let [least, most] = recipe.faults;
        for (track, wanted) in [(Track::Syntax, wanted.syntax), (Track::Semantic, wanted.semantic)] {
            let draw = TurnDraw { seed: recipe.seed, script: &reference.id, mix: recipe.mix };
            let mut selection = Selection::new(&self.taxonomy, draw, track, &mut candidates);
            let mut singles = Vec::new();
            let mut left = wanted;
            while left > 0
                && let Some((fault, mutant)) = selection.next()
            {
                let is_fresh = known.insert(edit_key(&reference.script, &mutant.edits));
                let parts = vec![PlantedMutant { fault, mutant }];
                let pair = if is_fresh { self.pair(number, subject, &parts) } else { None };
                selection.note(pair.is_some());
                left -= usize::from(pair.is_some());
                singles.extend(pair.map(|pair| ProvedPair { parts, pair }));
            }
            let sizes = sizes(recipe.seed, &reference.id, least..=most);
            let together = |parts: &[PlantedMutant<'_>]| self.pair(number, subject, parts);
            found.extend(if most > 1 { joined(singles, sizes, together) } else { singles });
        }
        found
    }

    fn candidates(&self, reference: &Reference) -> BTreeMap<String, Vec<Mutant>> {
        let draw = pipeline::CandidateDraw { seed: self.settings.recipe.seed, jobs: 1, taxonomy: &self.taxonomy };
        pipeline::candidates(&draw, &[reference], &mut Funnel::default())
    }

    /// Returns the pair of some faults of one track; `None` if they are not proved, are not all needed, or cannot be worded.
    fn pair(&self, number: u64, subject: &Subject<'_>, parts: &[PlantedMutant<'_>]) -> Option<Pair> {
        let reference = subject.reference;
        let mutant = &joined_mutant(reference, parts)?;
        let original = reference.script.text();
        let issue = admit(&reference.script, mutant).ok()?;
        if self.settings.kept_out.has(&issue) {
            return None;
        }
        let repair = mutant.edits.inverse(original);
        let proved = TrainingMutant { subject, parts, mutant, issue: &issue, repair: &repair };
        let MutantEvidence { context, evidence, shown } = match parts.first()?.fault.track {
            Track::Syntax => self.rejection(&proved)?,
            Track::Semantic => self.difference(&proved)?,
        };
        let record = TaskRecord::on(reference, &mutant.id, &issue, context);
        let seed = self.settings.recipe.seed;
        let gold = proved.gold(evidence, seed);
        let proof = PairProof {
            instance_id: mutant.id.clone(),
            reference: number,
            fault: mutant.fault.clone(),
            edits: mutant.edits.clone(),
            shown,
        };
        let task = Task { record, gold, databases: Vec::new(), witnesses: Vec::new() };
        Some(Pair { task, proof, rejected: Vec::new(), question: None })
    }

    /// Returns the evidence that the engine rejects a mutant as one of its faults says; `None` if it does not.
    fn rejection(&self, proved: &TrainingMutant<'_>) -> Option<MutantEvidence> {
        let verdict = try_syntax(proved.subject, &candidate(proved));
        if !self.all_needed(proved, &verdict) {
            return None;
        }
        let Verdict::Rejected { rejection, .. } = verdict else { return None };
        let shown = PairEvidence::Rejected(rejection.class.clone());
        let evidence = Evidence::rejected("embedded".to_owned(), &rejection, Vec::new());
        if !proved.parts.iter().any(|part| is_expected(part.fault, &rejection)) {
            return None;
        }
        Some(MutantEvidence { context: SolverContext::ErrorMessage(rejection.message), evidence, shown })
    }

    /// Returns the evidence that a mutant gives other rows, in a way that a user notices and complains of; `None` if it
    /// does not.
    fn difference(&self, proved: &TrainingMutant<'_>) -> Option<MutantEvidence> {
        let difference = baseline_difference(proved.subject, &candidate(proved))?;
        let baseline = &proved.subject.baseline[difference.database];
        let witness = baseline.database.clone();
        let verdict = Verdict::Killed { witness, trials: 0, rows_before: 0, shown: None };
        let reports = &proved.subject.reference.dictionary.reports;
        if !is_noticeable(&baseline.result, &difference.issue, reports) || !self.all_needed(proved, &verdict) {
            return None;
        }
        let complaint = proved.complaint(&self.book, &difference)?;
        let shown = PairEvidence::Differs(difference.database);
        let evidence = proved.killed(&difference);
        Some(MutantEvidence { context: SolverContext::UserQuery(complaint), evidence, shown })
    }

    /// Whether no part of a single fault does the same, or, of several faults, the script stays wrong whichever of them is
    /// repaired. Two faults need no check: each is proved alone already.
    fn all_needed(&self, proved: &TrainingMutant<'_>, verdict: &Verdict) -> bool {
        let parts = proved.parts;
        match parts.len() {
            0 | 1 => !part_suffices(&EmbeddedEngine, proved.subject, proved.mutant, verdict),
            2 => true,
            count => (0..count).all(|gone| is_wrong(proved.subject, &[&parts[..gone], &parts[gone + 1..]].concat())),
        }
    }

    /// Writes the rows of a pair.
    pub fn row(&self, pair: &Pair, output: &mut ExportFolder) -> Result<(), TrainError> {
        let schema = |_| ExportError::Schema(pair.proof.instance_id.clone());
        let assignment = Assignment::new(&pair.task.record).map_err(schema)?;
        let assignment = Assignment { question: pair.question.as_deref(), ..assignment };
        let example = TrainingExample::new(&self.prompts, &pair.task, &assignment, self.settings.style);
        let mut example = example.map_err(ExportError::from)?;
        example.rejected.clone_from(&pair.rejected);
        let side = self.settings.split.side(&pair.task);
        Ok(self.format.write(&example, side, output)?)
    }
}

fn candidate<'a>(proved: &TrainingMutant<'a>) -> Candidate<'a> {
    let changed = proved.mutant.changed(proved.subject.reference.script.text());
    Candidate { text: proved.issue, changed, about: &[] }
}

/// Whether the script with these faults alone is refused or gives other rows.
fn is_wrong(subject: &Subject<'_>, parts: &[PlantedMutant<'_>]) -> bool {
    let reference = &subject.reference.script;
    let Some(mutant) = joined_mutant(subject.reference, parts) else { return false };
    let Ok(text) = admit(reference, &mutant) else { return false };
    let candidate = Candidate { text: &text, changed: mutant.changed(reference.text()), about: &[] };
    match parts.first().map(|part| part.fault.track) {
        Some(Track::Syntax) => matches!(try_syntax(subject, &candidate), Verdict::Rejected { .. }),
        Some(Track::Semantic) => baseline_difference(subject, &candidate).is_some(),
        None => false,
    }
}

/// Keeps one pair of those with the same broken script. Different edits can give one text: dropping either of two
/// neighbouring commas does.
fn distinct(mut pairs: Vec<Pair>) -> Vec<Pair> {
    let mut issues = HashSet::new();
    pairs.retain(|pair| issues.insert(pair.task.record.issue_sql.clone()));
    pairs
}

/// Gives every pair its wrong answers: other mutants at the same places, then the issue itself.
fn with_wrong_answers(reference: &str, found: Vec<ProvedPair<'_>>) -> Vec<Pair> {
    let mutants: Vec<Mutant> = found.iter().flat_map(|found| &found.parts).map(|part| part.mutant.clone()).collect();
    let add = |ProvedPair { parts, mut pair }: ProvedPair<'_>| {
        let spans: Vec<Span> = parts.iter().map(|part| part.mutant.edits.span()).collect();
        let is_near = |other: &&Mutant| spans.iter().any(|span| span.touches(other.edits.span()));
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
