//! How good a suite of databases is: how many of the script's other mutants it kills.
//!
//! A wrong repair is accepted when it happens to give the right rows on every database of its task. The other mutants
//! of the script are wrong scripts that look right, so the share of them that a suite kills says how often a wrong repair
//! is caught.

use serde::{Deserialize, Serialize};

use super::baseline::BaselineDatabase;
use super::equivalence::prove_equivalence;
use super::mutant_script::MutantScript;
pub use super::mutant_script::MutantText;
use super::reference_database::ReferenceDatabase;
use super::subject::Subject;
use super::usual_databases::{GROUPS, usual_databases};
use crate::engine::compare::{Comparison, compare};
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite, Translation};
use crate::engine::table::{Database, ScriptResult};

/// Wrong scripts that are near the reference, ready to run.
pub struct OtherMutants<'a> {
    subject: &'a Subject<'a>,
    translations: Vec<Translation>,
    /// Which of the scripts given each one is.
    given: Vec<usize>,
}

/// How many mutants the suites of a run kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteMeasure {
    /// Tasks measured.
    pub tasks: usize,
    /// Pairs of a task and another mutant of its script that some database kills.
    pub others: usize,
    /// Of these, pairs whose mutant the task's suite kills.
    pub killed: usize,
    /// Pairs of a task and another mutant that no database tried kills.
    pub survivors: usize,
    /// Tasks whose suite kills fewer than nine in ten of the others.
    pub weak: usize,
}

impl SuiteMeasure {
    /// Counts a task whose suite kills `killed` of `others`, apart from survivors.
    pub fn count(&mut self, killed: usize, others: usize, survivors: usize) {
        self.tasks += 1;
        self.others += others;
        self.killed += killed;
        self.survivors += survivors;
        self.weak += usize::from(killed * 10 < others * 9);
    }

    /// Returns the share of others that is killed; 1 if there are none.
    pub fn share(&self) -> f64 {
        if self.others == 0 { 1.0 } else { self.killed as f64 / self.others as f64 }
    }

    /// Returns the sums of both.
    #[must_use]
    pub fn plus(self, other: SuiteMeasure) -> SuiteMeasure {
        SuiteMeasure {
            tasks: self.tasks + other.tasks,
            others: self.others + other.others,
            killed: self.killed + other.killed,
            survivors: self.survivors + other.survivors,
            weak: self.weak + other.weak,
        }
    }
}

impl<'a> OtherMutants<'a> {
    /// Makes scripts ready; one that is refused or does not run is left out.
    pub fn new(subject: &'a Subject<'a>, scripts: &[MutantText]) -> OtherMutants<'a> {
        let translated = |script: &MutantText| {
            MutantScript::read(subject, &script.candidate()).ok().map(|mutant| mutant.translation)
        };
        let read = scripts.iter().enumerate().filter_map(|(at, script)| Some((at, translated(script)?)));
        let (given, translations) = read.unzip();
        OtherMutants { subject, translations, given }
    }

    /// Returns the scripts at these positions alone, in this order.
    #[must_use]
    pub fn only(&self, positions: impl IntoIterator<Item = usize>) -> OtherMutants<'a> {
        let kept =
            positions.into_iter().filter_map(|at| Some((*self.given.get(at)?, self.translations.get(at)?.clone())));
        let (given, translations) = kept.unzip();
        OtherMutants { subject: self.subject, translations, given }
    }

    /// Returns which of the scripts given the one at a position is; `None` if there is none.
    pub fn given(&self, at: usize) -> Option<usize> {
        self.given.get(at).copied()
    }

    /// Returns the number of scripts.
    pub fn len(&self) -> usize {
        self.translations.len()
    }

    /// Whether there are no scripts.
    pub fn is_empty(&self) -> bool {
        self.translations.is_empty()
    }

    /// Returns which of the scripts at `among` give other rows than the reference on a database; none if the reference
    /// does not run on it.
    pub fn killed_by(&self, database: &Database, among: &[usize]) -> Vec<usize> {
        if let Some(baseline) = self.subject.in_baseline(database) {
            return self.difference(&baseline.loaded, &baseline.result, among);
        }
        let Ok(loaded) = Sqlite::open(&self.subject.reference.schema, database) else { return Vec::new() };
        let Ok(expected) = loaded.run(&self.subject.translation, &Limits::default()) else { return Vec::new() };
        self.difference(&loaded, &expected, among)
    }

    /// As [`OtherMutants::killed_by`], for a database whose result is worked out once.
    fn killed_on(&self, shared: &ReferenceDatabase, among: &[usize]) -> Vec<usize> {
        let Ok(loaded) = Sqlite::open(&self.subject.reference.schema, &shared.database) else { return Vec::new() };
        shared.result(self.subject, &loaded).map_or_else(Vec::new, |expected| self.difference(&loaded, expected, among))
    }

    /// The same on the baseline database at `position`.
    pub fn killed_by_baseline(&self, position: usize, among: &[usize]) -> Vec<usize> {
        let baseline = self.subject.baseline.get(position);
        baseline.map_or_else(Vec::new, |baseline| self.difference(&baseline.loaded, &baseline.result, among))
    }

    /// Returns the results of the scripts at `among` on a database; one that fails there is left out.
    pub fn results(&self, database: &Database, among: &[usize]) -> Vec<ScriptResult> {
        let Ok(loaded) = Sqlite::open(&self.subject.reference.schema, database) else { return Vec::new() };
        among.iter().filter_map(|at| loaded.run(&self.translations[*at], &Limits::default()).ok()).collect()
    }

    fn difference(&self, loaded: &LoadedDatabase, expected: &ScriptResult, among: &[usize]) -> Vec<usize> {
        let differs = |at: &usize| {
            let found = loaded.run(&self.translations[*at], &Limits::default());
            found.is_ok_and(|found| matches!(compare(expected, &found), Comparison::Different(_)))
        };
        among.iter().copied().filter(differs).collect()
    }
}

/// What [`Subject::is_stable_on`] costs, in runs of a script.
const STABILITY_RUNS: usize = 14;
/// A suite is not extended by databases with more rows: every answer runs on them.
const MOST_ROWS: usize = 400;

/// Adds databases to a suite that kill those of `scripts` which it does not and which are not proved equivalent: some
/// with usual values, and the baseline's. The reference gives one result on each, whatever the order of rows. Answers meet
/// more databases when they are scored, aimed at what they change ([`targeted`](super::targeted)).
pub fn extend(subject: &Subject<'_>, scripts: &[MutantText], suite: &mut Vec<Database>) {
    let others = OtherMutants::new(subject, scripts);
    let mut alive: Vec<usize> = (0..others.len()).collect();
    for database in suite.iter() {
        let killed = others.killed_by(database, &alive);
        alive.retain(|at| !killed.contains(at));
    }
    let is_equivalent = |at: &usize| others.given(*at).is_some_and(|given| is_equivalent(subject, &scripts[given]));
    alive.retain(|at| !is_equivalent(at));
    let mut usual = usual_databases(subject, "suite", &GROUPS);
    while !alive.is_empty() {
        let Some(shared) = usual.next() else { break };
        if shared.database.row_count() > MOST_ROWS || suite.contains(&shared.database) {
            continue;
        }
        // Checking all orders of rows costs about as much as running so many mutants: with more of them it comes first.
        let is_dear = alive.len() > STABILITY_RUNS;
        if is_dear && !shared.is_stable(subject) {
            continue;
        }
        let killed = others.killed_on(&shared, &alive);
        if !killed.is_empty() && (is_dear || shared.is_stable(subject)) {
            alive.retain(|at| !killed.contains(at));
            suite.push(shared.database);
        }
    }
    for (position, BaselineDatabase { database, .. }) in subject.baseline.iter().enumerate() {
        if database.row_count() > MOST_ROWS || suite.contains(database) {
            continue;
        }
        let killed = others.killed_by_baseline(position, &alive);
        if !killed.is_empty() {
            alive.retain(|at| !killed.contains(at));
            suite.push(database.clone());
        }
    }
}

/// Whether a script is proved to give the reference's rows on every database.
fn is_equivalent(subject: &Subject<'_>, script: &MutantText) -> bool {
    let mutant = MutantScript::read(subject, &script.candidate());
    mutant.is_ok_and(|mutant| prove_equivalence(subject.view(), mutant.whole().view(subject)).is_some())
}

/// Returns up to `most` sets that together cover most, in the order in which they are taken: the largest gain first,
/// the earlier one where gains are equal. Sets that add nothing fill up the rest in their own order.
pub fn cover(sets: &[Vec<usize>], most: usize) -> Vec<usize> {
    let mut covered = std::collections::BTreeSet::new();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < most.min(sets.len()) {
        let gain = |at: &usize| sets[*at].iter().filter(|item| !covered.contains(*item)).count();
        let free = (0..sets.len()).filter(|at| !chosen.contains(at));
        let Some(best) = free.max_by_key(|at| (gain(at), std::cmp::Reverse(*at))) else { break };
        covered.extend(sets[best].iter().copied());
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_takes_what_adds_most_and_earlier_ones_where_they_are_level() {
        let sets = [vec![1, 2], vec![1, 2, 3], vec![4], vec![2, 3], vec![4]];
        assert_eq!(cover(&sets, 2), [1, 2]);
        assert_eq!(cover(&sets, 3), [1, 2, 0]);
        assert_eq!(cover(&sets, 9).len(), 5);
        assert!(cover(&[], 3).is_empty());
    }

    #[test]
    fn a_task_is_weak_below_nine_tenths() {
        let mut measure = SuiteMeasure::default();
        measure.count(9, 10, 0);
        assert_eq!((measure.weak, measure.share()), (0, 0.9));
        measure.count(8, 10, 2);
        assert_eq!(measure, SuiteMeasure { tasks: 2, others: 20, killed: 17, survivors: 2, weak: 1 });
        assert_eq!(SuiteMeasure::default().share(), 1.0);
    }
}
