//! How many databases are tried on a mutant before it counts as a survivor.
//!
//! The budget is counted in databases, never in time, so that the same run gives the same bytes on any machine. A run of
//! a script costs about as much as the script is long: beyond `USUAL_NODES` the budget falls with the length, so that
//! no mutant of a long script is searched without end.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::engine::sqlite::{forget_earlier_runs, work_done};

/// Scripts up to this length, in nodes of the syntax tree, get the whole budget.
const USUAL_NODES: usize = 4_000;

/// How hard to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// An eighth of the usual budget.
    Low,
    /// The budget of a default run.
    #[default]
    Normal,
    /// Four times the usual budget.
    High,
}

impl FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Effort, String> {
        match text {
            "low" => Ok(Effort::Low),
            "normal" => Ok(Effort::Normal),
            "high" => Ok(Effort::High),
            _ => Err("the effort is low, normal or high".to_owned()),
        }
    }
}

/// Number of databases tried in each phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
    /// With random changes to single cells.
    pub cells: usize,
    /// With changes to single cells of the databases on which a difference propagates farthest.
    pub guided_cells: usize,
    /// With changes to whole columns of those.
    pub guided_columns: usize,
}

impl Effort {
    /// Returns the budget for one mutant of a script with this many nodes.
    pub fn budget(self, nodes: usize) -> SearchBudget {
        let scaled = |usual: usize| {
            let by_effort = match self {
                Effort::Low => usual / 8,
                Effort::Normal => usual,
                Effort::High => usual * 4,
            };
            by_effort * USUAL_NODES / nodes.max(USUAL_NODES)
        };
        SearchBudget { cells: scaled(320), guided_cells: scaled(320), guided_columns: scaled(480) }
    }
}

/// Work that proving mutants of one script may take: a quarter to half a minute, by what its statements do.
const USUAL_WORK: u64 = 600_000_000;
/// How many trials that end without a kill may take all of it, however few databases they have tried.
const TRIAL_PARTS: u64 = 32;
/// The part of its work after which a trial ends that has tried [`USUAL_DATABASES`]. Of 850 mutants that are killed, six
/// take more.
const USUAL_PART: u64 = 2;
/// Databases that are tried on a mutant before the smaller part of the work counts: of the mutants that are killed, nine
/// in ten are by then.
const USUAL_DATABASES: usize = 32;
/// Trials of one fault in a row that may end without a kill before further ones do less: where the first sites of a
/// fault show nothing, the others seldom do.
const USUAL_SURVIVORS: u64 = 2;
/// The part of its usual work that such a trial does: what is killed after so many survivors is so on one of the first
/// databases.
const LATE_PART: u64 = 8;
/// How many reductions of witnesses may take all of it.
const REDUCTION_PARTS: u64 = 4;
/// The part of the work on a script that may go into the search for its first rows, and how much that is at most.
const FIRST_ROWS_PARTS: u64 = 6;
const MOST_FOR_FIRST_ROWS: u64 = 100_000_000;
/// Work for reading one node of a script: its text, tree, names and translation.
const EACH_NODE: u64 = 200;

fn most(effort: Effort) -> u64 {
    match effort {
        Effort::Low => USUAL_WORK / 8,
        Effort::Normal => USUAL_WORK,
        Effort::High => USUAL_WORK * 4,
    }
}

/// A limit on the work that a command does on one script. The work is counted, never timed: it is the same on every
/// computer.
#[derive(Debug)]
pub struct WorkLimit {
    most: u64,
    /// What the engine had done before.
    before: u64,
    /// Work besides that of the engine.
    read: AtomicU64,
    /// How many trials of the fault at hand have ended without a kill since the last one.
    survivors: AtomicU64,
}

impl WorkLimit {
    /// Work without a limit.
    pub fn none() -> WorkLimit {
        WorkLimit::since(0, u64::MAX)
    }

    /// The work from now on, on this thread, for an effort.
    pub fn of(effort: Effort) -> WorkLimit {
        WorkLimit::since(work_done(), most(effort))
    }

    /// The work of one trial of a script with this limit from now on, on this thread. It is the same whatever the thread
    /// has done before.
    pub fn of_trial(&self, effort: Effort) -> WorkLimit {
        forget_earlier_runs();
        let part = if self.survivors.load(Ordering::Relaxed) < USUAL_SURVIVORS { 1 } else { LATE_PART };
        WorkLimit::since(work_done(), most(effort) / TRIAL_PARTS / part)
    }

    /// The work of reducing one witness from now on, on this thread.
    pub fn of_reduction(effort: Effort) -> WorkLimit {
        WorkLimit::since(work_done(), most(effort) / REDUCTION_PARTS)
    }

    fn since(before: u64, most: u64) -> WorkLimit {
        WorkLimit { most, before, read: AtomicU64::new(0), survivors: AtomicU64::new(0) }
    }

    /// The work of making one script ready, as [`WorkLimit::of_trial`].
    pub fn of_baseline(effort: Effort) -> WorkLimit {
        forget_earlier_runs();
        WorkLimit::of(effort)
    }

    /// Tells that another fault is tried.
    pub fn begin_fault(&self) {
        self.survivors.store(0, Ordering::Relaxed);
    }

    /// Tells that a trial of the fault at hand has ended with a kill, or with a survivor.
    pub fn end_trial(&self, killed: bool) {
        let survivors = if killed { 0 } else { self.survivors.load(Ordering::Relaxed) + 1 };
        self.survivors.store(survivors, Ordering::Relaxed);
    }

    /// The work of the search for a database on which a script with this limit gives rows, from now on, on this thread, as
    /// [`WorkLimit::of_trial`].
    pub(super) fn of_first_rows(&self) -> WorkLimit {
        forget_earlier_runs();
        WorkLimit::since(work_done(), (self.most / FIRST_ROWS_PARTS).min(MOST_FOR_FIRST_ROWS))
    }

    /// Adds the reading of a script with this many nodes.
    pub fn add_reading(&self, nodes: usize) {
        self.read.fetch_add(nodes as u64 * EACH_NODE, Ordering::Relaxed);
    }

    /// Whether one of so many equal parts of the work is done.
    pub fn is_part_done(&self, parts: u64) -> bool {
        self.done() >= self.most / parts
    }

    /// Whether a trial that has tried so many databases without a kill has done the work that it is worth.
    pub fn is_trial_done(&self, databases: usize) -> bool {
        self.is_done() || databases >= USUAL_DATABASES && self.is_part_done(USUAL_PART)
    }

    /// Whether all the work is done.
    pub fn is_done(&self) -> bool {
        self.is_part_done(1)
    }

    fn done(&self) -> u64 {
        work_done().saturating_sub(self.before).saturating_add(self.read.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_a_limit_that_rises_with_the_effort() {
        let nodes = (USUAL_WORK / EACH_NODE) as usize;
        let limits = [Effort::Low, Effort::Normal, Effort::High].map(WorkLimit::of);
        limits.iter().for_each(|limit| limit.add_reading(nodes));
        assert_eq!(limits.each_ref().map(WorkLimit::is_done), [true, true, false]);
        assert_eq!(limits.each_ref().map(|limit| limit.is_part_done(4)), [true; 3]);
        assert!(!WorkLimit::none().is_done());
        let reduction = WorkLimit::of_reduction(Effort::Normal);
        reduction.add_reading(nodes / TRIAL_PARTS as usize);
        assert!(!reduction.is_done(), "a reduction may take longer");
        let trial = WorkLimit::none().of_trial(Effort::Normal);
        trial.add_reading(nodes / TRIAL_PARTS as usize + 1);
        assert!(trial.is_done(), "a trial may take a part of a script's work");
        let usual = WorkLimit::none().of_trial(Effort::Normal);
        usual.add_reading(nodes / (TRIAL_PARTS * USUAL_PART) as usize + 1);
        let done = [0, USUAL_DATABASES - 1, USUAL_DATABASES].map(|databases| usual.is_trial_done(databases));
        assert_eq!(done, [false, false, true], "and less once it has tried the usual databases");
    }

    #[test]
    fn a_fault_whose_first_sites_show_nothing_is_tried_with_less_work() {
        let script = WorkLimit::of(Effort::Normal);
        let nodes = (USUAL_WORK / EACH_NODE / TRIAL_PARTS / LATE_PART) as usize + 1;
        let is_short = || {
            let trial = script.of_trial(Effort::Normal);
            trial.add_reading(nodes);
            trial.is_done()
        };
        for survivors in 0..USUAL_SURVIVORS {
            assert!(!is_short(), "after {survivors} survivors");
            script.end_trial(false);
        }
        assert!(is_short());
        script.end_trial(true);
        assert!(!is_short(), "a kill is hope");
        (0..USUAL_SURVIVORS).for_each(|_| script.end_trial(false));
        script.begin_fault();
        assert!(!is_short(), "another fault is another matter");
    }

    #[test]
    fn the_budget_falls_with_the_length_of_the_script_and_rises_with_the_effort() {
        let cells = |effort: Effort, nodes: usize| effort.budget(nodes).cells;
        assert_eq!([0, 4_000, 8_000, 40_000].map(|nodes| cells(Effort::Normal, nodes)), [320, 320, 160, 32]);
        assert_eq!(["low", "normal", "high"].map(|text| cells(text.parse().unwrap(), 100)), [40, 320, 1280]);
        assert!("most".parse::<Effort>().is_err());
    }
}
