//! Where the time goes. Times differ from run to run: they are for the terminal, never for a record.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
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
    /// Rows.
    Writing,
}

impl Phase {
    /// All of them, in the order of the work.
    pub const ALL: [Phase; 6] =
        [Phase::Composing, Phase::Databases, Phase::Candidates, Phase::Trials, Phase::Words, Phase::Writing];

    /// The name on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Composing => "composing",
            Phase::Databases => "databases",
            Phase::Candidates => "candidates",
            Phase::Trials => "trials",
            Phase::Words => "words",
            Phase::Writing => "writing",
        }
    }
}

/// Adds up the time of each phase over all workers.
#[derive(Debug, Default)]
pub struct Stopwatch {
    nanoseconds: [AtomicU64; 6],
}

impl Stopwatch {
    /// Does the work and notes how long it takes.
    pub fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[phase as usize].fetch_add(spent, Ordering::Relaxed);
        done
    }

    /// The share of each phase, from 0 to 1, in the order of the work.
    pub fn shares(&self) -> Vec<(&'static str, f64)> {
        let spent = Phase::ALL.map(|phase| self.nanoseconds[phase as usize].load(Ordering::Relaxed) as f64);
        let all = spent.iter().sum::<f64>().max(1.0);
        Phase::ALL.iter().zip(spent).map(|(phase, spent)| (phase.name(), spent / all)).collect()
    }
}
