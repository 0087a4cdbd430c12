//! The cheap half of a trial: whether the databases that a script has already tell a changed script apart from it.
//!
//! A benchmark's task needs the smallest witness and a search for mutants that are hard to kill; a training pair needs
//! only proof. A change that these databases do not tell apart is left out, equivalent or not.

use super::baseline::ScriptRun;
use super::mutant_script::{BoundScript, MutantScript};
use super::subject::Subject;
use super::trial::Candidate;
use crate::engine::compare::compare;
use crate::engine::sqlite::Limits;
use crate::engine::table::ScriptResult;

/// Number of other row orders in which a difference must show as well.
const OTHER_ORDERS: usize = 2;

/// Where a changed script differs.
#[derive(Debug)]
pub struct BaselineDifference {
    /// Position of the database in [`Subject::baseline`].
    pub database: usize,
    /// What the changed script gives there.
    pub issue: ScriptResult,
}

/// Whether a text gives the rows of the reference, in its order, on every baseline database.
pub fn agrees_with_baseline(subject: &Subject<'_>, text: &str) -> bool {
    let Ok(bound) = BoundScript::bound(subject, text) else { return false };
    let Ok(translation) = bound.translate(subject) else { return false };
    subject.baseline.iter().all(|baseline| {
        let found = baseline.loaded.run(&translation, &Limits::default());
        found.is_ok_and(|found| compare(&baseline.result, &found).is_equal())
    })
}

/// Returns the first baseline database on which a changed script gives other rows, if it does so in any order of rows.
/// `None` if there is none, or the script is refused or fails.
pub fn baseline_difference(subject: &Subject<'_>, candidate: &Candidate<'_>) -> Option<BaselineDifference> {
    let mutant = MutantScript::read(subject, candidate).ok()?;
    for (number, baseline) in subject.baseline.iter().enumerate() {
        let issue = baseline.loaded.run(&mutant.translation, &Limits::default()).ok()?;
        let differs = |other: &ScriptResult| subject.differs(&baseline.result, other);
        if !differs(&issue) {
            continue;
        }
        let run = ScriptRun {
            schema: &subject.reference.schema,
            translation: &mutant.translation,
            database: &baseline.database,
        };
        let sound = run.holds_in_orders(OTHER_ORDERS, differs);
        return sound.then_some(BaselineDifference { database: number, issue });
    }
    None
}
