//! Chooses which candidate of a reference is tried next: the faults take turns by their weights in the mix.

use std::collections::BTreeMap;

use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::{Mix, fault_draw};
use crate::pipeline::weights;

/// How many candidates of a fault may fail in a reference before the fault is given up there.
const MOST_FAILURES: usize = 3;

/// A fault with its candidates in one reference.
struct CandidateQueue<'a> {
    fault: &'a Fault,
    candidates: std::vec::IntoIter<Mutant>,
    /// The time of its next turn: earlier for heavy faults, later after each pair.
    turn: f64,
    weight: f64,
    failures: usize,
}

/// The candidates of a reference in one track, by fault.
pub struct Selection<'a> {
    queues: Vec<CandidateQueue<'a>>,
    current: usize,
}

/// What the order of turns depends on.
#[derive(Clone, Copy, Debug)]
pub struct TurnDraw<'a> {
    pub seed: u64,
    pub script: &'a str,
    /// The mix of faults to aim at.
    pub mix: Mix,
}

impl<'a> Selection<'a> {
    /// Takes the candidates of one track out of `candidates`, which are those of a reference by fault.
    pub fn new(
        taxonomy: &'a Taxonomy,
        draw: TurnDraw<'_>,
        track: Track,
        candidates: &mut BTreeMap<String, Vec<Mutant>>,
    ) -> Selection<'a> {
        let mut queues = Vec::new();
        for (fault, weight) in weights(taxonomy, draw.mix, track) {
            let Some(own) = candidates.remove(&fault.id) else { continue };
            // Exponential clocks with these rates: each is the first to ring with a chance in proportion to its weight.
            let unit = fault_draw(draw.seed, draw.script, &fault.id);
            let turn = -(1.0 - unit).ln() / weight;
            queues.push(CandidateQueue { fault, candidates: own.into_iter(), turn, weight, failures: 0 });
        }
        Selection { queues, current: 0 }
    }

    /// Returns the next candidate with its fault; `None` if there is none left.
    pub fn next(&mut self) -> Option<(&'a Fault, Mutant)> {
        loop {
            let earliest = self.queues.iter().enumerate().min_by(|(_, a), (_, b)| a.turn.total_cmp(&b.turn));
            self.current = earliest.map(|(at, _)| at)?;
            let queue = &mut self.queues[self.current];
            match queue.candidates.next() {
                Some(mutant) if queue.failures < MOST_FAILURES => return Some((queue.fault, mutant)),
                _ => {
                    self.queues.swap_remove(self.current);
                }
            }
        }
    }

    /// Notes whether the candidate returned last was proved.
    pub fn note(&mut self, proved: bool) {
        let Some(queue) = self.queues.get_mut(self.current) else { return };
        if proved {
            queue.turn += 1.0 / queue.weight;
        } else {
            queue.failures += 1;
        }
    }
}
