//! Other repairs of the place where a task is broken, which are wrong.
//!
//! Complaint and sample should determine the reference. A solver may put other code at the broken place; the mutants
//! that change the reference there stand for such repairs, and where a join was made an outer one, a filter on its key
//! does, where a column is counted, the count of another one. So do the repairs of all faults, or of all of up to eight
//! places, but one. A repair that gives every figure that a complaint quotes is not ruled out by it.

use std::collections::{BTreeMap, BTreeSet};

use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::counted_columns::with_counted_columns;
use super::key_filter::with_key_filter;
use super::proven::ProvedMutant;
use super::search::Searched;
use super::suites::{Suites, mutant_text};
use crate::code::edit::Edits;
use crate::engine::table::{Database, ScriptResult};
use crate::fault::Track;
use crate::inject::Mutant;
use crate::parallel;
use crate::prove::suite::{MutantText, OtherMutants};
use crate::prove::{Subject, Verdict};

/// Maximum number of other repairs looked at for a task.
const MOST: usize = 8;

/// The other repairs of each task, by the task's id. Only those that some database of the task's suite tells apart from
/// the reference are kept.
#[derive(Debug, Default)]
pub(super) struct Alternatives {
    scripts: BTreeMap<String, Vec<MutantText>>,
}

impl Alternatives {
    /// Looks for other repairs among the candidates. Those that were tried and not killed are left out.
    pub(super) fn find(
        context: Context<'_>,
        baselines: &Baselines<'_>,
        suites: &Suites,
        searched: Searched<'_>,
    ) -> Alternatives {
        let Searched { found, trials, candidates } = searched;
        let not_killed: BTreeSet<&str> = trials
            .iter()
            .filter(|tried| !matches!(tried.verdict, Verdict::Killed { .. }))
            .map(|tried| tried.mutant.id.as_str())
            .collect();
        let tried = trials.iter().map(|tried| &tried.mutant);
        let mut ids = BTreeSet::new();
        let others: Vec<&Mutant> = tried
            .chain(candidates.values().flatten())
            .filter(|mutant| context.is_semantic(&mutant.fault) && !not_killed.contains(mutant.id.as_str()))
            .filter(|mutant| ids.insert(mutant.id.as_str()))
            .collect();
        let tasks: Vec<&ProvedMutant> = found.iter().filter(|item| item.track == Track::Semantic).collect();
        let scripts: BTreeSet<&str> = tasks.iter().map(|item| item.mutant.script.as_str()).collect();
        let of_script = |script: &str| {
            let subject = baselines.subject(script)?;
            let near: Vec<&Mutant> = others.iter().copied().filter(|mutant| mutant.script == script).collect();
            let shared = suites.of(subject);
            let found = |item: &&ProvedMutant| Some((item.mutant.id.clone(), of_task(subject, item, &near, &shared)?));
            Some(tasks.iter().filter(|item| item.mutant.script == script).filter_map(found).collect::<Vec<_>>())
        };
        let of_scripts = parallel::map(context.settings.jobs, &scripts, |script| {
            context.step(Phase::Alternatives, script, || of_script(script)).unwrap_or_default()
        });
        Alternatives { scripts: of_scripts.into_iter().flatten().collect() }
    }

    /// Returns a task's other repairs.
    pub(super) fn of(&self, task: &str) -> &[MutantText] {
        self.scripts.get(task).map_or(&[], Vec::as_slice)
    }

    /// Returns what people read of what a task's other repairs give on a database; one that fails there is left out.
    pub(super) fn results(&self, subject: &Subject<'_>, task: &str, database: &Database) -> Vec<ScriptResult> {
        let scripts = self.of(task);
        if scripts.is_empty() {
            return Vec::new();
        }
        let others = OtherMutants::new(subject, scripts);
        let results = others.results(database, &(0..others.len()).collect::<Vec<_>>());
        results.into_iter().map(|result| subject.read_tables(result)).collect()
    }
}

fn of_task(
    subject: &Subject<'_>,
    item: &ProvedMutant,
    near: &[&Mutant],
    shared: &[&Database],
) -> Option<Vec<MutantText>> {
    let Verdict::Killed { witness, .. } = &item.verdict else { return None };
    let original = subject.reference.script.text();
    let issue = item.mutant.text(original).ok()?;
    let same_place = near.iter().filter(|mutant| overlap(&mutant.edits, &item.mutant.edits));
    // Mutants that were tried come first: for each of them a database is known that kills it.
    let near = same_place.filter(|mutant| mutant.id != item.mutant.id).take(MOST);
    let mut scripts: Vec<MutantText> = near.filter_map(|mutant| mutant_text(subject, mutant)).collect();
    // Whoever repairs all faults but one leaves that one.
    scripts.extend(item.several().iter().filter_map(|part| mutant_text(subject, &part.mutant)));
    // The same goes for the places of one fault.
    scripts.extend(item.mutant.places_alone(original).iter().filter_map(|place| mutant_text(subject, place)));
    scripts.extend(with_key_filter(&issue, item.mutant.changed(original)));
    scripts.extend(with_counted_columns(subject, &item.mutant.edits));
    scripts.retain(|script| script.text != issue && script.text != original);
    scripts.sort_by(|one, other| one.text.cmp(&other.text));
    scripts.dedup_by(|one, other| one.text == other.text);
    let others = OtherMutants::new(subject, &scripts);
    let mut left: Vec<usize> = (0..others.len()).collect();
    let mut killed: BTreeSet<usize> = others.killed_by(witness, &left).into_iter().collect();
    for database in shared {
        left.retain(|at| !killed.contains(at));
        if left.is_empty() {
            break;
        }
        killed.extend(others.killed_by(database, &left));
    }
    Some(killed.into_iter().filter_map(|at| scripts.get(others.given(at)?).cloned()).collect())
}

/// Whether two sets of edits of the same text overlap or touch.
fn overlap(one: &Edits, other: &Edits) -> bool {
    one.as_slice().iter().any(|edit| other.as_slice().iter().any(|place| edit.span().touches(place.span())))
}
