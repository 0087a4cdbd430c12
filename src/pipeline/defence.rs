//! Defence against easy repairs: a task that a solver without a model or a leak attack repairs is not published.

use std::collections::BTreeSet;

use super::context::Context;
use super::proven::ProvedMutant;
use crate::audit::restore_layout;
use crate::code::script::Script;
use crate::engine::compare::compare;
use crate::inject::Mutant;
use crate::parallel::shielded;
use crate::prove::confirmation::SUITE_SIZE;
use crate::prove::trial::replay;
use crate::prove::{Subject, Verdict};
use crate::publish::record::{SolverContext, TaskRecord};
use crate::repair::Assignment;
use crate::repair::built_in::{LINTER, POSITION, RuleSolver, SPELLING};
use crate::score::graph_match;

/// The solvers whose answers are held against a task, and how many of each: a close reader questions several places.
const SOLVERS: [(RuleSolver, usize); 3] = [(POSITION, 1), (SPELLING, 1), (LINTER, 3)];

/// The attack on the layout, as the funnel names it.
const LAYOUT: &str = "restoring the layout";

/// The answers of the layout attack and of the built-in solvers to one mutant, made from what its task would show.
///
/// The complaint is still empty; none of them reads it.
pub(super) struct BuiltInAnswers(Vec<(&'static str, String)>);

impl BuiltInAnswers {
    /// Asks for the answers to a mutant; `message` is the error that its task would show, `None` if it runs.
    pub fn to(context: Context<'_>, subject: &Subject<'_>, mutant: &Mutant, message: Option<&str>) -> BuiltInAnswers {
        let Ok(issue) = mutant.text(subject.reference.script.text()) else { return BuiltInAnswers(Vec::new()) };
        let shown = match message {
            Some(message) => SolverContext::ErrorMessage(message.to_owned()),
            None => SolverContext::UserQuery(String::new()),
        };
        let task = TaskRecord {
            canary: context.secret.canary(),
            ..TaskRecord::on(subject.reference, &mutant.id, &issue, shown)
        };
        let layout = restore_layout(&task.issue_sql).map(|answer| (LAYOUT, answer));
        let mut answers: Vec<(&'static str, String)> = layout.into_iter().collect();
        if let Ok(assignment) = Assignment::new(&task) {
            for (solver, limit) in SOLVERS {
                // A solver that panics has no answer.
                let own = shielded(&mutant.script, || solver.answers(&assignment, limit)).unwrap_or_default();
                answers.extend(own.into_iter().map(|answer| (solver.name, answer)));
            }
        }
        BuiltInAnswers(answers)
    }

    /// Returns the first who writes the reference again, by its text or its graph: nothing needs to run to see that.
    pub fn first_restoring(&self, subject: &Subject<'_>) -> Option<&'static str> {
        self.0.iter().find(|(_, answer)| restores(subject, answer)).map(|(name, _)| *name)
    }

    /// Returns who repairs the proven mutant.
    pub fn repairing(&self, subject: &Subject<'_>, item: &ProvedMutant) -> BTreeSet<&'static str> {
        self.0.iter().filter(|(_, answer)| is_repair(subject, item, answer)).map(|(name, _)| *name).collect()
    }
}

/// Returns who repairs all faults of a proven mutant.
pub(super) fn repaired_by(context: Context<'_>, subject: &Subject<'_>, item: &ProvedMutant) -> BTreeSet<&'static str> {
    let message = match &item.verdict {
        Verdict::Rejected { rejection, .. } => Some(rejection.message.as_str()),
        _ => None,
    };
    BuiltInAnswers::to(context, subject, &item.mutant, message).repairing(subject, item)
}

/// Whether an answer is the reference or has its graph.
fn restores(subject: &Subject<'_>, answer: &str) -> bool {
    let reference = &subject.reference.script;
    answer == reference.text() || graph_match(&Script::new(answer), reference, &subject.reference.schema)
}

/// Whether an answer is the reference, has its graph, or gives its rows on the witness and the script's own databases.
fn is_repair(subject: &Subject<'_>, item: &ProvedMutant, answer: &str) -> bool {
    if restores(subject, answer) {
        return true;
    }
    let own = subject.baseline.iter().take(SUITE_SIZE).map(|baseline| &baseline.database);
    let witness = match &item.verdict {
        Verdict::Killed { witness, .. } => Some(witness),
        _ => None,
    };
    witness
        .into_iter()
        .chain(own)
        .all(|database| replay(subject, answer, database).is_ok_and(|it| compare(&it.reference, &it.issue).is_equal()))
}
