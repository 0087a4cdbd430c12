//! Measures where time is spent. Times differ from run to run: they are for the terminal, never for a record.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    /// Composing references.
    Composing,
    /// Making their databases and running the reference on them.
    Databases,
    /// Proposing faults.
    Candidates,
    /// Trials of mutants.
    Trials,
    /// Messages, complaints, critiques.
    Words,
    /// Writing rows.
    Writing,
}

impl WorkKind {
    /// All of them, in the order of the work.
    pub const ALL: [WorkKind; 6] = [
        WorkKind::Composing,
        WorkKind::Databases,
        WorkKind::Candidates,
        WorkKind::Trials,
        WorkKind::Words,
        WorkKind::Writing,
    ];

    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Composing => "composing",
            WorkKind::Databases => "databases",
            WorkKind::Candidates => "candidates",
            WorkKind::Trials => "trials",
            WorkKind::Words => "words",
            WorkKind::Writing => "writing",
        }
    }
}

/// Adds up the time of each kind of work over all workers.
#[derive(Debug, Default)]
pub struct PhaseTimes {
    nanoseconds: [AtomicU64; 6],
}

impl PhaseTimes {
    /// Does the work, adds the time that it takes, and returns its value.
    pub fn time<T>(&self, phase: WorkKind, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[phase as usize].fetch_add(spent, Ordering::Relaxed);
        done
    }

    /// Returns the share of each kind of work in the whole time, from 0 to 1, in the order of the work.
    pub fn shares(&self) -> Vec<(&'static str, f64)> {
        let spent = WorkKind::ALL.map(|phase| self.nanoseconds[phase as usize].load(Ordering::Relaxed) as f64);
        let all = spent.iter().sum::<f64>().max(1.0);
        WorkKind::ALL.iter().zip(spent).map(|(phase, spent)| (phase.name(), spent / all)).collect()
    }
}
