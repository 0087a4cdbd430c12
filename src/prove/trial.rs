//! The trial of a mutant: rejected, killed, or alive for a stated reason.

use std::borrow::Cow;
use std::sync::Arc;

use super::baseline::BaselineDatabase;
use super::data_mutation::cells::mutate_cells;
use super::data_mutation::column_change::apply;
use super::differential::{DifferentialRun, DifferingRows};
use super::equivalence::prove_equivalence;
use super::mutant_script::{BoundScript, MutantScript, MutantText};
use super::reference_database::ReferenceDatabase;
use super::search::branch_rows::{boundary_rows, union};
use super::search::hints::{ColumnHints, column_mutations, hints};
use super::subject::Subject;
pub use super::verdict::{Candidate, Verdict, WitnessResults};
use crate::code::scope::ResolvedScript;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::engine::EngineVerdict;
use crate::engine::compare::{Comparison, compare};
use crate::engine::policy::Policy;
use crate::engine::spark_rules::judge;
use crate::engine::sqlite::{Limits, RunError, Sqlite};
use crate::engine::table::{Database, ScriptResult};

/// Judges whether Spark refuses the changed script, and whether at the changed statement.
pub fn try_syntax(subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    let ResolvedScript { script, scopes } = ResolvedScript::new(candidate.text, &subject.reference.schema);
    match judge(&script, &scopes, &subject.reference.schema) {
        None => against_policies(subject, candidate, Vec::new()).unwrap_or(Verdict::Accepted),
        Some(rejection) if touches(&script, candidate.changed, rejection.span) => Verdict::rejected(rejection),
        Some(rejection) => Verdict::RejectedElsewhere { rejection },
    }
}

/// Returns what the platform's policies say of a script that every engine accepts; `None` if they accept it too.
pub(super) fn against_policies(
    subject: &Subject<'_>,
    candidate: &Candidate<'_>,
    others: Vec<EngineVerdict>,
) -> Option<Verdict> {
    let rejection = subject.context().policy_rejection(candidate.text)?;
    if !touches(&Script::new(candidate.text), candidate.changed, rejection.span) {
        return Some(Verdict::RejectedElsewhere { rejection });
    }
    let engine = Policy::of(&rejection).map_or_else(String::new, Policy::judge);
    let word = EngineVerdict { engine, rejection: Some(rejection.clone()) };
    Some(Verdict::Rejected { rejection, judges: std::iter::once(word).chain(others).collect() })
}

/// Whether the rejected place and the change lie in one statement; a change may also cut a statement in two.
pub(crate) fn touches(script: &Script, changed: Span, rejected: Span) -> bool {
    let around = |at: usize| script.statements().iter().position(|id| script.tree().span(*id).end >= at);
    match (around(changed.start), around(rejected.start)) {
        (Some(edited), Some(refused)) => refused >= edited && refused <= edited + 1,
        (_, None) => true,
        (None, _) => false,
    }
}

/// Runs the mutant beside the reference on the baseline, then on databases changed near the fault.
pub fn try_semantic(subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    match MutantScript::read(subject, candidate) {
        Ok(mutant) => DifferentialRun::new(subject, &mutant).run(candidate),
        Err(verdict) => *verdict,
    }
}

impl DifferentialRun<'_> {
    /// Tries the baseline first: a database on which the two differ counts for more than a proof that they cannot.
    fn run(&self, candidate: &Candidate<'_>) -> Verdict {
        let mut order_only = false;
        for baseline in &self.subject.baseline {
            self.tally.try_one();
            let (reference, result) = match self.results_on(baseline) {
                Ok(results) => results,
                Err(error) => return Verdict::FailsAtRunTime { message: error.to_string() },
            };
            match compare(&reference, &result) {
                Comparison::Different(_) if self.subject.differs(&reference, &result) => {
                    let difference = self.sound_difference(&baseline.database);
                    return difference
                        .map_or(Verdict::Nondeterministic, |contrast| self.killed(&baseline.database, contrast));
                }
                Comparison::OrderOnly { .. } => order_only = true,
                Comparison::Different(_) | Comparison::Equal => {}
            }
        }
        let mutant = self.mutant.whole();
        if let Some(reason) = prove_equivalence(self.subject.view(), mutant.view(self.subject)) {
            return Verdict::Equivalent { reason };
        }
        let hints = hints(self.subject, candidate);
        let shown = self.try_rows_on_boundary(candidate).or_else(|| self.try_column_changes(&hints));
        let shown = shown.or_else(|| self.try_cell_changes(&hints, candidate));
        shown.or_else(|| self.search_guided(&hints, candidate)).unwrap_or_else(|| match order_only {
            _ if self.is_work_done() => Verdict::GivenUp { databases: self.tally.databases() },
            true => Verdict::DiffersInOrderOnly,
            false => Verdict::Survived { databases: self.tally.databases(), seen: Some(Box::new(self.tally.seen())) },
        })
    }

    /// Returns what both scripts give on a database of the baseline: as a whole, or in the steps that the change affects if
    /// these are the minor part.
    fn results_on<'b>(
        &self,
        baseline: &'b BaselineDatabase,
    ) -> Result<(Cow<'b, ScriptResult>, ScriptResult), RunError> {
        let run = |translation| baseline.loaded.run(translation, &Limits::default());
        match self.affected().filter(|affected| affected.is_minor) {
            None => Ok((Cow::Borrowed(&baseline.result), run(&self.mutant.translation)?)),
            Some(affected) => Ok((Cow::Owned(run(&affected.reference)?), run(&affected.mutant)?)),
        }
    }

    /// Tries databases with rows on the boundary of the comparison that the fault is about, where it decides a CASE or IF.
    fn try_rows_on_boundary(&self, candidate: &Candidate<'_>) -> Option<Verdict> {
        let comparison = candidate.about.first()?;
        for rows in boundary_rows(self.subject, *comparison) {
            for baseline in self.subject.baseline.iter().take(2) {
                if self.is_work_done() {
                    return None;
                }
                let database = union(&baseline.database, &rows);
                if let Some(contrast) = self.try_database(&database) {
                    return Some(self.killed(&database, contrast));
                }
            }
        }
        None
    }

    /// Tries databases changed at the columns the fault is about.
    fn try_column_changes(&self, hints: &ColumnHints) -> Option<Verdict> {
        for (target, change) in column_mutations(hints) {
            for baseline in self.subject.baseline.iter().take(2) {
                if self.is_work_done() {
                    return None;
                }
                let Some(database) = apply(&self.subject.reference.schema, &baseline.database, &target, change) else {
                    continue;
                };
                if let Some(contrast) = self.try_database(&database) {
                    return Some(self.killed(&database, contrast));
                }
            }
        }
        None
    }

    /// Tries databases with many changes near the fault.
    fn try_cell_changes(&self, hints: &ColumnHints, candidate: &Candidate<'_>) -> Option<Verdict> {
        let input = hints.input(candidate.text);
        for number in 0..self.subject.budget().cells {
            if self.is_work_done() {
                return None;
            }
            let baseline = &self.subject.baseline[number % self.subject.baseline.len()];
            let Some(database) = mutate_cells(&self.subject.reference.schema, &baseline.database, &input, number)
            else {
                continue;
            };
            if let Some(contrast) = self.try_database(&database) {
                return Some(self.killed(&database, contrast));
            }
        }
        None
    }
}

/// Whether reference and mutant differ on a database, in whatever order rows are read.
pub fn differs_on(subject: &Subject<'_>, candidate: &Candidate<'_>, database: &Database) -> bool {
    let mutant = MutantScript::read(subject, candidate);
    mutant.is_ok_and(|mutant| DifferentialRun::new(subject, &mutant).sound_difference(database).is_some())
}

/// Whether reference and mutant differ on one of some witnesses, or on one of some databases that other mutants are tried
/// on too, in whatever order rows are read.
pub(super) fn differs_on_any<'d>(
    subject: &Subject<'_>,
    candidate: &Candidate<'_>,
    witnesses: &[&Database],
    mut shared: impl Iterator<Item = &'d Arc<ReferenceDatabase>>,
) -> bool {
    let Ok(mutant) = MutantScript::read(subject, candidate) else { return false };
    let run = DifferentialRun::new(subject, &mutant);
    witnesses.iter().any(|witness| run.sound_difference(witness).is_some())
        || shared.any(|shared| run.sound_difference_on(shared).is_some())
}

/// What a database for people has to show besides the mutant.
pub(super) struct WantedSample<'a> {
    /// The mutant.
    pub whole: Candidate<'a>,
    /// Its faults or places alone: each should differ as well.
    pub parts: Vec<Candidate<'a>>,
    /// Other repairs of its place, which are wrong: each should differ from the reference.
    pub others: &'a [MutantText],
}

/// Databases that are tried for the sake of other repairs alone, when all else has been shown.
const FURTHER: usize = 24;

/// Returns the first of some databases on which reference and mutant both give rows and differ, in whatever order rows
/// are read, and each part and each other repair differs from the reference as well; without one, that on which most of
/// the parts do, and then most of the other repairs, if possible one on which both give rows. `None` if there is none, or
/// the mutant does not run.
pub(super) fn first_showing(
    subject: &Subject<'_>,
    wanted: &WantedSample<'_>,
    databases: impl Iterator<Item = Arc<ReferenceDatabase>>,
) -> Option<Database> {
    let mutant = MutantScript::read(subject, &wanted.whole).ok()?;
    let run = DifferentialRun::new(subject, &mutant);
    let parts: Vec<MutantScript<'_>> =
        wanted.parts.iter().filter_map(|part| MutantScript::read(subject, part).ok()).collect();
    let others: Vec<MutantScript<'_>> =
        wanted.others.iter().filter_map(|other| MutantScript::read(subject, &other.candidate()).ok()).collect();
    let differing = |scripts: &[MutantScript<'_>], shared: &ReferenceDatabase| {
        scripts.iter().filter(|script| DifferentialRun::new(subject, script).difference_on(shared).is_some()).count()
    };
    let mut best: Option<(SampleWorth, Arc<ReferenceDatabase>)> = None;
    let mut further = 0;
    for shared in databases {
        let shows_parts = best.as_ref().is_some_and(|(worth, _)| worth.has_rows && worth.parts == parts.len());
        further += usize::from(shows_parts);
        if further > FURTHER {
            break;
        }
        let Some(difference) = run.difference_on(&shared) else { continue };
        let worth = SampleWorth {
            has_rows: difference != DifferingRows::Empty,
            parts: differing(&parts, &shared),
            others: differing(&others, &shared),
        };
        if best.as_ref().is_some_and(|(known, _)| worth <= *known) || !run.is_sound_on(&shared) {
            continue;
        }
        if worth == (SampleWorth { has_rows: true, parts: parts.len(), others: others.len() }) {
            return Some(shared.database.clone());
        }
        best = Some((worth, shared));
    }
    best.map(|(_, shared)| shared.database.clone())
}

/// What a database shows, what counts most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SampleWorth {
    /// Whether reference and mutant both give rows.
    has_rows: bool,
    /// Parts that differ.
    parts: usize,
    /// Other repairs that differ.
    others: usize,
}

/// Returns what reference and mutant give on a witness.
///
/// # Errors
///
/// If one of them no longer runs; the message says which and why.
pub fn replay(subject: &Subject<'_>, text: &str, witness: &Database) -> Result<WitnessResults, String> {
    let schema = &subject.reference.schema;
    let loaded = Sqlite::open(schema, witness).map_err(|error| error.to_string())?;
    let limits = Limits::default();
    let reference =
        loaded.run(&subject.translation, &limits).map_err(|error| format!("the reference fails: {error}"))?;
    let issue = BoundScript::bound(subject, text).map_err(|error| error.to_string())?;
    let translation =
        issue.translate(subject).map_err(|unsupported| format!("the issue cannot be run: {unsupported:?}"))?;
    let issue = loaded.run(&translation, &limits).map_err(|error| format!("the issue fails: {error}"))?;
    Ok(WitnessResults { reference, issue })
}
