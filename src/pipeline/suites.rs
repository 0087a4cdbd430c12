//! The databases that all tasks of a script share, and how well the suites of a run tell wrong scripts from right ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::databases::write_database;
use super::error::BuildError;
use super::proven::{ProvedMutant, TriedMutant};
use super::search::Searched;
use crate::engine::table::Database;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::parallel;
use crate::prove::admission::admit;
use crate::prove::confirmation::SUITE_SIZE;
use crate::prove::suite::{MutantText, OtherMutants, SuiteMeasure, cover, extend};
use crate::prove::{Subject, Verdict};
use crate::publish::format::Files;
use crate::publish::record::shared_database;
use crate::store::RunDirectory;

/// Maximum number of databases in a suite that are aimed at faults of the script: witnesses of its other mutants.
const AIMED: usize = 6;
/// Maximum number of untried mutants on which a suite is measured as well.
const HELD_OUT: usize = 12;
/// Maximum number of untried mutants for which databases are added to a suite.
const MAKING: usize = 24;
/// Maximum number of untried mutants of one fault.
const PLACES: usize = 2;
/// One fault in this many is held out: its mutants take no part in making a suite.
const HELD_OUT_FAULTS: u8 = 4;

/// Whether a fault's mutants only measure suites. It depends on the fault alone.
fn is_held_out(fault: &str) -> bool {
    Sha256::digest(fault)[0] % HELD_OUT_FAULTS == 0
}

/// The shared databases of every script, by its id.
#[derive(Default)]
pub(super) struct Suites {
    shared: BTreeMap<String, Vec<Database>>,
    /// Measured on the other mutants tried of each script.
    pub tried: SuiteMeasure,
    /// Measured on mutants that were never tried, so that no database of a suite was made for them.
    pub held_out: SuiteMeasure,
}

impl Suites {
    /// Chooses the shared databases and measures them.
    pub(super) fn choose(context: Context<'_>, baselines: &Baselines<'_>, searched: Searched<'_>) -> Suites {
        let Searched { found, trials, candidates } = searched;
        let tried: BTreeSet<&str> = trials.iter().map(|tried| tried.mutant.id.as_str()).collect();
        let fresh = candidates.iter().filter(|(fault, _)| context.is_semantic(fault)).flat_map(|(_, mutants)| mutants);
        let fresh: Vec<&Mutant> = fresh.filter(|mutant| !tried.contains(mutant.id.as_str())).collect();
        let used: BTreeSet<&str> = found.iter().map(|item| item.mutant.script.as_str()).collect();
        let chosen = parallel::map(context.settings.jobs, &used, |script| {
            context.step(Phase::Suite, script, || {
                Some(SuiteChoice::new(baselines.subject(script)?, found, trials).choose(&fresh))
            })
        });
        let mut suites = Suites::default();
        for (script, suite) in used.into_iter().zip(chosen) {
            let Some(Suite { databases, tried, held_out }) = suite else { continue };
            suites.shared.insert(script.to_owned(), databases);
            suites.tried = suites.tried.plus(tried);
            suites.held_out = suites.held_out.plus(held_out);
        }
        suites
    }

    /// Reads the shared databases of an existing run from its folder. A script that has none there
    /// gets those of its baseline.
    pub(super) fn kept(directory: &RunDirectory, baselines: &Baselines<'_>) -> Suites {
        let mut suites = Suites::default();
        for reference in baselines.references() {
            let key = reference.key();
            let path = |number: usize| directory.path(&shared_database(&key, number));
            let read = |number| Database::read(&path(number)).ok();
            let databases: Vec<Database> = (0..).map_while(read).collect();
            if !databases.is_empty() {
                suites.shared.insert(reference.id.clone(), databases);
            }
        }
        suites
    }

    /// Returns the names of a script's shared databases, without folder and extension.
    pub(super) fn names(&self, subject: &Subject<'_>) -> Vec<String> {
        let key = subject.reference.key();
        (0..self.of(subject).len()).map(|number| format!("{key}-{number}")).collect()
    }

    pub(super) fn of<'a>(&'a self, subject: &'a Subject<'_>) -> Vec<&'a Database> {
        match self.shared.get(&subject.reference.id) {
            Some(shared) => shared.iter().collect(),
            None => subject.baseline.iter().take(SUITE_SIZE).map(|baseline| &baseline.database).collect(),
        }
    }

    /// Writes a script's shared databases, over existing files as well: a process that was killed may
    /// have left one of two files.
    pub(super) fn write(&self, files: &dyn Files, subject: &Subject<'_>) -> Result<(), BuildError> {
        for (name, database) in self.names(subject).iter().zip(self.of(subject)) {
            write_database(files, subject, name, database)?;
        }
        Ok(())
    }
}

/// The shared databases of one script, and how many mutants they kill.
#[derive(Serialize, Deserialize)]
struct Suite {
    databases: Vec<Database>,
    /// Measured on the other mutants tried.
    tried: SuiteMeasure,
    /// Measured on mutants that were never tried.
    held_out: SuiteMeasure,
}

/// Chooses the suite of one script.
struct SuiteChoice<'a> {
    subject: &'a Subject<'a>,
    tasks: Vec<&'a ProvedMutant>,
    killed: Vec<(&'a Mutant, &'a Database)>,
    survivors: usize,
}

impl<'a> SuiteChoice<'a> {
    fn new(subject: &'a Subject<'a>, found: &'a [ProvedMutant], trials: &'a [TriedMutant]) -> SuiteChoice<'a> {
        let id = subject.reference.id.as_str();
        let of_script = trials.iter().filter(|tried| tried.mutant.script == id);
        let killed = of_script.clone().filter_map(|tried| match &tried.verdict {
            Verdict::Killed { witness, .. } => Some((&tried.mutant, witness)),
            _ => None,
        });
        let tasks = found.iter().filter(|item| item.track == Track::Semantic && item.mutant.script == id);
        let survivors = of_script.filter(|tried| matches!(tried.verdict, Verdict::Survived { databases: 1.., .. }));
        SuiteChoice { subject, tasks: tasks.collect(), killed: killed.collect(), survivors: survivors.count() }
    }

    /// Returns up to `most` untried mutants, of the faults that are held out if `held_out`, of the other faults
    /// otherwise: one of each fault, then a second one.
    fn untried(&self, fresh: &[&Mutant], held_out: bool, most: usize) -> Vec<MutantText> {
        let of_script = fresh.iter().filter(|mutant| mutant.script == self.subject.reference.id);
        let wanted = of_script.filter(|mutant| is_held_out(&mutant.fault) == held_out);
        let mut by_fault: BTreeMap<&str, usize> = BTreeMap::new();
        let mut ordered: Vec<(usize, &Mutant)> = Vec::new();
        for mutant in wanted {
            let number = by_fault.entry(mutant.fault.as_str()).or_default();
            ordered.push((*number, *mutant));
            *number += 1;
        }
        ordered.retain(|(number, _)| *number < PLACES);
        ordered.sort_by_key(|(number, _)| *number);
        ordered.into_iter().filter_map(|(_, mutant)| mutant_text(self.subject, mutant)).take(most).collect()
    }

    fn choose(&self, fresh: &[&Mutant]) -> Suite {
        let original = self.subject.reference.script.text();
        let near = |mutant: &Mutant| MutantText {
            text: mutant.text(original).unwrap_or_default(),
            changed: mutant.changed(original),
        };
        let scripts: Vec<MutantText> = self.killed.iter().map(|(mutant, _)| near(mutant)).collect();
        let others = OtherMutants::new(self.subject, &scripts);
        let all: Vec<usize> = (0..others.len()).collect();
        let drawn: Vec<Vec<usize>> =
            (0..self.subject.baseline.len()).map(|position| others.killed_by_baseline(position, &all)).collect();
        // The first ones are those on which the judging engine has run the reference.
        let drawn_chosen: Vec<usize> = (0..drawn.len().min(SUITE_SIZE)).collect();
        let killed: BTreeSet<usize> = drawn_chosen.iter().flat_map(|at| drawn[*at].iter().copied()).collect();
        let rest: Vec<usize> = all.iter().copied().filter(|at| !killed.contains(at)).collect();
        let aimed: Vec<Vec<usize>> = self.killed.iter().map(|(_, witness)| others.killed_by(witness, &rest)).collect();
        let useful = |at: &usize| !aimed[*at].is_empty();
        let aimed_chosen: Vec<usize> = cover(&aimed, AIMED).into_iter().filter(useful).collect();
        let pool = drawn_chosen.iter().map(|at| self.subject.baseline[*at].database.clone());
        let witnesses = aimed_chosen.iter().map(|at| self.killed[*at].1.clone());
        let mut databases: Vec<Database> = pool.chain(witnesses).collect();
        let making = self.untried(fresh, false, MAKING);
        extend(self.subject, &making, &mut databases);
        let shared: BTreeSet<usize> =
            aimed_chosen.iter().flat_map(|at| aimed[*at].iter().copied()).chain(killed).collect();
        let tried = self.measure(&others, &shared, Some(&self.killed), self.survivors);
        let held_out = self.measure_held_out(fresh, &databases);
        Suite { databases, tried, held_out }
    }

    /// Measures how many of `others` the databases of each task kill. `shared` are those that the shared databases
    /// kill; `own` names the others, so that a task's own mutant is not counted.
    fn measure(
        &self,
        others: &OtherMutants<'_>,
        shared: &BTreeSet<usize>,
        own: Option<&[(&Mutant, &Database)]>,
        survivors: usize,
    ) -> SuiteMeasure {
        let mut measure = SuiteMeasure::default();
        let rest: Vec<usize> = (0..others.len()).filter(|at| !shared.contains(at)).collect();
        for task in &self.tasks {
            let Verdict::Killed { witness, .. } = &task.verdict else { continue };
            let is_other = |at: &usize| own.is_none_or(|own| own[*at].0.id != task.mutant.id);
            let by_witness = if rest.is_empty() { Vec::new() } else { others.killed_by(witness, &rest) };
            let killed = shared.iter().chain(&by_witness).filter(|at| is_other(at)).count();
            measure.count(killed, (0..others.len()).filter(is_other).count(), survivors);
        }
        measure
    }

    /// Measures the suite on mutants that no database was made for. Those that no known database kills may be
    /// equivalent, and count as survivors.
    fn measure_held_out(&self, fresh: &[&Mutant], suite: &[Database]) -> SuiteMeasure {
        if self.tasks.is_empty() {
            return SuiteMeasure::default();
        }
        let all = OtherMutants::new(self.subject, &self.untried(fresh, true, HELD_OUT));
        let mut alive: Vec<usize> = (0..all.len()).collect();
        let mut shared = BTreeSet::new();
        for database in suite {
            shared.extend(all.killed_by(database, &alive));
            alive.retain(|at| !shared.contains(at));
        }
        let mut known = shared.clone();
        for position in 0..self.subject.baseline.len() {
            known.extend(all.killed_by_baseline(position, &alive));
        }
        for (_, witness) in &self.killed {
            known.extend(all.killed_by(witness, &alive));
        }
        let survivors = all.len() - known.len();
        let others = all.only(known.iter().copied());
        let position = |at: &usize| known.iter().position(|other| other == at);
        self.measure(&others, &shared.iter().filter_map(position).collect(), None, survivors)
    }
}

/// Returns the script that a mutant makes; `None` if it is not admitted.
pub(super) fn mutant_text(subject: &Subject<'_>, mutant: &Mutant) -> Option<MutantText> {
    let script = &subject.reference.script;
    Some(MutantText { text: admit(script, mutant).ok()?, changed: mutant.changed(script.text()) })
}
