//! Trials confirmed by the judging engine.
//!
//! Fake databases are made, and witnesses found and reduced, with the embedded engine, which is a thousand times faster.
//! Where Spark judges, it then judges alone: it must refuse a syntax mutant in the edited statement; it must
//! run reference and mutant of a semantic one on the witness, where they must differ, and on the script's suite.

use super::baseline::BaselineDatabase;
use super::subject::Subject;
use super::trial::{self, Candidate, Verdict, WitnessResults, replay, touches};
use crate::code::script::Script;
use crate::engine::compare::{Comparison, compare};
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::engine::table::{Database, ScriptResult};
use crate::engine::{Engine, EngineVerdict, ExternalEngine, HIVE, RunOutcome, SyntaxJudge};

/// How many baseline databases go with a witness.
pub const SUITE_SIZE: usize = 3;

/// Judges whether the engine refuses the changed script, and whether at the changed statement.
pub fn try_syntax(engine: &dyn Engine, subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    let Some(engine) = engine.external() else { return trial::try_syntax(subject, candidate) };
    let judges = match verdicts(engine, subject, candidate.text) {
        Ok(judges) => judges,
        Err(reason) => return Verdict::Inconclusive { reason },
    };
    let script = Script::new(candidate.text);
    match judges.first().and_then(|first| first.rejection.clone()) {
        None => trial::against_policies(subject, candidate, judges).unwrap_or(Verdict::Accepted),
        // It passed every check before the run, so it is no syntax error.
        Some(rejection) if rejection.stage == RejectionStage::Run => {
            Verdict::FailsAtRunTime { message: rejection.message }
        }
        Some(rejection) if touches(&script, candidate.changed, rejection.span) => {
            Verdict::Rejected { rejection, judges }
        }
        Some(rejection) => Verdict::RejectedElsewhere { rejection },
    }
}

/// Runs the mutant beside the reference: on the embedded engine to find a witness, on the judging engine to
/// confirm it.
pub fn try_semantic(engine: &dyn Engine, subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    let verdict = trial::try_semantic(subject, candidate);
    let (Some(engine), Verdict::Killed { witness, trials, rows_before, .. }) = (engine.external(), &verdict) else {
        return verdict;
    };
    match (Confirmation { engine, subject }).confirm(candidate.text, witness) {
        Ok(shown) => Verdict::Killed {
            witness: witness.clone(),
            trials: *trials,
            rows_before: *rows_before,
            shown: Some(Box::new(shown)),
        },
        Err(NotConfirmed::Unconfirmed(reason)) => Verdict::Unconfirmed { reason },
        Err(NotConfirmed::Inconclusive(reason)) => Verdict::Inconclusive { reason },
    }
}

/// Returns what reference and mutant give on a witness: the results in the verdict, or else
/// those of the embedded engine.
///
/// # Errors
///
/// If one of them no longer runs; the message says which and why.
pub fn results(
    subject: &Subject<'_>,
    text: &str,
    witness: &Database,
    shown: Option<&WitnessResults>,
) -> Result<WitnessResults, String> {
    shown.map_or_else(|| replay(subject, text, witness), |shown| Ok(shown.clone()))
}

/// Checks that the engine runs the reference on its suite; the embedded engine has done so already.
///
/// # Errors
///
/// In words, if the engine refuses the reference or does not run it.
pub fn baseline(engine: &dyn Engine, subject: &Subject<'_>) -> Result<(), String> {
    let Some(engine) = engine.external() else { return Ok(()) };
    let text = subject.reference.script.text();
    if engine.judge() == SyntaxJudge::Hive
        && let Some(rejection) = engine.hive(text, subject.context())?
    {
        return Err(format!("Hive refuses it: {}", rejection.message));
    }
    for baseline in suite(subject) {
        match engine.run(text, subject.context(), &baseline.database) {
            RunOutcome::Ran(_) => {}
            RunOutcome::Refused(refusal) => return Err(format!("Spark refuses it: {}", refusal.rejection.message)),
            other => return Err(format!("Spark does not run it: {}", other.why_inconclusive())),
        }
    }
    Ok(())
}

/// Whether the engine gives the same rows for both scripts on the whole suite, as the embedded engine does.
pub fn confirms_equivalence(engine: &dyn Engine, subject: &Subject<'_>, text: &str) -> bool {
    let Some(engine) = engine.external() else { return true };
    let run = |text: &str, database: &Database| match engine.run(text, subject.context(), database) {
        RunOutcome::Ran(result) => Some(result),
        _ => None,
    };
    suite(subject).iter().all(|baseline| {
        let expected = run(subject.reference.script.text(), &baseline.database);
        let found = run(text, &baseline.database);
        expected.zip(found).is_some_and(|(expected, found)| compare(&expected, &found).is_equal())
    })
}

/// Returns why the engine, or else a policy of the subject, refuses a text; `None` if neither does.
pub fn refused(engine: &dyn Engine, subject: &Subject<'_>, text: &str) -> Option<Rejection> {
    let verdicts = engine.verdicts(text, subject.context()).ok()?;
    let refused = verdicts.into_iter().next().and_then(|judging| judging.rejection);
    refused.or_else(|| subject.context().policy_rejection(text))
}

/// Whether a text and the reference both run on a database and differ there.
pub fn differs(engine: &dyn Engine, subject: &Subject<'_>, text: &str, database: &Database) -> bool {
    let Some(engine) = engine.external() else {
        return replay(subject, text, database).is_ok_and(|found| subject.differs(&found.reference, &found.issue));
    };
    (Confirmation { engine, subject }).contrast(text, database).is_ok()
}

/// Returns what every judge says. Hive's parser is left out if it refuses even the correct form of the script.
fn verdicts(engine: &dyn ExternalEngine, subject: &Subject<'_>, text: &str) -> Result<Vec<EngineVerdict>, String> {
    let mut verdicts = engine.verdicts(text, subject.context())?;
    if engine.judge() == SyntaxJudge::Both && engine.hive(subject.reference.script.text(), subject.context())?.is_some()
    {
        verdicts.retain(|verdict| verdict.engine != HIVE);
    }
    Ok(verdicts)
}

fn suite<'s>(subject: &'s Subject<'_>) -> &'s [BaselineDatabase] {
    &subject.baseline[..subject.baseline.len().min(SUITE_SIZE)]
}

/// Why the judging engine does not confirm that reference and mutant differ.
enum NotConfirmed {
    /// The engine says otherwise.
    Unconfirmed(String),
    /// The engine gives no verdict.
    Inconclusive(String),
}

/// Runs both scripts on the judging engine.
struct Confirmation<'a> {
    engine: &'a dyn ExternalEngine,
    subject: &'a Subject<'a>,
}

impl Confirmation<'_> {
    fn confirm(&self, text: &str, witness: &Database) -> Result<WitnessResults, NotConfirmed> {
        let shown = self.contrast(text, witness)?;
        for baseline in suite(self.subject) {
            self.run("the issue", text, &baseline.database)?;
        }
        Ok(shown)
    }

    /// Returns both results if both scripts run and the rows differ.
    fn contrast(&self, text: &str, database: &Database) -> Result<WitnessResults, NotConfirmed> {
        let reference = self.run("the reference", self.subject.reference.script.text(), database)?;
        let issue = self.run("the issue", text, database)?;
        match compare(&reference, &issue) {
            Comparison::Different(_) if self.subject.differs(&reference, &issue) => {
                Ok(WitnessResults { reference: reference.writable(), issue: issue.writable() })
            }
            Comparison::Different(_) => {
                Err(NotConfirmed::Unconfirmed("the same rows in all tables that people read".to_owned()))
            }
            Comparison::OrderOnly { .. } => Err(NotConfirmed::Unconfirmed("the same rows in another order".to_owned())),
            Comparison::Equal => Err(NotConfirmed::Unconfirmed("the same rows".to_owned())),
        }
    }

    fn run(&self, which: &str, text: &str, database: &Database) -> Result<ScriptResult, NotConfirmed> {
        match self.engine.run(text, self.subject.context(), database) {
            RunOutcome::Ran(result) => Ok(result),
            RunOutcome::Refused(refusal) => {
                Err(NotConfirmed::Unconfirmed(format!("{which}: {}", refusal.rejection.message)))
            }
            other => Err(NotConfirmed::Inconclusive(format!("{which}: {}", other.why_inconclusive()))),
        }
    }
}
