//! Other repairs of the place where a task is broken, and what they give on its witness.
//!
//! A complaint should ask for the reference and for nothing else. Whoever repairs a task may put other code at the same
//! place: the mutants that change the reference there are such repairs. One that gives all that a complaint quotes is
//! not ruled out by its figures.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::hunt::Found;
use super::parallel::map;
use super::roster::Roster;
use super::suite::Suites;
use crate::code::edit::Edits;
use crate::engine::table::{Database, ScriptResult};
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::prove::admission::admit;
use crate::prove::suite::OtherMutants;
use crate::prove::{Subject, Verdict};

/// Most other repairs that are looked at for a task.
const MOST: usize = 8;

/// What the other repairs of each task give on its witness, by the task's id. Only those that some database of the
/// task's suite tells from the reference are kept.
#[derive(Debug, Default)]
pub(super) struct Alternatives {
    results: BTreeMap<String, Vec<ScriptResult>>,
}

/// How far the complaints of a run determine their references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Determination {
    /// Semantic tasks.
    pub tasks: usize,
    /// Tasks for whose place another repair is known that the suite tells from the reference.
    pub with_alternatives: usize,
    /// Such repairs.
    pub alternatives: usize,
    /// Tasks whose first wording quotes figures that no other repair gives.
    pub at_once: usize,
    /// Tasks for which another row was quoted, or other words were chosen, so that none does.
    pub chosen: usize,
    /// Tasks for which some other repair gives every figure that could be quoted from the witness: the wish, which says
    /// the fault's own rule, is left to tell it from the reference.
    pub by_the_wish: usize,
    /// The same, where the wish says a general rule only: the complaint leaves open which repair is meant.
    pub open: usize,
    /// Of both, tasks with another repair that gives the reference's rows on the whole witness.
    pub same_on_witness: usize,
}

impl Determination {
    /// The figures as a part of the run's card.
    pub fn card(&self) -> String {
        let Determination { tasks, with_alternatives, alternatives, at_once, chosen, .. } = self;
        let Determination { by_the_wish, open, same_on_witness, .. } = self;
        if *tasks == 0 {
            return String::new();
        }
        format!(
            "\n## Complaints\n\nFor {with_alternatives} of {tasks} semantic tasks other repairs of the same place are \
             known ({alternatives} in all) that the task's databases tell from the reference. The figures and rows that \
             the complaint quotes rule them all out in {} tasks, in {chosen} of these only because other rows or words \
             were chosen. In {by_the_wish} tasks another repair gives them too, and the wish, the rule of the fault \
             itself, is left to rule it out; in {open} the wish is a general one, which leaves it open. In \
             {same_on_witness} of these {} the witness itself does not tell the repairs apart.\n",
            at_once + chosen,
            by_the_wish + open
        )
    }
}

impl Alternatives {
    /// Looks for them among the mutants that were tried and those that were not.
    pub(super) fn find(
        jobs: usize,
        (taxonomy, roster, suites): (&Taxonomy, &Roster<'_>, &Suites),
        (found, trials): (&[Found], &[(Mutant, Verdict)]),
        candidates: &BTreeMap<String, Vec<Mutant>>,
    ) -> Alternatives {
        let semantic = |fault: &str| taxonomy.fault(fault).is_some_and(|fault| fault.track == Track::Semantic);
        let equal: BTreeSet<&str> = trials
            .iter()
            .filter(|(_, verdict)| !matches!(verdict, Verdict::Killed { .. }))
            .map(|(mutant, _)| mutant.id.as_str())
            .collect();
        let tried = trials.iter().map(|(mutant, _)| mutant);
        let all = tried.chain(candidates.values().flatten());
        let mut ids = BTreeSet::new();
        let others: Vec<&Mutant> = all
            .filter(|mutant| semantic(&mutant.fault) && !equal.contains(mutant.id.as_str()))
            .filter(|mutant| ids.insert(mutant.id.as_str()))
            .collect();
        let tasks: Vec<&Found> = found.iter().filter(|item| item.track == Track::Semantic).collect();
        let scripts: BTreeSet<&str> = tasks.iter().map(|item| item.mutant.script.as_str()).collect();
        let subjects: Vec<&Subject<'_>> = scripts.iter().filter_map(|script| roster.subject(script)).collect();
        let of_scripts = map(jobs, &subjects, |subject| {
            let own = |item: &&&Found| item.mutant.script == subject.reference.id;
            let near: Vec<&Mutant> =
                others.iter().copied().filter(|mutant| mutant.script == subject.reference.id).collect();
            let shared = suites.of(subject);
            let results = |item: &&Found| Some((item.mutant.id.clone(), of_task(subject, item, &near, &shared)?));
            tasks.iter().filter(own).filter_map(results).collect::<Vec<_>>()
        });
        Alternatives { results: of_scripts.into_iter().flatten().collect() }
    }

    /// What the other repairs of a task give on its witness.
    pub(super) fn of(&self, task: &str) -> &[ScriptResult] {
        self.results.get(task).map_or(&[], Vec::as_slice)
    }
}

fn of_task(subject: &Subject<'_>, item: &Found, near: &[&Mutant], shared: &[&Database]) -> Option<Vec<ScriptResult>> {
    let Verdict::Killed { witness, .. } = &item.verdict else { return None };
    let original = subject.reference.script.text();
    let issue = item.mutant.text(original).ok()?;
    let same_place = near.iter().filter(|mutant| overlap(&mutant.edits, &item.mutant.edits));
    // Those that were tried come first: a database is known that tells them.
    let texts = same_place.filter(|mutant| mutant.id != item.mutant.id).take(MOST);
    let mut texts: Vec<String> = texts.filter_map(|mutant| admit(&subject.reference.script, mutant).ok()).collect();
    texts.retain(|text| *text != issue && text != original);
    texts.sort();
    texts.dedup();
    let others = OtherMutants::new(subject, &texts);
    let mut left: Vec<usize> = (0..others.len()).collect();
    let mut told = others.killed_by(witness, &left);
    for database in shared {
        left.retain(|at| !told.contains(at));
        if left.is_empty() {
            break;
        }
        told.extend(others.killed_by(database, &left));
    }
    Some(others.results(witness, &told))
}

/// Whether two changes of one text touch each other.
fn overlap(one: &Edits, other: &Edits) -> bool {
    one.as_slice()
        .iter()
        .any(|edit| other.as_slice().iter().any(|place| edit.start <= place.end && place.start <= edit.end))
}
