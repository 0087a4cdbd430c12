//! Joins several faults in one script: each is proved alone, they share no place, and all are needed.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::pair::Pair;
use crate::corpus::Reference;
use crate::fault::Fault;
use crate::inject::Mutant;
use crate::inject::plan::fault_draw;

/// How often a pair tries to take in another fault.
const ATTEMPTS: usize = 8;

/// A fault and what plants it.
#[derive(Clone, Debug)]
pub struct PlantedMutant<'a> {
    pub fault: &'a Fault,
    /// The mutant of this fault alone.
    pub mutant: Mutant,
}

/// A proved pair and the faults in it.
#[derive(Debug)]
pub struct ProvedPair<'a> {
    pub parts: Vec<PlantedMutant<'a>>,
    pub pair: Pair,
}

/// Returns the faults as one mutant; `None` if their edits overlap or touch.
pub fn joined_mutant(reference: &Reference, parts: &[PlantedMutant<'_>]) -> Option<Mutant> {
    if let [part] = parts {
        return Some(part.mutant.clone());
    }
    let place = |part: &PlantedMutant<'_>| part.mutant.edits.span();
    let meets = |at: usize| parts[..at].iter().any(|other| place(other).touches(place(&parts[at])));
    if (0..parts.len()).any(meets) {
        return None;
    }
    Mutant::joined(&reference.key(), parts.iter().map(|part| &part.mutant))
}

/// Returns how many faults each pair of a script is to have, drawn evenly from `range`, without end.
pub fn sizes(seed: u64, script: &str, range: RangeInclusive<usize>) -> impl Iterator<Item = usize> {
    let (least, most) = (*range.start(), *range.end());
    (0..).map(move |turn: usize| {
        let draw = fault_draw(seed, script, &format!("faults of pair {turn}"));
        least + ((most - least + 1) as f64 * draw) as usize
    })
}

/// Joins pairs of one fault to pairs of the given numbers of faults; if no partner fits, a pair stays smaller. Partners
/// with faults in clauses that are still right go first, so that most of a script's faults have a clause of their own.
pub fn joined<'a>(
    found: Vec<ProvedPair<'a>>,
    sizes: impl Iterator<Item = usize>,
    prove: impl Fn(&[PlantedMutant<'a>]) -> Option<Pair>,
) -> Vec<ProvedPair<'a>> {
    let mut left = VecDeque::from(found);
    let mut joined = Vec::new();
    for size in sizes {
        let Some(mut task) = left.pop_front() else { break };
        // Those in front of `untried` did not fit.
        let mut untried = 0;
        for _ in 0..ATTEMPTS {
            let other_clause = (untried..left.len()).find(|at| !shares_clause(&task.pair, &left[*at].pair));
            let next = other_clause.unwrap_or(untried);
            let Some(partner) = left.get(next).filter(|_| task.parts.len() < size) else { break };
            let parts = [&task.parts[..], &partner.parts[..]].concat();
            let proved = prove(&parts);
            let partner = left.remove(next);
            match proved {
                Some(pair) => task = ProvedPair { parts, pair },
                None => {
                    partner.into_iter().for_each(|partner| left.insert(untried, partner));
                    untried += 1;
                }
            }
        }
        joined.push(task);
    }
    joined
}

/// Whether both scripts are wrong in the same clause.
fn shares_clause(one: &Pair, other: &Pair) -> bool {
    let clauses = |pair: &Pair| pair.task.gold.critique.iter().map(|entry| entry.clause.clone()).collect::<Vec<_>>();
    let known = clauses(one);
    clauses(other).iter().any(|clause| known.contains(clause))
}
