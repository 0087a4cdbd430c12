//! Measures how far the embedded engine agrees with Spark: both judge references and mutants of a run again.

// In data-flow order.
mod basis;
mod cause;
mod report;
mod material;
mod previous;
mod parts;
mod difference;
mod ties;
mod comparison;
mod card;
mod certify;

use crate::engine::for_untrusted;
use crate::engine::spark::Spark;
use crate::parallel::{self, Progress};
use crate::store::{RunDirectory, StoreError};

pub use basis::{AgreementBasis, JudgingScope};
pub use cause::DisagreementKind;
pub use certify::certify;

pub use previous::{KnownAgreement, UnusableAgreement};
pub use report::{AgreementCount, AgreementCounts, AgreementReport, EngineDisagreement};

use comparison::EngineComparison;
use material::JudgedReference;
use parts::AgreementParts;
use report::ScriptAgreement;

/// What came of judging a run again.
#[derive(Debug)]
pub enum AgreementOutcome {
    Whole(Box<AgreementReport>),
    /// The user asked to stop; the same call goes on after the scripts that are done.
    Stopped {
        /// Scripts judged so far, those of earlier calls that were stopped included.
        scripts: usize,
        /// Scripts that there were to judge, without those that the agreement in `before` covers.
        of: usize,
    },
}

/// Returns what is known of a run's agreement from its files alone: a report that covers every task, one that covers
/// some, or why there is none to build on.
pub fn standing(directory: &RunDirectory, ansi: bool, extent: JudgingScope) -> Result<KnownAgreement, StoreError> {
    match previous::made_before(directory, ansi, extent) {
        Ok(report) => Ok(previous::standing(report, &material::read(directory, extent.all)?.scripts)),
        Err(unusable) => Ok(KnownAgreement::Nothing(unusable)),
    }
}

/// Judges a run again with Spark beside the embedded engine, a script at a time on each of the given Spark processes.
/// What `before` judged is not judged again, and its numbers are counted in.
///
/// What is judged is kept in the run's directory until all is: after a call that was cut off, the next goes on.
///
/// # Errors
///
/// If the run cannot be read or written. What Spark cannot judge is a disagreement in the report, not an error.
pub fn agree(
    directory: &RunDirectory,
    sparks: &mut [Spark],
    extent: JudgingScope,
    before: Option<AgreementReport>,
    progress: &dyn Progress,
) -> Result<AgreementOutcome, StoreError> {
    let mut material = material::read(directory, extent.all)?;
    let engine = sparks.first().map(Spark::name).unwrap_or_default();
    let (parts, done) = AgreementParts::open(directory, &engine, extent)?;
    material.keep(extent.mutants);
    let program = basis::program();
    let ansi = sparks.first().is_some_and(Spark::is_ansi);
    let fresh = AgreementBasis { program, ansi, hive: extent.hive, ..AgreementBasis::default() };
    let mut report =
        before.unwrap_or_else(|| AgreementReport { engine, basis: Some(fresh), ..AgreementReport::default() });
    if let Some(judged) = &report.basis {
        material.leave_out(judged);
    }
    let of = material.scripts.len();
    let (kept, todo): (Vec<_>, Vec<_>) = done.of(material.scripts);
    progress.stage("agreement", todo.iter().map(|work| work.trials.len() + usize::from(work.reference)).sum());
    let judged = share(sparks, &todo, extent, &parts, progress)?;
    let all: Vec<ScriptAgreement> = kept.into_iter().chain(judged).collect();
    if all.len() < of {
        return Ok(AgreementOutcome::Stopped { scripts: all.len(), of });
    }
    report.passed_over = material.passed_over;
    for part in all {
        report.add(part);
    }
    report.restarts += sparks.iter().map(|spark| spark.restarts()).sum::<usize>();
    parts.remove(directory)?;
    Ok(AgreementOutcome::Whole(Box::new(report)))
}

/// Writes the agreement to the run's card.
pub fn tell(directory: &RunDirectory, report: &AgreementReport) -> Result<(), StoreError> {
    card::write(directory, report, None)
}

/// Judges scripts, those with most mutants first, each on the next process that is free. Returns what was found of
/// each, in the order of the scripts; those that were not begun when the user asked to stop are missing.
fn share(
    sparks: &mut [Spark],
    todo: &[JudgedReference],
    extent: JudgingScope,
    parts: &AgreementParts,
    progress: &dyn Progress,
) -> Result<Vec<ScriptAgreement>, StoreError> {
    // The run may come from somebody else.
    let embedded = for_untrusted();
    let mut order: Vec<usize> = (0..todo.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(todo[*at].trials.len()));
    let judged = parallel::map_with(sparks, order, |spark, at| {
        if progress.is_stopped() {
            return Ok(None);
        }
        let report = AgreementReport::default();
        let mut comparison = EngineComparison { spark, embedded: &*embedded, report, hive: extent.hive };
        comparison.script(&todo[at], &|| progress.step());
        parts.add(&todo[at], comparison.report).map(|part| Some((at, part)))
    });
    let mut judged: Vec<(usize, ScriptAgreement)> =
        judged.into_iter().filter_map(Result::transpose).collect::<Result<_, StoreError>>()?;
    judged.sort_by_key(|(at, _)| *at);
    Ok(judged.into_iter().map(|(_, part)| part).collect())
}
