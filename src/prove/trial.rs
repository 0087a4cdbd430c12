//! The trial of a mutant: rejected, killed, or alive for a stated reason.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use super::data_mutation::cells::mutate_cells;
use super::data_mutation::column_change::apply;
use super::equivalence::{EquivalenceReason, prove_equivalence};
use super::mutant_script::{BoundScript, MutantScript};
use super::reduce::reduce;
use super::search::hints::{ColumnHints, column_mutations, hints};
use super::subject::{ORDERS, ScriptRun, Subject};
use super::survivor::{Observation, SurvivorCounts};
use crate::code::scope::ResolvedScript;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::NodeId;
use crate::engine::EngineVerdict;
use crate::engine::compare::{Comparison, compare};
use crate::engine::policy::Policy;
use crate::engine::spark_rules::{Rejection, judge};
use crate::engine::sqlite::{Limits, Sqlite};
use crate::engine::table::{Database, Row, ScriptResult};

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Verdict {
    /// The engine refuses the script, in the statement that was edited.
    Rejected {
        /// Where and why.
        rejection: Rejection,
        /// What every judge says, when others than the embedded rules were asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        judges: Vec<EngineVerdict>,
    },
    /// The engine refuses the script, but in a statement that was not edited.
    RejectedElsewhere {
        /// Where and why.
        rejection: Rejection,
    },
    /// Reference and mutant both run and differ.
    Killed {
        /// The smallest database found that shows it.
        witness: Database,
        /// Trials that its reduction took.
        trials: usize,
        /// Rows before the reduction.
        rows_before: usize,
        /// What another engine than the embedded one gives on the witness.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<WitnessResults>>,
    },
    /// The rows are the same in another order.
    DiffersInOrderOnly,
    /// The engine takes the script that it should refuse.
    Accepted,
    /// No database that was tried tells it from the reference.
    Survived {
        /// Number of databases tried.
        databases: usize,
        /// How far the fault was seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Box<Observation>>,
    },
    /// It gives the rows of the reference on every database.
    Equivalent {
        /// Why.
        reason: EquivalenceReason,
    },
    /// It fails while it runs.
    FailsAtRunTime {
        /// The engine's words.
        message: String,
    },
    /// Its result depends on the order in which rows are read.
    Nondeterministic,
    /// The embedded engine cannot run it.
    Unsupported {
        /// What it cannot.
        reason: String,
    },
    /// The embedded engine kills it; the judging engine does not.
    Unconfirmed {
        /// What that engine says.
        reason: String,
    },
    /// The judging engine gives no verdict: the statement may not run there, a limit was reached, or the engine ended.
    Inconclusive {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// A rejection by the embedded rules, which nobody else was asked about.
    pub fn rejected(rejection: Rejection) -> Verdict {
        Verdict::Rejected { rejection, judges: Vec::new() }
    }
}

/// What an engine gives for both scripts on a witness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessResults {
    /// What the correct script gives.
    pub reference: ScriptResult,
    /// What the changed script gives.
    pub issue: ScriptResult,
}

/// A changed script and where it was changed.
pub struct Candidate<'a> {
    /// The whole changed text, placeholders included.
    pub text: &'a str,
    /// The changed bytes in it.
    pub changed: Span,
    /// Nodes of the *bound reference* that the fault is about.
    pub about: &'a [NodeId],
}

/// Whether Spark refuses the changed script, and whether at the changed statement.
pub fn try_syntax(subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    let ResolvedScript { script, scopes } = ResolvedScript::new(candidate.text, &subject.reference.schema);
    match judge(&script, &scopes, &subject.reference.schema) {
        None => against_policies(subject, candidate, Vec::new()).unwrap_or(Verdict::Accepted),
        Some(rejection) if touches(&script, candidate.changed, rejection.span) => Verdict::rejected(rejection),
        Some(rejection) => Verdict::RejectedElsewhere { rejection },
    }
}

/// What the platform's policies say of a script that every engine accepts; `None` if they accept it too.
pub(super) fn against_policies(
    subject: &Subject<'_>,
    candidate: &Candidate<'_>,
    others: Vec<EngineVerdict>,
) -> Option<Verdict> {
    let rejection = subject.context().policy_rejection(candidate.text)?;
    if !touches(&Script::new(candidate.text), candidate.changed, rejection.span) {
        return Some(Verdict::RejectedElsewhere { rejection });
    }
    let engine = Policy::of(&rejection).map_or_else(String::new, Policy::judge);
    let word = EngineVerdict { engine, rejection: Some(rejection.clone()) };
    Some(Verdict::Rejected { rejection, judges: std::iter::once(word).chain(others).collect() })
}

/// Whether the rejected place and the change lie in one statement; a change may also cut a statement in two.
pub(super) fn touches(script: &Script, changed: Span, rejected: Span) -> bool {
    let around = |at: usize| script.statements().iter().position(|id| script.tree().span(*id).end >= at);
    match (around(changed.start), around(rejected.start)) {
        (Some(edited), Some(refused)) => refused >= edited && refused <= edited + 1,
        (_, None) => true,
        (None, _) => false,
    }
}

/// Runs the mutant beside the reference on the baseline, then on databases changed near the fault.
pub fn try_semantic(subject: &Subject<'_>, candidate: &Candidate<'_>) -> Verdict {
    match MutantScript::read(subject, candidate) {
        Ok(mutant) => {
            DifferentialRun { subject, mutant: &mutant, tally: SurvivorCounts::default(), orders: Cell::new(ORDERS) }
                .run(candidate)
        }
        Err(verdict) => *verdict,
    }
}

/// Runs reference and mutant on the same databases and compares the results.
pub(super) struct DifferentialRun<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) mutant: &'a MutantScript<'a>,
    pub(super) tally: SurvivorCounts,
    /// In how many orders of rows a difference must show.
    pub(super) orders: Cell<usize>,
}

impl DifferentialRun<'_> {
    /// Tries the baseline first: a database on which the two differ counts for more than a proof that they cannot.
    fn run(&self, candidate: &Candidate<'_>) -> Verdict {
        let mut order_only = false;
        for baseline in &self.subject.baseline {
            self.tally.try_one();
            let result = match baseline.loaded.run(&self.mutant.translation, &Limits::default()) {
                Ok(result) => result,
                Err(error) => return Verdict::FailsAtRunTime { message: error.to_string() },
            };
            match compare(&baseline.result, &result) {
                Comparison::Different(_) => {
                    let difference = self.sound_difference(&baseline.database);
                    return difference
                        .map_or(Verdict::Nondeterministic, |contrast| self.killed(&baseline.database, contrast));
                }
                Comparison::OrderOnly { .. } => order_only = true,
                Comparison::Equal => {}
            }
        }
        let mutant = self.mutant.whole();
        if let Some(reason) = prove_equivalence(self.subject.view(), mutant.view(self.subject)) {
            return Verdict::Equivalent { reason };
        }
        let hints = hints(self.subject, candidate);
        let shown = self.try_column_changes(&hints).or_else(|| self.try_cell_changes(&hints, candidate));
        shown.or_else(|| self.search_guided(&hints, candidate)).unwrap_or_else(|| match order_only {
            true => Verdict::DiffersInOrderOnly,
            false => Verdict::Survived { databases: self.tally.databases(), seen: Some(Box::new(self.tally.seen())) },
        })
    }

    /// Tries databases changed at the columns the fault is about.
    fn try_column_changes(&self, hints: &ColumnHints) -> Option<Verdict> {
        for (target, change) in column_mutations(hints) {
            for baseline in self.subject.baseline.iter().take(2) {
                let Some(database) = apply(&self.subject.reference.schema, &baseline.database, &target, change) else {
                    continue;
                };
                self.tally.try_one();
                if let Some(contrast) = self.sound_difference(&database) {
                    return Some(self.killed(&database, contrast));
                }
            }
        }
        None
    }

    /// Tries databases with many changes near the fault.
    fn try_cell_changes(&self, hints: &ColumnHints, candidate: &Candidate<'_>) -> Option<Verdict> {
        let input = hints.input(candidate.text);
        for number in 0..self.subject.budget().cells {
            let baseline = &self.subject.baseline[number % self.subject.baseline.len()];
            let Some(database) = mutate_cells(&self.subject.reference.schema, &baseline.database, &input, number)
            else {
                continue;
            };
            self.tally.try_one();
            if let Some(contrast) = self.sound_difference(&database) {
                return Some(self.killed(&database, contrast));
            }
        }
        None
    }

    /// How the results differ on a database; `None` if they do not, or one of the scripts fails.
    fn difference(&self, database: &Database) -> Option<Contrast> {
        self.results(database).and_then(|(reference, mutant)| Contrast::of(&reference, &mutant))
    }

    /// As [`DifferentialRun::difference`], where the reference is stable and the difference shows in any order of rows.
    pub(super) fn sound_difference(&self, database: &Database) -> Option<Contrast> {
        let (reference, mutant) = self.results(database)?;
        let contrast = Contrast::of(&reference, &mutant)?;
        let schema = &self.subject.reference.schema;
        let differs = |mutant: &ScriptResult| Contrast::of(&reference, mutant).is_some();
        let orders = self.orders.get();
        let run = |translation| ScriptRun { schema, translation, database };
        let sound = run(&self.subject.translation).is_stable(orders, &reference)
            && run(&self.mutant.translation).holds_in_orders(orders, differs);
        self.tally.note(|seen| seen.unsound += usize::from(!sound));
        sound.then_some(contrast)
    }

    /// What both give.
    fn results(&self, database: &Database) -> Option<(ScriptResult, ScriptResult)> {
        let loaded = Sqlite::open(&self.subject.reference.schema, database).ok()?;
        let reference = loaded.run(&self.subject.translation, &Limits::default()).ok()?;
        let mutant = loaded.run(&self.mutant.translation, &Limits::default()).ok()?;
        Some((reference, mutant))
    }

    pub(super) fn killed(&self, database: &Database, wanted: Contrast) -> Verdict {
        self.subject.reductions.time(|| self.reduced(database, wanted))
    }

    fn reduced(&self, database: &Database, wanted: Contrast) -> Verdict {
        const BUDGET: usize = 600;
        let mut shows = |candidate: &Database| self.difference(candidate).is_some_and(|contrast| contrast >= wanted);
        let (small, effort) = reduce(database, BUDGET, &mut shows);
        let rows_before = effort.rows_before;
        if self.sound_difference(&small).is_some() {
            return Verdict::Killed { witness: small, trials: effort.trials, rows_before, shown: None };
        }
        // Too much is gone: what is left depends on the order of rows. This way is slower, and seldom needed.
        let mut shows =
            |candidate: &Database| self.sound_difference(candidate).is_some_and(|contrast| contrast >= wanted);
        let (witness, further) = reduce(database, BUDGET, &mut shows);
        Verdict::Killed { witness, trials: effort.trials + further.trials, rows_before, shown: None }
    }
}

/// What two differing results still share. A witness that keeps it says more: a wrong row beside a right one shows
/// what is wrong about it, where an empty result only says that something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contrast {
    /// One result is empty.
    Empty,
    /// Both have rows.
    BothHaveRows,
    /// Some row is in both.
    SharedRow,
}

impl Contrast {
    /// `None` if the rows are the same, in whatever order.
    fn of(reference: &ScriptResult, mutant: &ScriptResult) -> Option<Contrast> {
        if !matches!(compare(reference, mutant), Comparison::Different(_)) {
            return None;
        }
        let pairs = reference.tables.iter().zip(&mutant.tables);
        let differing = pairs.filter(|(left, right)| left.rows != right.rows);
        Some(differing.map(|(left, right)| Contrast::of_rows(&left.rows, &right.rows)).min().unwrap_or(Contrast::Empty))
    }

    fn of_rows(left: &[Row], right: &[Row]) -> Contrast {
        match (left.is_empty(), right.is_empty()) {
            (false, false) if left.iter().any(|row| right.contains(row)) => Contrast::SharedRow,
            (false, false) => Contrast::BothHaveRows,
            _ => Contrast::Empty,
        }
    }
}

/// The first of some databases on which reference and mutant both give rows and differ, whatever the order in which rows
/// are read; without one, the first on which they differ at all. `None` if there is none, or the mutant does not run.
pub fn first_showing(
    subject: &Subject<'_>,
    candidate: &Candidate<'_>,
    databases: impl Iterator<Item = Database>,
) -> Option<Database> {
    let mutant = MutantScript::read(subject, candidate).ok()?;
    let tally = SurvivorCounts::default();
    let run = DifferentialRun { subject, mutant: &mutant, tally, orders: Cell::new(ORDERS) };
    let mut first = None;
    for database in databases {
        match run.sound_difference(&database) {
            Some(Contrast::SharedRow | Contrast::BothHaveRows) => return Some(database),
            Some(Contrast::Empty) if first.is_none() => first = Some(database),
            _ => {}
        }
    }
    first
}

/// What reference and mutant give on a witness.
///
/// # Errors
///
/// When one of them no longer runs; the message says which and why.
pub fn replay(subject: &Subject<'_>, text: &str, witness: &Database) -> Result<(ScriptResult, ScriptResult), String> {
    let schema = &subject.reference.schema;
    let loaded = Sqlite::open(schema, witness).map_err(|error| error.to_string())?;
    let limits = Limits::default();
    let reference =
        loaded.run(&subject.translation, &limits).map_err(|error| format!("the reference fails: {error}"))?;
    let issue = BoundScript::bound(subject, text).map_err(|error| error.to_string())?;
    let translation =
        issue.translate(subject).map_err(|unsupported| format!("the issue cannot be run: {unsupported:?}"))?;
    let mutant = loaded.run(&translation, &limits).map_err(|error| format!("the issue fails: {error}"))?;
    Ok((reference, mutant))
}
