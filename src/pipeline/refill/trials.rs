//! The mutants of a run and of its refill.

use std::collections::BTreeMap;

use super::super::proven::TriedMutant;
use super::existing::ExistingRun;
use super::search::RefilledRun;

/// Returns every mutant that the run ever tried, with its verdict.
pub(super) fn all_trials(run: &ExistingRun, found: &RefilledRun) -> Vec<TriedMutant> {
    let before = run.mutants.values().filter_map(|mutant| {
        let verdict = run.proofs.get(&mutant.id)?.verdict.clone();
        Some(TriedMutant { mutant: mutant.clone(), verdict })
    });
    let since = found.trials.iter().cloned();
    let by_id: BTreeMap<String, TriedMutant> =
        before.chain(since).map(|tried| (tried.mutant.id.clone(), tried)).collect();
    by_id.into_values().collect()
}
