//! Defence against easy repairs: a task that a solver without a model or a leak attack repairs is not published.

use std::collections::BTreeSet;

use super::context::Context;
use super::proven::ProvenMutant;
use crate::audit::restore_layout;
use crate::code::dialect::Dialect;
use crate::code::script::Script;
use crate::engine::compare::compare;
use crate::parallel::shielded;
use crate::prove::confirmation::SUITE_SIZE;
use crate::prove::trial::replay;
use crate::prove::{Subject, Verdict};
use crate::publish::record::{self, TaskRecord};
use crate::repair::built_in::{Linter, PositionSolver, SpellingSolver};
use crate::repair::{Assignment, Solver};
use crate::score::graph_match;

/// The attack on the layout, as the funnel names it.
const LAYOUT: &str = "restoring the layout";

/// Returns who repairs all faults of a proven mutant from what its task would show.
///
/// The complaint is still empty; the built-in solvers do not read it.
pub(super) fn repaired_by(context: Context<'_>, subject: &Subject<'_>, item: &ProvenMutant) -> BTreeSet<&'static str> {
    let Ok(issue) = item.mutant.text(subject.reference.script.text()) else { return BTreeSet::new() };
    let told = match &item.verdict {
        Verdict::Rejected { rejection, .. } => record::SolverContext::ErrorMessage(rejection.message.clone()),
        _ => record::SolverContext::UserQuery(String::new()),
    };
    let task = TaskRecord {
        instance_id: item.mutant.id.clone(),
        dialect: Dialect::Hive,
        domain: subject.reference.card.domain.clone(),
        issue_sql: issue,
        schema_ddl: subject.reference.schema_text.clone(),
        parameters: subject.reference.parameters.to_map(),
        context: told,
        canary: context.secret.canary(),
    };
    let mut found = BTreeSet::new();
    if restore_layout(&task.issue_sql).is_some_and(|answer| is_repair(subject, item, &answer)) {
        found.insert(LAYOUT);
    }
    let Ok(assignment) = Assignment::new(&task) else { return found };
    let solvers: [&'static dyn Solver; 3] = [&PositionSolver, &Linter, &SpellingSolver];
    let repairs = |solver: &&'static dyn Solver| {
        // A solver that panics has no answer.
        let attempt = shielded(&item.mutant.script, || solver.repair(&assignment)).ok().and_then(Result::ok);
        attempt.and_then(|attempt| attempt.predict_sql).is_some_and(|answer| is_repair(subject, item, &answer))
    };
    found.extend(solvers.into_iter().filter(repairs).map(Solver::name));
    found
}

/// Whether an answer is the reference, has its graph, or gives its rows on the witness and the script's own databases.
fn is_repair(subject: &Subject<'_>, item: &ProvenMutant, answer: &str) -> bool {
    let reference = &subject.reference.script;
    if answer == reference.text() || graph_match(&Script::new(answer), reference, &subject.reference.schema) {
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
        .all(|database| replay(subject, answer, database).is_ok_and(|(one, other)| compare(&one, &other).is_equal()))
}
