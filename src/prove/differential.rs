//! Reference and mutant on the same databases: whether they differ, and the smallest database on which they do.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;

use super::baseline::{ORDERS, ScriptRun};
use super::effort::WorkLimit;
use super::mutant_script::MutantScript;
use super::propagation::PropagationProbe;
use super::reduce::reduce;
use super::reference_database::ReferenceDatabase;
use super::subject::Subject;
use super::survivor::SurvivorCounts;
use super::verdict::Verdict;
use crate::engine::compare::row_hash;
use crate::engine::sqlite::{AffectedSteps, Limits, Sqlite, Translation};
use crate::engine::table::{Database, ResultTable, Row, ScriptResult};

/// What a mutant may take on a database that many mutants are tried on. A lost condition of a join makes some take a
/// thousand times as long as the reference, for a result that nobody can read.
const MUTANT_INSTRUCTIONS: u64 = 4_000_000;
const MUTANT_ROWS: usize = 5_000;

/// What of reference and mutant runs to see whether they differ.
struct ScriptParts<'a> {
    reference: &'a Translation,
    mutant: &'a Translation,
}

/// Runs reference and mutant on the same databases and compares the results.
pub(super) struct DifferentialRun<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) mutant: &'a MutantScript<'a>,
    pub(super) tally: SurvivorCounts,
    /// In how many orders of rows a difference must show.
    pub(super) orders: Cell<usize>,
    probe: OnceCell<PropagationProbe>,
    /// What of the scripts has to run to see whether they differ; `None` if it is all.
    affected: OnceCell<Option<AffectedSteps>>,
    /// The work that this trial may take.
    work: WorkLimit,
}

impl<'a> DifferentialRun<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, mutant: &'a MutantScript<'a>) -> DifferentialRun<'a> {
        let (tally, probe, affected) = Default::default();
        let work = if subject.limits_trials { subject.work.of_trial(subject.effort) } else { WorkLimit::none() };
        DifferentialRun { subject, mutant, tally, orders: Cell::new(ORDERS), probe, affected, work }
    }

    /// Whether all work is done that the script or this trial is worth.
    pub(super) fn is_work_done(&self) -> bool {
        self.subject.work.is_done() || self.work.is_trial_done(self.tally.databases())
    }

    /// Returns the probe of the mutant, made on the first call: most mutants are killed without it.
    pub(super) fn probe(&self) -> &PropagationProbe {
        self.probe.get_or_init(|| PropagationProbe::new(self.subject, &self.mutant.whole().script))
    }

    /// Counts a database and returns how the results differ on it, as [`DifferentialRun::sound_difference`] does. The
    /// whole scripts run only if the query of the fault gives other rows.
    pub(super) fn try_database(&self, database: &Database) -> Option<DifferingRows> {
        self.tally.try_one();
        let loaded = Sqlite::open(&self.subject.reference.schema, database).ok()?;
        self.probe().may_differ(&loaded).then(|| self.sound_difference(database)).flatten()
    }

    /// Returns how the results differ on a database; `None` if they do not, or one of the scripts fails.
    pub(super) fn difference(&self, database: &Database) -> Option<DifferingRows> {
        self.results(database).and_then(|(reference, mutant)| self.differing_rows(&reference, &mutant))
    }

    /// Returns what has to run to see whether the scripts differ; `None` if it is all.
    pub(super) fn affected(&self) -> Option<&AffectedSteps> {
        let affected = || AffectedSteps::of(&self.subject.translation, &self.mutant.translation);
        self.affected.get_or_init(affected).as_ref()
    }

    fn parts(&self) -> ScriptParts<'_> {
        match self.affected() {
            Some(AffectedSteps { reference, mutant, .. }) => ScriptParts { reference, mutant },
            None => ScriptParts { reference: &self.subject.translation, mutant: &self.mutant.translation },
        }
    }

    /// As [`DifferentialRun::difference`], but only if the reference is stable and the difference
    /// shows in any order of rows.
    pub(super) fn sound_difference(&self, database: &Database) -> Option<DifferingRows> {
        let (reference, mutant) = self.results(database)?;
        let contrast = self.differing_rows(&reference, &mutant)?;
        let is_stable = self.subject.in_baseline(database).is_some() || self.is_stable_on(database, &reference);
        let sound = is_stable && self.differs_in_orders(self.parts().mutant, database, &reference);
        self.tally.note(|seen| seen.order_dependent += usize::from(!sound));
        sound.then_some(contrast)
    }

    /// Whether the whole reference gives one result on a database, whatever the order of its rows; `result` is that of the
    /// part of it that runs.
    fn is_stable_on(&self, database: &Database, result: &ScriptResult) -> bool {
        let (schema, translation) = (&self.subject.reference.schema, &self.subject.translation);
        let run = ScriptRun { schema, translation, database };
        match self.affected() {
            None => run.is_stable(self.orders.get(), result),
            Some(_) => self.subject.result_on(database).is_some_and(|whole| run.is_stable(self.orders.get(), &whole)),
        }
    }

    /// As [`DifferentialRun::sound_difference`], for a database that other mutants are tried on too.
    pub(super) fn sound_difference_on(&self, shared: &ReferenceDatabase) -> Option<DifferingRows> {
        self.difference_on(shared).filter(|_| self.is_sound_on(shared))
    }

    /// Whether a difference on a database that other mutants are tried on too shows in any order of rows, and the
    /// reference is stable there.
    pub(super) fn is_sound_on(&self, shared: &ReferenceDatabase) -> bool {
        let Some(reference) = shared.known_result(self.subject) else { return false };
        shared.is_stable(self.subject) && self.differs_in_orders(&self.mutant.translation, &shared.database, reference)
    }

    /// As [`DifferentialRun::difference`], for a database that other mutants are tried on too.
    pub(super) fn difference_on(&self, shared: &ReferenceDatabase) -> Option<DifferingRows> {
        let loaded = Sqlite::open(&self.subject.reference.schema, &shared.database).ok()?;
        let reference = shared.result(self.subject, &loaded)?;
        let limits = Limits { instructions: MUTANT_INSTRUCTIONS, rows: MUTANT_ROWS, ..Limits::default() };
        let mutant = loaded.run(&self.mutant.translation, &limits).ok()?;
        self.differing_rows(reference, &mutant)
    }

    /// Returns what two results share that differ in what people read; `None` if they do not: nobody would notice.
    fn differing_rows(&self, reference: &ScriptResult, mutant: &ScriptResult) -> Option<DifferingRows> {
        let counts = |table: &ResultTable| self.subject.is_read(table);
        self.subject.differs(reference, mutant).then(|| DifferingRows::of(reference, mutant, counts))
    }

    /// Whether a translation of the mutant gives other rows than these of the reference in any order of rows.
    fn differs_in_orders(&self, mutant: &Translation, database: &Database, reference: &ScriptResult) -> bool {
        let (schema, translation) = (&self.subject.reference.schema, mutant);
        let differs = |mutant: &ScriptResult| self.differing_rows(reference, mutant).is_some();
        ScriptRun { schema, translation, database }.holds_in_orders(self.orders.get(), differs)
    }

    /// Returns what both scripts give on a database in the steps where they can differ; `None` if one of them fails.
    fn results(&self, database: &Database) -> Option<(ScriptResult, ScriptResult)> {
        let parts = self.parts();
        let loaded = Sqlite::open(&self.subject.reference.schema, database).ok()?;
        let reference = loaded.run(parts.reference, &Limits::default()).ok()?;
        let mutant = loaded.run(parts.mutant, &Limits::default()).ok()?;
        Some((reference, mutant))
    }

    pub(super) fn killed(&self, database: &Database, wanted: DifferingRows) -> Verdict {
        self.subject.reductions.time(|| self.reduced(database, wanted))
    }

    fn reduced(&self, database: &Database, wanted: DifferingRows) -> Verdict {
        const BUDGET: usize = 600;
        let limits = self.subject.limits_trials;
        let work = if limits { WorkLimit::of_reduction(self.subject.effort) } else { WorkLimit::none() };
        let may_go_on = || !self.subject.work.is_done() && !work.is_done();
        let mut shows =
            |candidate: &Database| may_go_on() && self.difference(candidate).is_some_and(|contrast| contrast >= wanted);
        let (small, effort) = reduce(database, &self.subject.reference.schema, BUDGET, &mut shows);
        let rows_before = effort.rows_before;
        if self.sound_difference(&small).is_some() {
            return Verdict::Killed { witness: small, trials: effort.trials, rows_before, shown: None };
        }
        // Too much was removed: the difference now depends on the order of rows. Checking every step is
        // slower, and seldom needed.
        let mut shows = |candidate: &Database| {
            may_go_on() && self.sound_difference(candidate).is_some_and(|contrast| contrast >= wanted)
        };
        let (witness, further) = reduce(database, &self.subject.reference.schema, BUDGET, &mut shows);
        Verdict::Killed { witness, trials: effort.trials + further.trials, rows_before, shown: None }
    }
}

/// What two differing results still share. A witness that keeps it says more: a wrong row beside a right one shows
/// what is wrong about it, where an empty result only says that something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DifferingRows {
    /// One result is empty.
    Empty,
    /// Both have rows.
    BothHaveRows,
    /// Some row is in both.
    SharedRow,
}

impl DifferingRows {
    /// Returns what differing results share in the tables that count.
    fn of(reference: &ScriptResult, mutant: &ScriptResult, counts: impl Fn(&ResultTable) -> bool) -> DifferingRows {
        let pairs = reference.tables.iter().zip(&mutant.tables);
        let differing = pairs.filter(|(left, right)| counts(left) && left.rows != right.rows);
        differing
            .map(|(left, right)| DifferingRows::of_rows(&left.rows, &right.rows))
            .min()
            .unwrap_or(DifferingRows::Empty)
    }

    fn of_rows(left: &[Row], right: &[Row]) -> DifferingRows {
        match (left.is_empty(), right.is_empty()) {
            (false, false) if have_common_row(left, right) => DifferingRows::SharedRow,
            (false, false) => DifferingRows::BothHaveRows,
            _ => DifferingRows::Empty,
        }
    }
}

/// Pairs of rows up to which two results are searched; larger ones are looked up.
const SEARCHED: usize = 4_096;

fn have_common_row(left: &[Row], right: &[Row]) -> bool {
    if left.len() * right.len() <= SEARCHED {
        return left.iter().any(|row| right.contains(row));
    }
    let known: HashSet<[u64; 2]> = right.iter().map(|row| row_hash(row)).collect();
    left.iter().any(|row| known.contains(&row_hash(row)) && right.contains(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::Value;

    #[test]
    fn a_common_row_is_found_in_small_and_large_results() {
        let rows = |numbers: std::ops::Range<i64>| -> Vec<Row> {
            numbers.map(|number| Row::from([Value::Integer(number), Value::Null])).collect()
        };
        for size in [3, 300] {
            assert!(have_common_row(&rows(0..size), &rows(size - 1..2 * size)), "{size}");
            assert!(!have_common_row(&rows(0..size), &rows(size..2 * size)), "{size}");
        }
    }
}
