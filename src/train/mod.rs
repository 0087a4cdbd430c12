//! Training pairs in any number: composed scripts with proved faults, as rows of a trainer's format.
//!
//! A task of a benchmark takes seconds: smallest witness, databases that judge answers, other repairs, attacks by
//! solvers. A training pair needs only proof and words. Here each reference gives many pairs (`pairs`): a small set of
//! databases is made once, and a fault becomes a pair if one of these databases kills it or the engine refuses it.
//! Nothing is searched; mutants that survive are left out.
//!
//! Rows are written in parts (`parts`), each from a fixed range of references. A part is there whole or not at all, so
//! that an interrupted run can go on, and shards take turns among the parts. No two references of a run that give pairs
//! have the same skeleton, nor do the edits of two faults of a reference; `join` ensures the former across shards.
//! `check` composes the references again and proves every pair again.

mod error;
mod pair;
mod selection;
mod settings;
mod folder;
pub mod check;
pub mod join;
mod joined_faults;
mod proved_mutant;
mod critics;
mod pairs;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use error::TrainError;
pub use settings::{PartSettings, SETTINGS, TrainSettings, TrainShard};

use crate::export::RowFormat;
use crate::parallel::{self, Progress, shielded};
use folder::TrainFolder;
use pair::{ReferencePairs, WrittenReference};
use pairs::PairBuilder;

/// Number of references in a part.
const REFERENCES_OF_A_PART: u64 = 32;

/// What was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrainSummary {
    /// Proved pairs, those of earlier processes included.
    pub pairs: usize,
    /// Of these, pairs that this process made.
    pub new_pairs: usize,
    /// References tried, those of earlier processes included.
    pub references: usize,
    /// References that gave no pair: refused, or with the skeleton of an earlier one.
    pub without_pairs: usize,
    /// Whether the user stopped it.
    pub stopped: bool,
}

/// Makes pairs until there are as many as wanted, part by part; parts that are there already are only counted.
pub fn train(
    settings: &TrainSettings,
    format: &RowFormat,
    progress: &dyn Progress,
) -> Result<TrainSummary, TrainError> {
    let maker = PairBuilder::new(settings, format)?;
    let folder = TrainFolder::open(settings)?;
    let mut summary = TrainSummary::default();
    let mut skeletons: HashSet<u64> = HashSet::new();
    progress.stage("pairs", settings.pairs);
    for part in settings.shard.parts() {
        if summary.pairs >= settings.pairs {
            break;
        }
        if let Some(lines) = folder.written(part)? {
            for line in &lines {
                skeletons.extend(line.skeleton());
                summary.count(line.pairs);
            }
            continue;
        }
        if progress.is_stopped() {
            summary.stopped = true;
            break;
        }
        let mut numbers = part * REFERENCES_OF_A_PART..(part + 1) * REFERENCES_OF_A_PART;
        let mut made: Vec<ReferencePairs> = Vec::new();
        // What a worker has made beyond the last pair that is wanted is left out, so that a part does not depend on how
        // many workers there are.
        while summary.pairs < settings.pairs && !numbers.is_empty() {
            let wanted = settings.pairs - summary.pairs;
            for mut reference in references(&maker, settings.jobs, numbers.clone(), wanted) {
                numbers.start += 1;
                if summary.pairs >= settings.pairs {
                    break;
                }
                reference.drop_known(&mut skeletons);
                reference.pairs.truncate(settings.pairs - summary.pairs);
                summary.count(reference.pairs.len());
                summary.new_pairs += reference.pairs.len();
                (0..reference.pairs.len()).for_each(|_| progress.step());
                made.push(reference);
            }
        }
        folder.write(part, &made, |pair, output| maker.row(pair, output))?;
    }
    Ok(summary)
}

/// Makes references, one after another, until they have this many pairs together or there are no more numbers.
fn references(maker: &PairBuilder<'_>, jobs: usize, numbers: Range<u64>, wanted: usize) -> Vec<ReferencePairs> {
    let pairs = AtomicUsize::new(0);
    let numbers = numbers.take_while(|_| pairs.load(Ordering::Relaxed) < wanted);
    parallel::map(jobs, numbers, |number| {
        let made = shielded(&format!("reference {number}"), || maker.make(number))
            .unwrap_or_else(|panic| ReferencePairs::refused(number, panic.to_string()));
        pairs.fetch_add(made.pairs.len(), Ordering::Relaxed);
        made
    })
}

impl TrainSummary {
    fn count(&mut self, pairs: usize) {
        self.references += 1;
        self.pairs += pairs;
        self.without_pairs += usize::from(pairs == 0);
    }
}

impl WrittenReference {
    fn skeleton(&self) -> Option<u64> {
        u64::from_str_radix(&self.skeleton, 16).ok()
    }
}
