//! Other repairs of the place where a task is broken, and what they give on its sample.
//!
//! A complaint should ask for the reference and for nothing else. Whoever repairs a task may put other code at the same
//! place: the mutants that change the reference there are such repairs. One that gives all that a complaint quotes is
//! not ruled out by its figures.

use std::collections::{BTreeMap, BTreeSet};

use super::baselines::Baselines;
use super::context::Context;
use super::proven::ProvenMutant;
use super::samples::Samples;
use super::search::Searched;
use super::suites::{Suites, near_script};
use crate::code::edit::Edits;
use crate::engine::table::{Database, ScriptResult};
use crate::fault::Track;
use crate::inject::Mutant;
use crate::parallel;
use crate::prove::suite::{NearScript, OtherMutants};
use crate::prove::{Subject, Verdict};

/// Most other repairs that are looked at for a task.
const MOST: usize = 8;

/// What the other repairs of each task give on its sample, by the task's id. Only those that some database of the
/// task's suite tells from the reference are kept.
#[derive(Debug, Default)]
pub(super) struct Alternatives {
    results: BTreeMap<String, Vec<ScriptResult>>,
}

impl Alternatives {
    /// Looks for them among the mutants that were tried and those that were not.
    pub(super) fn find(
        context: Context<'_>,
        baselines: &Baselines<'_>,
        suites: &Suites,
        samples: &Samples,
        searched: Searched<'_>,
    ) -> Alternatives {
        let Searched { found, trials, candidates } = searched;
        let not_killed: BTreeSet<&str> = trials
            .iter()
            .filter(|(_, verdict)| !matches!(verdict, Verdict::Killed { .. }))
            .map(|(mutant, _)| mutant.id.as_str())
            .collect();
        let tried = trials.iter().map(|(mutant, _)| mutant);
        let mut ids = BTreeSet::new();
        let others: Vec<&Mutant> = tried
            .chain(candidates.values().flatten())
            .filter(|mutant| context.is_semantic(&mutant.fault) && !not_killed.contains(mutant.id.as_str()))
            .filter(|mutant| ids.insert(mutant.id.as_str()))
            .collect();
        let tasks: Vec<&ProvenMutant> = found.iter().filter(|item| item.track == Track::Semantic).collect();
        let scripts: BTreeSet<&str> = tasks.iter().map(|item| item.mutant.script.as_str()).collect();
        let subjects: Vec<&Subject<'_>> = scripts.iter().filter_map(|script| baselines.subject(script)).collect();
        let of_scripts = parallel::map(context.settings.jobs, &subjects, |subject| {
            let own = |item: &&&ProvenMutant| item.mutant.script == subject.reference.id;
            let near: Vec<&Mutant> =
                others.iter().copied().filter(|mutant| mutant.script == subject.reference.id).collect();
            let shared = suites.of(subject);
            let databases =
                |item: &ProvenMutant| TaskDatabases { shared: &shared, sample: samples.of(&item.mutant.id) };
            let results =
                |item: &&ProvenMutant| Some((item.mutant.id.clone(), of_task(subject, item, &near, &databases(item))?));
            tasks.iter().filter(own).filter_map(results).collect::<Vec<_>>()
        });
        Alternatives { results: of_scripts.into_iter().flatten().collect() }
    }

    /// What the other repairs of a task give on its sample.
    pub(super) fn of(&self, task: &str) -> &[ScriptResult] {
        self.results.get(task).map_or(&[], Vec::as_slice)
    }
}

/// The databases of a task besides its witness.
struct TaskDatabases<'a> {
    /// Those that judge the answers to all tasks of the script.
    shared: &'a [&'a Database],
    /// The public one.
    sample: Option<&'a Database>,
}

fn of_task(
    subject: &Subject<'_>,
    item: &ProvenMutant,
    near: &[&Mutant],
    databases: &TaskDatabases<'_>,
) -> Option<Vec<ScriptResult>> {
    let Verdict::Killed { witness, .. } = &item.verdict else { return None };
    let original = subject.reference.script.text();
    let issue = item.mutant.text(original).ok()?;
    let same_place = near.iter().filter(|mutant| overlap(&mutant.edits, &item.mutant.edits));
    // Those that were tried come first: a database is known that tells them.
    let near = same_place.filter(|mutant| mutant.id != item.mutant.id).take(MOST);
    let mut scripts: Vec<NearScript> = near.filter_map(|mutant| near_script(subject, mutant)).collect();
    scripts.retain(|script| script.text != issue && script.text != original);
    scripts.sort_by(|one, other| one.text.cmp(&other.text));
    scripts.dedup_by(|one, other| one.text == other.text);
    let others = OtherMutants::new(subject, &scripts);
    let mut left: Vec<usize> = (0..others.len()).collect();
    let mut told = others.killed_by(witness, &left);
    for database in databases.shared {
        left.retain(|at| !told.contains(at));
        if left.is_empty() {
            break;
        }
        told.extend(others.killed_by(database, &left));
    }
    Some(others.results(databases.sample.unwrap_or(witness), &told))
}

/// Whether two changes of one text touch each other.
fn overlap(one: &Edits, other: &Edits) -> bool {
    one.as_slice()
        .iter()
        .any(|edit| other.as_slice().iter().any(|place| edit.start <= place.end && place.start <= edit.end))
}
