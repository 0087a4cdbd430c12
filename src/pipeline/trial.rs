//! The trial of one mutant: pure, so that it may be made anywhere and in any order.

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::parallel::shielded;
use crate::prove::admission::{Inadmissible, part_suffices};
use crate::prove::confirmation::{results, try_semantic, try_syntax};
use crate::prove::trial::{Candidate, WitnessResults};
use crate::prove::{Subject, Verdict};
use crate::publish::difference::is_noticeable;

/// How the trial of a mutant ended, as workers and the log of a run keep it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The mutant's id.
    pub mutant: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why a proved mutant cannot be a task nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaw: Option<String>,
}

impl TrialRecord {
    /// Tries a mutant that was admitted.
    pub fn run(engine: &dyn Engine, subject: &Subject<'_>, track: Track, mutant: &Mutant) -> TrialRecord {
        let verdict = verdict(engine, subject, track, mutant);
        let flaw = flaw(engine, subject, mutant, &verdict);
        TrialRecord { mutant: mutant.id.clone(), verdict, flaw }
    }
}

impl TrialRecord {
    /// The same, but a panic of this program costs only this trial.
    pub(super) fn shielded(engine: &dyn Engine, subject: &Subject<'_>, track: Track, mutant: &Mutant) -> TrialRecord {
        shielded(&mutant.script, || TrialRecord::run(engine, subject, track, mutant))
            .unwrap_or_else(|panic| TrialRecord::unsupported(mutant, panic.to_string()))
    }

    /// Records that the trial of a mutant could not be made.
    pub(super) fn unsupported(mutant: &Mutant, reason: String) -> TrialRecord {
        TrialRecord { mutant: mutant.id.clone(), verdict: Verdict::Unsupported { reason }, flaw: None }
    }
}

fn verdict(engine: &dyn Engine, subject: &Subject<'_>, track: Track, mutant: &Mutant) -> Verdict {
    let original = subject.reference.script.text();
    let text = match mutant.text(original) {
        Ok(text) => text,
        Err(error) => return Verdict::Unsupported { reason: error.to_string() },
    };
    let nodes = subject.bound_nodes(mutant.nodes());
    let candidate = Candidate { text: &text, changed: mutant.changed(original), about: &nodes };
    match track {
        Track::Syntax => try_syntax(engine, subject, &candidate),
        Track::Semantic => try_semantic(engine, subject, &candidate),
    }
}

fn flaw(engine: &dyn Engine, subject: &Subject<'_>, mutant: &Mutant, verdict: &Verdict) -> Option<String> {
    if part_suffices(engine, subject, mutant, verdict) {
        return Some(Inadmissible::NotMinimal.to_string());
    }
    let Verdict::Killed { witness, shown, .. } = verdict else { return None };
    let text = mutant.text(subject.reference.script.text()).ok()?;
    let Ok(WitnessResults { reference, issue }) = results(subject, &text, witness, shown.as_deref()) else {
        return Some("witness does not replay".to_owned());
    };
    let reports = &subject.reference.dictionary.reports;
    (!is_noticeable(&reference, &issue, reports)).then(|| "nothing a user could notice".to_owned())
}

/// The name in the funnel of a mutant that no database tells apart.
pub(super) const SURVIVED: &str = "survived all databases tried";
/// The name in the funnel of a mutant on which all work is done.
pub(super) const GIVEN_UP: &str = "given up: all work that it is worth is done";

/// Returns the name of a verdict in the funnel.
pub(super) fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Rejected { .. } => "rejected",
        Verdict::RejectedElsewhere { .. } => "rejected in a statement that was not edited",
        Verdict::Killed { .. } => "killed",
        Verdict::Equivalent { .. } => "equivalent",
        Verdict::DiffersInOrderOnly => "differs in order only",
        Verdict::Accepted => "accepted",
        Verdict::Survived { .. } => SURVIVED,
        Verdict::GivenUp { .. } => GIVEN_UP,
        Verdict::FailsAtRunTime { .. } => "fails at run time",
        Verdict::Nondeterministic => "nondeterministic",
        Verdict::Unsupported { .. } => "not supported by the embedded engine",
        Verdict::Unconfirmed { .. } => "killed, but not confirmed by the judging engine",
        Verdict::Inconclusive { .. } => "inconclusive: the judging engine gave no verdict",
    }
}
